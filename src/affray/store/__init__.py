"""Where fights are kept. One line format, append-only and synced; back ends: JSON Lines here, SQL rows for the server."""
