"""Metadata in the Croissant format, which dataset search engines and loaders other than ``datasets`` read.

Source: Croissant 1.0, http://mlcommons.org/croissant/1.0. Paths are relative to the file, so that it holds
for a folder, for a download and on the Hub alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from builders.benchmarks import Benchmark
from builders.card import LICENSE
from builders.schema import ConfigSpec, Media
from builders.shards import FileRecord, Written

CROISSANT = "croissant.json"

_FORMAT = "application/x-parquet"
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES = {
    pa.string(): "sc:Text",
    pa.int32(): "cr:Int32",
    pa.int64(): "cr:Int64",
    pa.float64(): "cr:Float64",
    pa.bool_(): "sc:Boolean",
}
_BIBTEX = re.compile(r"```bibtex\n(.*?)```", re.DOTALL)
_MEDIA: dict[Media, str] = {"image": "sc:ImageObject", "video": "sc:VideoObject"}


def croissant(benchmark: Benchmark, written: Mapping[str, Written], card: str) -> dict[str, Any]:
    """Describe a dataset.

    Args:
        benchmark: gives title, version and columns. written: config name -> what was written.
        card: its text; the first BibTeX entry in it is how to cite it.
    """
    cite = _BIBTEX.search(card)
    held = benchmark.held(written)
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": benchmark.name,
        "alternateName": benchmark.title,
        "description": " ".join(f"{spec.name}: {spec.description}" for spec in held),
        "license": f"https://spdx.org/licenses/{LICENSE.title()}.html",
        "version": benchmark.version,
        **({"citeAs": cite.group(1).strip()} if cite else {}),
        "keywords": [*benchmark.metadata["tags"]],
        "inLanguage": "en",
        "isLiveDataset": False,
        "distribution": [entry for spec in held for entry in _files(spec, written[spec.name].files)],
        "recordSet": [_record_set(spec) for spec in held],
    }


def croissant_text(metadata: Mapping[str, Any]) -> str:
    """Spell it; equal metadata means equal bytes."""
    return json.dumps(metadata, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _files(spec: ConfigSpec, files: tuple[FileRecord, ...]) -> Iterator[dict[str, Any]]:
    yield {
        "@type": "cr:FileSet",
        "@id": f"{spec.name}-files",
        "name": f"{spec.name}-files",
        "description": f"Parquet files of {spec.name}.",
        "encodingFormat": _FORMAT,
        "includes": _one_or_all([*spec.patterns.values()]),
    }
    for file in files:
        yield {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path.replace("/", "-"),
            "contentUrl": file.path,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": _FORMAT,
            "sha256": file.sha256,
        }


def _record_set(spec: ConfigSpec) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": spec.name,
        "name": spec.name,
        "description": spec.description,
        "key": {"@id": f"{spec.name}/{spec.key}"},
        "field": [*_split_field(spec), *(_field(spec, column) for column in spec.schema)],
    }


def _one_or_all(values: list[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else values


def _split_field(spec: ConfigSpec) -> Iterator[dict[str, Any]]:
    """Describe the split of a row, which only the path of its file tells."""
    if len(spec.splits) > 1:
        source = {"fileSet": {"@id": f"{spec.name}-files"}, "extract": {"fileProperty": "fullpath"}}
        yield {
            "@type": "cr:Field",
            "@id": f"{spec.name}/split",
            "name": "split",
            "dataType": "sc:Text",
            "source": {**source, "transform": {"regex": f"{spec.name}/({'|'.join(spec.splits)})-.+"}},
        }


def _field(spec: ConfigSpec, column: pa.Field) -> dict[str, Any]:
    media = spec.media.get(column.name)
    source: dict[str, Any] = {
        "fileSet": {"@id": f"{spec.name}-files"},
        "extract": {"column": column.name},
    }
    found: dict[str, Any] = {"@type": "cr:Field", "@id": f"{spec.name}/{column.name}", "name": column.name}
    if media:
        return {**found, "dataType": _MEDIA[media], "source": {**source, "transform": {"jsonPath": "bytes"}}}
    if pa.types.is_struct(column.type):
        children = [_child(found["@id"], child, source) for child in column.type]
        return {**found, "subField": children}
    return {**found, **_typed(column.type), "source": source}


def _child(parent: str, child: pa.Field, source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{parent}/{child.name}",
        "name": child.name,
        **_typed(child.type),
        "source": {**source, "transform": {"jsonPath": child.name}},
    }


def _typed(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_list(kind):
        return {"dataType": _TYPES[kind.value_type], "repeated": True}
    return {"dataType": _TYPES[kind]}
