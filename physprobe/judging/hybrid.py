"""Hybrid matching (ConservationBench, Appendix F): templates first, judges for what they leave unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from physprobe.conservation.matching import match_option
from physprobe.errors import UserError
from physprobe.judging.config import Panel, cache_folder, panel_from_environment
from physprobe.judging.ensemble import Progress, judge_answers
from physprobe.judging.match_prompt import FAIL, VERSION, match_item
from physprobe.judging.votes import FAULTS, PanelVerdict

Mode = Literal["stage1-only", "hybrid", "hybrid-incomplete"]


class JudgesUnreachable(UserError):
    """Judges could not be reached and answers stay unread for it; results stand, and a rerun goes on."""

    exit_code = 3


@dataclass(frozen=True)
class Answer:
    """A free-form answer. ``options``: the texts in shown order."""

    answer_id: str
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class HybridMatch:
    """How one answer was read.

    Attributes:
        answer_id: as given. letter: of the chosen option, None when unread.
        rule: what decided: a rule of stage 1; "judges"; or why it is unread: the stage 1 rule that gave up,
            "judges_fail" (they agree that it chooses nothing), "judges_disagree" (no quorum),
            "judges_pending" (no quorum, but judges are missing).
        stage1_rule: the rule of stage 1. panel: the judges' verdict, None when they were not asked.
    """

    answer_id: str
    letter: str | None
    rule: str
    stage1_rule: str
    panel: PanelVerdict | None = None


@dataclass(frozen=True)
class HybridResult:
    """How a set of answers was read.

    Attributes:
        matches: one per answer, in order. panel: who judged, or None.
    """

    matches: tuple[HybridMatch, ...]
    panel: Panel | None

    @property
    def mode(self) -> Mode:
        """Tell what the letters rest on: stage 1 alone, both stages, or both with judges missing."""
        if self.panel is None:
            return "stage1-only"
        return "hybrid-incomplete" if self.pending else "hybrid"

    @property
    def pending(self) -> int:
        """How many answers remain unread because judges could not be reached."""
        return sum(match.rule == "judges_pending" for match in self.matches)

    def summary(self) -> dict[str, Any]:
        """Return what a results file should say about the matching: plain values, no addresses, no keys."""
        rules = Counter(match.rule for match in self.matches)
        by_judges = rules["judges"]
        unread = sum(match.letter is None for match in self.matches)
        found: dict[str, Any] = {
            "matching": self.mode,
            "answers": len(self.matches),
            "read_by_templates": len(self.matches) - unread - by_judges,
            "read_by_judges": by_judges,
            "unread": unread,
        }
        if self.panel is not None:
            found |= {f"unread_{rule}": rules[f"judges_{rule}"] for rule in ("fail", "disagree", "pending")}
            found |= {"quorum": self.panel.needed, "judge_prompt": VERSION, "judges": self._judges()}
        return found

    def require_complete(self) -> None:
        """Raise when answers remain unread because judges could not be reached. Call it after saving results.

        Raises:
            JudgesUnreachable: says how many answers, and what each missing judge failed with. Exit code 3.
        """
        if self.pending:
            missing = (f"{name} ({fault})" for name, fault in self._faults().items())
            raise JudgesUnreachable(
                f"{self.pending} of {len(self.matches)} answers remain unread because judges gave no reply: "
                f"{', '.join(missing)}; what was read stands, run again to ask for the rest"
            )

    def _judges(self) -> dict[str, dict[str, int]]:
        """Count for each judge how its verdicts came out."""
        assert self.panel is not None
        counts: dict[str, Counter[str]] = {judge.name: Counter() for judge in self.panel.judges}
        for match in self.matches:
            for verdict in match.panel.verdicts if match.panel else ():
                counts[verdict.judge][verdict.reason] += 1
        return {name: dict(sorted(reasons.items())) for name, reasons in counts.items()}

    def _faults(self) -> dict[str, str]:
        """Name the judges that are missing from pending answers, each with its first fault."""
        found: dict[str, str] = {}
        for match in self.matches:
            for verdict in match.panel.verdicts if match.panel and match.rule == "judges_pending" else ():
                if verdict.reason in FAULTS:
                    found.setdefault(verdict.judge, f"{verdict.reason} {verdict.detail}".strip())
        return found


class HybridMatcher:
    """Reads answers by templates and, where a panel is configured, by judges."""

    def __init__(self, panel: Panel | None, cache: Path | None = None) -> None:
        """Use ``panel`` (None: templates alone) and keep replies in ``cache`` (default: the user's cache)."""
        self._panel = panel
        self._cache = cache

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> HybridMatcher:
        """Use what the environment configures: see :mod:`physprobe.judging.config`.

        Raises:
            UserError: the configuration is wrong.
        """
        return cls(panel_from_environment(environment), cache_folder(environment))

    def match(self, answers: Sequence[Answer], progress: Progress | None = None) -> HybridResult:
        """Read which option each answer chooses.

        Judges are asked about answers that the templates leave unread, but for empty ones.

        Raises:
            UserError: an API key or a local judge is missing, or a question has fewer than 2 options; never
                for judges that can't be reached: see :meth:`HybridResult.require_complete`.
        """
        matches = [_stage1(answer) for answer in answers]
        if self._panel is not None:
            open_ = [k for k, match in enumerate(matches) if match.letter is None and match.rule != "empty"]
            items = [match_item(answers[k].answer_id, answers[k].text, answers[k].options) for k in open_]
            folder = self._cache or cache_folder()
            verdicts = judge_answers(items, self._panel, folder, progress=progress)
            for k, verdict in zip(open_, verdicts, strict=True):
                matches[k] = _stage2(matches[k], verdict)
        return HybridResult(tuple(matches), self._panel)


def _stage1(answer: Answer) -> HybridMatch:
    match = match_option(answer.text, answer.options)
    return HybridMatch(answer.answer_id, match.letter, match.rule, match.rule)


def _stage2(match: HybridMatch, verdict: PanelVerdict) -> HybridMatch:
    letter = None if verdict.decision == FAIL else verdict.decision
    if letter is not None:
        rule = "judges"
    elif verdict.outcome == "pending":
        rule = "judges_pending"
    else:
        rule = "judges_fail" if verdict.decision == FAIL else "judges_disagree"
    return HybridMatch(match.answer_id, letter, rule, match.stage1_rule, verdict)
