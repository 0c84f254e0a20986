#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far `coopbench history` can be trusted, measured: docs/trust.md has a table of what this keeps.

    COOPBENCH=build/coopbench scripts/history-trust.py FOLDER [--runs N] [--steps N] [--every N] [--seeds N...]
        [--keep FILE] [-- OPTIONS of coopbench primitives]
    scripts/history-trust.py --power build/tests/power --keep FILE

Makes histories in which nothing changes: one of N runs of the same program (A/A: eight cases of one workgroup, each run
one process), and of each seed one for each of four kinds of noise, whose robust spread is 0.5 %. Every change that
`history` finds there is false: with all runs at once ("at once"), or when it is asked after every few more (--every:
"ever", points within five runs of each other being one).

Then --steps steps for the worse, of 5 % and in A/A also of 25 %, are put in at random places, each into a case of a
history of its own: the 200 runs before, and five with the step. Noise allows a step to be found where the fifty runs
before and these five, without the step, lie within its size, and their spread is at most an eighth of it; as many are
put in where it does not. The spread is 1.4826 times the median distance from the median, of logarithms, without the
speed of the cores.

FOLDER keeps the runs and what was found, so that this can be interrupted and continued by the same command. --keep
writes the result (results/reference/trust), of which scripts/papers.py makes the table.

--power has a program (tests/power.c) try steps at every number of runs from 3 to 40 before and after them, without
runs on disk: which of them are found.
"""
import argparse
import concurrent.futures
import copy
import datetime
import gzip
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # this is the source tree

import power  # noqa: E402
import runs  # noqa: E402

PROGRAM = os.path.abspath(shutil.which(os.environ.get("COOPBENCH", "coopbench")) or "coopbench")
DEADLINE_S = 600
METRIC = "throughput"  # one a case: the others of these benchmarks follow from it
VALUES = ("mean", "min", "q1", "median", "q3", "max", "ci95_low", "ci95_high")
OPTIONS = ["--cpu", "--barrier", "xf,counter,broadcast,patient", "--mutex", "spin,ticket", "--semaphore", "spin,ticket",
           "--groups", "1", "--section", "0", "--initial", "1", "--ops", "20000", "--runs", "7", "--warmup", "1",
           "--no-profile"]
SPREAD = 0.005  # of simulated noise
LATER = 5  # runs with a step: it has to be found then
NEAR, BEFORE = 50, 200  # runs before a step: that tell whether noise allows it, that history has


def sizes(name):
    """Of the steps that are put into a history."""
    return (0.05, 0.25) if name == "A/A" else (0.05,)


def tell(text):
    print(text, file=sys.stderr, flush=True)


def write(path, text):
    """All of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(gzip.compress(text.encode(), 6, mtime=0) if path.suffix == ".gz" else text.encode())
    part.rename(path)


# ---- Histories -------------------------------------------------------------------------------------------------------

def run_folder(folder, i):
    return folder / f"run-{i:04}"


def measure(folder, n, options):
    """A/A: the runs that are not there yet."""
    for i in range(n):
        run, now = run_folder(folder, i), folder / "now"
        if runs.document(run):
            continue
        shutil.rmtree(now, ignore_errors=True)
        command = [PROGRAM, "primitives", *options, "--run-id", run.name, "--output-dir", str(now), "--quiet"]
        code = subprocess.run(command, stdout=subprocess.DEVNULL, timeout=DEADLINE_S).returncode
        document = runs.document(now / run.name)
        if not document or not document["complete"] or not document["summary"]["ok"]:
            sys.exit(f"exit code {code}: {' '.join(command)}")
        for case in document["cases"]:
            case["metrics"] = [m for m in case["metrics"] if m["name"] in (METRIC, "core_speed")]
        write(run / "run.json.gz", json.dumps(document))
        shutil.rmtree(now)
        if (i + 1) % 20 == 0 or i + 1 == n:
            tell(f"A/A: {i + 1} of {n} runs")
    return [runs.document(run_folder(folder, i)) for i in range(n)]


def normal(rng, _):
    return rng.gauss(0, 1)


