#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of README.md and docs that hold results, from reference results.

    scripts/papers.py            writes them
    scripts/papers.py --check    exits with 1 if they are not up to date
    scripts/papers.py --root DIR of another checkout

A table stands between "<!-- KIND: DEVICE = FOLDER; ... -->" and "<!-- end -->"; a folder that is not there
yet leaves its cells empty. Kinds are functions of scripts/tables.
"""
import argparse
import functools
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # this is the source tree

import runs  # noqa: E402
from tables import apps, durations, multitask, preempt, quotes, so11  # noqa: E402

KINDS = {f.__name__: f for f in (
    apps.tab2, multitask.tab3, preempt.tab3_measured, multitask.fig6, apps.speedup, apps.portability,
    apps.systems_speedup, apps.systems_portability, multitask.heavy, multitask.gather, multitask.price, multitask.kept, multitask.without_tasks, quotes.excerpt,
    quotes.origin, so11.so11_times, so11.so11_ratios, so11.so11_quotes, so11.so11_barriers, durations.answers,
    durations.cold, durations.scripts, durations.timed)}


@functools.lru_cache(maxsize=None)
def load(folder):
    """A run's document, and its report; or how long commands took (scripts/time-defaults.py)."""
    if (folder / "durations.json").exists():
        return json.loads((folder / "durations.json").read_text())
    run, report = runs.document(folder), folder / "report.md"
    if run is None:
        return None
    run["report"] = report.read_text() if report.exists() else ""
    return run


def fill(match, root, page):
    kind, spec = match.group(1), match.group(2)
    if kind not in KINDS:
        sys.exit(f"{page}: there is no table {kind}, only {', '.join(KINDS)}")
    devices = [part.split(" = ") for part in spec.split("; ")]
    filled = KINDS[kind]([(name, load(root / folder)) for name, folder in devices])
    return f"<!-- {kind}: {spec} -->\n\n{filled}\n<!-- end -->\n"


def update(root, page, check):
    before = (root / page).read_text()
    after = re.sub(r"<!-- (\w+): ([^>]*?) -->\n.*?<!-- end -->\n", lambda m: fill(m, root, page), before,
                   flags=re.S)
    if after == before:
        return
    if check:
        sys.exit(f"{page} is not up to date: run scripts/papers.py")
    (root / page).write_text(after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    for page in (options.root / "README.md", *sorted((options.root / "docs").glob("**/*.md"))):
        if page.exists():
            update(options.root, page.relative_to(options.root), options.check)


if __name__ == "__main__":
    main()
