"""What happened and how things stand, in plain words. Nothing is decided or worked out here."""
