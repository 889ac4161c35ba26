"""Things as targets: toughness and structural damage."""
