"""Many fights at once, and duels worked out exactly: the mechanics of live play, tabulated."""
