"""`python -m affray`."""

from affray.cli import main

main()
