"""The report's part on conservationbench."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.controls import CONTROLS, idk, transitions
from physprobe.analysis.factors import anova
from physprobe.analysis.finding import Finding
from physprobe.analysis.layout import models_only
from physprobe.analysis.leaderboard import CHANCE, HUMAN_ACCURACY, by_domain, leaderboard
from physprobe.analysis.planning import power
from physprobe.analysis.scaling import scaling
from physprobe.analysis.scatter import correlation, scatter
from physprobe.analysis.selection import Over
from physprobe.analysis.static import static_against_temporal
from physprobe.errors import UserError
from physprobe.report.figures import conservation as draw
from physprobe.report.figures.common import ranking
from physprobe.report.model import Content, Figure, Reference, ReportOptions, Section, Strip, section
from physprobe.report.wording import in_points, percent, signed
from physprobe.text import quantity

Maker = Callable[[pd.DataFrame, ReportOptions], Content]

CHANCE_LINE = "chance"
_LINES = {
    "strict_pair": (Reference(CHANCE_LINE, CHANCE["strict_pair"]),),
    "accuracy": (Reference(CHANCE_LINE, CHANCE["accuracy"]), Reference("people", HUMAN_ACCURACY)),
}
STRIPS = tuple(Strip(name, lines) for name, lines in _LINES.items())


def sections(answers: Answers, options: ReportOptions) -> Iterator[Section]:
    """Make the sections, in the order of the page; those that lack answers say what to run.

    Args:
        answers: to conservationbench.
    """
    frame = answers.frame
    made = partial(_made, frame=frame, options=options)
    yield section("leaderboard", "Leaderboard", made(_leaderboard), STRIPS)
    yield section("bias", "Conserving against non-conserving clips", made(_bias))
    yield section("domains", "By domain", made(_domains))
    yield section("controls", "Without the pictures", made(_controls))
    yield section("idk", "“I don’t know”", made(_idk))
    yield section("static", "Last frame against whole clip", made(_static))
    yield section("factors", "Prompt, frame count and choice of frames", made(_factors))
    yield section(
        "all-settings", "All prompts, frame counts and ways to pick frames", made(_everything), STRIPS
    )
    yield section("scaling", "Size of the model", made(_scaling))
    yield section("elsewhere", "Other benchmarks", made(_elsewhere))
    yield section("planning", "Planning a study", made(_planning))


def _made(make: Maker, frame: pd.DataFrame, options: ReportOptions) -> partial[Content]:
    return partial(make, frame, options)


def _ranking_figure(name: str, table: pd.DataFrame) -> Figure:
    scores = [
        ("strict_pair", "strict pair accuracy", _LINES["strict_pair"]),
        ("accuracy", "accuracy", _LINES["accuracy"]),
    ]
    return Figure(
        name,
        "Models by strict pair accuracy",
        "Dots: models. Bars: 95% intervals. Dashed: chance, and people’s accuracy in the paper.",
        partial(ranking, table=table, scores=scores),
        shown=False,
    )


def _leaderboard(frame: pd.DataFrame, options: ReportOptions, over: Over = "standard") -> Content:
    findings = leaderboard(frame, over, **options.bootstrap)
    table = models_only(findings[0].table)
    text = _first(table) + _beyond_chance(table) + _apart(findings)
    name = "leaderboard" if over == "standard" else "all-settings"
    return text, findings, (_ranking_figure(name, findings[0].table),)


def _first(table: pd.DataFrame) -> str:
    best = table.iloc[0]
    scored = f"both twins right on {percent(best['strict_pair'])} of {quantity(best['pairs'], 'pair')}"
    alike = int((table["strict_pair"] == best["strict_pair"]).sum())
    if alike > 1:
        return f"{alike} models share the first rank: {scored}. "
    right = f"{percent(best['accuracy'])} of its answers are right"
    return (
        f"{best['model']} is first: {scored}; {right}. "
        if len(table) > 1
        else f"{best['model']}: {scored}; {right}. "
    )


def _beyond_chance(table: pd.DataFrame) -> str:
    chance = CHANCE["strict_pair"]
    above = int((table["strict_pair_low"] > chance).sum())
    whose = (
        f"{above or 'None'} of {len(table)} models are" if len(table) > 1 else "It is" + " not" * (not above)
    )
    return f"{whose} above the {percent(chance)} of blind guessing with the whole 95% interval."


def _apart(findings: tuple[Finding, ...]) -> str:
    table = next((each.table for each in findings if "p_holm" in each.table), None)
    if table is None:
        return ""
    told = int((table["p_holm"] < 0.05).sum()) or "None"
    return f" {told} of {len(table)} neighbours in the ranking can be told apart (p < .05, Holm-corrected)."


def _bias(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = scatter(frame, **options.bootstrap)
    r, points = findings[0].table.iloc[0], findings[2].table
    same = int((points["conserving"] > points["nonconserving"]).sum())
    text = (
        "A model that understands is right on both kinds of clips; one that favours an answer gains on one "
        f"kind what it loses on the other. {same or 'None'} of {len(points)} models do better on conserving "
        "clips. "
    )
    if pd.notna(r["low"]):
        text += f"Over models, r = {signed(r['r'])} [{signed(r['low'])}, {signed(r['high'])}]."
    figure = Figure(
        "conserving-nonconserving",
        "A dot a model; upper right is right on both",
        "Bars: 95% intervals, for up to 30 models. Dashed: all models that only guess, with whatever bias.",
        partial(draw.bias, points=points),
    )
    return text, findings, (figure,)


def _domains(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = by_domain(frame, **options.bootstrap)
    means = findings[0].table
    text = "Seeing the change is needed for volume and size; for number and length the last frame suffices. "
    order = means.sort_values("strict_pair", ascending=False)
    best, worst = order.iloc[0], order.iloc[-1]
    if best["strict_pair"] > worst["strict_pair"]:
        text += (
            f"Mean strict pair accuracy is highest on {best['domain']} ({percent(best['strict_pair'])}) and "
            f"lowest on {worst['domain']} ({percent(worst['strict_pair'])})."
        )
    figure = Figure(
        "domains",
        "Scores by domain",
        "Means over models. Bars: 95% intervals over pairs.",
        partial(draw.domains, means=means),
    )
    return text, findings, (figure,)


def _controls(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = transitions(frame, **options.bootstrap)
    names = list(CONTROLS.values())
    tables = [
        (next(name for name in names if name in finding.title), finding.table) for finding in findings[:-1]
    ]
    said = [
        f"{percent(row['share'])} with {name}"
        for name, table in tables
        for row in table.to_dict("records")
        if (row["truth"], row["standard"], row["control"]) == ("same", "any", "same")
    ]
    text = (
        "Without the pictures nothing can be known, so what models answer then is their bias. Asked about "
        f"conserving clips, they say “the same” in {', '.join(said)}."
    )
    figure = Figure(
        "transitions",
        "What standard answers turn into",
        "Percent of each row, whose number of answers stands beside its name. Row “all”: all answers under "
        "the control.",
        partial(draw.transitions, tables=tables),
    )
    return text, findings, (figure,)


def _idk(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = idk(frame, **options.bootstrap)
    means = findings[0].table
    rows = means.to_dict("records")
    said = ", ".join(f"{percent(row['share_idk'])} of answers with {row['shown']}" for row in rows)
    text = (
        f"Offered as an option, “I don’t know” is chosen in {said}. Without pictures it is the only honest "
        "answer."
    )
    figure = Figure(
        "idk",
        "How often models abstain",
        "Bars: 95% intervals of the means, over pairs.",
        partial(draw.abstaining, means=means, each=findings[1].table),
    )
    return text, findings, (figure,)


def _static(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = static_against_temporal(frame, **options.bootstrap)
    means = findings[0].table
    row = means.set_index("score").loc["strict_pair"].to_dict()
    text = (
        "On number and length the last frame holds the answer. Asked about it alone, models reach a mean "
        f"strict pair accuracy of {percent(row['static'])}, about the whole clip "
        f"{percent(row['temporal'])}: a difference of {in_points(row['difference'])} points "
        f"[{in_points(row['low'])}, {in_points(row['high'])}]."
    )
    figure = Figure(
        "static-temporal",
        "The same pairs, asked twice",
        "Means over models; the table has the intervals of the differences.",
        partial(draw.still_and_moving, means=means),
    )
    return text, findings, (figure,)


def _factors(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = anova(frame)
    effects, levels = findings[0].table, findings[1].table
    matter = effects[effects["p_gg"] < 0.05].sort_values("partial_eta_squared", ascending=False)
    found = "; ".join(
        f"{row['effect'].replace('_', ' ')} on {row['domains']} (η² = {row['partial_eta_squared']:.2f})"
        for row in matter.to_dict("records")
    )
    text = (
        f"Of {len(effects)} effects, {len(matter)} are significant after the sphericity correction"
        f"{', by partial η²: ' if found else ''}{found}. Models are the units."
    )
    figure = Figure(
        "factors",
        "Mean accuracy by level",
        "Bars: 95% t intervals over models.",
        partial(draw.factors, levels=levels),
    )
    return text, (*findings, *_best(frame, options.top)), (figure,)


def _best(frame: pd.DataFrame, top: int) -> tuple[Finding, ...]:
    """Test the best models alone, where there are more of them."""
    if frame["model"].nunique() <= top:
        return ()
    try:
        return anova(frame, top=top)[:1]
    except UserError:
        return ()


def _everything(frame: pd.DataFrame, options: ReportOptions) -> Content:
    return _leaderboard(frame, options, "full")


def _scaling(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = scaling(frame, options.sizes)
    fit = findings[0].table.set_index("score").loc["strict_pair"].to_dict()
    if pd.isna(fit["r_squared"]):
        raise UserError("models of known size don't differ in size or in strict pair accuracy: add others")
    text = (
        f"A model ten times as large scores {in_points(fit['slope'])} points in strict pair accuracy "
        f"[{in_points(fit['low'])}, {in_points(fit['high'])}]; size explains {percent(fit['r_squared'])} of "
        f"the variance between {fit['n']:.0f} models."
    )
    figure = Figure(
        "scaling",
        "Scores over the number of parameters",
        "A dot a model and score, with the least-squares line over log₁₀ of the parameters.",
        partial(draw.growth, fits=findings[0].table, points=findings[1].table),
    )
    return text, findings, (figure,)


def _elsewhere(frame: pd.DataFrame, options: ReportOptions) -> Content:
    if options.others is None:
        raise UserError(
            "give --others CSV, with a column model and a column of scores for each other benchmark"
        )
    findings = correlation(frame, options.others, **options.bootstrap)
    text = "Whether models that do well elsewhere do well here; over models, with Fisher’s intervals."
    figure = Figure(
        "elsewhere",
        "Correlation with other benchmarks",
        "Bars: 95% intervals by Fisher’s z.",
        partial(draw.elsewhere, table=findings[0].table),
    )
    return text, findings, (figure,)


def _planning(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = power(frame)
    table = findings[0].table
    typical = table[(table["score"] == "strict_pair") & table["correlation"].isin(("median", "observed"))]
    known = typical[typical["pairs_needed"].notna() & typical["points"].isin((5, 10))]
    if table["pairs_needed"].isna().all():
        raise UserError("these models' answers vary too little between pairs: add other models")
    said = "; ".join(
        f"{row['points']:.0f} points, {row['pairs_needed']:,.0f} pairs" for row in known.to_dict("records")
    )
    text = (
        "How many clip pairs a study needs to see a difference between two models like these, given how much "
        "the pairs that one gets right are those that the other gets right. "
    )
    return text + (f"For strict pair accuracy at power 0.8: {said}." if said else ""), findings, ()
