"""The group of commands, its lazy imports and its errors."""

from __future__ import annotations

import importlib
import sys

import click

# Name: module, attribute, one line of help.
COMMANDS = {
    "run": ("stbench_harness.cli.run", "run", "Run a system on a case, score it and write its results."),
    "score": ("stbench_harness.cli.score", "score", "Score a run again from its ledgers, or a bag."),
    "explain": ("stbench_scoring.cli_score", "explain", "Show how a score came about."),
    "report": ("stbench_scoring.cli_score", "report", "Print a run's results and write its page."),
    "build": ("stbench_world.cli", "build", "Build scripts: plan a job, sense it, render its pictures."),
    "compile": ("stbench_scoring.cli", "compile", "Compile scripts into cases, questions and gold."),
    "validate": ("stbench_scoring.cli", "validate", "Check a release, file by file."),
}


class Lazy(click.Group):
    """Imports a subcommand when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """stbench: replays recorded robot jobs to a system, asks it about the space around it, and scores the answers."""


def main() -> None:
    """Entry point. Exit 2: bad input, named without a traceback; 1: a run that failed; 130: interrupted."""
    try:
        code = cli.main(standalone_mode=False, prog_name="stbench")
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except OSError as error:  # a folder that cannot be written, a full disk
        click.echo(f"error: {error.filename or 'a file'}: {error.strerror or error}", err=True)
        code = 2
    except ValueError as error:
        from stbench_scoring.errors import StbenchError

        if not isinstance(error, StbenchError):
            raise
        click.echo(f"error: {error}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
