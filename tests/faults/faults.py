#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the program with faults of the OpenCL driver, drawn at random, and checks how it ends.

scripts/faults.sh calls it. A run is COMMAND:CACHE:FAULT:NTH, as in "memory:warm:buffer-refused:17": the fault meets
the 17th call of its function in that command, with kernels that an earlier run has kept (warm) or without (cold).
"""
import argparse
import collections
import ctypes
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEADLINE_S = 240  # of a run, which takes a second or two: whoever waits for a hang has clocks that run fast
ORPHANS_S = 5  # in which a killed worker has to be gone
CACHES = ("warm", "cold")
PR_SET_CHILD_SUBREAPER = 36

COMMON = ("--cpu --cpu-workgroups 4 --seed 1 --wait-deadline 1000 --run-deadline 10 --warmup 0 --order listed "
          "--run-id faulty --json -").split()

SUITE = {
    "schema": "coopbench-config", "schema_version": "1.0",
    "suite": [
        {"bench": "discover", "protocol": "ticket", "microbenchmark": "L1", "wg-sizes": "none", "bound": "off", "runs": 1},
        {"bench": "memory", "groups": [1], "strides": [64], "distances": [4], "accesses": 100, "runs": 1},
        {"bench": "primitives", "groups": ["2"], "barrier": "xf", "mutex": "spin", "semaphore": "none", "ops": 10,
         "section": 1, "runs": 1},
    ],
}

COMMANDS = {name: text.split() for name, text in {
    "discover": "discover -m 11,L1 --protocol lockfree --wg-sizes none --bound search --runs 2",
    "discover-kernel": "discover --kernel sorts.cl --wg-sizes 16",
    "memory": "memory --runs 2 --accesses 100 --groups 1,N --strides 64 --distances 4",
    "primitives": "primitives --runs 2 --groups 2 --barrier counter,xf --mutex ticket --semaphore spin --section 1 "
                  "--ops 10",
    "multitask": "multitask --runs 1 --app bfs --input grid:30x30 --barrier query --workload light --tasks 2 "
                 "--gather-tasks 2 --groups 1",
    "multitask-queue": "multitask --runs 1 --app game --input 5 --workload heavy --tasks 2 --gather-tasks 2 "
                       "--groups N-1",
    "user": "multitask --runs 1 --app ./ring.json --task ./blur.json --groups 1 --budget 0.1 --barrier atomic",
    "user-image": "multitask --runs 1 --app ./ring.json --task ./scale.json --groups 1 --budget 0.1 --barrier query",
    "preempt": "preempt --runs 1 --app barriers --input 300 --workload light --groups 1 --budget 0.1 --launch 0.05",
    "preempt-hybrid": "preempt --runs 1 --app barriers --input 300 --workload light --groups 1 --budget 0.1 "
                      "--launch 0.05 --hybrid",
    "preempt-second": "preempt --runs 1 --app barriers --input 300 --workload light --groups 1 --budget 0.1 "
                      "--launch 0.05 --place queue",
    "graphics": "graphics --size 64x48 --scene light --t 1 --pairs 8 --window 0.02 --confirm-time 0.1",
    "launch": "launch --runs 1 --scale tiny --program bfs_nested --launcher host,grid,ahead",
    "throttle": "throttle --app bfs --input grid:30x30 --schedule N,1 --hold 0.05 --idle 0.05",
    "migrate": "migrate --runs 1 --app color --input grid:30x30 --moves 2 --stay 0.02",
    "litmus": "litmus --runs 1 --iterations 1 --test MP,SB",
    "selftest": "selftest --stress 2 --app bfs",
    "apps": "apps --runs 1 --app bfs --scale tiny",
    "run": "run suite.json",
}.items()}

# On a device that shares no memory with the host, which copies by other queues.
QUEUE = "-queue"
COMMANDS.update({name + QUEUE: COMMANDS[name]
                 for name in "user preempt-hybrid preempt-second launch throttle selftest apps".split()})

EXIT_CODES = {0, 1, 3, 4, 77}  # what may come of a driver; the others are of users and of compare
FAILED = {"error", "crashed", "timeout", "verify_failed", "usage", "interrupted"}
STATUSES = FAILED | {"ok", "unsupported", "skipped"}
CODE_OF = {"verify_failed": 3, "timeout": 4}
FILES = re.compile(r"(run\.json|report\.md|summary\.csv|samples\.csv|events\.jsonl|plots|plots/[^/]+\.(svg|dat|gp|txt)|"
                   r"[a-z]+\.(json|png))$")
NEVER_PRINTED = re.compile(r"Assert|Sanitizer|runtime error:|stack smashing|double free|corrupted|"
                           r"malloc\(\)|free\(\)|Traceback|\(null\)")
POCLS_OWN = re.compile(r"lib/CL/.*Assertion")  # of a driver that meets a fault itself
NEXT_STEP = re.compile(r"To measure again|coopbench [a-z]|apt-get|clinfo|There is:|--[a-z]")
# Of these, time is not what it seems.
NO_TIMES = re.compile(r"clock-|hang|spin|slow|stopped|never-ends")
# These are none: all rows are as without them.
ALLOWED = re.compile(r"queues?-slow")


class Faults:
    """The library, and its table of faults."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        lib = ctypes.CDLL(self.path)
        for function in (lib.fault_name, lib.fault_function, lib.fault_words, lib.fault_function_name):
            function.restype = ctypes.c_char_p
        self.functions = [lib.fault_function_name(i).decode() for i in range(lib.fault_function_count())]
        self.table = {lib.fault_name(i).decode(): (lib.fault_function(i).decode(), lib.fault_words(i).decode())
                      for i in range(lib.fault_count())}

    def read_state(self, path):
        """How often the fault has struck, and the calls of each function."""
        data = path.read_bytes()
        struck, *calls = struct.unpack_from(f"<{1 + len(self.functions)}Q", data)
        return struck, dict(zip(self.functions, calls))


