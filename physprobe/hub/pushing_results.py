"""Adds results of evaluations to a repository on the Hub, by the same steps as datasets (publishing.py)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from physprobe.hub.contents import Upload, Uploads, missing
from physprobe.hub.publishing import MAIN, Publication, Report, publish
from physprobe.hub.repository import Repository
from physprobe.hub.results import CARD, collect, results_card


@dataclass(frozen=True)
class Plan:
    """What is added.

    Attributes:
        uploads: all files of the runs, and the card. missing: those that are not there yet.
        models: whose runs these are. unanswered: tasks without saved answers, "MODEL: TASK".
    """

    uploads: Uploads
    missing: tuple[str, ...]
    models: tuple[str, ...]
    unanswered: tuple[str, ...]


def plan(place: Path, repository: Repository, rehearsed: bool = False) -> Plan:
    """Read results and look at what is published; nothing is changed.

    Args:
        rehearsed: whether nothing will be pushed, so that what is public can be looked at without a token.

    Raises:
        UserError: no results there, or without a record of their run; the Hub refuses.
    """
    repository.check_name()
    collected = collect(place)
    repository.check_token(needed=not rehearsed)
    there = repository.listing(MAIN) if repository.exists() else {}
    card = Upload(results_card({*there, *collected.uploads}).encode())
    uploads = {**collected.uploads, CARD: card}
    return Plan(uploads, tuple(missing(uploads, there)), collected.models, collected.unanswered)


def push(planned: Plan, repository: Repository, private: bool, report: Report = lambda text: None) -> str:
    """Carry out a plan, or continue where a run that was interrupted stopped; return the commit.

    Raises:
        UserError: as :func:`physprobe.hub.publishing.publish`.
    """
    identity = "".join(f"{path} {upload.sha256}\n" for path, upload in sorted(planned.uploads.items()))
    branch = f"results-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
    message = f"Results of {', '.join(planned.models)}"[:72]
    publication = Publication(planned.uploads, message, branch, whole=False, private=private)
    return publish(repository, publication, report)
