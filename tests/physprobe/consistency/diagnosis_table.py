"""Answers as models give them, and what they say: consistent, category, box, reasons for being invalid."""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

BOX = (0.12, 0.3, 0.45, 0.62)
FLOAT = "floating_object"
SHADOW = "missing_cast_shadow"
TAIL = '"explanation": "The cube hovers above the floor."}'


def obj(box: str = "[0.12, 0.3, 0.45, 0.62]", category: str = f'"{FLOAT}"', consistent: str = "false") -> str:
    return f'{{"consistent": {consistent}, "category": {category}, "box": {box}, {TAIL}'


GOOD: tuple[Any, ...] = (False, FLOAT, BOX, ())
CLEAN: tuple[Any, ...] = (True, "clean", None, ())


def bad(*reasons: str, box: Any = None, category: Any = FLOAT, consistent: Any = False) -> tuple[Any, ...]:
    return consistent, category, box, reasons


NOTHING = (None, None, None)

# As the prompt asks for it, and packed in what models wrap around.
WRAPPED: list[tuple[str, tuple[Any, ...]]] = [
    (obj(), GOOD),
    (f"```json\n{obj()}\n```", GOOD),
    (f"```\n{obj()}\n```", GOOD),
    (f"~~~json\n{obj()}\n~~~", GOOD),
    (f"Here is my diagnosis:\n\n{obj()}", GOOD),
    (f"{obj()}\n\nI hope this helps!", GOOD),
    (f"Sure! Looking at the image, {{the cube}} seems odd.\n{obj()}\nLet me know.", GOOD),
    (f"<think>It might be [0,0,1,1] or {obj('null')}</think>\n{obj()}", GOOD),
    (f"It floats... </think> {obj()}", GOOD),
    (f"**Answer:** `{obj()}`", GOOD),
    (f"<answer>{obj()}</answer>", GOOD),
    (f"{obj()}<|im_end|>", GOOD),
    (f"\ufeff{obj()}", GOOD),
    (f"[{obj()}]", GOOD),
    (f'{{"answer": {obj()}}}', GOOD),
    (f'{{"diagnosis": {obj()}, "confidence": 0.9}}', GOOD),
    (f"{obj()}\n{obj()}", GOOD),
    (f"Step 1: {{x}}\nStep 2: {{y: }}\nFinal: {obj()}", GOOD),
    (f"1. {obj()}", GOOD),
    (f"The final answer is $\\boxed{{{obj()}}}$", GOOD),
]

