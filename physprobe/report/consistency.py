"""The report's part on physical consistency."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.consistency.boxes import boxes
from physprobe.analysis.consistency.categories import categories, confusions, mechanisms
from physprobe.analysis.consistency.explanations import explanations
from physprobe.analysis.consistency.seeds import seeds
from physprobe.analysis.consistency.suites import CHANCE, MAJORITY, leaderboard, suites
from physprobe.analysis.finding import Finding
from physprobe.analysis.layout import PEOPLE
from physprobe.consistency.vocabulary import CLEAN, label_name
from physprobe.report.figures import consistency as draw
from physprobe.report.figures.common import ranking
from physprobe.report.model import Content, Figure, Reference, ReportOptions, Section, Strip, section
from physprobe.report.wording import percent

Maker = Callable[[pd.DataFrame, ReportOptions], Content]

STRIPS = (
    Strip("category_f1"),
    Strip("balanced", (Reference("majority", MAJORITY["balanced"]),)),
)
_CONFUSIONS = 3  # of the best models, on the page


def sections(answers: Answers, options: ReportOptions) -> Iterator[Section]:
    """Make the sections, in the order of the page; those that lack answers say what to run.

    Args:
        answers: to physical consistency.
    """
    frame = answers.frame

    def made(make: Maker) -> partial[Content]:
        return partial(make, frame, options)

    yield section("leaderboard", "Leaderboard", made(_leaderboard), STRIPS)
    yield section("suites", "What shifts cost", made(_suites))
    yield section("categories", "By violation", made(_categories))
    yield section("mechanisms", "By construction", made(_mechanisms))
    yield section("confusion", "What is taken for what", made(_confusion))
    yield section("boxes", "Where: box IoU", made(_boxes))
    yield section("explanations", "Why: explanations", made(_explanations))
    yield section("seeds", "Adapted models over seeds", made(_seeds))


def _leaderboard(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = leaderboard(frame, **options.bootstrap)
    table = findings[0].table
    best = table[table["model"] != PEOPLE].iloc[0]
    text = (
        f"{best['model']} is first with a category macro-F1 of {percent(best['category_f1'])}; it tells "
        f"clean from violated images with a balanced accuracy of {percent(best['balanced'])}, where always "
        f"saying “violated” gets {percent(MAJORITY['balanced'])} and a raw accuracy of "
        f"{percent(MAJORITY['binary_accuracy'])}. Labels by lot get {percent(CHANCE['category_accuracy'])}."
    )
    figure = Figure(
        "consistency-leaderboard",
        "Models by category macro-F1",
        "Dots: models. Bars: 95% intervals. Dashed: what always saying “violated” gets.",
        partial(ranking, table=table, scores=[
            ("category_f1", "category macro-F1", ()), ("balanced", "balanced accuracy", STRIPS[1].references),
        ]),
        shown=False,
    )  # fmt: skip
    return text, findings, (figure,)


def _suites(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = suites(frame, **options.bootstrap)
    text = (
        "Appearance shift: other geometries, materials and lights. Intervention shift: violations made in "
        "another way than in training. A model that has learned the law loses nothing, one that has learned "
        "traces of the construction does. "
    )
    text += _largest_drop(findings[1].table) if len(findings) > 1 else ""
    scores = [("category_f1", "category F1"), ("binary_f1", "binary F1"), ("iou", "box IoU")]
    table = findings[0].table
    best_first = table.groupby("model", observed=True)["category_f1"].transform("mean")
    ordered = table.assign(order=best_first).sort_values("order", ascending=False, kind="stable")
    figure = Figure(
        "consistency-suites",
        "Scores on each suite",
        "F1: macro-F1, of eleven labels and of clean against violated. Bars: 95% intervals.",
        partial(draw.by_suite, table=ordered, scores=scores),
    )
    return text, findings, (figure,)


def _largest_drop(drops: pd.DataFrame) -> str:
    chosen = drops[(drops["suite"] == "intervention") & (drops["score"] == "category_f1")]
    if chosen.empty or chosen["drop"].isna().all():
        return ""
    row = chosen.sort_values("drop", ascending=False).iloc[0]
    return (
        f"The largest loss under intervention shift is that of {row['model']}: {row['drop']:.1f} points of "
        f"category macro-F1 [{row['low']:.1f}, {row['high']:.1f}]."
    )


def _categories(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = categories(frame, **options.bootstrap)
    table = findings[0].table
    models = table[table["model"] != PEOPLE]
    means = models.groupby(["suite", "category"], observed=True, sort=False)[["recall", "iou"]].mean()
    means = means.reset_index()
    recall = means[means["category"] != CLEAN].groupby("category", observed=True)["recall"].mean()
    best, worst = str(recall.idxmax()), str(recall.idxmin())
    text = (
        f"Of the violations, “{label_name(best)}” is named most often ({percent(recall[best])} on the mean "
        f"over models and suites), “{label_name(worst)}” least often ({percent(recall[worst])})."
    )
    figure = Figure(
        "consistency-categories",
        "Each label on each suite",
        "Means over models; the table has every model with its intervals.",
        partial(draw.by_category, means=means),
    )
    return text, findings, (figure,)


def _mechanisms(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = mechanisms(frame, **options.bootstrap)
    table = findings[0].table
    lost = table.groupby("category", observed=True)["difference"].mean()
    worst = str(lost.idxmax())
    text = (
        "Each violation is made in two ways, A in training and in the standard suite, B only under "
        f"intervention shift. Made the other way, “{label_name(worst)}” is named less often by "
        f"{lost[worst]:.1f} points on the mean over models: the largest such loss."
    )
    return text, findings, ()


def _confusion(frame: pd.DataFrame, options: ReportOptions) -> Content:
    ranked = leaderboard(frame, resamples=1)[0].table["model"].astype(str)
    best = [name for name in ranked if name != PEOPLE][:_CONFUSIONS]
    parts = (frame[frame["model"] == name] for name in best)
    findings = tuple(finding for part in parts for finding in confusions(part))
    text = (
        "Rows are the truth, columns what was said. Neighbours are meant to be hard: wrong shadow direction "
        "and shadow-illumination inconsistency, floating object and impossible occlusion order."
    )
    shown = (0, len(confusions(frame[frame["model"] == best[0]])) - 1)  # the best model, before and after
    figures = tuple(
        _confusion_figure(number, finding, number in shown) for number, finding in enumerate(findings)
    )
    return text, findings, figures


def _confusion_figure(number: int, finding: Finding, shown: bool) -> Figure:
    return Figure(
        f"consistency-confusion-{number + 1}",
        finding.title,
        "Percent of each row.",
        partial(draw.confusion, table=finding.table),
        shown=shown,
    )


def _boxes(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = boxes(frame, **options.bootstrap)
    table = findings[0].table
    best = table[table["model"] != PEOPLE].sort_values("iou", ascending=False).iloc[0]
    text = (
        "The true box encloses what the construction changed; that need not be all that shows the fault. "
        f"{best['model']} comes closest, with a mean IoU of {best['iou']:.2f} on the {best['suite']} suite."
    )
    figure = Figure(
        "consistency-boxes",
        "How box IoU is spread",
        "Grey: boxes that miss or can’t be read; then IoU up to .25, .5, .75 and 1, the darker the better.",
        partial(draw.box_spread, table=table),
    )
    return text, findings, (figure,)


def _explanations(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = explanations(frame, **options.bootstrap)
    best = findings[0].table.sort_values("correct", ascending=False).iloc[0]
    text = (
        "A panel of judges rates whether an explanation identifies the violated relation and its visible "
        f"consequence. {best['model']} does so most often: {percent(best['correct'])} of violated images of "
        f"the {best['suite']} suite get a majority of “correct”."
    )
    return text, findings, ()


def _seeds(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = seeds(frame)
    table = findings[0].table
    spread = float(table["category_f1_sd"].max())
    text = (
        "Scores of each adapted model are means over its seeds; category macro-F1 varies by a standard "
        f"deviation of at most {100 * spread:.1f} points."
    )
    return text, findings, ()