def write_inputs(folder):
    """A suite, and the examples of users' kernels, of which there is less to do."""
    (folder / "suite.json").write_text(json.dumps(SUITE))
    (folder / "sorts.cl").write_text(
        "kernel void sorts(global int *a, int2 b, local float *c, read_only image2d_t d, sampler_t e)\n"
        "{ local int f[9]; f[b.x] = read_imagef(d, e, b).x; barrier(CLK_LOCAL_MEM_FENCE); a[0] = f[1] + c[2]; }\n")
    examples = ROOT / "examples"
    for name in ("ring.cl", "blur.cl"):
        shutil.copy(examples / name, folder)
    (folder / "ring.json").write_text((examples / "ring.json").read_text().replace("00000", "000"))
    blur = (examples / "blur.json").read_text()
    for old, new in (("786432", "3072"), ("1024", "64"), ("768", "48"), ("[16, 4]", "[8, 4]")):
        blur = blur.replace(old, new)
    (folder / "blur.json").write_text(blur)
    (folder / "scale.cl").write_text(
        "kernel void scale(read_only image2d_t in, write_only image2d_t out, sampler_t at)\n"
        "{ int2 p = (int2)(get_global_id(0), get_global_id(1)); write_imagef(out, p, read_imagef(in, at, p) / 2); }\n")
    image = {"width": 32, "height": 16}
    (folder / "scale.json").write_text(json.dumps({
        "kernel": "scale.cl", "global": [32, 16], "local": [8, 4], "period_ms": 20,
        "arguments": {"in": {**image, "fill": "random"}, "out": image, "at": {}}}))


# ---- Running ---------------------------------------------------------------------------------------------------------

Run = collections.namedtuple("Run", "command cache fault nth")
Run.__str__ = lambda self: ":".join(map(str, self))


class Ended:
    """What is left of a run."""

    def __init__(self, folder, code, late, orphans, struck, calls):
        self.folder, self.code, self.late, self.orphans = folder, code, late, orphans
        self.struck, self.calls = struck, calls
        self.out = (folder / "out").read_bytes().decode("utf-8", "replace")
        self.err = (folder / "err").read_bytes().decode("utf-8", "replace")
        results = folder / "results/faulty"
        self.results = results if results.is_dir() else None


