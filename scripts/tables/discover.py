# SPDX-License-Identifier: Apache-2.0
"""Workgroups that the protocols of OOPSLA'16 find, beside the paper's (Tabs. 3 and 5), and without any of them."""
import statistics

from tables.common import duration, metric, number, percent, rows, table

# Tab. 3: bound, found on average with the ticket lock and with the spin lock, of GTX 980 and Quadro K5200
TAB3 = {"11": ("512", "512.0", "24.9", "192", "192.0", "10.1"), "L1": ("32", "32.0", "4.0", "12", "12.0", "1.1"),
        "1W": ("32", "32.0", "3.3", "24", "24.0", "3.7"), "LW": ("32", "32.0", "3.1", "12", "12.0", "2.3")}
# Tab. 5: CPU, bound, found after each delay
DELAYS = ("0", "10", "100", "1000", "10000", "30000", "adaptive")
TAB5 = (("Intel i7-5600U (paper)", "4", "1.0", "1.3", "3.3", "4.0", "", "", ""),
        ("AMD A10-7850K (paper)", "4", "1.0", "1.0", "1.5", "3.8", "", "", ""))
# Section 2.2: where workgroups of 256 work-items deadlock at the XF barrier; Fig. 1's kernel the paper only shows
STARVED = {("xf", 1024): "all eight", ("xf", 128): "all but GTX 980 and R9", ("xf", 2): "none"}
WAIT_AT = {"flag": "a flag (Fig. 1)", "xf": "the XF barrier"}


# What tells how many run at once; and what claims it: metrics of the search's case.
FOUND = {"run at once, by a search": None, "found by the protocol `lockfree`": "lockfree"}
CLAIMED = {"compute units x workgroups of `CL_KERNEL_WORK_GROUP_SIZE` work-items": "api_groups_items",
           "compute units x workgroups in `CL_DEVICE_LOCAL_MEM_SIZE`": "api_groups",
           "CUDA's occupancy calculator": "cuda_groups"}


def found(run, case, name="groups_found", statistic="mean"):
    """Workgroups; empty if there is no such case."""
    for c in rows(run, "discover"):
        if c["id"] == f"discover/{case}":
            return f"{metric(c, name, statistic):.5g}"
    return ""


def discovery(devices):
    """Tab. 3: without delay."""
    heads = ["microbenchmark", "980: bound", "TL", "SL", "K5200: bound", "TL", "SL"]
    for name, _ in devices:
        heads += [f"{name}: bound", "TL", "SL", "lock-free (ours)"]
    lines = [[kernel, *paper, *(cell for _, run in devices for cell in (
        found(run, f"bound/{kernel}", "groups_bound", "median"), found(run, f"ticket/{kernel}/delay=0"),
        found(run, f"spin/{kernel}/delay=0"), found(run, f"lockfree/{kernel}")))] for kernel, paper in TAB3.items()]
    return table(heads, lines)


def claim_cell(claimed, bound):
    """What is claimed of how many run at once, and whether it holds (probes/discover/claims.c)."""
    if claimed is None or bound is None:
        return ""
    return f"{claimed:.0f}{', too few' if claimed < bound else ', too many' if claimed > bound else ''}"


def occupancy_claims(devices):
    """Section 5.2, Fig. 7: what is claimed of how many workgroups of each microbenchmark run at once, a row for each source."""
    heads, cells = ["source"], {source: [] for source in (*FOUND, "compute units", *CLAIMED)}
    for name, run in devices:
        for kernel in TAB3:
            heads.append(f"{name}: {kernel}" if kernel == next(iter(TAB3)) else kernel)
            case = next((c for c in rows(run, "discover") if c["id"] == f"discover/bound/{kernel}"), None)
            bound = metric(case, "groups_bound") if case else None
            claims = {"compute units": run["devices"][0]["compute_units"] if run else None,
                      **{source: metric(case, of) if case else None for source, of in CLAIMED.items()}}
            for source, protocol in FOUND.items():
                found_by = found(run, f"{protocol}/{kernel}") if protocol else number(bound, 0)
                cells[source].append(found_by)
            for source, claimed in claims.items():
                cells[source].append(claim_cell(claimed, bound))
    return table(heads, [[source, *row] for source, row in cells.items()])


def discovery_delays(devices):
    """Tab. 5: with the ticket lock, after a delay."""
    lines = [list(line) for line in TAB5]
    for name, run in devices:
        lines.append([name, found(run, "bound/11", "groups_bound", "median"),
                      *(found(run, f"ticket/11/delay={delay}") for delay in DELAYS)])
    return table(["device", "bound", *DELAYS], lines)


