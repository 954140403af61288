"""The report's part on quantiphy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.finding import Finding
from physprobe.analysis.layout import models_only
from physprobe.analysis.quantiphy.bias import bias
from physprobe.analysis.quantiphy.contrasts import inputs, prompts, segmented
from physprobe.analysis.quantiphy.counterfactual import counterfactual
from physprobe.analysis.quantiphy.distribution import distribution
from physprobe.analysis.quantiphy.kinds import by_kind
from physprobe.analysis.quantiphy.leaderboard import HUMAN_MRA, by_category, leaderboard
from physprobe.analysis.quantiphy.repeats import repeats
from physprobe.analysis.quantiphy.scaling import scaling
from physprobe.analysis.quantiphy.scenes import scenes
from physprobe.analysis.quantiphy.schema import KINDS, STANDARD_TASKS
from physprobe.analysis.quantiphy.selection import Over
from physprobe.errors import UserError
from physprobe.quantiphy.codes import CATEGORIES
from physprobe.report.colours import BLUE, GREEN, ORANGE
from physprobe.report.figures import quantiphy as draw
from physprobe.report.figures.common import ranking
from physprobe.report.model import Content, Figure, Reference, ReportOptions, Section, Strip, section
from physprobe.report.wording import in_points, percent, signed
from physprobe.text import quantity

Maker = Callable[[pd.DataFrame, ReportOptions, Over], Content]

_PEOPLE = (Reference("people", HUMAN_MRA),)
STRIPS = (Strip("mra", _PEOPLE), Strip("mra_questions"))

_MEANS = "Blue: means over models with 95% intervals over videos. Hollow: single models."


def sections(answers: Answers, options: ReportOptions) -> Iterator[Section]:
    """Make the sections, in the order of the page; those that lack answers say what to run.

    They are on our questions; without answers to these, on the public ones.

    Args:
        answers: to quantiphy.
    """
    ours = bool(answers.frame["task"].isin(STANDARD_TASKS).any())

    def made(make: Maker, over: Over = "ours" if ours else "public") -> partial[Content]:
        return partial(make, answers.frame, options, over)

    yield section("leaderboard", "Leaderboard", made(_leaderboard), STRIPS)
    if ours:
        yield section("public", "Public validation questions", made(_leaderboard, "public"), STRIPS)
    yield section("categories", "By category", made(_categories))
    yield section("scenes", "Objects and background", made(_scenes))
    yield section("background", "The same videos without background", made(_segmented))
    yield section("inputs", "Without video, and without prior", made(_inputs))
    yield section("multiplied", "Multiplied priors", made(_multiplied))
    yield section("prompts", "Step by step", made(_prompts))
    yield section("scaling", "Size of the model", made(_scaling))
    yield section("spread", "Single questions", made(_distribution))
    yield section("kinds", "What is asked", made(_kinds))
    yield section("bias", "Too large or too small", made(_bias))
    trials = partial(_trials, answers.trials, options, "ours" if ours else "public")
    yield section("trials", "Several trials", trials)


def _leaderboard(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = leaderboard(frame, over, **options.bootstrap)
    table = models_only(findings[0].table)
    best = table.iloc[0]
    score = "mra" if pd.notna(best["mra"]) else "mra_questions"
    text = (
        f"{best['model']} is first, with an MRA of {percent(best[score])} over "
        f"{quantity(best['n'], 'question')} on {quantity(best['videos'], 'video')}. "
    )
    if score == "mra":
        near = int((table["mra_high"] >= HUMAN_MRA).sum())
        text += (
            f"People reached {percent(HUMAN_MRA)} in the paper, on its own videos: the intervals of "
            f"{near or 'none'} of {len(table)} models reach that far. "
        )
    figure = Figure(
        "quantiphy-leaderboard" if over == "ours" else "quantiphy-public",
        "Models by MRA",
        "Dots: models. Bars: 95% intervals over videos. Dashed: people’s MRA in the paper.",
        partial(
            ranking,
            table=findings[0].table,
            scores=[
                ("mra", "MRA, mean of categories", _PEOPLE),
                ("mra_questions", "MRA, mean of questions", ()),
            ],
        ),
        shown=False,
    )
    return text + _apart(findings), findings, (figure,)


def _apart(findings: tuple[Finding, ...]) -> str:
    table = next((each.table for each in findings if "p_holm" in each.table), None)
    if table is None:
        return ""
    told = int((table["p_holm"] < 0.05).sum()) or "None"
    return f"{told} of {len(table)} neighbours in the ranking can be told apart (p < .05, Holm-corrected)."


def _categories(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = by_category(frame, over, **options.bootstrap)
    table = findings[0].table
    means, each = (_by_category(part) for part in (table.iloc[:1], table.iloc[1:]))
    known = means.dropna(subset=["mra"]).sort_values("mra", ascending=False)
    best, worst = known.iloc[0], known.iloc[-1]
    text = "S: a size is given, D: a velocity or acceleration; 2, 3: dimensions of the motion. "
    if len(known) > 1:
        text += (
            f"Models are best at {best['category']} ({percent(best['mra'])}) and worst at "
            f"{worst['category']} "
            f"({percent(worst['mra'])})."
        )
    figure = Figure(
        "quantiphy-categories",
        "MRA by category",
        _MEANS,
        partial(draw.by_level, means=means, each=each, level="category", score="mra", label="MRA"),
    )
    return text, findings, (figure,)


def _by_category(table: pd.DataFrame) -> pd.DataFrame:
    """Lay the categories' columns below each other."""
    parts = []
    for name in CATEGORIES:
        part = table[["model", name, f"{name}_low", f"{name}_high"]]
        part = part.set_axis(["model", "mra", "mra_low", "mra_high"], axis=1)
        parts.append(part.assign(category=name))
    return pd.concat(parts, ignore_index=True)


