# SPDX-License-Identifier: Apache-2.0
"""What documents quote of a run: parts of its report, and where it is from."""
import re
import sys

# The barrier `xf` of runs before this day had two flags for each workgroup: today's `xf_rounds`.
XF_AS_PRINTED_SINCE = "2026-11-30"
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


def older_xf(run):
    """What has to be said of a run that measured another barrier by the name of XF; else nothing."""
    has_xf = any(c.get("params", {}).get(key) == "xf" for c in run.get("cases", []) for key in ("primitive", "global-barrier", "starvation"))
    return ", its `xf` is today's `xf_rounds`" if has_xf and run["time"]["start"] < XF_AS_PRINTED_SINCE else ""


def origin(runs):
    """What was measured on what, and how many of the cases are there."""
    lines = []
    for name, run in runs:
        if run is None:
            continue
        summary = run["summary"]
        missing = "".join(f", {summary[s]} {s}" for s in STATUSES if summary.get(s))
        lines.append(f"{name}: {measured_on(run)}{older_xf(run)}; {summary['ok']} of {summary['cases']} cases ok{missing}.\n")
    return "".join(lines)


def below(runs, named, table):
    """The line below each table that says what was measured on what: by the devices' names, if the table has them."""
    tells_of_xf = re.search(r"\bxf\b|XF|the paper's system", table)
    of = {}
    for name, run in runs:
        if run and ("tool" in run or "twin" in run):
            of.setdefault(measured_on(run) + (older_xf(run) if tells_of_xf else ""), {})[name] = None
    lines = [f"{', '.join(names)}: {text}.\n" if named else f"{text}.\n" for text, names in of.items()]
    return "\n" + "".join(lines) if lines else ""
