"""``python -m builders push``, ``verify`` and ``diff`` against the local Hub, through the real client."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builders.cli import app
from builders.conservation.schema import QUESTIONS, VIDEOS
from builders.folder import read_manifest
from physprobe.cli.runner import run
from tests.support.edited_dataset import rebuilt, with_changed
from tests.support.hub_server import LocalHub
from tests.support.hub_server.running import READER, WRITER

pytestmark = pytest.mark.usefixtures("waits")

NAME = "lab/conservationbench"
Outcome = tuple[int, str, str]
Command = Callable[..., Outcome]


@pytest.fixture
def builders(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command; return exit code, standard output and standard error. No output ever holds a token."""

    def command(*arguments: str | Path) -> Outcome:
        code = run(app, [str(argument) for argument in arguments])
        output = capsys.readouterr()
        assert WRITER not in output.out + output.err
        return code, output.out, output.err

    return command


def refusal(outcome: Outcome) -> str:
    code, _, error = outcome
    assert code == 2
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    return error


def tree(hub: LocalHub, revision: str = "main") -> dict[str, bytes]:
    return {path: hub.read(NAME, path, revision) for path in hub.files(NAME, revision)}


def folder(place: Path) -> dict[str, bytes]:
    return {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*") if p.is_file()}


def writes(hub: LocalHub) -> list[str]:
    """What changed something on the Hub."""
    return [
        seen.path
        for seen in hub.faults.seen
        if seen.is_write and "paths-info" not in seen.path and "yaml" not in seen.path
    ]


def test_two_versions(hub: LocalHub, fewer: Path, whole: Path, builders: Command) -> None:
    code, out, _ = builders("push", fewer, NAME, "--tag", "v1.0.0")
    assert (code, out.split(" (")[0]) == (0, f"published: {NAME}@v1.0.0")
    first = tree(hub)
    code, out, _ = builders("push", whole, NAME, "--tag", "v1.1.0")
    assert (code, out.split(" (")[0]) == (0, f"published: {NAME}@v1.1.0")
    assert tree(hub, "v1.0.0") == first
    assert tree(hub) == tree(hub, "v1.1.0") != first
    assert tree(hub).keys() == folder(whole).keys()
    assert [
        path
        for path, content in folder(whole).items()
        if tree(hub)[path] != content and path != "croissant.json"
    ] == [
        "README.md",
        "manifest.json",
    ]


def test_card_and_manifest_bear_the_tag(hub: LocalHub, fewer: Path, whole: Path, builders: Command) -> None:
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    builders("push", whole, NAME, "--tag", "v1.1.0")
    built = read_manifest(whole)
    published = json.loads(tree(hub)["manifest.json"])
    assert published["dataset_version"] == "1.1.0"
    assert published["configs"] == built.model_dump()["configs"]
    assert json.loads(tree(hub, "v1.0.0")["manifest.json"])["dataset_version"] == "1.0.0"
    card = tree(hub)["README.md"].decode()
    assert "- Version 1.1.0, preset `mini`" in card
    versions = card.split("## Versions")[1].split("\n")
    listed = [line for line in versions if line.startswith("- ")]
    assert listed[0] == "- **1.1.0** Since 1.0.0: questions: 3 added."
    assert listed[1] == "- **1.0.0** First version published here."
    assert listed[2].startswith(f"- **{built.dataset_version}** ")


def test_same_content_again(hub: LocalHub, whole: Path, builders: Command) -> None:
    builders("push", whole, NAME, "--tag", "v1.0.0")
    hub.faults.clear()
    code, out, _ = builders("push", whole, NAME, "--tag", "v1.0.0")
    commit = hub.repo(NAME).refs.tags["v1.0.0"]
    assert (code, out) == (0, f"already published: {NAME}@v1.0.0 (commit {commit})\n")
    assert writes(hub) == []


def test_other_content_under_an_old_version(
    hub: LocalHub, fewer: Path, whole: Path, builders: Command
) -> None:
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    before, refs = tree(hub), hub.repo(NAME).refs
    error = refusal(builders("push", whole, NAME, "--tag", "v1.0.0"))
    old, new = (read_manifest(place).configs["questions"].sha256[:16] for place in (fewer, whole))
    assert f"(SHA-256 of rows: questions {old} -> {new}); choose a new tag" in error
    assert (tree(hub), hub.repo(NAME).refs) == (before, refs)


def test_a_tag_must_say_as_much_as_changed(
    hub: LocalHub, fewer: Path, whole: Path, tmp_path: Path, builders: Command
) -> None:
    changed = rebuilt(whole, tmp_path / "changed", VIDEOS, with_changed(1, seed=7))
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    hub.faults.clear()
    error = refusal(builders("push", whole, NAME, "--tag", "v1.0.1"))
    assert "since v1.0.0, questions: 3 added; that is a minor change, tag it v1.1.0" in error
    error = refusal(builders("push", changed, NAME, "--tag", "v1.1.0"))
    assert "questions: 3 added; videos: 1 changed; that is a major change, tag it v2.0.0" in error
    assert "older than the published v1.0.0" in refusal(builders("push", whole, NAME, "--tag", "v0.9.0"))
    assert writes(hub) == []
    assert builders("push", changed, NAME, "--tag", "v2.0.0")[0] == 0
    error = refusal(builders("push", fewer, NAME, "--tag", "v2.1.0"))
    assert "questions: 3 removed; videos: 1 changed; that is a major change" in error


def test_a_repository_that_holds_something_else(hub: LocalHub, whole: Path, builders: Command) -> None:
    repo = hub.store.create("datasets", NAME, private=False)
    repo.commit("main", {"thesis.tex": repo.add_blob(b"years of work")}, "by hand")
    assert "holds files that are not ours" in refusal(builders("push", whole, NAME, "--tag", "v1.0.0"))
    other = (whole / "manifest.json").read_bytes().replace(b'"conservationbench"', b'"quantiphy"')
    repo.commit("main", {"manifest.json": repo.add_blob(other)}, "another")
    error = refusal(builders("push", whole, NAME, "--tag", "v1.0.0"))
    assert "holds quantiphy, not conservationbench; choose another name" in error
    assert writes(hub) == []
    repo.commit("main", {"README.md": repo.add_blob(b"soon")}, "made on the Hub's page")
    assert builders("push", whole, NAME, "--tag", "v1.0.0")[0] == 0


def test_a_dry_run_changes_nothing(hub: LocalHub, fewer: Path, whole: Path, builders: Command) -> None:
    code, out, _ = builders("push", fewer, NAME, "--tag", "v1.0.0", "--dry-run", "--private")
    assert code == 0
    assert out.splitlines()[0] == f"create private dataset {NAME}"
    assert "add questions/test-00000-of-00001.parquet (" in out
    assert out.splitlines()[-1] == "move main and set the tag v1.0.0"
    assert writes(hub) == []
    assert hub.store.find("datasets", NAME) is None
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    hub.faults.clear()
    _, out, _ = builders("push", whole, NAME, "--tag", "v1.1.0", "--dry-run")
    assert "replace questions/test-00000-of-00001.parquet" in out
    assert "rows of questions: 3 added" in out
    assert "videos" not in out
    assert writes(hub) == []


def test_under_faults(hub: LocalHub, fewer: Path, whole: Path, waits: list[float], builders: Command) -> None:
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    first = tree(hub)
    hub.faults.share = 0.2
    hub.faults.cut_upload()
    hub.faults.rate_limit("/commit/main", retry_after="11")
    assert builders("push", whole, NAME, "--tag", "v1.1.0")[0] == 0
    hub.faults.clear()
    assert max(waits) >= 11
    assert tree(hub, "v1.0.0") == first
    assert builders("verify", NAME, "--against", whole)[0] == 0
    states = [commit for name, branch, commit in hub.store.moves if (name, branch) == (NAME, "main")]
    assert len(states) == 2


@pytest.mark.parametrize("tag", ["1.0.0", "v1.0", "v1.0.0-rc1", "v01.0.0", "latest", ""])
def test_a_tag_that_is_no_version(hub: LocalHub, whole: Path, tag: str, builders: Command) -> None:
    assert "is no version: write --tag vX.Y.Z" in refusal(builders("push", whole, NAME, "--tag", tag))
    assert hub.faults.seen == []


def _cut_shard(place: Path) -> None:
    shard = next(place.glob("videos/*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-1])


def _edit_card(place: Path) -> None:
    card = place / "README.md"
    card.write_text(card.read_text().replace("Content SHA-256", "Content"))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda place: (place / "manifest.json").unlink(), "it was not built by this tool"),
        (lambda place: (place / "manifest.json").write_text("{}"), "manifest.json is damaged"),
        (lambda place: next(place.glob("videos/*")).unlink(), "parquet: missing"),
        (_cut_shard, "the file was changed after the build (SHA-256 differs)"),
        (
            lambda place: shutil.copy(next(place.glob("videos/*")), place / "x.parquet"),
            "x.parquet: not part of",
        ),
        (_edit_card, "description lacks the content hash"),
        (shutil.rmtree, "is not a folder"),
    ],
)
def test_a_folder_that_is_not_as_built(
    hub: LocalHub,
    whole: Path,
    tmp_path: Path,
    damage: Callable[[Path], object],
    message: str,
    builders: Command,
) -> None:
    place = Path(shutil.copytree(whole, tmp_path / "damaged"))
    damage(place)
    assert message in refusal(builders("push", place, NAME, "--tag", "v1.0.0"))
    assert hub.faults.seen == []


