"""The command line: one file per command, each imported only when it is called, so that --help is quick."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

# Command → what `ontomask --help` says of it. `ontomask.cli.<command>` holds it as `command`.
COMMANDS = {
    "demo": "Mask the bundled example, print what happened, write a report.",
    "mask": "Mask a table and verify the result.",
    "evaluate": "Say what a masked table lost and what an intruder could find.",
    "compare": "Try several methods and k on one table.",
    "match": "Show which concept each value of a column means.",
    "verify": "Check that a file is k-anonymous.",
    "taxonomy": "Look into, check and convert taxonomies.",
    "methods": "List the masking methods.",
    "measures": "List the semantic distance measures.",
}


class _Lazy(click.Group):
    """A group that knows its commands' names and one-line helps without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return import_module(f"ontomask.cli.{cmd_name}").command  # type: ignore[no-any-return]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            from ..errors import unknown

            raise click.UsageError(str(unknown("command", args[0], COMMANDS)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="ontomask")
def cli() -> None:
    """Publish tables about people: mask words by what they mean, and prove k-anonymity."""


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    """Ctrl-C ends the run; a second one does not end what cleans up after it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> None:
    """The entry point: what the package refuses becomes one message on standard error, never a traceback.

    Exit codes: 0 done, 1 refused or a promise not kept, 2 wrong usage, 130 interrupted.
    """
    from ..errors import OntomaskError

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody wants it ignored
        signal.signal(signal.SIGINT, _interrupted)
    try:
        sys.exit(cli.main(prog_name="ontomask", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted: nothing was left behind.", err=True)
        progress = sys.modules.get("ontomask._progress")
        if progress is not None and progress.abandoned():  # a compiled loop: Python would be taken apart under its feet
            atexit._run_exitfuncs()
            sys.stdout.flush()
            os._exit(130)
        sys.exit(130)
    except OntomaskError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:  # the reader of a pipe went away: not our failure, and nothing to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
