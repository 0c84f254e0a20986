#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed at random moments: durability.py PROGRAM SCHEMA ROUNDS SEED

In each round a run loses its parent process, its worker (SIGKILL both), or the room for its files,
at a moment that the seed draws. Whatever a run had told of as finished must be on disk, "latest"
must lead to a run that can be read, no process may be left over, and --resume (which may be killed,
too) must complete the run without measuring a finished row again.
"""
import collections
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time

import jsonschema

PROGRAM, SCHEMA, ROUNDS, SEED = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3]), int(sys.argv[4])
CALL = ["discover", "--cpu", "--protocol", "lockfree,ticket", "--wg-sizes", "none", "--bound", "off",
        "--launch", "16", "--runs", "20", "--progress", "lines", "--no-profile"]
CASES = 8
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
told = collections.Counter()


def start(*arguments):
    with open("err", "w") as err:
        return subprocess.Popen([PROGRAM, *CALL, *arguments], stdout=subprocess.DEVNULL, stderr=err)


def children(pid):
    try:
        return [int(child) for child in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except OSError:
        return []


def is_alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def hurt(process, victim, draw):
    """Does it to the process now. Returns the processes that must be gone soon."""
    workers = children(process.pid)
    if victim == "parent":
        process.kill()
    elif victim == "worker" and workers:
        os.kill(workers[0], signal.SIGKILL)
    elif victim == "disk" and process.poll() is None:
        size = draw.randrange(0, 60000)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    process.wait(timeout=100)
    return workers


def expect_gone(pids):
    deadline = time.monotonic() + 30
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, f"workers outlive their parent: {pids}"
        time.sleep(0.02)


def rows_of(folder):
    """The finished rows that are on disk, by their ids. All lines but a last one without end must be whole."""
    try:
        lines = open(f"{folder}/events.jsonl").read().split("\n")
    except FileNotFoundError:
        return {}
    return {row["id"]: row for row in map(json.loads, lines[:-1])}


def check_readable(folder):
    rows = rows_of(folder)
    finished = re.findall(r"^\[\d+/\d+\] (\S+): ok ", open("err").read(), re.M)
    for case in finished:
        assert rows[case]["status"] == "ok", f"{case} was told as finished and is not on disk"
    if os.path.lexists("results/latest"):
        json.load(open("results/latest/run.json"))
    if os.path.exists(f"{folder}/run.json"):
        document = json.load(open(f"{folder}/run.json"))
        error = next(VALIDATOR.iter_errors(document), None)
        assert error is None, error
    return rows


def complete(run_id, rows):
    folder = f"results/{run_id}"
    begun = os.path.exists(f"{folder}/run.json")
    told["not begun" if not begun else f"{len(rows)} of {CASES} rows"] += 1
    process = start("--resume" if begun else "--run-id", run_id)
    assert process.wait(timeout=100) == 0, "--resume failed" if begun else "cannot be begun again"
    document = json.load(open(f"{folder}/run.json"))
    assert document["complete"] and document["summary"]["ok"] == CASES, document["summary"]
    after = rows_of(folder)
    assert len(after) == CASES
    for case, row in rows.items():
        assert row["status"] != "ok" or after[case] == row, f"{case} was measured again"
    assert os.readlink("results/latest"), "no latest"
    check_readable(folder)
    left = [name for name in os.listdir(folder) if name.endswith((".tmp", ".new"))]
    assert not left, f"left over: {left}"


def one_round(number, longest_s):
    draw = random.Random(SEED * 1000003 + number)
    run_id = f"run{number}"
    rows = {}
    for option in ["--run-id", "--resume"][: draw.choice([1, 1, 2])]:
        if option == "--resume" and not os.path.exists(f"results/{run_id}/run.json"):
            break
        victim = draw.choice(["parent", "parent", "worker", "disk"])
        process = start(option, run_id)
        time.sleep(draw.uniform(0, longest_s))
        expect_gone(hurt(process, victim, draw))
        told[victim] += 1
        before, rows = rows, check_readable(f"results/{run_id}")
        lost = [case for case, row in before.items() if row["status"] == "ok" and rows.get(case) != row]
        assert not lost, f"lost by {option}: {lost}"
    complete(run_id, rows)


def main():
    took_s = []
    for run_id in ["compiles", "whole"]:
        began = time.monotonic()
        assert start("--run-id", run_id).wait() == 0, open("err").read()
        took_s.append(time.monotonic() - began)
    longest_s = min(took_s) * 1.1
    for number in range(ROUNDS):
        try:
            one_round(number, longest_s)
        except Exception as error:
            print(open("err").read(), file=sys.stderr)
            sys.exit(f"seed {SEED}, round {number}: {error!r}")
    print(f"{ROUNDS} rounds, seed {SEED}: " + ", ".join(f"{what} {n}" for what, n in sorted(told.items())))


main()
