# SPDX-License-Identifier: Apache-2.0
"""SO'11's tables of memory, and the ratios and times that its text quotes, beside measured ones."""
import functools
import pathlib
import re

from tables.common import duration, metric, rows, table

DEVICES = ("Tesla", "Fermi")
PATTERNS = [f"{c} {a}" for a in ("volatile", "atomic", "volatile_after_atomic") for c in ("contentious", "noncontentious")]
# Tab. 1, ms: Tesla's reads and writes, Fermi's
TAB1 = ((0.848, 0.829, 0.494, 0.175), (0.590, 0.226, 0.043, 0.029), (78.407, 78.404, 1.479, 1.470),
        (0.845, 0.991, 0.437, 0.312), (0.923, 0.915, 1.473, 0.824), (0.601, 0.228, 0.125, 0.050))
# Tabs. 2 and 3: dividend, divisor, values as in Tab. 1
RATIOS = ((PATTERNS[0], PATTERNS[1], ("1.44", "3.67", "11.49", "6.03")),
          (PATTERNS[2], PATTERNS[3], ("92.79", "79.12", "3.38", "4.71")),
          (PATTERNS[4], PATTERNS[5], ("1.54", "4.01", "11.78", "16.48")),
          (PATTERNS[2], PATTERNS[0], ("92.46", "94.57", "2.99", "8.40")),
          (PATTERNS[3], PATTERNS[1], ("1.43", "4.38", "10.16", "10.76")),
          (PATTERNS[4], PATTERNS[0], ("1.08", "1.10", "2.98", "4.71")),
          (PATTERNS[5], PATTERNS[1], ("1.02", "1.01", "2.91", "1.72")))

# Quoted ratios of throughputs: section, kind and its variant, whose to whose, Tesla, Fermi, and ours in the
# dividend's place. With one workgroup, or as many as both have run with.
BARRIERS = ("xf_rounds", "counter", "broadcast", "patient")
SEMAPHORES = ("ticket", "optimistic")
QUOTES = (
    ("6", "barrier", None, "two_stage", "xf", "", "0.75", BARRIERS, "1"),
    ("6", "barrier", None, "two_stage", "xf", "under 0.05", "0.3", BARRIERS, None),
    ("6, 7", "mutex", 0, "spin_backoff", "spin", "1.05 to 1.1", "1.45; 1.6; 1.4", ("spin_then_backoff",), None),
    ("7", "mutex", 0, "ticket_linear", "spin", "40", "", ("ticket_backoff", "array"), None),
    ("6", "mutex", 0, "spin_backoff", "ticket_linear", "under 0.05", "2", ("ticket_backoff", "array"), None),
    # The paper does not say which of the two it measured: Section 5's, or Algorithm 4 as printed.
    *(("6", "semaphore", value, "sleeping", spinning, *paper, SEMAPHORES, None) for value, *paper in (
        (1, "1.3", "under 1"), (2, "1.7", ""), (10, "2.5", ""), (120, "2.7", "")) for spinning in ("spin_backoff", "spin_backoff_post")),
    ("7", "semaphore", 1, "sleeping", "spin", "over 3", "", SEMAPHORES, None),
    ("6", "semaphore", 2, "sleeping", "spin", "", "1", SEMAPHORES, None),
    ("6", "semaphore", 10, "sleeping", "spin", "", "6", SEMAPHORES, None),
    ("6, 7", "semaphore", 120, "sleeping", "spin", "", "60; over 70", SEMAPHORES, None),
    ("6", "semaphore", 120, "spin_backoff", "spin", "over 10", "under 1", SEMAPHORES, None),
)
# Tab. 5: primitive, kind and its variant, Tesla, Fermi; and the paper's algorithms (the others are ours, or its baseline)
TAB5 = (("barrier", "barrier", None, "XF", "XF"), ("mutex", "mutex", 0, "FA", "spin with backoff"),
        ("semaphore, initial value 1", "semaphore", 1, "sleeping", "spin with backoff"),
        ("semaphore, initial value 120", "semaphore", 120, "sleeping", "sleeping"))
PAPERS = {"barrier": ("xf", "two_stage"), "mutex": ("spin", "spin_backoff", "ticket_linear", "ring"),
          "semaphore": ("spin", "spin_backoff", "spin_backoff_post", "sleeping")}
