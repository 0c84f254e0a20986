#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of results that documents hold, from reference results.

    scripts/papers.py            writes them
    scripts/papers.py --check    exits with 1 if they are not up to date, if prose has a measured number
                                 (scripts/tables/prose.py), if a table has runs of several devices or kernels and does
                                 not say so (origins.py), or if a kept run does not tell its commit, driver and date (kept.py)
    scripts/papers.py --root DIR of another checkout

A table stands between "<!-- KIND: DEVICE = FOLDER; ... -->" and "<!-- end -->"; a folder that is not there
yet leaves its cells empty. In place of one: a CUDA twin's CSV. Kinds are functions of scripts/tables.
"""
import argparse
import functools
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # this is the source tree

import runs  # noqa: E402
from tables import (  # noqa: E402
    aggregation, apps, barriers, breakdown, discover, draft, durations, kept, klap, litmus, multitask, occupancy, origins, preempt, promotion, prose, quotes, rates, so11, together, trust, tuning, twin)
from tables.common import label  # noqa: E402

KINDS = {f.__name__: f for f in (
    apps.tab2, multitask.tab3, preempt.tab3_measured, preempt.tab3_measured_barriers, preempt.tab3_authors, multitask.fig6, apps.speedup,
    apps.portability, apps.bounds, apps.cooperation, apps.systems_speedup, apps.systems_portability, apps.portability_parts, apps.systems_runtime, barriers.tab2_barriers,
    barriers.fig6_barriers, barriers.tab3_barriers, barriers.resizing_barriers, barriers.tab2_systems,
    barriers.fig5_systems, barriers.fig6_systems, barriers.best_alone, barriers.printed, discover.discovery, discover.discovery_delays, discover.discovery_times, discover.id_places, discover.starvation,
    discover.beside_others, discover.occupancy_claims,
    multitask.heavy, multitask.gather, multitask.price, multitask.kept, multitask.without_tasks, quotes.excerpt,
    quotes.origin, so11.so11_times, so11.so11_ratios, so11.so11_best, so11.so11_quotes, so11.so11_barriers, so11.so11_pauses,
    durations.answers, durations.beside, durations.cold, durations.scripts, durations.timed, promotion.promotion, aggregation.aggregation, aggregation.aggregation_forms, aggregation.recursion, aggregation.tessellation, aggregation.aggregation_programs,
    twin.klap_twin, tuning.tuning, rates.launch_rates,
    breakdown.breakdown, breakdown.breakdown_claims, twin.streams,
    occupancy.children_at_once, occupancy.steps_at_once, together.together_stp, together.together_all, together.together_search,
    draft.semantics, draft.hybrid, litmus.litmus, trust.history_trust, trust.history_steps, trust.history_power, trust.compare_power)}


@functools.lru_cache(maxsize=None)
def load(folder):
    """A run's document, and its report; or how long commands took (scripts/time-defaults.py); or of a CUDA twin's CSV
    (scripts/twins/klap) what is in it."""
    if folder.suffix == ".json":  # of a script that measures, as scripts/history-trust.py
        return json.loads(folder.read_text()) if folder.exists() else None
    if folder.suffix == ".csv":
        return klap.twin(folder.read_text()) if folder.exists() else None
    if (folder / "durations.json").exists():
        return json.loads((folder / "durations.json").read_text())
    run, report = runs.document(folder), folder / "report.md"
    if run is None:
        return joined([load(part) for part in sorted(folder.glob("*/"))])
    run["report"] = report.read_text() if report.exists() else ""
    return run


def joined(parts):
    """Runs of the parts of one suite (--filter), each on a card of its own: a folder has a folder for each. A part may have
    what another was interrupted before."""
    if not parts:
        return None
    if len({(p["devices"][0]["name"], p["devices"][0]["driver_version"], p["tool"]["git_sha"]) for p in parts}) > 1:
        sys.exit(f"{', '.join(p['run_id'] for p in parts)} are no parts of one run: another device, driver or commit")
    run = dict(parts[0])
    done = {c["id"] for part in parts for c in part["cases"] if c["status"] != "interrupted"}
    run["cases"] = [c for part in parts for c in part["cases"] if c["status"] != "interrupted" or c["id"] not in done]
    elsewhere = sum(len(part["cases"]) for part in parts) - len(run["cases"])
    run["summary"] = {key: sum(part["summary"][key] for part in parts) for key in run["summary"]}
    for key in ("cases", "interrupted"):
        if key in run["summary"]:
            run["summary"][key] -= elsewhere
    run["report"] = "\n".join(part["report"] for part in parts)
    return run


def fill(match, root, page, wrong):
    kind, spec = match.group(1), match.group(2)
    if kind not in KINDS:
        sys.exit(f"{page}: there is no table {kind}, only {', '.join(KINDS)}")
    found = [(name, load(root / folder)) for name, folder in (part.split(" = ") for part in spec.split("; "))]
    if kind in ("excerpt", "origin"):  # names are headings, and what is told of
        text = KINDS[kind](found)
        below = quotes.below(found, False, text) if kind == "excerpt" else ""
    else:
        found = [(label(name, run), run) for name, run in found]
        text = KINDS[kind](found)
        below = quotes.below(found, True, text)
    trouble = origins.of_table(found, text)
    if trouble and kind != "origin":
        wrong.append(f"{page}: {kind}: {spec}: {trouble}")
    text += below
    return f"<!-- {kind}: {spec} -->\n\n{text}\n<!-- end -->\n"


def filled(root, page, wrong):
    """A page with its results; wrong gets what is wrong with its tables."""
    return re.sub(r"<!-- (\w+): ([^>]*?) -->\n.*?<!-- end -->\n", lambda m: fill(m, root, page, wrong),
                  (root / page).read_text(), flags=re.S)


def pages(root):
    """Those with results. benchmarks and apps have a README each; the glossary has examples, no results."""
    for pattern in ("README.md", "docs/**/*.md", "probes/**/README.md", "apps/**/README.md"):
        yield from (page.relative_to(root) for page in sorted(root.glob(pattern)) if page.name != "glossary.md")


def complaints(root, page):
    """What is wrong with a page as it is."""
    text = (root / page).read_text()
    found = [f"{page}: a line that begins with a comment is HTML, not a part of the paragraph"
             for _ in re.findall(r"^ *<!-- paper -->", text, re.M)]
    found += [f"{page}:{line}: {number} is neither in a table nor quoted (scripts/tables/prose.py)"
             for line, number in prose.measured(text)]
    is_new = filled(root, page, found) == text
    return found if is_new else [*found, f"{page} is not up to date: run scripts/papers.py"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    if options.check:
        wrong, excepted = kept.check(options.root / "results/reference")
        print("".join(f"excepted: {text}\n" for text in excepted), end="")
        wrong += [c for page in pages(options.root) for c in complaints(options.root, page)]
        sys.exit("\n".join(wrong) or 0)
    for page in pages(options.root):
        (options.root / page).write_text(filled(options.root, page, []))


if __name__ == "__main__":
    main()
