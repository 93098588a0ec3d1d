"""Runs each command of golden/*.txt on files made by make_files.py and compares what it prints with what stands there.

    golden_test.py CAMEO             fails and shows the difference
    golden_test.py CAMEO --rebase    writes what is printed now into the golden files

A golden file holds a command behind "$ ", its exit code unless 0, then stdout and, behind "! ", stderr. Files whose names
begin with bad- must end in an exit code other than 0. Sizes of files are written as <size>: they vary with the length of
paths in debug information.
"""
import difflib
import fcntl
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
NOBODY = 65534


def run(cameo, command, **options):
    words = shlex.split(command)
    assert words[0] == "cameo", command
    environment = {"PATH": os.environ["PATH"], "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), "COLUMNS": "100"}
    return subprocess.run([cameo, *words[1:]], capture_output=True, text=True, timeout=60, env=environment, **options)


def outcome(cameo, command):
    # Root may read everything: let somebody else try.
    options = {"user": NOBODY} if "no_permission" in command and os.getuid() == 0 else {}
    result = run(cameo, command, **options)
    text = f"$ {command}\n"
    if result.returncode != 0:
        text += f"exit {result.returncode}\n"
    text += re.sub(r"(?m)^(  size +)\S.*$", r"\1<size>", result.stdout)
    text += "".join(f"! {line}\n" for line in result.stderr.splitlines())
    return text, result.returncode


def check_golden(cameo, rebase):
    failures = 0
    for path in sorted(GOLDEN.glob("*.txt")):
        expected = path.read_text()
        command = expected.splitlines()[0].removeprefix("$ ")
        actual, code = outcome(cameo, command)
        if path.name.startswith("bad-") != (code != 0):
            print(f"{path.name}: exit code {code}")
            failures += 1
        if rebase:
            path.write_text(actual)
        elif actual != expected:
            failures += 1
            sys.stdout.writelines(difflib.unified_diff(
                expected.splitlines(True), actual.splitlines(True), f"{path.name} (expected)", f"{path.name} (printed)"))
    return failures


def facts(cameo, command):
    result = run(cameo, command)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def check_json(cameo):
    """Numbers that PyTorch itself knows."""
    import make_files

    report = facts(cameo, "cameo inspect traced.pt --json")
    model = make_files.Net()
    parameters = sum(p.numel() for p in model.parameters())
    assert report["origin"] == "traced" and not report["training"] and not report["mobile"], report
    assert report["weights"]["parameters"]["elements"] == parameters
    assert report["weights"]["buffers"]["elements"] == sum(b.numel() for b in model.buffers())
    assert report["weights"]["bytes"] == sum(t.numel() * t.element_size() for t in model.state_dict().values())
    assert [m["path"] for m in report["modules"]] == [name for name, _ in model.named_modules()]
    assert report["modules"][0]["parameters"] == parameters
    by_path = {m["path"]: m for m in report["modules"]}
    for name, module in model.named_modules():
        assert by_path[name]["parameters"] == sum(p.numel() for p in module.parameters()), name
        assert by_path[name]["class"].endswith(type(module).__name__), name

    report = facts(cameo, "cameo inspect scripted.pt --json")
    assert report["weights"]["parameters"]["elements"] == sum(p.numel() for p in make_files.Decoder().parameters())
    assert [m["path"] for m in report["modules"] if m.get("shares_weights")] == ["out", "again"]
    assert [e["name"] for e in report["entry_points"]] == ["forward", "greet"]
    assert report["entry_points"][0]["arguments"][1] == {"name": "steps", "type": "int", "default": "3"}
    assert report["training"] and report["extra_files"] == ["vocabulary.txt"]

    report = facts(cameo, "cameo inspect traced_newer.pt --json")
    assert report["pytorch"]["first"] == "2.1" and report["pytorch"]["last"] is None
    assert report["entry_points"][0]["examples"] == [{"source": "traced", "arguments": ["f32[1, 3, 8, 8]"]}]

    assert len(facts(cameo, "cameo inspect deep.pt --json")["modules"]) == 3000

    code = facts(cameo, "cameo inspect scripted.pt --code forward --json")
    frames = [frame for line in code["definitions"][0]["lines"] for frame in line.get("python", [])]
    source = pathlib.Path(make_files.__file__).read_text().splitlines()
    own = [frame for frame in frames if frame.get("file", "").endswith("make_files.py")]
    assert own and all(source[frame["line"] - 1] == frame["text"] for frame in own), frames


def check_streams(cameo):
    """Output that cannot be written is an error. A closed pipe is none: its reader wants no more."""
    with open("/dev/full", "w") as full:
        result = subprocess.run([cameo, "inspect", "traced.pt"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "No space left" in result.stderr, result
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = subprocess.run([cameo, "inspect", "traced.pt"], stdout=write_end, stderr=subprocess.PIPE, text=True)
    os.close(write_end)
    assert (result.returncode, result.stderr) == (141, ""), result


def on_terminal(cameo, command, columns, **environment):
    """What a terminal of that width is sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([cameo, *shlex.split(command)[1:]], stdout=theirs, env={"LANG": "C.UTF-8", **environment})
    os.close(theirs)
    sent = b""
    try:
        while part := os.read(ours, 65536):
            sent += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return sent.decode().replace("\r\n", "\n")


def check_terminal(cameo):
    overview = on_terminal(cameo, "cameo inspect traced.pt", 80)
    plain = on_terminal(cameo, "cameo inspect traced.pt", 80, NO_COLOR="1")
    assert "\x1b[" in overview and "├─ " in overview and "█" in overview, overview
    assert "\x1b[" not in plain and re.sub(r"\x1b\[[0-9;]*m", "", overview) == plain, plain
    assert "├─ " not in on_terminal(cameo, "cameo inspect traced.pt", 80, LANG="C")
    for columns in (20, 80, 120, 200):
        for command in ("cameo inspect traced.pt", "cameo inspect scripted.pt --code"):
            lines = on_terminal(cameo, command, columns, NO_COLOR="1").splitlines()
            tree = [line for line in lines if "─ " in line or " │ " in line]
            assert all(len(line) <= max(columns, 60) for line in tree), (columns, tree)
    wide = on_terminal(cameo, "cameo inspect scripted.pt --code", 120, NO_COLOR="1")
    assert re.search(r"state1 = torch.zeros.* │ make_files.py:\d+  state = torch.zeros\(", wide), wide


def main():
    cameo, rebase = os.path.abspath(sys.argv[1]), "--rebase" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.chdir(folder)
        import make_files

        make_files.all()
        copy = shutil.copy(cameo, os.path.join(folder, "cameo"))  # where everybody may run it
        failures = check_golden(copy, rebase)
        check_json(copy)
        check_streams(copy)
        check_terminal(copy)
        os.chdir("/")
    sys.exit(1 if failures else 0)


main()
