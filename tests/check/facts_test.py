#!/usr/bin/python3
"""usage: facts_test.py OPERATORS.TXT

The facts about operators, held against those of the official library as far as it knows them.
"""
import re
import sys

import onnx.defs

ELEMENTS = {"float": "f32", "double": "f64"}
# What the library says wrongly and a later release says rightly.
CORRECTED = {("GridSample", 16), ("Erf", 13)}


def element(name):
    short = re.sub(r"^(u?)int", lambda m: m[1] or "i", name)
    short = short if short != name else re.sub(r"^(bfloat|float|complex)(?=\d)", lambda m: {"bfloat": "bf"}.get(m[1], m[1][0]), name)
    return ELEMENTS.get(name, short)


def parse(path):
    """{(domain, op, since): {"in": […], "out": […], "attr": {…}, "type": {…}, "deprecated": …}}"""
    groups, table = {}, {}
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        kind, rest = words[0], words[1:]
        if kind == "group":
            groups[rest[0]] = rest[1:]
        elif kind == "domain":
            domain = "" if rest[0] == "ai.onnx" else rest[0]
        elif kind == "op":
            op = rest[0]
        elif kind == "since":
            entry = table[domain, op, int(rest[0])] = {"in": [], "out": [], "attr": {}, "type": {},
                                                       "deprecated": "deprecated" in rest}
        elif kind == "attr":
            entry["attr"] = {word.partition(":")[0]: word.partition(":")[2] for word in rest}
        elif kind == "type":
            entry["type"][rest[0]] = expand(" ".join(rest[1:]), groups)
        else:
            entry[kind] = rest
    return table


def expand(text, groups):
    types, form = set(), []
    for word, opens in re.findall(r"([\w>]+)(\(?)|\)", text + ""):
        if opens:
            form.append(word)
        elif not word:
            form.pop()
        else:
            types |= {"(".join([*form, each]) for each in groups.get(word, [word])}
    return types


def official_types(names):
    types = set()
    for name in names:
        parts = re.findall(r"\w+", name)
        if "map" in parts:
            types.add("(".join([*parts[:-2 if parts[-3:-1] != ["tensor"] else -3][:parts.index("map") + 1],
                                f"{element(parts[parts.index('map') + 1])}>{element(parts[-1])}"]))
        else:
            types.add("(".join([*[part for part in parts[:-1] if part != "tensor"], element(parts[-1])]))
    return types


def official_parameters(parameters, least, types):
    for index, parameter in enumerate(parameters):
        option = str(parameter.option).rsplit(".", maxsplit=1)[-1]
        mark = {"Single": "", "Optional": "?"}.get(option, f"*{least - index}")
        if option == "Variadic" and not parameter.isHomogeneous:
            mark += "~"
        fixed = next(iter(official_types([parameter.typeStr]))) if parameter.typeStr not in types else None
        yield f"{re.sub('[ -]', '_', parameter.name)}{mark}:{fixed or parameter.typeStr}"


def same_attribute(ours, attribute):
    kind = str(attribute.type).rsplit(".", maxsplit=1)[-1].lower()
    value = attribute.default_value
    if attribute.required:
        return ours == kind + "!"
    if not value.name:
        return ours == kind
    number = onnx.helper.get_attribute_value(value)
    if kind == "float":
        return ours.startswith("float=") and abs(float(ours[6:]) - number) <= 1e-7 * abs(number) + 1e-45
    if isinstance(number, list):
        number = ",".join(each.decode() if isinstance(each, bytes) else str(each) for each in number)
    return ours == f"{kind}={number.decode() if isinstance(number, bytes) else number}"


def differences(schema, entry):
    if schema.deprecated or entry["deprecated"]:
        return [] if schema.deprecated == entry["deprecated"] else ["deprecation"]
    types = {each.type_param_str: official_types(each.allowed_type_strs) for each in schema.type_constraints}
    found = []
    if list(official_parameters(schema.inputs, schema.min_input, types)) != entry["in"]:
        found.append("inputs")
    if list(official_parameters(schema.outputs, schema.min_output, types)) != entry["out"]:
        found.append("outputs")
    if types != entry["type"]:
        found.append("types")
    if schema.attributes.keys() != entry["attr"].keys():
        found.append("attributes")
    found += [f"attribute {name}" for name, attribute in schema.attributes.items()
              if name in entry["attr"] and not same_attribute(entry["attr"][name], attribute)]
    return found


def main(path):
    table = parse(path)
    failures, compared = [], 0
    for schema in onnx.defs.get_all_schemas_with_history():
        key = (schema.domain, schema.name, schema.since_version)
        compared += 1
        found = differences(schema, table[key]) if key in table else ["missing"]
        if bool(found) != (key[1:] in CORRECTED):
            failures.append(f"{key}: {', '.join(found) or 'no difference, though one is expected'}")
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{compared} of {len(table)} definitions compared, {len(failures)} failures")
    return 1 if failures or compared < 400 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
