# SPDX-License-Identifier: Apache-2.0
"""What documents quote of a run: parts of its report, and where it is from."""
import re
import sys

# Runs before this day have older forms under the same names: parameters and their words, how a table tells of them, and what
# has to be said then.
AS_PRINTED_SINCE = "2026-11-30"
OLDER = ((("primitive", "global-barrier", "starvation"), ("xf",), r"\bxf\b|XF|the paper's system",
          "its `xf` is today's `xf_rounds`"),
         (("barrier", "resizing"), ("regular", "master", "literal"), r"\bregular\b|\bmaster\b|\bliteral\b|the authors' apps|the paper's",
          "its `regular` has no master, offers go together, one barrier a round of the authors' apps resizes"))
STATUSES = ("interrupted", "timeout", "verify_failed", "crashed", "error", "usage", "unsupported", "skipped")


def excerpt(reports):
    """The table below a line of report.md. The name is that line's beginning."""
    found = []
    for heading, run in reports:
        if run is None:
            continue
        _, line, below = ("\n" + run["report"]).partition("\n" + heading)
        if not line:
            sys.exit(f"there is no line \"{heading}\" in the report of {run['run_id']}")
        table = below.partition("\n|")[2].partition("\n\n")[0].rstrip()
        found.append("|" + table + "\n")
    return "\n".join(found)


def measured_on(run):
    """Device, driver, commit and date."""
    if "twin" in run:
        about = run["about"] or {}
        told = [f"{word}{about[key]}" for key, word in (("driver", "driver "), ("cuda", "CUDA "), ("commit", "commit "), ("date", ""))
                if about.get(key)]
        return ", ".join((*run["twin"], *told, "by CUDA's own launches"))
    first, changed = run["devices"][0], " with changes" if run["tool"].get("git_dirty") else ""
    return (f"{first['name']}, driver {first['driver_version']}, commit {run['tool']['git_sha'][:7]}{changed}, "
            f"{run['time']['start'][:10]}")


def older_forms(run, table=None):
    """What has to be said of a run that measured older forms under today's names, and of a table that tells of them."""
    if "cases" not in run or "time" not in run or run["time"]["start"] >= AS_PRINTED_SINCE:
        return ""
    told = [text for keys, words, says, text in OLDER if (table is None or re.search(says, table))
            and any(c.get("params", {}).get(key) in words for c in run["cases"] for key in keys)]
    return "".join(f", {text}" for text in told)


def origin(runs):
    """What was measured on what, and how many of the cases are there."""
    lines = []
    for name, run in runs:
        if run is None:
            continue
        summary = run["summary"]
        missing = "".join(f", {summary[s]} {s}" for s in STATUSES if summary.get(s))
        lines.append(f"{name}: {measured_on(run)}{older_forms(run)}; {summary['ok']} of {summary['cases']} cases ok{missing}.\n")
    return "".join(lines)


def below(runs, named, table):
    """The line below each table that says what was measured on what: by the devices' names, if the table has them."""
    of = {}
    for name, run in runs:
        if run and ("tool" in run or "twin" in run):
            of.setdefault(measured_on(run) + older_forms(run, table), {})[name] = None
    lines = [f"{', '.join(names)}: {text}.\n" if named else f"{text}.\n" for text, names in of.items()]
    return "\n" + "".join(lines) if lines else ""
