"""The special combat rules, by kind."""
