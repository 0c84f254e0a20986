# SPDX-License-Identifier: Apache-2.0
"""Thresholds and coarsening beside aggregation alone (CGO'22), of a run with --tune, and beside a CUDA twin."""
from tables.common import duration, metric, quoted, rows, table
from tables.klap import PARENTS, cases as all_cases, mean, time

PAPER = ("DYNAMIC_PARALLELISM", "AGGREGATION", "NO_LAUNCHES")  # what CGO'22 compares with
# Of which launchers the fastest counts, without thresholds and coarsening
BASES = (("thread",), ("warp", "block", "grid"), ("serial",), ("flat",))
OF_TWIN = ("thread", "warp", "block", "grid")


def tried(run):
    """{program: [case]} with large inputs."""
    found = {}
    for case in rows(run, "launch"):
        if case["id"].endswith("/large/tune"):
            found.setdefault(case["params"]["program"], []).append(case)
    return found


def is_plain(case):
    return case["params"].get("threshold", 1) == 1 and case["params"].get("coarsening", 1) == 1


def best(cases):
    return min((c for c in cases if "threshold" in c["params"]), key=lambda c: metric(c, "run_time"), default=None)


def ratio(cases, launchers):
    """Of the fastest of these launchers to the best of all that launch."""
    known = [metric(c, "run_time") for c in cases if c["params"]["launcher"] in launchers and is_plain(c)]
    return min(known) / metric(best(cases), "run_time") if known and best(cases) else None


def twin_ratio(twin, program, cases):
    """Of the twin's fastest launcher to the best."""
    found = all_cases(twin) if twin else {}
    known = [t for t in (time(found, program, launcher, "large") for launcher in OF_TWIN) if t]
    return min(known) / metric(best(cases), "run_time") if known else None


def name(case):
    return f"`{case['params']['launcher']}`, from {case['params']['threshold']}, by {case['params']['coarsening']}"


def tuning(devices):
    """devices: runs, and a twin of the first one's device."""
    twins = next(((name, run) for name, run in devices if run and "twin" in run), None)
    twin_name, twin = twins or ("CUDA", None)
    heads = ["program", "device", "best", "time", "plain launches : best", "aggregation alone : best", "none : best",
             "flat : best", f"best of {twin_name} : best"]
    lines = [["all, geometric mean", "CGO'22", "", "", *(quoted(f"CGO22_OVER_{base}") for base in PAPER), "", ""]]
    for device, run in devices:
        if not run or "twin" in run:
            continue
        found = {p: c for p, c in tried(run).items() if best(c)}
        of = {p: [*(ratio(cases, base) for base in BASES), twin_ratio(twin, p, cases)] for p, cases in found.items()}
        ratios = [[r for r in column if r] for column in zip(*(of[p] for p in found if p in PARENTS))]
        if found:
            lines.append(["all, geometric mean", device, "", "", *(f"{mean(r):.3g}" if r else "" for r in ratios)])
        for program, cases in found.items():
            lines.append([f"`{program}`", device, name(best(cases)), duration(metric(best(cases), "run_time")),
                          *(f"{r:.3g}" if r else "" for r in of[program])])
    return table(heads, lines)
