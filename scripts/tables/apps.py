# SPDX-License-Identifier: Apache-2.0
"""Tables of coopbench apps beside the papers'. The rules are those of probes/apps/pairs.c."""
import statistics

from tables.common import EVERY, duration, metric, number, percent, rows, table, variant_of

# FSE'17 Tab. 2: mean and maximum, of all, barrier, work stealing
TAB2 = ("1.07", "1.23", "1.06", "1.20", "1.12", "1.23")
# OOPSLA'16 Tab. 4, GTX 980 and Quadro K5200: speedup by the barrier, slowdown by portability
SPEEDUP = {("color", "grid"): ("1.07", "1.04"), ("color", "circuit"): ("1.02", "0.85"),
           ("mis", "grid"): ("1.05", "1.02"), ("mis", "circuit"): ("0.97", "0.93"),
           ("sssp_bellman", "road"): ("0.99", "0.92"), ("bc", "1k-128k"): ("1.10", "1.02"),
           ("bc", "2k-1m"): ("1.02", "0.98")}
PORTABILITY = {("bfs", "rmat"): ("1.29", "1.43"), ("sssp_worklist", "rmat"): ("1.10", "1.14"),
               ("bfs", "uniform"): ("1.38", "1.30"), ("sssp_worklist", "uniform"): ("1.09", "1.08"),
               ("mst", "grid"): ("1.34", "1.29"), ("mst", "road"): ("1.80", "1.54")}
# Figs. 9 and 10: their geometric means
SPEEDUP_MEANS, PORTABILITY_MEANS = ("1.03", "0.96"), ("1.31", "1.29")
# Fig. 11, of all GPUs: the most of all (Fig. 10), and of runs that take longer than 400 ms and than 800 ms
FIG11 = ("2.53", "1.6", "1.2")
FSE17 = ("bfs", "color", "mis", "sssp_bellman", "sssp_worklist", "octree", "game")  # its apps
ROUGH = 0.1
# How workgroups find and meet each other (probes/apps/plan.h): variant, protocol, barrier, and the order of ids
OURS = ("ours", "lockfree", "patient", "own")
PAPER = ("paper", "ticket", "xf", "own")
# Each part of the price of portability: protocol, order of ids
PARTS = (("unsafe", "own"), ("unsafe", "arrival"), ("unsafe", "shuffled"), ("lockfree", "own"), ("lockfree", "native"),
         ("ticket", "own"), ("ticket", "native"))


def pairs(run, system=OURS):
    """{(app, input): {mode: case}} of the measured cases of a system; modes without a protocol, or a barrier to
    choose, are those of all systems of the variant."""
    found = {}
    for c in rows(run, "apps", EVERY):
        p = c["params"]
        mine = (variant_of(c), p.get("protocol", system[1]), p.get("global-barrier", system[2]),
                p.get("ids", "own" if "protocol" in p else system[3]))
        if not {"sizes", "validate-bound"} & p.keys() and not p.get("verify") and mine == system:
            found.setdefault((p["app"], p["input_name"]), {})[p["mode"]] = c
    return found


def ratio(modes, over, under, name="run_time"):
    times = [metric(modes[m], name) if m in modes else None for m in (over, under)]
    return times[0] / times[1] if all(times) else None


def precision(case, name):
    """Half of a median's 95 % interval, as a share of it; 0: not known."""
    middle, low, high = (metric(case, name, s) for s in ("median", "ci95_low", "ci95_high"))
    return (high - low) / 2 / middle if None not in (low, high) else 0


def ratio_cell(modes, over, under, name="run_time"):
    """A ratio, and how well it is known where that is not within a tenth."""
    value = ratio(modes, over, under, name)
    if not value:
        return ""
    rough = max(precision(modes[m], name) for m in (over, under))
    return number(value, 2) + (f" ±{percent(rough)}" if rough > ROUGH else "")


def steals(modes):
    return any(c["params"]["barrier"] == "none" for c in modes.values())


def mean_and_max(values):
    values = [v for v in values if v]
    return [number(statistics.geometric_mean(values)), number(max(values))] if values else ["", ""]


