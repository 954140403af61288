"""Publishing on a Hub that fails: main shows the old state or the new one, whatever happens."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from huggingface_hub import HfApi

from physprobe.errors import UserError
from physprobe.hub.contents import Upload, Uploads
from physprobe.hub.patience import HubError, Patience
from physprobe.hub.publishing import Publication, publish
from physprobe.hub.repository import Repository
from tests.support.hub_server import LocalHub
from tests.support.hub_server.client import Killed, killing
from tests.support.hub_server.running import READER

NAME = "lab/data"
CARD = b"---\nlicense: apache-2.0\n---\n"


def files(letter: bytes, size: int = 1000) -> dict[str, Upload]:
    return {
        "README.md": Upload(CARD + letter),
        "rows/test-0.parquet": Upload(letter * size),
        "rows/test-1.parquet": Upload(letter * (size + 1)),
    }


def publication(uploads: Uploads, tag: str = "v1.0.0") -> Publication:
    return Publication(uploads, "a message", f"publishing-{tag}", tag)


OLD, NEW = files(b"o"), files(b"n")


def contents(hub: LocalHub, name: str = NAME, revision: str = "main") -> dict[str, bytes]:
    return {path: hub.read(name, path, revision) for path in hub.files(name, revision)}


def sent(uploads: Uploads) -> dict[str, object]:
    return {path: upload.source for path, upload in uploads.items()}


def states_of_main(hub: LocalHub, name: str = NAME) -> list[dict[str, bytes]]:
    """Every state that main was ever in, from the first to the last."""
    commits = [*hub.repo(name).history(hub.repo(name).refs.branches["main"])][::-1]
    return [contents(hub, name, commit) for commit in commits]


def test_a_first_and_a_second_version(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    publish(Repository(NAME), publication(NEW, "v2.0.0"))
    assert states_of_main(hub) == [{}, sent(OLD), sent(NEW)]
    refs = hub.repo(NAME).refs
    assert list(refs.branches) == ["main"]
    assert contents(hub, revision="v1.0.0") == sent(OLD)
    assert refs.tags["v2.0.0"] == refs.branches["main"]


def test_files_that_no_longer_belong_go_in_the_same_step(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    fewer = {path: NEW[path] for path in list(NEW)[:2]}
    publish(Repository(NAME), publication(fewer, "v2.0.0"))
    assert states_of_main(hub) == [{}, sent(OLD), sent(fewer)]
    assert ".gitattributes" in hub.repo(NAME).tree(hub.repo(NAME).refs.branches["main"])


def test_others_files_stay_when_asked_for(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    more = {"more.txt": Upload(b"more")}
    publish(Repository(NAME), Publication(more, "more", "more", whole=False))
    assert contents(hub) == sent(OLD) | sent(more)
    assert list(hub.repo(NAME).refs.tags) == ["v1.0.0"]


def test_a_large_file_is_sent_in_parts_and_only_once(hub: LocalHub) -> None:
    big = files(b"b", 450_000)  # the Hub takes 200 kB at a time
    publish(Repository(NAME), publication(big))
    assert contents(hub) == sent(big)
    assert hub.faults.count("POST", "/complete/") == 2
    assert hub.faults.count("PUT") == 6


@pytest.mark.parametrize("seed", range(3))
def test_a_hub_that_fails_often(hub: LocalHub, waits: list[float], seed: int) -> None:
    publish(Repository(NAME), publication(OLD))
    hub.faults.share, hub.faults.lost_share, hub.faults.seed = 0.2, 0.1, seed
    hub.faults.cut_upload()
    hub.faults.rate_limit("/commit/main", retry_after="7")
    hub.faults.rate_limit("/upload/", retry_after="7")
    seen, looked, stop = [], threading.Event(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(hub.url, seen, looked, stop))
    watcher.start()
    assert looked.wait(60)
    publish(Repository(NAME), publication(NEW, "v2.0.0"))
    stop.set()
    watcher.join(60)
    assert not watcher.is_alive()
    assert states_of_main(hub) == [{}, sent(OLD), sent(NEW)]
    assert contents(hub, revision="v1.0.0") == sent(OLD)
    assert contents(hub, revision="v2.0.0") == sent(NEW)
    assert {outcome.outcome for outcome in hub.faults.seen} >= {"500", "429", "cut"}
    assert any(7 <= wait <= 8 for wait in waits)
    old, new = (tuple(upload.sha256 for upload in f.values()) for f in (OLD, NEW))
    assert set(seen) == {old, new}


def _watch(url: str, seen: list[tuple[str, ...]], looked: threading.Event, stop: threading.Event) -> None:
    """Look at main, as any user does, until told to stop, and once more then."""
    api = HfApi(endpoint=url, token=False)
    is_last = False
    while not is_last:
        is_last = stop.is_set()
        commit = api.dataset_info(NAME).sha
        listed = api.list_repo_tree(NAME, recursive=True, revision=commit, repo_type="dataset")
        found = {file.path: file for file in listed if hasattr(file, "size")}
        card = api.hf_hub_download(NAME, "README.md", repo_type="dataset", revision=commit)
        digests = [Upload(open(card, "rb").read()).sha256]  # noqa: PTH123, SIM115
        seen.append((*digests, *(found[path].lfs.sha256 for path in list(OLD)[1:])))
        looked.set()
        stop.wait(0.02)


@pytest.mark.parametrize("answered", [False, True], ids=["unsent", "answered"])
def test_killed_at_any_write_it_continues(hub: LocalHub, answered: bool) -> None:
    first = Repository("lab/first")
    publish(first, publication(NEW))
    want = contents(hub, "lab/first")
    for number in range(1, 100):
        name = f"lab/killed-{number}"
        try:
            with killing(number, answered):
                publish(Repository(name), publication(NEW))
        except Killed:
            if hub.store.find("datasets", name):
                assert contents(hub, name) in ({}, want)
                assert not hub.repo(name).refs.tags or contents(hub, name, "v1.0.0") == want
            publish(Repository(name), publication(NEW))
            assert states_of_main(hub, name) == [{}, want]
            assert contents(hub, name, "v1.0.0") == want
            assert list(hub.repo(name).refs.branches) == ["main"]
        else:
            break
    assert 15 < number < 60  # so many writes there are


def test_a_rerun_sends_only_what_is_missing(hub: LocalHub) -> None:
    hub.faults.fail("/upload/", times=1)
    hub.faults.lose_answer("/commit/publishing", times=1)
    hub.faults.fail("/commit/main", times=100)
    with pytest.raises(HubError, match="run the same command again, it continues"):
        publish(Repository(NAME), publication(NEW))
    assert states_of_main(hub) == [{}]
    uploads = hub.faults.count("PUT")
    assert uploads == 2
    hub.faults.clear()
    publish(Repository(NAME), publication(NEW))
    assert hub.faults.count("PUT") == 0
    assert hub.faults.count("POST", "/commit/") == 1
    assert states_of_main(hub) == [{}, sent(NEW)]


@pytest.mark.parametrize("part", ["/commit/main", "/tag/", "/repos/create", "/branch/", "/commit/publishing"])
def test_a_lost_answer_does_nothing_twice(hub: LocalHub, part: str) -> None:
    hub.faults.lose_answer(part, times=1)
    publish(Repository(NAME), publication(NEW))
    assert states_of_main(hub) == [{}, sent(NEW)]
    assert contents(hub, revision="v1.0.0") == sent(NEW)


def test_patience_ends(hub: LocalHub, waits: list[float]) -> None:
    hub.faults.fail("/repos/create", times=100)
    with pytest.raises(HubError, match=r"^can't create lab/data: HTTP 500.*, 3 times; run the same command"):
        publish(Repository(NAME, patience=Patience(attempts=3)), publication(NEW))
    assert len(waits) == 2
    assert waits[1] > waits[0] * 1.01


def test_an_upload_that_the_client_gave_up(hub: LocalHub, waits: list[float]) -> None:
    hub.faults.fail("/upload/", times=8)  # the client itself tries six times
    publish(Repository(NAME), publication(NEW))
    assert len(waits) == 1
    assert states_of_main(hub) == [{}, sent(NEW)]
    hub.faults.fail("/upload/", times=100)
    with pytest.raises(HubError, match=r"^can't upload README|^can't upload rows/test-0.*HTTP 500.* 2 times"):
        publish(Repository(NAME, patience=Patience(attempts=2)), publication(files(b"u"), "v2.0.0"))


def test_metadata_that_the_hub_refuses(hub: LocalHub) -> None:
    wrong = {**NEW, "README.md": Upload(b"---\n[\n---\n")}
    with pytest.raises(HubError, match=r"Invalid metadata in README\.md\. - while parsing") as error:
        publish(Repository(NAME), publication(wrong))
    assert "\n" not in str(error.value)
    assert states_of_main(hub) == [{}]


def test_a_long_rate_limit_is_not_waited_for(hub: LocalHub, waits: list[float]) -> None:
    hub.faults.rate_limit("/repos/create", retry_after="86400")
    with pytest.raises(HubError, match="HTTP 429"):
        publish(Repository(NAME), publication(NEW))
    assert waits == []


def test_two_at_once_do_not_mix(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    other = files(b"x")
    done = []

    def meanwhile(method: str, path: str) -> None:
        if path.endswith("/commit/main") and not done:
            done.append(path)
            tree = {p: hub.repo(NAME).add_blob(u.source) for p, u in other.items()}  # type: ignore[arg-type]
            hub.repo(NAME).commit("main", tree, "by somebody else")

    hub.faults.before = meanwhile
    with pytest.raises(UserError, match="was changed by somebody else meanwhile; run again"):
        publish(Repository(NAME), publication(NEW, "v2.0.0"))
    assert contents(hub) == sent(other)
    assert list(hub.repo(NAME).refs.tags) == ["v1.0.0"]


def test_a_tag_is_never_moved(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    before = hub.repo(NAME).refs.tags
    with pytest.raises(UserError, match="it stays"):
        publish(Repository(NAME), publication(NEW, "v1.0.0"))
    assert hub.repo(NAME).refs.tags == before


def test_an_upload_that_arrives_as_something_else_is_not_published(hub: LocalHub) -> None:
    def swap(method: str, path: str) -> None:
        if "/commit/publishing" in path and method == "POST":
            repo = hub.repo(NAME)
            head = repo.refs.branches["publishing-v1.0.0"]
            tree = {**repo.tree(head), "rows/test-0.parquet": repo.add_blob(b"garbage")}
            repo.commit("publishing-v1.0.0", tree, "bit rot")

    hub.faults.after = swap
    with pytest.raises(UserError, match=r"rows/test-0.parquet did not arrive in lab/data as sent; run again"):
        publish(Repository(NAME), publication(NEW))
    assert states_of_main(hub) == [{}]
    assert hub.repo(NAME).refs.tags == {}


@pytest.mark.parametrize(
    ("token", "name", "message"),
    [
        ("hf_nobodynobodynobodynobody", NAME, "the Hub does not accept the token: log in"),
        ("", NAME, "no token for the Hub: log in with  hf auth login  or set HF_TOKEN"),
        (READER, NAME, "can't create lab/data: the token lacks the right to"),
        (None, "elsewhere/data", "can't create elsewhere/data: the token lacks the right to"),
        (None, "lab/da--ta", "the name of the repository is not allowed"),
        (None, "data", "write ORG/NAME"),
    ],
)
def test_what_is_refused(
    hub: LocalHub, monkeypatch: pytest.MonkeyPatch, token: str | None, name: str, message: str
) -> None:
    if token is not None:
        monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(UserError, match=message) as error:
        _publish_checked(Repository(name))
    assert "\n" not in str(error.value)
    assert not token or token not in str(error.value)
    assert [s for s in hub.faults.seen if s.is_write and "/repos/create" not in s.path] == []


def _publish_checked(repository: Repository) -> None:
    repository.check_name()
    repository.check_token()
    publish(repository, publication(NEW))


def test_a_public_repository_is_not_taken_for_a_private_one(hub: LocalHub) -> None:
    publish(Repository(NAME), publication(OLD))
    with pytest.raises(UserError, match="is public: make it private on the Hub, or push without --private"):
        publish(Repository(NAME), replace(publication(NEW, "v2.0.0"), private=True))
    publish(Repository("lab/hidden"), replace(publication(OLD), private=True))
    assert hub.repo("lab/hidden").refs.private
    assert states_of_main(hub) == [{}, sent(OLD)]


def test_offline_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(HubError, match="HF_HUB_OFFLINE is set; unset it"):
        publish(Repository(NAME), publication(NEW))