def processes_of(session):
    """The processes of a session, and orphans that this process has inherited: id and name."""
    found = []
    for place in pathlib.Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            name, rest = (place / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue
        state, parent, _, of = rest.split()[:4]
        if state not in "ZX" and (int(of) == session or int(parent) == os.getpid()):
            found.append((int(place.name), name.split("(", 1)[1]))
    return found


def reap_orphans(session):
    """Those that live on; they are killed."""
    until = time.monotonic() + ORPHANS_S
    while (left := processes_of(session)) and time.monotonic() < until:
        time.sleep(0.02)
    for process, _ in left:
        os.kill(process, signal.SIGKILL)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    return left


class Bench:
    """The program, a folder to run it in, and what its commands do without a fault."""

    def __init__(self, program, faults, folder):
        self.program, self.faults, self.folder = os.path.abspath(program), faults, folder
        self.schema = jsonschema.Draft7Validator(json.loads((ROOT / "docs/run.schema.json").read_text()))
        self.plain, self.called = {}, {}
        folder.mkdir(parents=True, exist_ok=True)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def environment(self, run, folder):
        env = {name: value for name, value in os.environ.items() if not name.startswith(("COOPBENCH", "FAULT"))}
        env.update(LD_PRELOAD=self.faults.path, FAULT=f"{run.fault}:{run.nth}" if run.fault else "",
                   FAULT_HIDES="svm" if run.command.endswith(QUEUE) else "", FAULT_STATE=str(folder / "state"),
                   LC_ALL="C", COOPBENCH_HOSTNAME="test", COOPBENCH_PROFILE_DIR=str(folder / "profiles"),
                   COOPBENCH_CACHE_DIR=str(folder / "cache"),
                   ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1:handle_segv=0")
        if run.command == "migrate":
            env["POCL_DEVICES"] = "pthread pthread"
        return env

    def run(self, run, folder):
        """Runs it in a new folder."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        kept = self.folder / f"cache-{run.command}"
        if run.cache == "warm" and kept.is_dir():
            shutil.copytree(kept, folder / "cache")
        write_inputs(folder)
        with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
            process = subprocess.Popen([self.program, *COMMANDS[run.command], *COMMON], cwd=folder, stdout=out,
                                       stderr=err, stdin=subprocess.DEVNULL, env=self.environment(run, folder),
                                       start_new_session=True)
            late = False
            try:
                process.wait(DEADLINE_S)
            except subprocess.TimeoutExpired:
                late = True
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        orphans = reap_orphans(process.pid)
        return Ended(folder, process.returncode, late, orphans, *self.faults.read_state(folder / "state"))

    def learn(self, command):
        """Runs a command without faults and without kernels: they are kept. Returns its cases by their ids; None: there
        is something it lacks, as graphics a renderer, or users' kernels libclang."""
        if command not in self.plain:
            folder, kept = self.folder / "plain", self.folder / f"cache-{command}"
            ended = self.run(Run(command, "cold", "", 0), folder)
            if ended.code == 77 or "libclang" in ended.err:
                print(f"{command} is left out: {ended.err.strip()}")
                self.plain[command] = None
                return None
            if ended.code:
                sys.exit(f"faults: {command} fails without any fault:\n{ended.err}")
            shutil.copytree(folder / "cache", kept)
            self.plain[command] = {case["id"]: case for case in json.loads(ended.out)["cases"]}
            self.called[command, "cold"] = ended.calls
        return self.plain[command]

    def calls(self, run):
        """Of the fault's function, in this command."""
        if not self.learn(run.command):
            return 0
        if (run.command, run.cache) not in self.called:
            ended = self.run(Run(run.command, run.cache, "", 0), self.folder / "plain")
            self.called[run.command, run.cache] = ended.calls
        return self.called[run.command, run.cache][self.faults.table[run.fault][0]]


# ---- Checks ----------------------------------------------------------------------------------------------------------

def wrong_figures(case, plain, fault):
    """What a row that is ok says although it cannot be so."""
    before = {m["name"]: m for m in plain["metrics"]}
    for m in case["metrics"]:
        numbers = [v for v in m.values() if isinstance(v, (int, float)) and not isinstance(v, bool)]
        if not all(math.isfinite(v) for v in numbers):
            yield f"{case['id']}: {m['name']} is not finite: {m}"
        if m["unit"] in ("ns", "s") and not 0 <= m["min"] <= m["max"] < 1e15:
            yield f"{case['id']}: {m['name']} is {m['min']:g} to {m['max']:g} {m['unit']}"
        was = before.get(m["name"])
        if not was or was["min"] <= 0 or NO_TIMES.search(fault):
            continue
        if m["min"] <= 0 and m["unit"] != "1" and m["name"] not in ("forks", "kills"):
            yield f"{case['id']}: {m['name']} is {m['min']:g} {m['unit']}"
        if m["max"] > 1e5 * was["max"]:
            yield f"{case['id']}: {m['name']} is {m['max']:g} {m['unit']}, without a fault {was['max']:g}"


def other_rows(rows, plain):
    """Rows that end otherwise than without a fault."""
    for case in rows:
        was = plain.get(case["id"], case)
        if (case["status"], case["verification"]["status"]) != (was["status"], was["verification"]["status"]):
            yield f"{case['id']}: {case['status']} instead of {was['status']}: {case['reason']}"


def check_document(document, ended, bench, run):
    """A document against its schema, the plan, and the exit code."""
    for error in bench.schema.iter_errors(document):
        yield f"run.json: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        return
    if document["exit_code"] != ended.code or not document["complete"]:
        yield f"run.json says {document['exit_code']}, complete {document['complete']}; it ended with {ended.code}"
    plain = bench.learn(run.command)
    rows = document["cases"]
    # what a device that says other things of itself has is another plan
    if not run.fault.startswith(("info", "devices-many", "platform")) and {c["id"] for c in rows} != set(plain):
        yield f"rows {sorted(c['id'] for c in rows)} instead of {sorted(plain)}"
    statuses = {c["status"] for c in rows}
    if not statuses <= STATUSES:
        yield f"statuses {statuses}"
    if ALLOWED.search(run.fault):
        yield from other_rows(rows, plain)
    if ended.code == 0 and statuses & FAILED:
        yield f"exit code 0 with rows {statuses}"
    if ended.code in (3, 4) and not any(CODE_OF.get(s) == ended.code for s in statuses):
        yield f"exit code {ended.code} with rows {statuses}"
    for case in rows:
        if case["status"] == "ok":
            yield from wrong_figures(case, plain.get(case["id"], {"metrics": []}), run.fault)
        elif not case["reason"] or not case["reason"].strip():
            yield f"{case['id']}: {case['status']} without a reason"


def check_words(document, ended, words):
    """Some row, or the message, has to say what happened."""
    reasons = [c["reason"] for c in document["cases"] if c["status"] not in ("ok",)] if document else []
    if (reasons or ended.code) and not any(re.search(words, text) for text in (*reasons, ended.err)):
        yield f"nothing says {words!r}: {reasons[:1] or ended.err[-300:]}"


def check_files(results):
    """Nothing half-written in the folder of results."""
    for place in results.rglob("*"):
        name = str(place.relative_to(results))
        if not FILES.match(name):
            yield f"a file {name} is left in the folder of results"
    for line in (results / "events.jsonl").read_text().splitlines():
        try:
            json.loads(line)
        except ValueError:
            yield "events.jsonl has a line that is no JSON"


def load(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def check_messages(ended):
    for line in ended.err.splitlines():
        if NEVER_PRINTED.search(line) and not POCLS_OWN.search(line):
            yield f"standard error: {line[:200]}"
    if ended.code and not ended.err.strip():
        yield "fails without a message"
    rows_say = ended.code in (3, 77) and ended.results  # a second run would not help
    if ended.code and not rows_say and not NEXT_STEP.search(ended.err):
        yield f"the message does not tell the next step: {ended.err[-300:]!r}"


def check(ended, bench, run):
    """All that is wrong with how a run has ended."""
    if ended.late:
        yield f"it has not ended after {DEADLINE_S} s"
        return
    if ended.code not in EXIT_CODES:
        yield f"exit code {ended.code}"
    for process, name in ended.orphans:
        yield f"process {process} ({name}) lives on"
    document = None
    if ended.results:
        path = ended.results / "run.json"
        document = load(path.read_text()) if path.exists() else None
        if not document:
            yield "run.json is missing, or no JSON"
        else:
            yield from check_document(document, ended, bench, run)
        yield from check_files(ended.results)
    elif ended.code in (0, 3):
        yield f"exit code {ended.code} without results"
    if ended.out.strip() and load(ended.out) != document:
        yield "standard output is not run.json"
    yield from check_messages(ended)
    if ended.struck:
        yield from check_words(document, ended, bench.faults.table[run.fault][1])


# ---- The command -----------------------------------------------------------------------------------------------------

class Tally:
    """The table: per command, how runs ended."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.kinds = collections.defaultdict(set)
        self.wrong = []

    def add(self, run, ended, wrong):
        row = self.rows[run.command]
        row["runs"] += 1
        if ended.struck:
            row["struck"] += 1
            self.kinds[run.command].add(run.fault)
            row["failed" if ended.code else "absorbed"] += 1
        if wrong:
            row["wrong"] += 1
            self.wrong.append(run)

    def print(self):
        print(f"\n{'command':16} {'runs':>5} {'struck':>7} {'faults':>7} {'absorbed':>9} {'failed':>7} {'wrong':>6}")
        total = collections.Counter()
        for command, row in self.rows.items():
            total.update(row)
            self.print_row(command, row, len(self.kinds[command]))
        self.print_row("all", total, len(set().union(*self.kinds.values())))
        for run in self.wrong:
            print(f"scripts/faults.sh --one {run}")

    @staticmethod
    def print_row(name, row, faults):
        print(f"{name:16} {row['runs']:5} {row['struck']:7} {faults:7} {row['absorbed']:9} {row['failed']:7} "
              f"{row['wrong']:6}")


def draw(bench, commands, names, rng):
    """A run at random: all commands and faults are as probable, but for those that never meet."""
    while True:
        run = Run(rng.choice(commands), rng.choice(CACHES), rng.choice(names), 0)
        calls = bench.calls(run)
        if calls:
            return run._replace(nth=rng.choice((1, calls, rng.randint(1, calls), rng.randint(1, calls))))


def each_fault(bench, commands, names, rng):
    """Each fault once, over the commands in turn."""
    for i, name in enumerate(names):
        for k in range(len(commands)):
            run = Run(commands[(i + k) % len(commands)], "warm", name, 0)
            if calls := bench.calls(run):
                yield run._replace(nth=rng.randint(1, calls))
                break


def parse_run(text):
    command, cache, fault, nth = text.split(":")
    return Run(command, cache, fault, int(nth))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--folder", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=100, help="runs at random (default: 100)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no more runs after so long")
    parser.add_argument("--seed", type=int, default=None, help="repeats the runs of an earlier call")
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only these commands")
    parser.add_argument("--fault", action="append", help="only faults whose name has this")
    parser.add_argument("--each", action="store_true", help="each fault once, in place of --runs")
    parser.add_argument("--one", action="append", help="this run, COMMAND:CACHE:FAULT:NTH")
    parser.add_argument("--list", action="store_true", help="the faults, and the function that each meets")
    parser.add_argument("--verbose", action="store_true", help="a line for each run, and what it prints")
    return parser.parse_args()


def runs_of(options, bench, names):
    rng = random.Random(options.seed)
    commands = options.command or list(COMMANDS)
    if options.one:
        yield from map(parse_run, options.one)
    elif options.each:
        yield from each_fault(bench, commands, names, rng)
    else:
        for _ in range(options.runs):
            yield draw(bench, commands, names, rng)


def main():
    options = parse()
    faults = Faults(options.library)
    names = [n for n in faults.table if not options.fault or any(part in n for part in options.fault)]
    if options.list:
        for name in names:
            print(f"{name:26} {faults.table[name][0]}")
        return 0
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(2**32)
    print(f"seed {options.seed}", flush=True)
    bench, tally = Bench(options.program, faults, pathlib.Path(options.folder).resolve() / str(os.getpid())), Tally()
    until = time.monotonic() + options.seconds
    for run in runs_of(options, bench, names):
        if time.monotonic() > until:
            break
        if not bench.learn(run.command):
            continue
        begin = time.monotonic()
        ended = bench.run(run, bench.folder / "run")
        wrong = list(check(ended, bench, run))
        tally.add(run, ended, wrong)
        if wrong or options.verbose:
            how = "not met" if not ended.struck else f"exit code {ended.code}"
            print(f"{run}: {how}, {time.monotonic() - begin:.1f} s", *wrong, sep="\n  ", flush=True)
        if options.verbose and options.one:
            print(f"{ended.err}\nIts files are in {ended.folder}")
    tally.print()
    if not options.one:
        shutil.rmtree(bench.folder)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
