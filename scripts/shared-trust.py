#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far coopbench can be trusted on a shared device, measured:

    scripts/shared-trust.py quiet [--runs 1000]      runs on a quiet device that are called disturbed, of 2 s
    scripts/shared-trust.py bursts [--runs 200]      runs beside bursts of 5 % of the time that are called so
    scripts/shared-trust.py compare [--runs 200]     false changes, with the neighbour beside the second run of each pair
    scripts/shared-trust.py defaults [--beside WHAT] all default commands, quiet and beside a neighbour of ours

    [--device cpu|gpu] [--program build/coopbench] [--neighbour COMMAND] [--keep FILE, of defaults] ['COMMAND' of defaults ...]

The neighbour of bursts and compare is another program: on a CPU device processes of this script, on others --neighbour,
a command that keeps the device busy until it is ended. Nothing else may run meanwhile: what does is seen, too. Interrupt
it at any time: what has been counted is printed.
"""
import argparse
import contextlib
import json
import multiprocessing
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # this is the source tree

import runs  # noqa: E402
from tables import durations  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULTS = ("discover", "memory", "primitives", "multitask --workload heavy", "multitask", "preempt", "graphics", "apps",
            "throttle", "selftest")
CASES = "primitives --filter primitives/barrier.xf/groups=1 --filter primitives/mutex.spin/groups=1,section=0"
LONG_RUN = f"{CASES} --stop time --max-time 1 --max-runs 1000000"  # of 2 s: drivers tell of others once in a while
SHORT_RUN = f"{CASES} --runs 15"
DEADLINE_S = 3600


def burst(share, parent, every_s=0.1):
    """Keeps a core busy for this share of the time, as long as its parent is there."""
    while os.getppid() == parent:
        begin = time.monotonic()
        while time.monotonic() - begin < share * every_s:
            pass
        time.sleep(max(0, every_s - (time.monotonic() - begin)))


@contextlib.contextmanager
def neighbour(options):
    """Another program beside what is done meanwhile: 5 % of all cores, or the command."""
    if options.neighbour:
        others = [subprocess.Popen(shlex.split(options.neighbour), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
    else:
        others = [multiprocessing.Process(target=burst, args=(0.05, os.getpid()), daemon=True) for _ in os.sched_getaffinity(0)]
        for other in others:
            other.start()
    try:
        time.sleep(1)
        yield
    finally:
        for other in others:
            other.terminate()


def call(options, command, folder, *more):
    """Seconds, exit code and run of one call."""
    line = [options.program, *command.split(), "--device", options.device, "-o", folder, *more]
    environment = os.environ | {"COOPBENCH_SHARED": "warn", "COOPBENCH_PROFILE_DIR": f"{folder}/profiles"}
    begin = time.monotonic()
    done = subprocess.run(line, env=environment, timeout=DEADLINE_S, check=False, capture_output=True, text=True)
    run = runs.document(f"{folder}/latest")
    if run is None or done.returncode == 2:
        raise SystemExit(f"{shlex.join(line)}: exit code {done.returncode}\n{done.stderr}")
    return time.monotonic() - begin, done.returncode, run


def is_called_disturbed(run):
    return any("disturbed" in case for case in run["cases"])


def count(options, folder, what):
    """Runs that are called disturbed, of those that were made."""
    called = made = 0
    try:
        for made in range(1, options.runs + 1):
            called += is_called_disturbed(call(options, LONG_RUN, folder)[2])
    except KeyboardInterrupt:
        made -= 1
    print(f"{called} of {made} runs {what} were called disturbed")


def compare(options, folder):
    """A/A, with a neighbour beside one side."""
    verdicts, pairs = {}, 0
    try:
        for pair in range(options.runs):
            call(options, SHORT_RUN, folder, "--run-id", f"{pair}-a", "--rounds", "5")
            with neighbour(options):
                call(options, SHORT_RUN, folder, "--run-id", f"{pair}-b", "--rounds", "5")
            done = subprocess.run([options.program, "compare", "--baseline", f"{folder}/{pair}-a", f"{folder}/{pair}-b", "--json", "-"],
                                  check=False, capture_output=True, text=True)
            for comparison in json.loads(done.stdout)["comparisons"]:
                verdicts[comparison["verdict"]] = verdicts.get(comparison["verdict"], 0) + 1
            pairs += 1
    except KeyboardInterrupt:
        pass
    print(f"{pairs} pairs:", ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())))


def said(run):
    """What was said first of a run."""
    texts = [finding["text"] for finding in run.get("findings", [])]
    return (texts[0] if texts else "").split(". ")[0]


def span_s(run):
    """From the first case's begin to the last one's end: without the kernels that are built ahead."""
    return max(case["end_s"] for case in run["cases"]) - min(case["begin_s"] for case in run["cases"])


def measure(command, options, folder):
    """A command quiet, and beside a neighbour of ours: where, and the row."""
    _, quiet_code, quiet = call(options, command, folder)
    _, code, run = call(options, command, folder, "--beside", options.beside)
    return runs.origin(run), {
        "command": command, "beside": options.beside, "quiet_s": round(span_s(quiet), 1), "beside_s": round(span_s(run), 1),
        "exit_codes": [quiet_code, code], "timeouts": run["summary"]["timeout"], "wrong": run["summary"]["verify_failed"],
        "said": said(run), **runs.told(run)}


def defaults(options, folder):
    kept = []
    for command in options.commands or DEFAULTS:
        where, row = measure(command, options, folder)
        kept.append(row)
        if options.keep:
            runs.keep_duration(options.keep, where, row)
        lines = durations.beside([(where["device"], {"durations": [row]})]).splitlines()
        print("\n".join(lines if len(kept) == 1 else lines[2:]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("quiet", "bursts", "compare", "defaults"))
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--program", default=str(ROOT / "build" / "coopbench"))
    parser.add_argument("--neighbour")
    parser.add_argument("--beside", default="process")
    parser.add_argument("--keep", type=pathlib.Path, help="durations.json, of which scripts/papers.py makes a table")
    options = parser.parse_intermixed_args()
    options.program = os.path.abspath(options.program)
    options.runs = options.runs or (1000 if options.what == "quiet" else 200)
    if options.device != "cpu" and not options.neighbour and options.what in ("bursts", "compare"):
        parser.error("on this device the neighbour is a command: --neighbour")
    with tempfile.TemporaryDirectory() as folder:
        call(options, SHORT_RUN, folder)  # builds the kernels
        if options.what == "quiet":
            count(options, folder, "on a quiet device")
        elif options.what == "bursts":
            with neighbour(options):
                count(options, folder, "beside bursts")
        elif options.what == "compare":
            compare(options, folder)
        else:
            defaults(options, folder)


if __name__ == "__main__":
    main()