BASELINES = ("relaunch", "relaunch_sync")
# Quoted times of a barrier (Section 2.2, after Volkov and Demmel).
TIMES = (("relaunch_sync", "10 to 14 µs"), ("relaunch", "3 to 7 µs"), ("xf", ""), ("xf_rounds", ""), ("two_stage", ""),
         ("counter", ""), ("patient", ""))


@functools.cache
def built_in_pauses():
    """Pauses that kernels begin with: longer and longer ones, and one for each place in line."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "kernels/primitives_abi.h").read_text()
    pause = dict(re.findall(r"#define CB_PAUSE_(\w+) +(\d+)$", text, re.M))
    return f"{pause['MIN']}:{pause['MAX']}", pause["PLACE"]


def digits(value):
    return "" if value is None else f"{float(f'{value:.3g}'):g}"


# ---- Memory ----

def memory_times(run):
    """{("contentious atomic", "read"): ns} with all workgroups."""
    return {(f"{p['contention']} {p['access']}", p["operation"]): metric(c, "time")
            for c in rows(run, "memory") for p in [c["params"]] if p["groups"] == "N"}


def memory_table(first, lines, devices):
    heads = [first]
    for name in (*DEVICES, *(name for name, _ in devices)):
        heads += [f"{name}: reads", "writes"]
    return table(heads, lines)


def so11_times(devices):
    """Tab. 1."""
    lines = []
    for pattern, paper in zip(PATTERNS, TAB1):
        line = [pattern.replace("_", " "), *(duration(ms * 1e6) for ms in paper)]
        for _, run in devices:
            times = memory_times(run)
            line += [duration(times.get((pattern, operation))) for operation in ("read", "write")]
        lines.append(line)
    return memory_table("access", lines, devices)


def so11_ratios(devices):
    """Tabs. 2 and 3."""
    lines = []
    for over, under, paper in RATIOS:
        line = [f"{over} : {under}".replace("_", " "), *paper]
        for _, run in devices:
            times = memory_times(run)
            for operation in ("read", "write"):
                pair = [times.get((pattern, operation)) for pattern in (over, under)]
                line.append(digits(pair[0] / pair[1]) if all(pair) else "")
        lines.append(line)
    return memory_table("ratio", lines, devices)


# ---- Primitives ----

def built_in(run):
    """Cases with the pauses that kernels begin with, or that make none."""
    return [c for c in rows(run, "primitives") if "tune" not in c["params"] and c["params"].get("backoff", built_in_pauses()[0]) in built_in_pauses()]


def is_of(case, kind, variant, name):
    p = case["params"]
    return (p["kind"], p.get("section", p.get("initial")), p["primitive"]) == (kind, variant, name)


def levels(run, kind, variant, name, value):
    """{workgroups: value} of a primitive."""
    return {int(metric(c, "groups")): metric(c, value) for c in built_in(run) if is_of(c, kind, variant, name)}


def tried(run, kind, variant, name):
    """{workgroups: {pauses: operations a second}} of a primitive, of pauses that were asked for."""
    found = {}
    for c in rows(run, "primitives"):
        if "backoff" in c["params"] and "tune" not in c["params"] and is_of(c, kind, variant, name):
            found.setdefault(int(metric(c, "groups")), {})[c["params"]["backoff"]] = metric(c, "throughput")
    return found


def tuned(run, kind, variant, name, value="throughput"):
    """levels() with the best pauses of all that were tried, for each number of workgroups."""
    found = levels(run, kind, variant, name, value)
    for groups, pauses in tried(run, kind, variant, name).items():
        found[groups] = max(found.get(groups, 0), *pauses.values())
    return found


def best(run, kind, variant, share, names=None):
    """The fastest primitives of these, or of all, with a share of N; several if their runs overlap."""
    found = {p["primitive"]: c for c in built_in(run) for p in [c["params"]]
             if (p["kind"], p.get("section", p.get("initial"))) == (kind, variant) and p["groups"] == share
             and p["primitive"] in (names or {p["primitive"]} - set(BASELINES))}
    order = sorted(found, key=lambda name: -metric(found[name], "throughput"))
    return ", ".join(name for name in order
                     if metric(found[name], "throughput", "max") >= metric(found[order[0]], "throughput", "min"))


def so11_best(devices):
    """Tab. 5: with all workgroups, and with few."""
    heads, lines = ["best", *DEVICES], [list(line[:1] + line[3:]) for line in TAB5]
    for name, run in devices:
        for share in ("N", "N/64"):
            sizes = {int(metric(c, "groups")) for c in rows(run, "primitives") if c["params"]["groups"] == share}
            heads += [f"{name}, {max(sizes, default=share)} workgroups: the paper's", "of all"]
            for line, (_, kind, variant, *_) in zip(lines, TAB5):
                line += [best(run, kind, variant, share, PAPERS[kind]), best(run, kind, variant, share)]
    return table(heads, lines)


def quoted(run, quote, names, of=levels):
    """The highest ratio of one of the names, with its name and number of workgroups; None: not measured."""
    _, kind, variant, _, under, _, _, _, groups = quote
    divisor = of(run, kind, variant, under, "throughput")
    found = []
    for name in names:
        dividend = of(run, kind, variant, name, "throughput")
        both = [n for n in dividend if n in divisor and (groups is None or n == int(groups))]
        if both:
            found.append((max(both), dividend[max(both)] / divisor[max(both)], name))
    return max(found, default=None)


def quoted_cell(found, ours):
    if found is None:
        return ""
    groups, ratio, name = found
    return f"{digits(ratio)} ({f'{name}, ' if ours else ''}{groups})"


def so11_quotes(devices):
    """Ratios of the text: the paper's algorithms, and ours, with the number of workgroups."""
    heads = ["ratio of operations a second", "section", *DEVICES]
    for name, _ in devices:
        heads += [f"{name}: the paper's", "with tuned pauses", "ours"]
    lines = []
    for quote in QUOTES:
        section, kind, variant, over, under, tesla, fermi, ours, groups = quote
        place = "" if variant in (None, 0) else f", initial value {variant}"
        line = [f"{kind}{place}{', one workgroup' if groups else ''}: {over} : {under}", section, tesla, fermi]
        for _, run in devices:
            line += [quoted_cell(quoted(run, quote, (over,)), False),
                     quoted_cell(quoted(run, quote, (over,), tuned), False)
                     if any(tried(run, kind, variant, name) for name in (over, under)) else "",
                     quoted_cell(quoted(run, quote, ours), True)]
        lines.append(line)
    return table(heads, lines)