def _scenes(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = scenes(frame, over, **options.bootstrap)
    means, gaps = findings[0].table, findings[1].table
    text = "Other objects are something to compare with; a background may help or distract. "
    if len(gaps):
        several = gaps[(gaps["first"] == "multiple") & (gaps["within"] == "any")]
        text += " ".join(
            f"Mean MRA with several objects minus that with one: {_gap(row)} points; it is higher for "
            f"{row['higher']} of {row['models']} models."
            for row in several.to_dict("records")
        )
    score = "mra" if means["mra"].notna().all() else "mra_questions"
    figure = Figure(
        "quantiphy-scenes",
        "MRA by background and number of objects",
        "Means over models. Bars: 95% intervals over videos.",
        partial(draw.scenes, means=means, score=score),
    )
    return text, findings, (figure,)


def _gap(row: Mapping[Any, Any]) -> str:
    return f"{in_points(row['difference'])} [{in_points(row['low'])}, {in_points(row['high'])}]"


def _segmented(frame: pd.DataFrame, options: ReportOptions, _: Over) -> Content:
    findings = segmented(frame, **options.bootstrap)
    (row,) = findings[0].table.to_dict("records")
    text = (
        f"Without the background, the same questions are answered with a mean MRA of "
        f"{percent(row['changed'])} instead of {percent(row['standard'])}: {_gap(row)} points."
    )
    return text, findings, (_changes("quantiphy-background", "with background", findings[1]),)


def _changes(name: str, standard: str, finding: Finding) -> Figure:
    return Figure(
        name,
        "The same questions, asked in two ways",
        "A row a model. The table has the intervals of the differences.",
        partial(draw.changes, each=finding.table, standard=standard),
    )


def _inputs(frame: pd.DataFrame, options: ReportOptions, _: Over) -> Content:
    findings = inputs(frame, **options.bootstrap)
    said = [
        f"{percent(row['kept'])} of their MRA given the {row['asked']} ({percent(row['changed'])} instead of "
        f"{percent(row['standard'])})"
        for row in findings[0].table.to_dict("records")
    ]
    text = (
        "Measuring needs both the video and a known quantity; what is kept without one of them is guessed. "
        f"Models keep {'; '.join(said)}."
    )
    return text, findings, (_changes("quantiphy-inputs", "video and prior", findings[1]),)


def _multiplied(frame: pd.DataFrame, options: ReportOptions, _: Over) -> Content:
    findings = counterfactual(frame, **options.bootstrap)
    row = findings[0].table.iloc[0].to_dict()
    text = (
        "A prior that is multiplied multiplies every true answer. Models that measure follow it (1), models "
        f"that recall ignore it (0): over all models {signed(row['followed'])} "
        f"[{signed(row['followed_low'])}, {signed(row['followed_high'])}]. MRA falls by "
        f"{percent(row['lost'])}."
    )
    figure = Figure(
        "quantiphy-multiplied",
        "Answers under multiplied priors",
        "Blue: all models, with 95% intervals over videos. Grey lines: single models. Right: geometric "
        "means; dashed, what answers that follow or ignore the prior would give.",
        partial(draw.multiplied, means=findings[1].table, each=findings[2].table),
    )
    return text, tuple(_with_plain_factors(finding) for finding in findings), (figure,)


def _with_plain_factors(finding: Finding) -> Finding:
    """Write factors as they are: 0.001 and 700 do not go with one number of decimals."""
    if "factor" not in finding.table:
        return finding
    return replace(finding, table=finding.table.assign(factor=finding.table["factor"].map("{:g}".format)))


def _prompts(frame: pd.DataFrame, options: ReportOptions, _: Over) -> Content:
    findings = prompts(frame, **options.bootstrap)
    (mean,), each = findings[0].table.to_dict("records"), findings[1].table
    better = int((each["difference"] > 0).sum())
    sure = int(((each["difference"] > 0) & (each["p_holm"] < 0.05)).sum())
    text = (
        f"Asked to work step by step, {better or 'none'} of {len(each)} models score higher, "
        f"{sure or 'none'} of them significantly (p < .05, Holm-corrected); on average {_gap(mean)} points."
    )
    return text, findings, (_changes("quantiphy-prompts", "direct", findings[1]),)


def _scaling(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = scaling(frame, options.sizes, over, **options.bootstrap)
    fits = findings[0].table
    rows = fits[(fits["score"] == "mra") & (fits["family"] != "all")].to_dict("records")
    said = [f"{row['family']} {in_points(row['slope'])}" for row in rows if pd.notna(row["slope"])]
    text = "A line joins the models of a family. " + (
        f"Points of MRA gained with a tenfold size: {'; '.join(said)}."
        if said
        else "No family has three models of different sizes, so no slope is estimated within one."
    )
    figure = Figure(
        "quantiphy-scaling",
        "MRA over the number of parameters",
        "Bars: 95% intervals over videos. Hollow: models without another one of their family.",
        partial(draw.families, points=findings[1].table),
    )
    return text, findings, (figure,)


def _distribution(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = distribution(frame, over, **options.bootstrap)
    table = findings[0].table
    text = (
        f"Averages hide two kinds of questions: {percent(table['zero'].min())} (best model) to "
        f"{percent(table['zero'].max())} (worst) score 0, being off by more than 90%, or unread."
    )
    order = [str(name) for name in table["model"]]
    figure = Figure(
        "quantiphy-spread",
        "How the MRA of single questions is spread",
        "Percent of each model’s questions at each value.",
        partial(draw.distribution, shares_of=findings[1].table, order=order),
    )
    return text, findings, (figure,)


def _kinds(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = by_kind(frame, over, **options.bootstrap)
    means = findings[0].table[findings[0].table["asked"] == "quantity"]
    each = findings[1].table[findings[1].table["asked"] == "quantity"]
    said = ", ".join(f"{row['level']} {percent(row['mra_questions'])}" for row in means.to_dict("records"))
    text = f"Mean MRA by the quantity that is asked for: {said}. The table also has units and inferences."
    figure = Figure(
        "quantiphy-kinds",
        "MRA by the quantity asked for",
        _MEANS,
        partial(
            draw.by_level,
            means=means,
            each=each,
            level="level",
            score="mra_questions",
            label="MRA, mean of questions",
        ),
    )
    return text, findings, (figure,)


def _trials(frame: pd.DataFrame | None, options: ReportOptions, over: Over) -> Content:
    if frame is None:
        raise UserError("no model has two runs of these questions: evaluate again with another --seed")
    findings = repeats(frame, over)
    known = findings[0].table.dropna(subset=["spread"]).sort_values("spread").to_dict("records")
    text = "Runs of one model over the same questions, which differ where its answers are drawn by lot. "
    if known:
        widest = known[-1]
        text += (
            f"The MRA of {widest['model']} varies most over its {quantity(widest['trials'], 'trial')}, by a "
            f"standard deviation of {100 * widest['spread']:.1f} points. Tables above have the newest run."
        )
    return text, findings, ()


def _bias(frame: pd.DataFrame, options: ReportOptions, over: Over) -> Content:
    findings = bias(frame, over, **options.bootstrap)
    table = findings[0].table
    overall = table[table["quantity"] == "all"]
    large, small = int((overall["low"] > 0).sum()), int((overall["high"] < 0).sum())
    text = (
        f"Of {len(overall)} models, {large or 'none'} give numbers that are too large on average and "
        f"{small or 'none'} too small, with the whole 95% interval."
    )
    if overall["spread"].notna().any():
        text += f" A typical answer is off by a factor of {10 ** overall['spread'].median():.1f}."
    colours = tuple(zip(KINDS, (BLUE, ORANGE, GREEN), strict=True))
    figure = Figure(
        "quantiphy-bias",
        "By which factor answers are off on average",
        "Geometric means of answer / true answer. Bars: 95% intervals over videos. Dashed: unbiased.",
        partial(draw.off_by, table=table, kinds=colours),
    )
    return text, findings, (figure,)
