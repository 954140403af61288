from __future__ import annotations

import re
import subprocess
import sys

import pytest
import typer

from physprobe import __version__
from physprobe.cli import app as physprobe_app
from physprobe.cli.runner import run
from physprobe.errors import UserError, unknown_name


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer(no_args_is_help=True)

    @app.command()
    def paint(colour: str, coats: int = 1) -> int:
        """Paint."""
        if colour == "plaid":
            raise unknown_name("colour", colour, ["red", "blue"])
        if colour == "bug":
            raise ZeroDivisionError("a bug")
        if colour == "stop":
            raise KeyboardInterrupt
        if colour == "exit":
            raise typer.Exit(3)
        if colour == "abort":
            raise typer.Abort
        print(f"{colour} x {coats}")
        return 4 if colour == "four" else 0

    @app.command()
    def dry() -> None:
        """Dry."""

    return app


def outcome(app: typer.Typer, capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = run(app, argv)
    out, err = capsys.readouterr()
    return code, out, err


def test_success(app, capsys):
    assert outcome(app, capsys, "paint", "red", "--coats", "2") == (0, "red x 2\n", "")
    assert outcome(app, capsys, "dry") == (0, "", "")


def test_user_error_is_one_line_and_exit_code_2(app, capsys):
    assert outcome(app, capsys, "paint", "plaid") == (
        2,
        "",
        "error: unknown colour 'plaid'; valid: blue, red\n",
    )


def test_a_user_error_may_carry_its_own_exit_code(capsys):
    class Partial(UserError):
        exit_code = 5

    app = typer.Typer()

    @app.command()
    def only() -> None:
        raise Partial("half done")

    assert outcome(app, capsys) == (5, "", "error: half done\n")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_debug_anywhere_shows_the_traceback_too(app, capsys, at):
    argv = ["paint", "plaid"]
    argv.insert(at, "--debug")
    code, out, err = outcome(app, capsys, *argv)
    assert code == 2
    assert out == ""
    assert err.startswith("Traceback (most recent call last):")
    assert 'raise unknown_name("colour", colour, ["red", "blue"])' in err
    assert err.endswith("error: unknown colour 'plaid'; valid: blue, red\n")


def test_debug_changes_nothing_where_nothing_fails(app, capsys):
    assert outcome(app, capsys, "paint", "red", "--debug") == (0, "red x 1\n", "")


@pytest.mark.parametrize(
    ("argv", "pattern"),
    [
        (["paint"], "Missing argument '(?i:colour)'"),
        (["paint", "red", "--coat", "2"], "No such option: --coat"),
        (["paint", "red", "--coats", "two"], "Invalid value for '--coats': .*integer"),
        (["paint", "red", "blue"], r"Got unexpected extra argument.*\(blue\)"),
        (["sand"], "No such command 'sand'; valid: paint, dry"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(app, capsys, argv, pattern):
    code, out, err = outcome(app, capsys, *argv)
    assert code == 2
    assert out == ""
    assert re.fullmatch(rf"error: {pattern}.* \(see --help\)\n", err)


def test_bad_usage_with_debug_shows_the_traceback(app, capsys):
    code, _, err = outcome(app, capsys, "sand", "--debug")
    assert code == 2
    assert err.startswith("Traceback")
    assert err.endswith("error: No such command 'sand'; valid: paint, dry (see --help)\n")


def test_no_arguments_print_the_help_and_name_the_commands(app, capsys):
    code, out, err = outcome(app, capsys)
    assert code == 2
    assert "Paint." in out
    assert err == "error: missing command; valid: paint, dry (see --help)\n"


def test_a_single_command_without_arguments(capsys):
    app = typer.Typer()

    @app.command(no_args_is_help=True)
    def only(path: str) -> None:
        """Do the only thing."""

    code, out, err = outcome(app, capsys)
    assert code == 2
    assert "Do the only thing." in out
    assert err == "error: missing arguments (see --help)\n"


def test_exit_codes_of_commands_pass_through(app, capsys):
    assert outcome(app, capsys, "paint", "exit")[0] == 3
    assert outcome(app, capsys, "paint", "four")[0] == 4


@pytest.mark.parametrize("colour", ["stop", "abort"])
def test_interruption(app, capsys, colour):
    assert outcome(app, capsys, "paint", colour) == (130, "", "error: interrupted\n")


def test_a_bug_is_not_hidden(app):
    with pytest.raises(ZeroDivisionError, match="a bug"):
        run(app, ["paint", "bug"])


def test_help_is_a_success(app, capsys):
    code, out, err = outcome(app, capsys, "paint", "--help")
    assert code == 0
    assert "--coats" in out
    assert err == ""


def test_arguments_come_from_the_command_line_by_default(app, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["prog", "paint", "plaid"])
    assert run(app) == 2
    assert capsys.readouterr().err == "error: unknown colour 'plaid'; valid: blue, red\n"


def test_physprobe_prints_its_version(capsys):
    assert outcome(physprobe_app, capsys, "version") == (0, f"{__version__}\n", "")


def test_the_installed_script_exits_with_the_code():
    code = "import sys; sys.argv = ['physprobe', 'nonsense']; from physprobe.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: No such command 'nonsense'; valid: ")
    assert "Traceback" not in done.stderr


def test_starting_the_command_loads_nothing_heavy():
    code = (
        "import sys, physprobe.cli; print(*{'numpy', 'pandas', 'torch', 'datasets', 'av'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == ""
