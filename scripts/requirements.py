#!/usr/bin/env python3
"""Writes docs/requirements.md: each numbered requirement, the tests that name it, and how they went.

    scripts/requirements.py [RESULTS.xml …]     xUnit files of `swift test --xunit-output`; without them no result is shown
    scripts/requirements.py --check             fails when a number has lost its test, or the table names other tests
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "requirements.md"
# How many numbers each list has.
LISTS = [
    ("S0", 46, "Getting started: loader, request, manager"),
    ("S1", 36, "Controls of the host's own"),
    ("S2", 41, "Rewarded ads"),
    ("S3", 20, "Picture-in-picture"),
    ("S4", 69, "In-stream audio"),
    ("SX", 5, "Across all of them"),
]
NAME = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
NUMBER = re.compile(r"\bS[0-4X]\.\d+\b")


def tests():
    """Number to the sentences that name it."""
    found = {}
    for folder in ["Tests", "Adapters"]:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            for name in NAME.findall(path.read_text()):
                for number in NUMBER.findall(name):
                    found.setdefault(number, set()).add(name)
    for path in sorted((ROOT / "scripts").glob("*.sh")):
        for line in path.read_text().splitlines():
            if line.startswith("# Shows S"):
                for number in NUMBER.findall(line):
                    found.setdefault(number, set()).add(f"scripts/{path.name}")
    return found


def results(files):
    """Sentence to passed or failed."""
    outcome = {}
    for file in files:
        for case in xml.etree.ElementTree.parse(file).iter("testcase"):
            # Swift Testing writes the display name where there is one.
            failed = case.find("failure") is not None or case.find("error") is not None
            outcome[case.get("name", "")] = "failed" if failed else "passed"
    return outcome


def write(found, outcome):
    lines = [
        "# Requirements and their tests",
        "",
        "Written by `scripts/requirements.py` from the names of the tests; do not edit. `.ci/run` checks that it is current.",
        "",
    ]
    missing = []
    for prefix, count, title in LISTS:
        lines += [f"## {prefix}: {title}", "", "| number | shown by |", "|---|---|"]
        for place in range(1, count + 1):
            number = f"{prefix}.{place}"
            names = sorted(found.get(number, []))
            if not names:
                missing.append(number)
                continue
            cells = []
            for name in names:
                result = outcome.get(name)
                cells.append(NUMBER.sub("", name).strip().replace("|", "\\|") + (f" **{result}**" if result else ""))
            lines.append(f"| {number} | {'<br>'.join(cells)} |")
        lines.append("")
    lines += ["## Without a test", "", ", ".join(missing) + "." if missing else "None.", ""]
    return "\n".join(lines)


def main():
    arguments = sys.argv[1:]
    text = write(tests(), results([a for a in arguments if not a.startswith("--")]))
    if "--check" in arguments:
        known = re.sub(r" \*\*(passed|failed)\*\*", "", TABLE.read_text())
        if known != text:
            sys.exit("docs/requirements.md is not current: run scripts/requirements.py")
        return
    TABLE.write_text(text)


main()
