#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sets the CUDA twin beside a run of `coopbench primitives`: Markdown tables on stdout.

    compare.py twin.csv RUN [--device TEXT]
    compare.py --self-test
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True  # this is the source tree
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import runs  # noqa: E402

# What beside the workgroup size tells two series of a kind apart.
SERIES = {"barrier": (), "mutex": ("section",), "semaphore": ("initial",)}


def whole(value):
    """Whole numbers come as such, as text and as 1.0; what was not given is 0."""
    if value in (None, ""):
        return 0
    try:
        return int(float(value))
    except ValueError:
        return value


def place(kind, params):
    """The series that a measurement belongs to: kind, workgroup size, and what SERIES names."""
    return (kind, whole(params.get("wg-size", params.get("wg")))) + tuple(whole(params.get(k)) for k in SERIES[kind])


def add(table, series, groups, name, ops_per_s):
    """The best of several that only differ in what is not compared here."""
    row = table.setdefault(series, {}).setdefault(groups, {})
    row[name] = max(ops_per_s, row.get(name, 0))


def read_twin(lines):
    """{series: {groups: {name: ops/s}}}"""
    table = {}
    for row in runs.csv_rows(lines):
        add(table, place(row["kind"], row), whole(row["groups"]), row["name"],
            float(row["median_ops_per_s"]))
    return table


def pick_device(document, text):
    """The id of the only device that `text` describes; without it, of the only GPU."""
    devices = document.get("devices", [])
    gpus = [d for d in devices if d.get("type") == "gpu"] or devices
    if text:
        gpus = [d for d in devices if text.lower() in (d["id"] + " " + d.get("name", "")).lower()]
    if len(gpus) != 1:
        known = ", ".join(d["id"] + " " + d.get("name", "") for d in devices)
        sys.exit(f"compare.py: {len(gpus)} devices match, say --device TEXT; there are: {known}")
    return gpus[0]["id"]


def read_ours(document, device):
    """Likewise, from the cases that succeeded and are not there to tune a primitive."""
    table = {}
    for case in document["cases"]:
        params = case.get("params", {})
        metrics = {m["name"]: m.get("median") for m in case.get("metrics") or []}
        if (case.get("device") == device and case.get("status") == "ok"
                and params.get("kind") in SERIES and params.get("tune") is not True
                and metrics.get("throughput") and metrics.get("groups")):
            add(table, place(params["kind"], params), whole(metrics["groups"]),
                params.get("primitive") or case["id"], metrics["throughput"])
    return table


def heading(series):
    kind, wg, *values = series
    named = "".join(f", {name} {value}" for name, value in zip(SERIES[kind], values))
    return f"### {kind}{named}, workgroups of {wg}\n"


def row_of(groups, ours, twin, names, barrier):
    """A row's cells. Of a barrier the time counts, of all others the throughput."""
    show = (lambda rate: f"{1e6 / rate:.3g}") if barrier else (lambda rate: f"{rate / 1e6:.3g}")
    best = max(ours, key=ours.get)
    cells = [str(groups), best, show(ours[best])]
    cells += [show(twin[name]) if name in twin else "" for name in names]
    if not barrier:
        return cells + [f"{ours[best] / max(twin.values()):.2f}"]
    grid_sync = twin.get("grid_sync")
    return cells + [f"{grid_sync / ours[best]:.2f}" if grid_sync else ""]


def table_of(series, ours, twin):
    barrier = series[0] == "barrier"
    unit, ratio = ("µs", "time: ours / grid_sync") if barrier else ("Mops/s", "ours / best twin")
    names = list(dict.fromkeys(name for row in twin.values() for name in row))
    head = ["groups", "best of ours", f"ours, {unit}"] + [f"{n}, {unit}" for n in names] + [ratio]
    rows = [row_of(groups, ours[groups], twin[groups], names, barrier)
            for groups in sorted(ours.keys() & twin.keys())]
    align = ["---:", "---"] + ["---:"] * (len(head) - 2)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, align] + rows) + "\n"


def compare(ours, twin):
    """Yields the Markdown of each series that has a number of workgroups in both."""
    for series in sorted(ours.keys() & twin.keys(), key=str):
        if ours[series].keys() & twin[series].keys():
            yield heading(series) + "\n" + table_of(series, ours[series], twin[series])


def self_test():
    def case(params, rate, groups):
        return {"device": "d", "status": "ok", "params": params,
                "metrics": [{"name": "throughput", "median": rate},
                            {"name": "groups", "median": groups}]}

    barrier = {"kind": "barrier", "wg-size": 128}
    mutex = {"kind": "mutex", "wg-size": "128", "section": 1}
    document = {"devices": [{"id": "d", "type": "gpu"}, {"id": "e", "type": "cpu"}], "cases": [
        case({**barrier, "primitive": "counter", "initial": 0}, 4e5, 132),
        case({**barrier, "primitive": "tree"}, 5e5, 132),
        case({**mutex, "primitive": "ticket"}, 1e6, 264),
        case({**mutex, "primitive": "spin"}, 9e6, 1)]}
    twin = read_twin("""kind,name,groups,wg,section,initial,ops,n,median_ops_per_s,min,max
barrier,grid_sync,132,128,,,1000,11,1e6,1,1
barrier,cuda_barrier,132,128,,,1000,11,2.5e5,1,1
mutex,spin,264,128,1,,248,11,2e6,1,1
mutex,spin,2,128,1,,1000,11,2e6,1,1""".splitlines())
    text = "\n".join(compare(read_ours(document, pick_device(document, None)), twin))
    assert "| 132 | tree | 2 | 1 | 4 | 2.00 |" in text, text
    assert "### mutex, section 1, workgroups of 128" in text, text
    assert "| 264 | ticket | 1 | 2 | 0.50 |" in text, text
    assert text.count("\n| 1 |") == 0 and text.count("\n| 2 |") == 0, text
    print("ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("twin", nargs="?", help="CSV that cuda_twin printed")
    parser.add_argument("run", nargs="?", help="folder, run.json or run.json.gz of `coopbench primitives`")
    parser.add_argument("--device", metavar="TEXT", help="part of the device's name or id")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if not options.run:
        parser.error("a CSV and a run are needed")
    with open(options.twin, newline="", encoding="utf-8") as file:
        twin = read_twin(file)
    document = runs.document(options.run)
    if document is None:
        sys.exit(f"compare.py: there is no run {options.run}")
    ours = read_ours(document, pick_device(document, options.device))
    for series in sorted(ours.keys() ^ twin.keys(), key=str):
        print(f"compare.py: only {'ours has' if series in ours else 'the twin has'}",
              heading(series).strip("# \n"), file=sys.stderr)
    tables = list(compare(ours, twin))
    if not tables:
        sys.exit("compare.py: the two have no case in common")
    print("\n".join(tables), end="")


if __name__ == "__main__":
    main()
