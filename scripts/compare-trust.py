#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far `coopbench run --interleave` and `compare` can be trusted, measured: docs/trust.md holds
what this prints.

    COOPBENCH=build/coopbench scripts/compare-trust.py FOLDER [--pairs N] [--rounds N]
        [--slow PERCENT...] [--threshold PERCENT] [--filter GLOB...] [--of adjusted|median|best] [--once] [--no-same] [--within SHARE]
        [--baselines N] [--keep FILE] [-- OPTIONS of coopbench primitives]
    scripts/compare-trust.py --fill docs/trust.md
    scripts/compare-trust.py --power build/tests/power --keep FILE

Measures N pairs of runs in rounds, interleaved: of a build with itself (A/A: every regression or
improvement is a false alarm), and with builds whose kernels are slowed down by a busy loop that takes
5 or 10 % of the measured time, with a threshold of half of that (A/A: 5 %) unless another is given. What is called a regression is
measured once more, in twice the rounds, as scripts/ci-perf.sh does: only what appears twice counts as
"confirmed"; --once leaves that out. "Noise allows" are the comparisons whose 95 % interval is no wider than a share of
the threshold to either side (--within): by default two thirds, so that the interval of 99 %, at which compare tests, is
within the threshold. --no-same leaves out A/A. --rounds 1 measures pairs of single processes.

--baselines N compares the second run of a pair not with its neighbour, but with the first ones of the N pairs before, as
one would with earlier runs (and nothing is measured once more). --keep writes every verdict to a file (results/reference/trust),
and --fill puts tables of these files into the text, between <!-- trust-table: NAME --> and <!-- end -->. Pairs that FOLDER has already are kept, so that this can be interrupted and continued.

--power has a program (tests/power.c) try steps at every number of rounds, of baselines and of samples, without runs on
disk: which of them are found, and where nothing changes, which are false alarms.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # this is the source tree

import power  # noqa: E402
import runs  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.path.abspath(shutil.which(os.environ.get("COOPBENCH", "coopbench")) or "coopbench")
VERDICTS = ("regression", "improvement", "same", "inconclusive")
METRIC = "throughput"  # one a case: the others of these benchmarks follow from it
OPTIONS = ["--cpu", "--runs", "15", "--warmup", "1"]
FILTER = ["primitives/barrier.[cx]*/groups=1", "primitives/mutex.[st]*[!f]/groups=1,section=0"]
# Where all kernels of the primitives read the clock for the last time. The build that is not slowed down
# has the loop as well, for no time: that alone can change what the compiler makes of a kernel by far
# more than the loop takes (barriers by 40 %).
END = "    self->end = cb_clock();\n"
BUSY = """    volatile ulong percent = {percent}ul;
    ulong done = cb_clock(), spin = cb_elapsed(done, self->start) * percent / 100ul;
    while (cb_elapsed(cb_clock(), done) < spin)
        ;
"""


def make_build(folder, percent):
    """A script that runs the program with kernels that are slower by so much."""
    sources, script = folder / f"sources-{percent}", folder / f"slow-{percent}"
    if not script.exists():
        for part in ("kernels", "apps", "probes", "plots"):
            shutil.copytree(SOURCE / part, sources / part, dirs_exist_ok=True)
        file = sources / "probes/primitives/common.clh"
        text = file.read_text()
        if text.count(END) != 1:
            sys.exit(f"{file}: the busy loop does not fit any more")
        file.write_text(text.replace(END, BUSY.format(percent=percent) + END))
        script.write_text(f'#!/bin/sh\nCOOPBENCH_KERNEL_DIR="{sources}" exec "{PROGRAM}" "$@"\n')
        script.chmod(0o755)
    return script


