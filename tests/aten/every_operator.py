"""every_operator.py EXPORT_CHECK: each operator that is declared must occur in some test program.

It occurs as a word (`x.relu()`, `relu_`), in a namespace (`torch.special.erf`), or made of words: f"conv{n}d" with a 3
somewhere is `conv3d`. WRITTEN_AS has those that Python calls by another name.
"""
import pathlib
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ["aten/test_*.py", "eval/cases/*.txt", "models/*.py", "quantized/test_*.py"]
WRITTEN_AS = {
    "_transformer_encoder_layer_fwd": "TransformerEncoderLayer",
    "bernoulli_functional": "bernoulli_",
    "cross_entropy_loss": "cross_entropy",
    "fill_diagonal_functional": "fill_diagonal_",
    "log_sigmoid": "logsigmoid",
}


class Programs:
    def __init__(self, text):
        text = re.sub(r"\b(fft|special|linalg)\.(?=[\w{])", r"\1_", text)
        self.words = set(re.findall(r"\w+", text))
        made = {re.sub(r"\{[^{}]*\}", r"(\\w+)", word) for word in re.findall(r"\w*(?:\{[^{}\n]*\}\w*)+", text)}
        self.made = [re.compile(word) for word in made if re.sub(r"\(\\w\+\)", "", word)]

    def mention(self, name):
        if {name, f"{name}_", WRITTEN_AS.get(name)} & self.words:
            return True
        matches = [pattern.fullmatch(name) for pattern in self.made]
        return any(match and set(match.groups()) <= self.words for match in matches)


def main():
    listing = subprocess.run([sys.argv[1], "--operators"], capture_output=True, text=True, check=True).stdout
    operators = {line.split("::")[1] for line in listing.split()}
    programs = Programs("\n".join(path.read_text() for pattern in PROGRAMS for path in TESTS.glob(pattern)))
    missing = sorted(name for name in operators if not programs.mention(name))
    print(f"{len(operators)} operators; without a test: {', '.join(missing) or 'none'}")
    return 1 if missing or len(operators) < 100 else 0


sys.exit(main())