def heavy_tails(rng, _):
    """Student's t of three degrees of freedom."""
    return rng.gauss(0, 1) / math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(3)) / 3) / 1.134


def autocorrelated(rng, before):
    return 0.3 * before + math.sqrt(1 - 0.3 ** 2) * rng.gauss(0, 1)


def outliers(rng, _):
    """Of a hundred runs two are slower, by 10 to 50 %."""
    return math.log(1 - rng.uniform(0.1, 0.5)) / SPREAD if rng.random() < 0.02 else rng.gauss(0, 1)


KINDS = {"normal": normal, "heavy tails": heavy_tails, "autocorrelated, 0.3": autocorrelated, "2 % outliers": outliers}


def simulate(folder, kind, seed, template, n):
    """Runs of the template's cases, one an hour, whose values are noise of this kind."""
    rng = random.Random(f"{kind} {seed}")
    noise = [0.0] * len(template["cases"])
    documents = []
    for i in range(n):
        document = copy.deepcopy(template)
        start = datetime.datetime(2026, 1, 1) + datetime.timedelta(hours=i)
        document["run_id"], document["time"]["start"] = f"run-{i:04}", start.strftime("%Y-%m-%dT%H:%M:%SZ")
        for k, case in enumerate(document["cases"]):
            noise[k] = KINDS[kind](rng, noise[k])
            case["metrics"] = [{"name": METRIC, "unit": "ops/s", "better": "higher", "primary": True, "n": 7,
                                "median": 1e6 * math.exp(SPREAD * noise[k])}]
        write(run_folder(folder, i) / "run.json", json.dumps(document))
        documents.append(document)
    return documents


# ---- What history finds ----------------------------------------------------------------------------------------------