def pauses_cell(run, what, groups):
    """Time of an operation with the pauses that kernels begin with, and with the best ones that were tried."""
    pauses, begun = tried(run, *what).get(groups, {}), levels(run, *what, "throughput").get(groups)
    best_ones = max(pauses, key=pauses.get, default=None)
    if begun and (best_ones is None or pauses[best_ones] <= begun):
        return f"{duration(1e9 / begun)} (built in)"
    return f"{duration(1e9 / begun) if begun else 'no result'} → {duration(1e9 / pauses[best_ones])} ({best_ones})" if best_ones else ""


def so11_pauses(devices):
    """Pauses that were tried, of one device: primitives, by the number of workgroups."""
    (name, run), = devices
    asked = dict.fromkeys((p["kind"], p.get("section", p.get("initial")), p["primitive"]) for c in rows(run, "primitives")
                          for p in [c["params"]] if p.get("backoff", built_in_pauses()[0]) not in built_in_pauses() and "tune" not in p)
    if not asked:
        return f"The run of the {name} has tried no other pauses.\n"
    sizes = sorted({groups for what in asked for groups in tried(run, *what)})
    return table(["an operation", *(f"{name}, {n} workgroups" for n in sizes)],
                 [[f"{kind} {primitive}{f', initial value {variant}' if kind == 'semaphore' else ''}",
                   *(pauses_cell(run, (kind, variant, primitive), n) for n in sizes)]
                  for kind, variant, primitive in sorted(asked)])


def so11_barriers(devices):
    """Time of a barrier with all workgroups."""
    lines = []
    for name, paper in TIMES:
        line = [name, paper]
        for _, run in devices:
            found = levels(run, "barrier", None, name, "op_time")
            line.append(f"{duration(found[max(found)])} ({max(found)})" if found else "")
        lines.append(line)
    return table(["barrier", "SO'11", *(name for name, _ in devices)], lines)