# As Python, JavaScript or YAML writers would put it.
SPELLED: list[tuple[str, tuple[Any, ...]]] = [
    (obj().replace('"', "'"), GOOD),
    (obj(consistent="False"), GOOD),
    (obj(consistent="FALSE"), GOOD),
    (obj(consistent='"false"'), GOOD),
    (obj(consistent='"no"'), GOOD),
    (obj(consistent='"inconsistent"'), GOOD),
    (obj(consistent="0"), GOOD),
    (obj(box="(0.12, 0.3, 0.45, 0.62)"), GOOD),
    (obj(box="[0.12, 0.3, 0.45, 0.62,]"), GOOD),
    (obj()[:-1] + ",}", GOOD),
    (obj().replace(", ", ",\n    "), GOOD),
    (obj().replace('"consistent"', "consistent").replace('"category"', "category"), GOOD),
    (obj().replace('"', "“", 1).replace('"', "”", 1), GOOD),
    ("{“consistent”: false, “category”: “floating_object”, “box”: [.12, .30, .45, .62], “explanation”: “It "
     "hovers.”}", GOOD),
    ("{'consistent': False, 'category': 'floating_object', 'box': [0.12, 0.3, 0.45, 0.62], 'explanation': "
     "'The cube's base doesn't touch the floor'}", GOOD),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": "The '
     'so-called "key" light shows a gap."}', GOOD),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": "Two '
     'lines\nof text."}', GOOD),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": "A '
     '\\"gap\\" {below} it, [here]."}', GOOD),
    ('{consistent: false, category: floating_object, box: [0.12, 0.3, 0.45, 0.62], explanation: It hovers}', GOOD),
    ('{"explanation": "It hovers.", "box": [0.12, 0.3, 0.45, 0.62], "category": "floating_object", '
     '"consistent": false}', GOOD),
    ('{"Consistent": false, "Category": "Floating Object", "Box": [0.12, 0.3, 0.45, 0.62], "Explanation": "It '
     'hovers."}', GOOD),
    ('{"is_consistent": false, "violation_type": "floating_object", "bounding_box": [0.12, 0.3, 0.45, 0.62], '
     '"reason": "It hovers."}', GOOD),
    ('{"physically consistent": "no", "violation": "floating object", "bbox": [0.12, 0.3, 0.45, 0.62], '
     '"reasoning": "It hovers."}', GOOD),
    (obj(box='{"x_min": 0.12, "y_min": 0.3, "x_max": 0.45, "y_max": 0.62}'), GOOD),
    (obj(box='{"x1": 0.12, "y1": 0.3, "x2": 0.45, "y2": 0.62}'), GOOD),
    (obj(box='{"left": 0.12, "top": 0.3, "right": 0.45, "bottom": 0.62}'), GOOD),
    (obj(box='{"x": 0.12, "y": 0.3, "width": 0.33, "height": 0.32}'), GOOD),
    (obj(box='"[0.12, 0.3, 0.45, 0.62]"'), GOOD),
    (obj(box='"0.12, 0.3, 0.45, 0.62"'), GOOD),
    (obj(box='"0.12 0.3 0.45 0.62"'), GOOD),
    (obj(box='["0.12", "0.3", "0.45", "0.62"]'), GOOD),
    (obj(box="[[0.12, 0.3, 0.45, 0.62]]"), GOOD),
    (obj(box="[[0.12, 0.3], [0.45, 0.62]]"), bad("several_boxes")),
    (obj(box='["12%", "30%", "45%", "62%"]'), GOOD),
    (obj(box='"12%, 30%, 45%, 62%"'), GOOD),
    (obj(box="[1.2e-1, 3E-1, 0.45, 0.62]"), GOOD),
]  # fmt: skip