@pytest.mark.parametrize(
    ("token", "name", "message"),
    [
        ("hf_nobodynobodynobodynobody", NAME, "does not accept the token"),
        (READER, NAME, "lacks the right to"),
        (WRITER, "elsewhere/data", "lacks the right to"),
        (WRITER, "conservationbench", "write ORG/NAME"),
        (WRITER, "lab/..", "is not allowed"),
    ],
)
def test_who_may_not(
    hub: LocalHub, whole: Path, token: str, name: str, message: str, builders: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("HF_TOKEN", token)
    assert message in refusal(builders("push", whole, name, "--tag", "v1.0.0"))
    assert [path for path in writes(hub) if "/repos/create" not in path] == []


def test_verify_on_the_hub(hub: LocalHub, fewer: Path, whole: Path, builders: Command) -> None:
    builders("push", whole, NAME, "--tag", "v1.0.0")
    code, out, _ = builders("verify", f"{NAME}@v1.0.0", "--against", whole)
    assert code == 0, out
    assert f"{NAME}@v1.0.0: no problems found" in out
    code, out, _ = builders("verify", NAME, "--against", fewer)
    assert code == 1
    last = "problem: added questions "
    assert sum(line.startswith(last) for line in out.splitlines()) == 3
    assert "no such revision" in refusal(builders("verify", f"{NAME}@v9.0.0"))
    assert "there is no such repository" in refusal(builders("verify", "lab/nothing"))
    assert "write DIR or ORG/NAME[@TAG]" in refusal(builders("verify", "./nothing"))


def test_diff(hub: LocalHub, fewer: Path, whole: Path, tmp_path: Path, builders: Command) -> None:
    builders("push", fewer, NAME, "--tag", "v1.0.0")
    changed = rebuilt(whole, tmp_path / "changed", VIDEOS, with_changed(1, seed=7))
    code, out, _ = builders("diff", f"{NAME}@v1.0.0", changed)
    lines = out.splitlines()
    assert code == 1
    assert [line.rsplit(" ", 1)[0] for line in lines[:-1]] == ["added questions"] * 3 + ["changed videos"]
    assert lines[3] == "changed videos number_uniform_lower_near_3_nonconserving"
    assert lines[-1] == "questions: 3 added; videos: 1 changed: a major version"
    code, out, _ = builders("diff", changed, whole)
    assert (code, out.splitlines()[-1]) == (1, "videos: 1 changed: a major version")
    assert builders("diff", whole, whole)[:2] == (0, "no row changed: a patch version\n")


def test_a_folder_changed_after_the_build_is_not_compared(
    whole: Path, tmp_path: Path, builders: Command
) -> None:
    damaged = shutil.copytree(whole, tmp_path / "damaged")
    shard = next(damaged.glob("questions/*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-100])
    assert "is not as it was built" in refusal(builders("diff", whole, damaged))


@pytest.mark.parametrize("command", ["push", "diff"])
def test_help_has_an_example(command: str, builders: Command) -> None:
    code, out, _ = builders(command, "--help")
    assert code == 0
    assert f"Example: python -m builders {command} " in out


def test_questions_are_what_was_cut(fewer: Path, whole: Path) -> None:
    counts = [read_manifest(place).configs[QUESTIONS.name].rows for place in (fewer, whole)]
    assert counts[1] - counts[0] == 3


def test_killed_for_real_while_main_moves(hub: LocalHub, whole: Path, builders: Command) -> None:
    """The commit is on its way when SIGKILL comes; nothing is left to clean up, and a rerun sets the tag."""
    command = [sys.executable, "-m", "builders", "push", str(whole), NAME, "--tag", "v1.0.0"]
    running: list[subprocess.Popen[bytes]] = []

    def kill(method: str, path: str) -> None:
        if path.endswith("/commit/main"):
            running[0].kill()

    hub.faults.before = kill
    environment = {**os.environ, "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}
    running.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
    assert running[0].wait(120) == -signal.SIGKILL
    hub.faults.before = None
    assert hub.repo(NAME).refs.tags == {}
    assert list(tree(hub)) in ([], sorted(folder(whole)))
    uploads = hub.faults.count("PUT")
    assert builders("push", whole, NAME, "--tag", "v1.0.0")[1].startswith("published: ")
    assert hub.faults.count("PUT") == uploads
    assert tree(hub, "v1.0.0") == tree(hub)
    assert list(tree(hub)) == sorted(folder(whole))
    assert list(hub.repo(NAME).refs.branches) == ["main"]


def test_a_dry_run_needs_no_token(
    hub: LocalHub, fewer: Path, whole: Path, builders: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.delenv("HF_TOKEN", raising=False)
        code, out, _ = builders("push", fewer, NAME, "--tag", "v1.0.0", "--dry-run")
        assert code == 0
        assert out.splitlines()[0] == (
            f"create public dataset {NAME} (or it is private, and can't be seen without a token)"
        )
        assert "log in" in refusal(builders("push", fewer, NAME, "--tag", "v1.0.0"))
    assert builders("push", fewer, NAME, "--tag", "v1.0.0")[0] == 0
    done = writes(hub)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    code, out, _ = builders("push", whole, NAME, "--tag", "v1.1.0", "--dry-run")
    assert (code, out.splitlines()[-1]) == (0, "move main and set the tag v1.1.0")
    assert "rows of questions: 3 added" in out
    code, out, _ = builders("push", fewer, NAME, "--tag", "v1.0.0", "--dry-run")
    assert (code, out) == (0, f"already published: {NAME}@v1.0.0\n")
    assert writes(hub) == done


def test_a_dry_run_without_a_network_says_what_a_first_version_would_be(
    hub: LocalHub, fewer: Path, waits: list[float], builders: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    code, out, _ = builders("push", fewer, NAME, "--tag", "v1.0.0", "--dry-run")
    assert code == 0
    assert out.startswith("what is published is unknown, for the Hub can't be asked (can't look at ")
    assert "add questions/test-00000-of-00001.parquet (" in out
    assert out.splitlines()[-1] == "move main and set the tag v1.0.0"
    assert len(waits) == 2
    assert "is not a folder" in refusal(builders("push", "absent", NAME, "--tag", "v1.0.0", "--dry-run"))
