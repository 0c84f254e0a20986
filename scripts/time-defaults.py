#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole commands with their default options, cold (nothing built before) and warm, on one device.

    scripts/time-defaults.py FILE [--device cpu|gpu] [--warm] [--program build/coopbench] ['COMMAND' ...]

Without commands: the defaults of every benchmark. A command that begins with scripts/ is run as it is, once. FILE (durations.json) keeps what other calls have measured of the same
device and driver; scripts/papers.py makes tables of it. Each command has caches of its own, which are empty at its
first call, so it needs no other to be run before. --warm is one call with the user's caches, as they are.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # this is the source tree

import runs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ("discover", "memory", "primitives", "multitask --workload heavy", "multitask", "preempt", "graphics", "apps",
            "throttle", "selftest")
DEADLINE_S = 1800


def call(command, options, folder):
    """Seconds, exit code and run of one call."""
    environment = os.environ | {"COOPBENCH_PROFILE_DIR": f"{folder}/profiles"}
    if not options.warm:
        environment |= {"XDG_CACHE_HOME": f"{folder}/cache", "POCL_CACHE_DIR": f"{folder}/pocl",
                        "CUDA_CACHE_PATH": f"{folder}/cuda"}
    line = [options.program, *command.split(), "--device", options.device, "-o", f"{folder}/results"]
    os.makedirs(f"{folder}/pocl", exist_ok=True)
    begin = time.monotonic()
    done = subprocess.run(line, env=environment, timeout=DEADLINE_S, check=False, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    run = runs.document(f"{folder}/results/latest")
    if run is None:
        raise SystemExit(f"{' '.join(line)}: no run.json, exit code {done.returncode}\n{done.stderr}")
    return seconds, done.returncode, run


def measure_script(command):
    """Of a script: seconds, in the row of one that was not cold."""
    begin = time.monotonic()
    code = subprocess.run(command.split(), cwd=ROOT, timeout=DEADLINE_S, check=False, capture_output=True).returncode
    seconds = time.monotonic() - begin
    print(f"{command:28} {seconds:6.1f} s, exit code {code}", flush=True)
    commit = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()
    return {"command": command, "warm_s": round(seconds, 1), "exit_code": code, "commit": commit,
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat()}


def measure(command, options):
    with tempfile.TemporaryDirectory() as folder:
        cold = {} if options.warm else {"cold_s": round(call(command, options, folder)[0], 1)}
        warm_s, code, run = call(command, options, folder)
    text = f"cold {cold['cold_s']:6.1f} s, " if cold else ""
    print(f"{command:28} {text}warm {warm_s:6.1f} s, exit code {code}", flush=True)
    return runs.origin(run), {"command": command, **cold, "warm_s": round(warm_s, 1), "exit_code": code, **runs.told(run)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--warm", action="store_true", help="with the user's caches, one call")
    parser.add_argument("--program", default=str(ROOT / "build" / "coopbench"))
    options = parser.parse_intermixed_args()
    for command in options.commands or COMMANDS:
        if command.startswith("scripts/"):
            runs.keep_duration(options.file, None, measure_script(command))
        else:
            runs.keep_duration(options.file, *measure(command, options))


if __name__ == "__main__":
    main()
