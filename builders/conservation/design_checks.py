"""Whether the clips are the cells of the preset's factorial designs (paper: Table 4), each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from builders.conservation.clip_checks import ClipCheck
from builders.folder import Manifest
from generation.conservation.design import PRESETS, Cell, cells, design
from physprobe.conservation.vocabulary import DOMAINS

# pair_id -> one of its clips.
Pairs = Mapping[str, ClipCheck]


def design_problems(pairs: Pairs, manifest: Manifest | None) -> Iterator[str]:
    """Hold the pairs against the cells that the manifest claims; without a manifest, there is no claim."""
    if manifest is None:
        return
    preset = manifest.source.preset
    if preset not in PRESETS:
        yield f"manifest.json names an unknown preset {preset!r}; known: {', '.join(PRESETS)}"
        return
    wanted = {cell.pair_id: cell for cell in cells(preset)}
    for pair_id in pairs:
        if pair_id not in wanted:
            yield f"pair {pair_id}: no cell of the designs of preset {preset} (Table 4)"
    missing = [pair_id for pair_id in wanted if pair_id not in pairs]
    if manifest.complete:
        yield from (f"pair {pair_id}: missing, a cell of the designs (Table 4)" for pair_id in missing)
    elif not missing:
        yield f"manifest.json calls the dataset incomplete, but no pair of preset {preset} is missing"
    for pair_id, clip in pairs.items():
        if pair_id in wanted:
            yield from _cell_problems(clip, wanted[pair_id])


def design_lines(pairs: Pairs) -> Iterator[str]:
    """Count, for each domain, the pairs at each level of its factors, as Table 4 lists them."""
    for domain in DOMAINS:
        of_domain = [cell for cell in design(domain) if cell.pair_id in pairs]
        if of_domain:
            yield f"{domain}: {len(of_domain)} pairs; " + "; ".join(_levels(of_domain))


def coverage(pairs: Pairs, manifest: Manifest | None) -> str:
    """Say how many of the preset's pairs are there."""
    preset = manifest.source.preset if manifest else ""
    if preset not in PRESETS:
        return f"{len(pairs)} pairs"
    wanted = {cell.pair_id for cell in cells(preset)}
    return f"{len(wanted & pairs.keys())} of {len(wanted)} pairs of preset {preset}"


def _levels(of_domain: list[Cell]) -> Iterator[str]:
    for factor in of_domain[0].factors:
        counts = Counter(cell.factors[factor] for cell in of_domain)
        yield f"{factor} " + ", ".join(f"{level} ({count})" for level, count in counts.items())
    counts = Counter(cell.direction for cell in of_domain)
    yield "twins " + ", ".join(f"{direction} ({count})" for direction, count in sorted(counts.items()))


def _cell_problems(clip: ClipCheck, cell: Cell) -> Iterator[str]:
    if clip.row["domain"] != cell.domain:
        yield f"pair {cell.pair_id}: domain is {clip.row['domain']}, its cell's is {cell.domain}"
    for name, level in {**cell.factors, "direction": cell.direction}.items():
        if clip.parameters.get(name) != level:
            found = clip.parameters.get(name)
            yield f"pair {cell.pair_id}: parameter {name} is {found!r}, its cell's is {level!r}"
