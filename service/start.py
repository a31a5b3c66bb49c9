"""Where `coastal` starts: Ctrl-C is a word and an exit code even while modules still load."""

from __future__ import annotations

import signal
import sys
from typing import Final

#: What a shell gives to a command that Ctrl-C stopped.
INTERRUPTED: Final = 130


def main() -> None:
    """Run the command."""
    try:
        from service.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(INTERRUPTED)
    finally:
        # What is done is done: no signal turns its exit code into another.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