# How categories are named.
NAMED: list[tuple[str, tuple[Any, ...]]] = [
    (obj(category='"Floating Object"'), GOOD),
    (obj(category='"FLOATING_OBJECT"'), GOOD),
    (obj(category='"floating-object"'), GOOD),
    (obj(category='"floating objects"'), GOOD),
    (obj(category='" floating_object. "'), GOOD),
    (obj(category='"`floating_object`"'), GOOD),
    (obj(category='"**floating object**"'), GOOD),
    (obj(category='["floating_object"]'), GOOD),
    (obj(category='"3. floating object"'), GOOD),
    (obj(category='"floating_object (the cube)"'), GOOD),
    (obj(category='"missing cast shadow"'), (False, SHADOW, BOX, ())),
    (obj(category='"shadow–illumination inconsistency"'), (False, "shadow_illumination_inconsistency", BOX, ())),
    (obj(category='"Shadow/illumination inconsistency"'), (False, "shadow_illumination_inconsistency", BOX, ())),
    (obj(category='"impossible occlusion"'), (False, "impossible_occlusion_order", BOX, ())),
    (obj(category='"ｆloating_object"'), GOOD),
    (obj(category='"floating"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"levitation"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"objet flottant"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"漂浮物体"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"парящий объект"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"not floating_object"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category='"shadow"'), bad("unknown_category", box=BOX, category=None)),
    (obj(category="7"), bad("unknown_category", box=BOX, category=None)),
    (obj(category='{"name": "floating_object"}'), bad("unknown_category", box=BOX, category=None)),
    (obj(category="null"), bad("missing_category", box=BOX, category=None)),
    (obj(category='""'), bad("missing_category", box=BOX, category=None)),
    (obj(category='"none"'), bad("missing_category", box=BOX, category=None)),
    (obj(category="[]"), bad("missing_category", box=BOX, category=None)),
    (obj(category='["floating_object", "missing_contact_shadow"]'), bad("several_categories", box=BOX, category=None)),
    (obj(category='"floating_object, missing_contact_shadow"'), bad("several_categories", box=BOX, category=None)),
    (obj(category='"floating_object and missing_reflection"'), bad("several_categories", box=BOX, category=None)),
    (obj(category='"floating_object | clean"'), bad("several_categories", box=BOX, category=None)),
]  # fmt: skip

# Boxes that are none.
BOXED: list[tuple[str, tuple[Any, ...]]] = [
    (obj(box="null"), bad("missing_box")),
    (obj(box="None"), bad("missing_box")),
    (obj(box="[]"), bad("missing_box")),
    (obj(box='""'), bad("missing_box")),
    ('{"consistent": false, "category": "floating_object", "explanation": "It hovers."}', bad("missing_box")),
    (obj(box='"none"'), bad("missing_box")),
    (obj(box='"around the cube"'), bad("malformed_box")),
    (obj(box="[0.12, 0.3, 0.45]"), bad("malformed_box")),
    (obj(box="[0.12, 0.3, 0.45, 0.62, 0.9]"), bad("malformed_box")),
    (obj(box="[0.12, 0.3, null, 0.62]"), bad("malformed_box")),
    (obj(box='[0.12, "left", 0.45, 0.62]'), bad("malformed_box")),
    (obj(box="[true, false, true, true]"), bad("malformed_box")),
    (obj(box='{"centre": [0.5, 0.5], "radius": 0.1}'), bad("malformed_box")),
    (obj(box="0.5"), bad("malformed_box")),
    (obj(box="[0.12, 0.3, 0.45, 0.62, 0.1, 0.1, 0.2, 0.2]"), bad("several_boxes")),
    (obj(box=str([[0.1 * k, 0.1, 0.1 * k + 0.1, 0.2] for k in range(10)])), bad("several_boxes")),
    (obj(box="[NaN, 0.3, 0.45, 0.62]"), bad("not_finite")),
    (obj(box="[nan, 0.3, 0.45, 0.62]"), bad("not_finite")),
    (obj(box="[0.12, 0.3, Infinity, 0.62]"), bad("not_finite")),
    (obj(box="[0.12, 0.3, 0.45, -inf]"), bad("not_finite")),
    (obj(box="[0.12, 0.3, 1e999, 0.62]"), bad("not_finite")),
    (obj(box="[0.45, 0.62, 0.12, 0.3]"), bad("reversed_corners")),
    (obj(box="[0.12, 0.62, 0.45, 0.3]"), bad("reversed_corners")),
    (obj(box="[0.12, 0.3, 0.12, 0.62]"), bad("no_extent")),
    (obj(box="[0, 0, 0, 0]"), bad("no_extent")),
    (obj(box="[-0.1, 0.3, 0.45, 0.62]"), bad("out_of_range")),
    (obj(box="[0.12, 0.3, 0.45, 1.2]"), bad("out_of_range")),
    (obj(box="[60, 150, 225, 310]"), bad("out_of_range")),  # pixels, of a picture 500 wide? or thousandths?
    (obj(box="[120, 300, 450, 620]"), bad("out_of_range")),
    (obj(box="[12, 30, 45, 62]"), bad("out_of_range")),
    (obj(box='{"x": 0.8, "y": 0.3, "width": 0.33, "height": 0.32}'), bad("out_of_range")),
    (obj(box="[0, 0, 1, 1]"), (False, FLOAT, (0.0, 0.0, 1.0, 1.0), ())),
    (obj(box="[0.0, 0.0, 1.0000001, 1]"), (False, FLOAT, (0.0, 0.0, 1.0, 1.0), ())),
    (obj(box="[99999999999999999999999999999999999999999999, 0, 1, 1]"), bad("out_of_range")),
    (obj(box=f"[{'9' * 400}, 0, 1, 1]"), bad("not_finite")),
]  # fmt: skip

# Nothing is violated.
CONSISTENT: list[tuple[str, tuple[Any, ...]]] = [
    ('{"consistent": true, "category": "clean", "box": null, "explanation": "All agrees."}', CLEAN),
    ("{'consistent': True, 'category': 'clean', 'box': None, 'explanation': 'All agrees.'}", CLEAN),
    ('{"consistent": true, "category": null, "box": null, "explanation": "All agrees."}', CLEAN),
    ('{"consistent": "yes", "category": "none", "box": [], "explanation": "All agrees."}', CLEAN),
    ('{"consistent": true, "category": "Clean", "explanation": "All agrees."}', CLEAN),
    ('{"consistent": true, "category": "no violation", "box": "none", "explanation": "All agrees."}', CLEAN),
    ('{"consistent": 1, "category": "N/A", "box": null, "explanation": "All agrees."}', CLEAN),
    ('{"consistent": true, "category": "clean", "box": [9, 9, 9, 9], "explanation": "All agrees."}', CLEAN),
    ('{"consistent": true, "box": null, "explanation": "Fine."}', (True, "clean", None, ("missing_category",))),
    ('{"consistent": true}', (True, "clean", None, ("missing_category", "missing_explanation"))),
    ('{"category": "clean", "explanation": "Fine."}', (None, "clean", None, ("missing_consistent",))),
]  # fmt: skip

# Answers that leave out or contradict.
BROKEN: list[tuple[str, tuple[Any, ...]]] = [
    ("", (*NOTHING, ("empty",))),
    ("  \n ", (*NOTHING, ("empty",))),
    ("<think>The cube floats, so", (*NOTHING, ("empty",))),
    ("The cube floats above the floor.", (*NOTHING, ("no_object",))),
    ("No, it is not consistent: floating_object.", (*NOTHING, ("no_object",))),
    ("I'm sorry, but I can't help with that.", (*NOTHING, ("no_object",))),
    ("{}", (*NOTHING, ("no_object",))),
    ('{"objects": ["cube", "sphere"]}', (*NOTHING, ("no_object",))),
    ("consistent: false\ncategory: floating_object", (*NOTHING, ("no_object",))),
    ("{{{{{{", (*NOTHING, ("no_object",))),
    ('{"consistent": }', (*NOTHING, ("no_object",))),
    ("[0.1, 0.2, 0.3, 0.4]", (*NOTHING, ("no_object",))),
    (f"{obj()} or maybe {obj(category=chr(34) + SHADOW + chr(34))}", (*NOTHING, ("several_answers",))),
    (f"[{obj()}, {obj(box='[0, 0, 1, 1]')}]", (*NOTHING, ("several_answers",))),
    (obj(consistent="true"), bad("contradiction", box=BOX, category=None, consistent=None)),
    (obj(category='"clean"'), bad("contradiction", box=BOX, category=None, consistent=None)),
    (obj(consistent="null"), bad("missing_consistent", box=BOX, consistent=None)),
    (obj(consistent='"maybe"'), bad("malformed_consistent", box=BOX, consistent=None)),
    (obj(consistent="0.5"), bad("malformed_consistent", box=BOX, consistent=None)),
    (obj(consistent="true or false"), bad("malformed_consistent", box=BOX, consistent=None)),
    ('{"category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": "It hovers."}',
     bad("missing_consistent", box=BOX, consistent=None)),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62]}',
     bad("missing_explanation", box=BOX)),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": ""}',
     bad("missing_explanation", box=BOX)),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.45, 0.62], "explanation": "It ho',
     bad("cut_off", "missing_explanation", box=BOX)),
    ('{"consistent": false, "category": "floating_object", "box": [0.12, 0.3, 0.4',
     bad("cut_off", "missing_box", "missing_explanation")),
    ('{"consistent": false, "category": "floating_ob', bad("cut_off", "missing_category", "missing_box",
     "missing_explanation", category=None)),
    ('{"consistent": false', (*NOTHING, ("no_object",))),
    (obj()[:-1], bad("cut_off", box=BOX)),
]  # fmt: skip

TABLE = [*WRAPPED, *SPELLED, *NAMED, *BOXED, *CONSISTENT, *BROKEN]