def measure(folder, run_id, builds, rounds, globs, options):
    """The two joined runs of a pair."""
    both = [folder / f"{run_id}-{side}" for side in "ab"]
    if rounds == 1:
        for run, build in zip(both, builds):
            if not complete(run):
                shutil.rmtree(run, ignore_errors=True)
                filters = [word for glob in globs for word in ("--filter", glob)]
                command = [str(build), "primitives", *options, *filters, "--run-id", run.name, "--output-dir", str(folder),
                           "--quiet"]
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    elif not all(complete(run) for run in both):
        for run in both:
            shutil.rmtree(run, ignore_errors=True)
        filters = [word for glob in globs for word in ("--filter", glob)]
        command = [PROGRAM, "primitives", *options, *filters, "--interleave", ",".join(map(str, builds)), "--rounds",
                   str(rounds), "--run-id", run_id, "--output-dir", str(folder), "--quiet"]
        code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
        if code:
            sys.exit(f"exit code {code}: {' '.join(command)}")
        for run in both:
            shutil.rmtree(run / "rounds")
    return both


def complete(run):
    document = runs.document(run)
    return document is not None and document["complete"]


def compare(bases, run, threshold, of):
    command = [PROGRAM, "compare", "--baseline", *map(str, bases), str(run), "--json", "-", "--metric", METRIC,
               "--threshold", f"{threshold}%", "--of", of]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode not in (0, 5, 6):
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}")
    return {c["case"]: c for c in json.loads(done.stdout)["comparisons"]}


def half_interval(c):
    return (c["change_high"] - c["change_low"]) / 2


def allows(c, threshold, within):
    return half_interval(c) <= threshold / 100 * within


def again(folder, name, builds, suspects, given, threshold):
    """Those of the suspects that are a regression again."""
    if given.once or given.baselines or not suspects:
        return set()
    globs = [re.sub(r"[]*?[\\]", "?", case) for case in sorted(suspects)]
    both = measure(folder, f"{name}-again", builds, 2 * given.rounds, globs, given.options)
    return {case for case, c in compare(both[:1], both[1], threshold, given.of).items()
            if c["verdict"] == "regression" and case in suspects}


def show(what, verdicts, halves, confirmed, failed):
    n = max(1, sum(verdicts.values()))
    width = f"{100 * statistics.median(halves):.1f} %" if halves else "-"
    shares = " | ".join(f"{100 * verdicts[v] / n:.2f} %" for v in VERDICTS)
    print(f"| {what} | {sum(verdicts.values())} | {shares} | {width} | {100 * confirmed / n:.2f} % | {failed} |", flush=True)


def measure_pairs(folder, percent, given):
    builds = [make_build(folder, 0), make_build(folder, percent)]
    threshold = given.threshold or percent / 2 or 5
    verdicts = {True: collections.Counter(), False: collections.Counter()}  # by what noise allows
    confirmed, failed, alarms = collections.Counter(), 0, collections.Counter()
    halves = {True: [], False: []}
    without_0 = true = 0
    earlier, kept = [], []
    for i in range(given.pairs):
        name = f"{'slow' if percent else 'same'}-{percent}-{i:03}"
        both = measure(folder, name, builds, given.rounds, given.filter, given.options)
        earlier.append(both[0])
        bases = earlier[-1 - given.baselines:-1] if given.baselines else both[:1]
        if len(bases) < given.baselines:
            continue
        found = compare(bases, both[1], threshold, given.of)
        kept += [[i, case, c["verdict"], *(c.get(k) for k in ("change", "change_low", "change_high", "p", "p_adjusted"))]
                 for case, c in found.items()]
        suspects = {case for case, c in found.items() if c["verdict"] == "regression"}
        twice = again(folder, name, builds, suspects, given, threshold)
        failed += bool(twice)
        for case, c in found.items():
            quiet = bool(percent) and allows(c, threshold, given.within)
            verdicts[quiet][c["verdict"]] += 1
            halves[quiet].append(half_interval(c))
            true += c["change_low"] <= 1 / (1 + percent / 100) - 1 <= c["change_high"]
            without_0 += not c["change_low"] <= 0 <= c["change_high"]
            confirmed[quiet] += case in twice
            alarms[case] += c["verdict"] in ("regression", "improvement")
    failed = f"{failed} of {given.pairs}"
    given.kept.append({"slower_percent": percent, "threshold_percent": threshold, "comparisons": kept})
    if percent:
        show(f"{percent} % slower, threshold {threshold:g} %, noise allows", verdicts[True], halves[True], confirmed[True], failed)
        show(f"{percent} % slower, threshold {threshold:g} %, others", verdicts[False], halves[False], confirmed[False], "")
        print(f"{true} of {len(halves[True]) + len(halves[False])} intervals hold the true change", file=sys.stderr)
    else:
        show(f"A/A, threshold {threshold:g} %", verdicts[False], halves[False], confirmed[False], failed)
        named = "; ".join(f"{case} {n}" for case, n in alarms.most_common(5) if n)
        print(f"Most false alarms of A/A: {named or 'none'}; {without_0} of {len(halves[False])} intervals leave out 0",
              file=sys.stderr)


