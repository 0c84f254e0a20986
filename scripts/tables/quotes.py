# SPDX-License-Identifier: Apache-2.0
"""What documents quote of a run: parts of its report, and where it is from."""
import sys

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


def origin(runs):
    """Device, version and date of runs, and how many of their cases are there."""
    lines = []
    for name, run in runs:
        if run is None:
            continue
        tool, summary, first = run["tool"], run["summary"], run["devices"][0]
        missing = "".join(f", {summary[s]} {s}" for s in STATUSES if summary.get(s))
        lines.append(f"{name}: {first['name']}, driver {first['driver_version']}, commit {tool['git_sha'][:7]}, "
                     f"{run['time']['start'][:10]}; {summary['ok']} of {summary['cases']} cases ok{missing}.\n")
    return "".join(lines)
