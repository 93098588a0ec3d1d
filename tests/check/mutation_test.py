#!/usr/bin/python3
"""usage: mutation_test.py CAMEO

Small corruptions of valid models: Cameo's checker and the official one agree on what is valid; where they do
not, Cameo is the stricter one, and the reason is in STRICTER.
"""
import collections
import pathlib
import random
import sys
import tempfile

import onnx

import bases
import mutations
import oracle

SEED = 7
MODELS = 200

# Errors that only Cameo reports, and why it is right.
STRICTER = {
    "output-not-made": "the official checker does not look whether anything makes the outputs of a graph",
    "tensor-size": "the official checker does not count the elements of initialisers",
    "input-type": "the official checker does not look at element types",
    "subgraph-inputs": "the official checker does not count what goes into a subgraph",
    "loop-outputs": "the official checker does not hold the outputs of a Loop against what it carries",
    "subgraph-outputs": "the official checker does not count what comes out of a subgraph",
}
NO_CALLS = "the official checker does not hold calls of functions against them"
# The same where the error is one that the official checker has too, by model and mutation.
STRICTER_HERE = {
    ("function", "extra_inputs"): NO_CALLS,
    ("function", "extra_outputs"): NO_CALLS,
    ("function", "unknown_attribute"): NO_CALLS,
    ("function", "attribute_twice"): NO_CALLS,
    ("test_layer_normalization_3d_axis_negative_1_epsilon", "unknown_attribute"):
        "the official checker takes any attribute of this one operator",
    ("test_adam_multiple", "unknown_operator"):
        "the official checker takes any operator of the domain ai.onnx.preview.training",
}


def sample(rng):
    found = {}
    for path in rng.sample(oracle.testdata(), MODELS):
        found[path.parent.name] = onnx.load(path)
    for base in bases.ALL:
        found[base.__name__] = base()
    return {name: model for name, model in found.items() if oracle_accepts(model)}


def oracle_accepts(model):
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError:
        return False
    return len(model.graph.node) > 0


def mutants(folder, rng):
    for name, model in sample(rng).items():
        for mutation in mutations.ALL:
            changed = onnx.ModelProto()
            changed.CopyFrom(model)
            result = mutation(changed, rng)
            if not result and not isinstance(result, bytes):
                continue
            path = pathlib.Path(folder) / f"{name}.{mutation.__name__}.onnx"
            path.write_bytes(result if isinstance(result, bytes) else changed.SerializeToString())
            yield (name, mutation.__name__), path


def main(tool):
    rng = random.Random(SEED)
    failures, reasons, refused_count = [], collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        made = list(mutants(folder, rng))
        for (origin, path), codes in zip(made, oracle.cameo(tool, [path for _, path in made])):
            refused = oracle.official(path)
            refused_count += refused is not None
            if bool(refused) == bool(codes):
                continue
            if refused is None and set(codes) <= STRICTER.keys():
                reasons.update(codes)
            elif refused is None and origin in STRICTER_HERE:
                reasons[origin] += 1
            else:
                failures.append(f"{path.name}: official: {refused or 'valid'}; cameo: {', '.join(codes) or 'valid'}")
    failures += [f"{reason}: explained, but there is no such disagreement"
                 for reason in [*STRICTER, *STRICTER_HERE] if reason not in reasons]
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{len(made)} mutants, {refused_count} refused by the official checker, {sum(reasons.values())} explained "
          f"disagreements, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
