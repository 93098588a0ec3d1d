"""page_test.py CAMEO: docs/operators.md is what `cameo ops --markdown` prints."""
import difflib
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/operators.md"


def main():
    printed = subprocess.run([sys.argv[1], "ops", "--markdown"], capture_output=True, text=True, check=True).stdout
    page = PAGE.read_text()
    if printed == page:
        return 0
    sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), printed.splitlines(True), PAGE.name, "now", n=0))
    print("out of date; if the new page is right: cameo ops --markdown > docs/operators.md")
    return 1


sys.exit(main())
