"""`python -m affray`."""

try:
    from affray.cli import main
except KeyboardInterrupt:  # even this takes long enough for somebody to change his mind
    raise SystemExit(130) from None

main()