def found(folders):
    """(case, place, change, p) of the changes that are of no environment."""
    command = [PROGRAM, "history", *map(str, folders), "--metric", METRIC, "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=DEADLINE_S)
    if done.returncode not in (0, 5):
        sys.exit(f"exit code {done.returncode}: {' '.join(command[:3])} ...")
    return [[c["case"], c["run"]["place"], c["change"], c["p_adjusted"]] for c in json.loads(done.stdout)["changes"]
            if c["verdict"] in ("worse", "better")]


def ever(pool, folders, every):
    """The points that were found when history was asked again and again; a point that moves by few runs is one."""
    asked = [n for n in range(every, len(folders), every)] + [len(folders)]
    points = []
    for n, changes in zip(asked, pool.map(lambda n: found(folders[:n]), asked)):
        for case, place, change, p in changes:
            if not any(case == other[0] and abs(place - other[1]) <= LATER for other in points):
                points.append([case, place, change, p, n])
    return points


def values_of(document, case_id, name):
    for case in document["cases"]:
        if case["id"] == case_id and case["status"] == "ok":
            return next((m["median"] for m in case["metrics"] if m["name"] == name), None)
    return None


def without_speed(values, speeds):
    """Logarithms of the values at one speed of the cores, as history judges them; of pairs of nearby runs."""
    if not all(speeds):
        return [math.log(v) for v in values]
    x, y = [math.log(s) for s in speeds], [math.log(v) for v in values]
    pairs = [(i, k) for i in range(len(x)) for k in range(max(0, i - 10), i) if x[i] != x[k]]
    slopes = sorted(((y[i] - y[k]) / (x[i] - x[k]), abs(x[i] - x[k])) for i, k in pairs)
    half, slope = sum(w for _, w in slopes) / 2, 0
    for slope, weight in slopes:
        half -= weight
        if half <= 0:
            break
    return [b - slope * a for a, b in zip(x, y)]


def spread(values):
    middle = statistics.median(values)
    return 1.4826 * statistics.median(abs(v - middle) for v in values)


def places(documents):
    """(case, first run of a step, spread, range) wherever there are runs enough."""
    before = min(NEAR, len(documents) // 2)
    for case_id in [case["id"] for case in documents[0]["cases"]]:
        values = [values_of(d, case_id, METRIC) for d in documents]
        if not all(values):
            tell(f"no steps for {case_id}, which not all runs have")
            continue
        logs = without_speed(values, [values_of(d, case_id, "core_speed") for d in documents])
        for at in range(before, len(documents) - LATER + 1):
            near = logs[at - before:at + LATER]
            yield case_id, at, spread(near), max(near) - min(near)


def slowed(document, case_id, size):
    document = copy.deepcopy(document)
    for case in document["cases"]:
        for m in case["metrics"] if case["id"] == case_id else []:
            if m["name"] == METRIC:
                m.update({key: m[key] / (1 + size) for key in VALUES if m.get(key) is not None})
    return document


def step(folder, folders, documents, case_id, at, size):
    """[case, place, the place that was found, or None]."""
    changed, begin = folder / f"steps/{case_id.replace('/', '_')}-{at}-{size}", max(0, at - BEFORE)
    for i in range(at, at + LATER):
        write(run_folder(changed, i) / "run.json", json.dumps(slowed(documents[i], case_id, size)))
    points = found(folders[begin:at] + [run_folder(changed, i) for i in range(at, at + LATER)])
    shutil.rmtree(changed)
    near = sorted((abs(begin + place - at), begin + place) for case, place, change, _ in points
                  if case == case_id and change < 0 and abs(begin + place - at) <= LATER)
    return [case_id, at, near[0][1] if near else None]


def steps(pool, folder, folders, documents, n, size):
    """Steps of a size where noise allows, and as many where not."""
    all_places = list(places(documents))
    random.Random(1).shuffle(all_places)
    result = {"size": size, "places": len(all_places)}
    for name, wanted in (("allowed", True), ("others", False)):
        chosen = [p for p in all_places if (p[2] <= size / 8 and p[3] <= size) == wanted]
        result[f"{name}_places"] = len(chosen)
        result[name] = list(pool.map(lambda p: step(folder, folders, documents, p[0], p[1], size), chosen[:n]))
        hits = sum(at is not None for _, _, at in result[name])
        tell(f"{folder.name}: {hits} of {len(result[name])} steps of {size:.0%} found ({name})")
    return result


# ---- The study -------------------------------------------------------------------------------------------------------

def judge(pool, folder, name, documents, given, n_steps):
    """What history makes of the runs of a folder; kept there."""
    folders = [run_folder(folder, i) for i in range(len(documents))]
    settings = {"name": name, "runs": len(documents), "every": given.every, "n_steps": n_steps, "program": version()}
    kept = folder / "found.json"
    if kept.exists() and (result := json.loads(kept.read_text())).items() >= settings.items():
        return result
    result = settings | {"cases": len(documents[0]["cases"]), "points": found(folders),
                         "ever": ever(pool, folders, given.every)}
    tell(f"{folder.name}: {len(result['points'])} points, {len(result['ever'])} ever")
    result["steps"] = [steps(pool, folder, folders, documents, n_steps, size) for size in sizes(name) if n_steps]
    write(kept, json.dumps(result))
    return result


def version():
    return subprocess.run([PROGRAM, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def study(given):
    histories = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        documents = measure(given.folder / "same", given.runs, given.options)
        histories.append(judge(pool, given.folder / "same", "A/A", documents, given, given.steps))
        for kind in KINDS:
            for seed in given.seeds:
                folder = given.folder / f"{kind.split()[0].strip(',')}-{seed}"
                simulated = simulate(folder, kind, seed, documents[0], given.runs)
                part = given.steps if seed == given.seeds[0] else 0
                histories.append({"seed": seed} | judge(pool, folder, kind, simulated, given, part))
    first = documents[0]
    return {"what": "history", "devices": first["devices"][:1], "tool": first["tool"], "time": first["time"],
            "end": documents[-1]["time"]["end"], "options": given.options, "spread": SPREAD,
            "histories": histories}


def main():
    if sys.argv[1:2] == ["--power"]:
        return power.keep("history", sys.argv[2], sys.argv[4])
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args(sys.argv[1:split])
    given.options, given.folder = sys.argv[split + 1:] or OPTIONS, given.folder.resolve()
    try:
        result = study(given)
    except KeyboardInterrupt:
        sys.exit("interrupted: the same command continues")
    if given.keep:
        write(given.keep, json.dumps(result).replace("[[", "[\n[").replace("], [", "],\n[") + "\n")


main()
