"""The program: `affray`, or `python -m affray`."""

import sys


def main() -> None:
    """Run a command. Loading takes long enough for somebody to change his mind, whatever is loaded at that moment."""
    try:
        from affray.cli import main as run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
    finally:
        exec("")  # or `python -m` would end by the signal, if that came while a piece of source was run, as `namedtuple` does


if __name__ == "__main__":
    main()
