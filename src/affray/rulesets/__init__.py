"""The rule books that Affray can play, one package each; none of them knows another."""