def discovery_times(devices):
    """Fig. 8, without delay, of one device: for each bound, medians over the workgroup sizes that have it."""
    (_, run), = devices
    times = {}
    for c in rows(run, "discover"):
        p, protocol = c["params"], c["params"].get("protocol")
        if "microbenchmark" in p or "ids" in p or p.get("delay", "0") != "0" or protocol not in ("ticket", "spin", "lockfree"):
            continue
        of_bound = times.setdefault(metric(c, "groups_bound"), {})
        of_bound.setdefault(protocol, {})[p["wg-size"]] = metric(c, "protocol_time")
    lines, slower, faster = [], [], []
    for bound in sorted(times):
        of = times[bound]
        both = [of["ticket"][size] / of["spin"][size] for size in of.get("ticket", {}) if size in of.get("spin", {})]
        for turned, holds in ((slower, min(both, default=0) > 1), (faster, max(both, default=1) < 1)):
            turned += [bound] if holds else []
        cells = [duration(statistics.median(of[p].values())) if p in of else "" for p in ("ticket", "spin", "lockfree")]
        lines.append([number(bound, 0), str(max(len(sizes) for sizes in of.values())), *cells,
                      f"{number(min(both), 2)} to {number(max(both), 2)}" if both else ""])
    turn = ""
    if slower and faster and max(slower) < min(faster):
        turn = (f"\nWith the ticket lock the protocol takes longer than with the spin lock up to a bound of {max(slower):.0f}, and less "
                f"from {min(faster):.0f} on, with all sizes that have it.\n")
    return table(["bound", "sizes", "ticket", "spin", "lock-free (ours)", "ticket : spin, of all sizes"], lines) + turn


def id_places(devices):
    """Where workgroups lie whose ids follow each other, by the order of ids; of launches of as many as run at once."""
    lines = []
    for name, run in devices:
        for c in rows(run, "discover"):
            p, together = c["params"], metric(c, "neighbours_together", "mean")
            if together is None or p.get("launch") != "bound":
                continue
            order = p.get("ids", "native" if p["protocol"] == "unsafe" else "arrival")
            first = metric(c, "units_of_first", "mean")
            lines.append([name, p["protocol"] + (f", delay {p['delay']}" if "delay" in p else ""), order, p.get("microbenchmark", str(p["wg-size"])),
                          percent(together), "" if first is None else f"{first:.3g}", duration(metric(c, "protocol_time"))])
    return table(["device", "protocol", "ids", "microbenchmark", "next id on the same unit", "units of the first eight", "time"],
                 sorted(lines))


def beside_others(devices):
    """How many workgroups run at once alone and beside others, by `discover --headroom --beside`; in brackets: safe ones."""
    found, beside = {}, {}
    for name, run in devices:
        for c in rows(run, "discover"):
            bound, safe = metric(c, "groups_bound"), metric(c, "groups_safe")
            if safe is not None:
                what, kernel = c.get("beside", "none"), c["params"].get("microbenchmark") or c["params"]["wg-size"]
                beside[what] = found.setdefault((name, str(kernel)), {})[what] = f"{number(bound, 0)} ({number(safe, 0)})"
    return table(["device", "work-items", *(f"`{what}`" for what in beside)],
                 [[*row, *(cells.get(what, "") for what in beside)] for row, cells in found.items()])


def ending(case):
    """Of all runs of a case of starvation, as probes/discover/starvation.c tells it."""
    least, most = metric(case, "completes", "min"), metric(case, "completes", "max")
    return "ends" if least == 1 else "deadlock" if most == 0 else "deadlock in some runs"


def of_launch(run, protocol):
    """{kernel: case} of a protocol that had one workgroup more than run at once."""
    return {c["params"].get("microbenchmark"): c for c in (run["cases"] if run else []) if c["bench"] == "discover"
            and c["params"].get("protocol") == protocol and c["params"].get("launch") == "bound+1"}


def starvation(devices):
    """Fig. 1, Section 2.2: workgroups that wait, none of which looked who runs; and what our protocol makes of it."""
    lines = []
    for name, run in devices:
        for c in rows(run, "discover"):
            p = c["params"]
            if "starvation" in p:
                kind, launched = p["starvation"], p.get("groups") or int(metric(c, "groups_launched"))
                participants = found(run, f"lockfree/wg={p['wg-size']}") if "launch" in p else ""
                lines.append([name, WAIT_AT[kind], str(launched), found(run, f"bound/wg={p['wg-size']}", "groups_bound"),
                              STARVED.get((kind, launched), ""), ending(c), f"ends, with {participants}" if participants else ""])
        ours = of_launch(run, "lockfree")
        for kernel, c in of_launch(run, "unsafe").items():
            bound = found(run, f"bound/{kernel}", "groups_bound")
            more = f"{int(bound) + 1}" if bound else ""
            ends = kernel in ours and ours[kernel]["status"] == "ok"
            lines.append([name, f"a barrier ({kernel})", more, bound, "",
                          {"ok": "ends", "timeout": "deadlock"}.get(c["status"], c["status"]),
                          f"ends, with {metric(ours[kernel], 'groups_found'):.5g}" if ends else ""])
    return table(["device", "workgroups wait at", "launched", "run at once", "OOPSLA'16: deadlock on", "without a protocol",
                  "with ours"], lines)
