from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from physprobe.analysis.answers import Answers, load_answers
from physprobe.analysis.simulation.study import Study
from physprobe.analysis.simulation.writing import simulate


@dataclass(frozen=True)
class Simulated:
    folder: Path
    truth: dict[str, Any]
    answers: Answers

    def expected(self, score: str) -> list[float]:
        """What a score of each model should be, in the order of their names."""
        models = sorted(self.truth["models"], key=lambda model: model["name"])
        return [model["expected"][score] for model in models]


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Simulated:
    folder = tmp_path_factory.mktemp("simulated") / "study"
    simulate(Study(seed=7), 40, folder)
    truth = json.loads((folder / "simulation.json").read_text())
    return Simulated(folder, truth, load_answers([folder]))