def tab2(devices):
    lines = [["FSE'17: Iris 6100", "original", *TAB2]]
    for name, run in devices:
        for base in ("specialised", "portable"):
            cells, all_pairs = [], [modes for (app, _), modes in pairs(run).items() if app in FSE17]
            for wanted in (None, False, True):
                cells += mean_and_max([ratio(m, "cooperative", base) for m in all_pairs
                                       if wanted is None or steals(m) == wanted])
            if any(cells):
                lines.append([name, base, *cells])
    return table(["device", "slowdown over", "all: mean", "max", "barriers: mean", "max",
                  "work stealing: mean", "max"], lines)


def printed(paper, pair):
    """The paper's numbers of a pair, whether its graph is the original or stands for it."""
    return paper.get((pair[0], pair[1].removesuffix("-original")), ("", ""))


def tab4(devices, over, under, name, paper):
    lines = []
    measured = [(device, pairs(run)) for device, run in devices]
    for pair in sorted(set(paper).union(*(m for _, m in measured))):
        cells = [ratio_cell(m.get(pair, {}), over, under, name)
                 if name == "run_time" or not steals(m.get(pair, {})) else "" for _, m in measured]
        if any(cells):
            lines.append([f"{pair[0]} [{pair[1]}]", *printed(paper, pair), *cells])
    return table(["app [input]", "GTX 980", "K5200", *(d for d, _ in devices)], lines)


def mean_cell(measured, paper, rest):
    """Geometric mean over the paper's pairs; how many of them, if not all."""
    values = [v for v in (ratio(measured[pair], *rest) for pair in paper if pair in measured) if v]
    return "" if not values else number(statistics.geometric_mean(values), 2) + (
        f" ({len(values)} of {len(paper)})" if len(values) < len(paper) else "")


def systems(run, columns, paper, means):
    """Lines of one device: the paper's numbers, then a column for each (system, over, under, metric)."""
    measured = [pairs(run, system) for system, *_ in columns]
    lines = []
    for pair in sorted(set(paper).union(*measured)):
        cells = ["" if steals(m.get(pair, {})) else ratio_cell(m.get(pair, {}), *rest)
                 for m, (_, *rest) in zip(measured, columns)]
        if any(cells):
            lines.append([f"{pair[0]} [{pair[1]}]", *printed(paper, pair), *cells])
    return lines + [["geometric mean of the paper's", *means,
                     *(mean_cell(m, paper, rest) for m, (_, *rest) in zip(measured, columns))]]


def systems_speedup(devices):
    """Fig. 9, Tab. 4 left, of one device: of which part is what."""
    (name, run), = devices
    host = ("portable", "host_time")
    columns = ((PAPER, "baseline", *host), (("paper", *OURS[1:]), "baseline", *host),
               (("paper", *OURS[1:]), "multikernel", *host), (OURS, "multikernel", *host))
    return table(["app [input]", "GTX 980", "K5200", f"{name}: the paper's system", "its algorithm, our barrier",
                  "the same, over our multikernel", "all ours"], systems(run, columns, SPEEDUP, SPEEDUP_MEANS))


def systems_portability(devices):
    """Figs. 10, 11, Tab. 4 right, of one device."""
    (name, run), = devices
    columns = ((PAPER, "portable", "specialised"), (("paper", "unsafe", "xf", "own"), "portable", "specialised"),
               (("paper", *OURS[1:]), "portable", "specialised"), (("ours", *PAPER[1:]), "portable", "specialised"),
               (OURS, "portable", "specialised"))
    return table(["app [input]", "GTX 980", "K5200", f"{name}: the paper's system", "without protocol, ids native",
                  "its algorithm, our protocol", "our algorithm, its protocol", "all ours"],
                 systems(run, columns, PORTABILITY, PORTABILITY_MEANS))


