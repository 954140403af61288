"""Analyses of answers to quantiphy."""

from __future__ import annotations

from enum import Enum
from functools import partial

import typer

from physprobe.cli.analyse.commands import BOOTSTRAP, Options, analysis
from physprobe.cli.analyse.conservation import POWER, SIZES, planned, with_sizes


class Over(str, Enum):
    """Which questions: ours, or the public validation questions."""

    ours = "ours"
    public = "public"


_OVER: Options = {
    "over": (Over, typer.Option(Over.ours, help="Our questions, or the public validation questions."))
}
_add = partial(analysis, "quantiphy")

# Command -> function and help; those over our questions or the public ones.
_OF_EITHER = {
    "leaderboard": ("leaderboard.leaderboard", "Rank models by MRA, with intervals and tests of neighbours."),
    "categories": ("leaderboard.by_category", "Score static and dynamic priors in 2D and 3D apart."),
    "scenes": ("scenes.scenes", "Score backgrounds and numbers of objects apart, and compare them."),
    "kinds": ("kinds.by_kind", "Score quantities, units and types of inference apart."),
    "distribution": ("distribution.distribution", "Show how the MRA of single questions is spread."),
    "bias": ("bias.bias", "Say by which factor answers are too large or too small."),
}
_OF_OURS = {
    "inputs": ("contrasts.inputs", "Compare answers without video, and without prior, with those with both."),
    "prompts": ("contrasts.prompts", "Compare the prompt that asks for steps with the direct one."),
    "segmented": ("contrasts.segmented", "Compare videos without their background with whole ones."),
    "counterfactual": ("counterfactual.counterfactual", "Show whether answers follow a multiplied prior."),
}


def _text(name: str, told: str) -> str:
    return f"{told}\n\nExample: physprobe analyse quantiphy-{name} results/"


for _name, (_function, _told) in _OF_EITHER.items():
    _options = {**_OVER, **BOOTSTRAP}
    _add(f"quantiphy-{_name}", f"quantiphy.{_function}", _text(_name, _told), _options, people=True)
for _name, (_function, _told) in _OF_OURS.items():
    _add(f"quantiphy-{_name}", f"quantiphy.{_function}", _text(_name, _told))
_add(
    "quantiphy-scaling",
    "quantiphy.scaling.scaling",
    _text("scaling", "Regress scores on the logarithm of the number of parameters, in each family."),
    {**SIZES, **_OVER, **BOOTSTRAP},
    prepare=with_sizes,
)
_add(
    "quantiphy-trials",
    "quantiphy.repeats.repeats",
    _text("trials", "Compare several runs of a model at a temperature above 0."),
    _OVER,
    reruns=True,
)
_add(
    "quantiphy-power",
    "quantiphy.planning.power",
    "Say how many videos are needed to see a difference between two models.\n\n"
    "Example: physprobe analyse quantiphy-power results/ --difference 5 --power 0.9",
    {**POWER, **_OVER},
    prepare=planned,
)
