"""Hooks of schemathesis for bench/api/run: real ids in half of the valid requests, and no made-up cursors."""

import json
import os
import random

import schemathesis

with open(os.environ["PACKHOUSE_IDS"]) as file:
    IDS = json.load(file)


def fill(value, chance):
    """Puts a known id into every `{type, id}` below `value` whose type has some."""
    if isinstance(value, dict):
        kind = value.get("type")
        if set(value) == {"type", "id"} and isinstance(kind, str) and kind in IDS:
            value["id"] = chance.choice(IDS[kind])
        for member in value.values():
            fill(member, chance)
    elif isinstance(value, list):
        for item in value:
            fill(item, chance)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.query:
        case.query.pop("cursor", None)
    chance = random.Random(repr((case.path, case.path_parameters, case.body)))
    if chance.random() < 0.5:
        return
    words = case.operation.path.split("/")
    kind = words[2] if len(words) > 2 else None
    if case.path_parameters and "id" in case.path_parameters and kind in IDS:
        case.path_parameters["id"] = chance.choice(IDS[kind])
        if isinstance(case.body, dict) and isinstance(case.body.get("data"), dict) and "id" in case.body["data"]:
            case.body["data"]["id"] = case.path_parameters["id"]
    fill(case.body, chance)