def version():
    return subprocess.run([PROGRAM, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def share(kept, verdict):
    rows = kept["comparisons"]
    return f"{sum(row[2] == verdict for row in rows)} of {len(rows)}"


def table(path):
    """What a kept file says, as Markdown."""
    kept = json.loads(path.read_text())
    lines = [f"| {kept['what']}, {kept['device']} | {' | '.join(VERDICTS)} |", "|---|" + "--:|" * len(VERDICTS)]
    for series in kept["series"]:
        percent = series["slower_percent"]
        name = f"{percent} % slower" if percent else "A/A"
        lines.append(f"| {name}, threshold {series['threshold_percent']:g} % | " +
                     " | ".join(share(series, v) for v in VERDICTS) + " |")
    return "\n".join(lines)


def fill(text_file):
    folder = SOURCE / "results/reference/trust"
    text = re.sub(r"(<!-- trust-table: (\S+) -->\n)(.*?)(<!-- end -->)",
                  lambda m: f"{m[1]}\n{table(folder / (m[2] + '.json'))}\n\n{m[4]}", text_file.read_text(), flags=re.S)
    text_file.write_text(text)


def keep(given):
    run = runs.document(next(given.folder.glob("*-a")))
    rounds = "runs of one process" if given.rounds == 1 else f"runs of {given.rounds} rounds"
    head = {"what": f"{given.baselines or 1} baseline{'s' if given.baselines > 1 else ''}, {rounds}",
            "device": run["devices"][0]["name"], "driver_version": run["devices"][0]["driver_version"],
            "commit": run["tool"]["git_sha"], "date": run["time"]["start"][:10], "program": version(), "pairs": given.pairs, "options": given.options,
            "columns": ["pair", "case", "verdict", "change", "change_low", "change_high", "p", "p_adjusted"]}
    series = [json.dumps(s).replace('[[', '[\n[').replace('], [', '],\n[') for s in given.kept]
    given.keep.write_text(json.dumps(head)[:-1] + ', "series": [\n' + ",\n".join(series) + "\n]}\n")


def main():
    if sys.argv[1:2] == ["--power"]:
        return power.keep("compare", sys.argv[2], sys.argv[4])
    if sys.argv[1:2] == ["--fill"]:
        return fill(pathlib.Path(sys.argv[2]))
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--slow", type=int, nargs="*", default=[5, 10])
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--filter", nargs="*", default=FILTER)
    parser.add_argument("--of", choices=("adjusted", "median", "best"), default="adjusted")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--within", type=float, default=2 / 3)
    parser.add_argument("--no-same", action="store_true")
    parser.add_argument("--baselines", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args(sys.argv[1:split])
    given.options, given.kept = sys.argv[split + 1:] or OPTIONS, []
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    print("| | comparisons | " + " | ".join(VERDICTS) + " | half an interval | confirmed | pairs that fail |")
    print("|---|--:|" + "--:|" * len(VERDICTS) + "--:|--:|--:|")
    for percent in given.slow if given.no_same else (0, *given.slow):
        measure_pairs(folder, percent, given)
    if given.keep:
        keep(given)


main()