def portability_parts(devices):
    """What OOPSLA'16 leaves open, of one device: slowdown by the environment, by the order of ids, by the protocol."""
    (_, run), = devices
    lines = []
    systems = {(variant_of(c), c["params"]["global-barrier"]) for c in rows(run, "apps", EVERY) if "ids" in c["params"]}
    for variant, barrier in sorted(systems):
        parts = [pairs(run, (variant, protocol, barrier, ids)) for protocol, ids in PARTS]
        for pair in sorted(set().union(*parts)):
            cells = [ratio_cell(p.get(pair, {}), "portable", "specialised") for p in parts]
            specialised = [metric(p[pair]["specialised"], "run_time") for p in parts if "specialised" in p.get(pair, {})]
            name = f"{pair[0]}{'' if variant == 'ours' else f' ({variant})'} [{pair[1]}], {barrier}"
            lines.append([name, duration(max(specialised, default=None)), *cells])
    return table(["app [input], barrier", "specialised", "no protocol: ids native", "by arrival", "shuffled",
                  "lockfree: by arrival", "native", "ticket: by arrival", "native"], lines)


def systems_runtime(devices):
    """Fig. 11: slowdown at most, and of how many pairs, of all runs and of long ones."""
    heads = ["system", "all runs", "longer than 400 ms", "longer than 800 ms"]
    lines = [["OOPSLA'16, eight GPUs", *FIG11]]
    for name, run in devices:
        for title, system in (("the paper's system", PAPER), ("all ours", OURS)):
            line = [f"{name}: {title}"]
            for least in (0, 400e6, 800e6):
                values = [ratio(modes, "portable", "specialised") for modes in pairs(run, system).values()
                          if "specialised" in modes and (metric(modes["specialised"], "run_time") or 0) > least]
                values = [v for v in values if v]
                line.append(f"{number(max(values), 2)} (of {len(values)})" if values else "no such run")
            lines.append(line)
    return table(heads, lines)


def cooperation(devices):
    """Cooperative kernels of each pair, of runs of apps and of multitask on one device."""
    best, cases = {}, {}
    for _, run in devices:
        best |= {pair: ratio_cell(modes, "cooperative", "specialised") for pair, modes in pairs(run).items()}
        for c in rows(run, "multitask"):
            cases.setdefault((c["params"]["app"], c["params"]["input_name"]), []).append(c)
    lines = []
    for pair in sorted(best):
        own = cases.get(pair, [])
        same = [v for v in (metric(c, "overhead_specialised") for c in own) if v]
        times = [(metric(c, "gather_time"), metric(c, "gather_time", "p99")) for c in own if metric(c, "gather_time")]
        half = [metric(c, "overhead") for c in own if c["params"].get("groups") == "N/2"]
        lines.append([f"{pair[0]} [{pair[1]}]", best[pair], number(same[0]) if same else "",
                      *(duration(max(t, default=None)) for t in zip(*times)), number(half[0]) if half else ""])
    return table(["app [input]", "cooperative : specialised, best sizes", "same size", "worst gather p50", "worst p99",
                  "overhead, heavy, N/2"], lines)


def speedup(devices):
    return tab4(devices, "multikernel", "portable", "host_time", SPEEDUP)


def portability(devices):
    return tab4(devices, "portable", "specialised", "run_time", PORTABILITY)


def bounds(devices):
    """Section 5.3: occupancy bounds of the specialised apps, and what becomes of one workgroup more."""
    found = {}
    for name, run in devices:
        for c in rows(run, "apps", EVERY):
            p = c["params"]
            if p.get("validate-bound"):
                variant = f" ({p['variant']})" if "variant" in p else ""
                pair = f"{p['app']}{variant} [{p['input_name']}], {p['global-barrier']}"
                bound, ends = metric(c, "groups_bound"), metric(c, "one_more_ends")
                found.setdefault(pair, {})[name] = [number(metric(c, "wg_size"), 0), number(metric(c, "groups_found"), 0),
                                                    number(bound, 0), "ends, too" if ends else "deadlock"]
    heads, lines = ["app [input], barrier"], [[pair] for pair in sorted(found)]
    for name, _ in devices:
        heads += [f"{name}: work-items", "found", "N", "with N + 1"]
        for line in lines:
            line += found[line[0]].get(name, [""] * 4)
    return table(heads, lines)
