#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tables of README.md and docs follow from reference results. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

papers() { check_exit "$1" python3 "$SOURCE_DIR/scripts/papers.py" "${@:2}"; }

papers 0 --check

mkdir -p other/docs other/run
cat >other/docs/papers.md <<'TEXT'
before
<!-- tab3: GPU = run; CPU = none -->
old
<!-- end -->
between
<!-- tab2: GPU = run -->
<!-- end -->
<!-- portability: GPU = run -->
<!-- end -->
<!-- resizing_barriers: GPU = run -->
<!-- end -->
<!-- tab3_measured: GPU = run; CPU = none -->
<!-- end -->
<!-- tab3_measured_barriers: GPU = run -->
<!-- end -->
after
TEXT
# Two pairs beside heavy: one meets the deadline with N/4, both do with N/2; and one in three modes.
python3 - >other/run/run.json <<'PYTHON'
import json

def tasks(app, barrier, groups, overhead, met, status="ok", **more):
    return {"bench": "multitask", "status": status,
            "params": {"app": app, "input_name": "x", "barrier": barrier, "workload": "heavy", "groups": groups, **more},
            "metrics": [{"name": "overhead", "median": overhead}, {"name": "deadlines_met", "mean": met}]}

def side(bench, app, how, groups, size, overhead, answer_ms, met):
    place = {"place": how} if bench == "preempt" else {"barrier": how}
    return {"bench": bench, "status": "ok",
            "params": {"app": app, "input": "y", "workload": "light", "groups": groups, **place},
            "metrics": [{"name": "overhead", "median": overhead}, {"name": "deadlines_met", "mean": met},
                        {"name": "answer_time", "median": answer_ms * 1e6},
                        {"name": "task_groups", "median": size}]}

def mode(name, time, graph="rmat"):
    return {"bench": "apps", "status": "ok",
            "params": {"app": "bfs", "input_name": graph, "mode": name, "barrier": "atomic"},
            "metrics": [{"name": "run_time", "median": time}]}

print(json.dumps({"cases": [
    tasks("bfs", "atomic", "N/4", 1.1, 1), tasks("game", "none", "N/4", 1.2, 0.5),
    tasks("bfs", "atomic", "N/2", 1.2, 1), tasks("game", "none", "N/2", 1.3, 0.96),
    tasks("bfs", "atomic", "N/2", 9, 1, variant="paper"), tasks("bfs", "query", "N/4", 9, 1), tasks("mis", "atomic", "N/2", 9, 1, "timeout"),
    side("preempt", "bfs", "process", "N/2", 65, 1.2, 9, 1), side("preempt", "bfs", "process", "N", 131, 1.1, 4, 1),
    side("preempt", "bfs", "process", "1", 1, 1, 900, 0), side("preempt", "bfs", "queue", "N", 131, 1, 250, 0),
    side("preempt", "game", "process", "N/2", 263, 1.3, 5, 0.5), side("preempt", "game", "process", "N", 527, 1.4, 6, 0.4),
    side("multitask", "bfs", "atomic", "N/4", 32, 1.3, 12, 1), side("multitask", "bfs", "query", "N/4", 32, 1.25, 13, 1),
    side("multitask", "bfs", "atomic", "N-1", 130, 1.5, 3.1, 1), side("multitask", "mis", "atomic", "1", 1, 1, 1, 1),
    mode("cooperative", 11), mode("specialised", 10), mode("portable", 12.5),
    mode("specialised", 10, "rmat-original"), mode("portable", 14, "rmat-original")]}))
PYTHON
papers 1 --check --root other
check_stderr 'not up to date'
papers 0 --root other
papers 0 --check --root other
check "another text" diff other/docs/papers.md - <<'TEXT'
before
<!-- tab3: GPU = run; CPU = none -->

| workload | kernel-level P/(P-D) | FSE'17, cooperative | GPU | CPU |
| --- | ---: | ---: | ---: | ---: |
| light | 1.045 | 1.04 (N/4) |  |  |
| medium | 1.081 | 1.08 (N/4) |  |  |
| heavy | 1.333 | 1.47 (N/2) | 1.250 (N/2) |  |

<!-- end -->
between
<!-- tab2: GPU = run -->

| device | slowdown over | all: mean | max | barriers: mean | max | work stealing: mean | max |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| FSE'17: Iris 6100 | original | 1.07 | 1.23 | 1.06 | 1.20 | 1.12 | 1.23 |
| GPU | specialised | 1.100 | 1.100 | 1.100 | 1.100 |  |  |
| GPU | portable | 0.880 | 0.880 | 0.880 | 0.880 |  |  |

<!-- end -->
<!-- portability: GPU = run -->

| app [input] | GTX 980 | K5200 | GPU |
| --- | ---: | ---: | ---: |
| bfs [rmat] | 1.29 | 1.43 | 1.25 |
| bfs [rmat-original] | 1.29 | 1.43 | 1.40 |

<!-- end -->
<!-- resizing_barriers: GPU = run -->

| device | barrier | FSE'17 Section 4.2 | slowdown: mean | max | beside heavy | both | gather p50 | p99 | worst p99 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| GPU | `regular` | first form, without a master, offers together |  |  | 1.300 |  |  |  |  |
| GPU | `master` | second form, offers together |  |  | 1.300 |  |  |  |  |
| GPU | `query` | second form, without a master |  |  | 1.300 |  |  |  |  |
| GPU | `literal` | the draft's, and one more barrier, offers together |  |  | 1.300 |  |  |  |  |
| GPU | `atomic` | ours |  |  | 1.250 |  |  |  |  |

<!-- end -->
<!-- tab3_measured: GPU = run; CPU = none -->

| workload | kernel-level P/(P-D) | FSE'17, cooperative | GPU: preempted | answer | cooperative | answer | soonest | answer | CPU: preempted | answer | cooperative | answer | soonest | answer |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| light | 1.045 | 1.04 (N/4) | 1.200* (N, N/2) | 4.5 ms | 1.300 (N/4) | 12 ms | 1.500 (N-1) | 3.1 ms |  |  |  |  |  |  |
| medium | 1.081 | 1.08 (N/4) |  |  |  |  |  |  |  |  |  |  |  |  |
| heavy | 1.333 | 1.47 (N/2) |  |  |  |  |  |  |  |  |  |  |  |  |

<!-- end -->
<!-- tab3_measured_barriers: GPU = run -->

| workload | GPU: preempted | answer | `regular` | answer | `query` | answer | `atomic` | answer |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| light | 1.200* (N, N/2) | 4.5 ms |  |  | 1.250 (N/4) | 13 ms | 1.300 (N/4) | 12 ms |
| medium |  |  |  |  |  |  |  |  |
| heavy |  |  |  |  |  |  |  |  |

<!-- end -->
after
TEXT

sed -i 's/tab3:/tab9:/' other/docs/papers.md
papers 1 --root other
check_stderr 'docs/papers.md: there is no table tab9, only tab2, tab3, tab3_measured, tab3_measured_barriers, tab3_authors, fig6, '

# Tables of README.md: each pair, what tasks would cost if speed went by workgroups, parts of the report, the origin.
mkdir -p page/run page/limited
cat >page/README.md <<'TEXT'
<!-- heavy: GPU = run; CPU = none -->
<!-- end -->
<!-- gather: GPU = run -->
<!-- end -->
<!-- price: GPU = run; limited = limited -->
<!-- end -->
<!-- kept: GPU = run; limited = limited -->
<!-- end -->
<!-- without_tasks: GPU = run -->
<!-- end -->
<!-- excerpt: mis y beside = run; nothing = none -->
<!-- end -->
<!-- origin: First = run; Second = none -->
<!-- end -->
TEXT
printf 'GPU\n\nmis x beside\n\n| 1 |\n\nmis y beside the others\n\n| a |\n| - |\n| b |\n\n- a note | 2 |\n' >page/run/report.md
python3 - >page/run/run.json <<'PYTHON'
import json

def tasks(app, workload, groups, size, time_ms, met, p99_us, period_ms=40, barrier="atomic"):
    metrics = {"overhead": {"median": 1.25}, "deadlines_met": {"mean": met}, "workers": {"median": 100},
               "task_groups": {"median": size}, "exec_time": {"median": time_ms * 1e6},
               "period": {"median": period_ms * 1e6},
               "gather_time": {"median": 1e3, **({"p99": p99_us * 1e3} if p99_us else {})}}
    return {"bench": "multitask", "status": "ok",
            "params": {"app": app, "input": app + ":1", "input_name": "x", "barrier": barrier, "workload": workload,
                       "groups": groups},
            "metrics": [{"name": n, **m} for n, m in metrics.items()]}

def alone(app, barrier, **params):
    values = {"workers": 7, "app_time_alone": 2e6, "specialised_time": 1e6, "portable_time": 4e6,
              "overhead_specialised": 2, "overhead_portable": 0.5}
    return {"bench": "multitask", "status": "ok", "params": {"app": app, "input": "1", "barrier": barrier, **params},
            "metrics": [{"name": n, "median": v} for n, v in values.items()]}

print(json.dumps({
    "run_id": "r", "tool": {"git_sha": "0123456789"}, "time": {"start": "2026-01-02T03:04:05Z"},
    "devices": [{"name": "Big GPU", "driver_version": "1.2"}],
    "summary": {"cases": 9, "ok": 7, "interrupted": 2, "timeout": 0},
    "cases": [
        tasks("mis", "heavy", "N/2", 50, 20, 0.5, 30), tasks("bfs", "heavy", "N/2", 50, 16, 1, None),
        tasks("bfs", "heavy", "N/4", 25, 50, 0, 1500, 50), tasks("bfs", "light", "N/4", 25, 7, 1, 20, 70),
        tasks("bfs", "heavy", "N/2", 50, 39, 1, 99, barrier="query"),
        alone("mis", "atomic", input_name="x"), alone("mis", "query", input_name="x"), alone("barriers", "query"),
        alone("mis", "atomic", input_name="x", variant="paper")]}))
PYTHON
# without tasks, on 3N/4 and N/2 of its workgroups: 0.8 and 0.6 of the speed
python3 - >page/limited/run.json <<'PYTHON'
import json

def step(number, groups, progress):
    return {"bench": "throttle", "status": "ok",
            "params": {"app": "bfs", "input": "bfs:1", "step": number, "groups": groups},
            "metrics": [{"name": "progress", "median": progress}]}

print(json.dumps({"cases": [step(1, "N", 50), step(2, "3N/4", 40), step(3, "N/2", 30), step(4, "N", 49)]}))
PYTHON
papers 1 --check --root page
check_stderr 'README.md is not up to date'
papers 0 --root page
papers 0 --check --root page
check "another text" diff <(grep -v '^<!--' page/README.md | grep .) - <<'TEXT'
| app, input | N/4: task p50 | in time | overhead | N/2: task p50 | in time | overhead | N-1: task p50 | in time | overhead |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| bfs bfs:1 | 50 ms | 0 % | 1.250 | 16 ms | 100 % | 1.250 |  |  |  |
| mis mis:1 |  |  |  | 20 ms | 50 % | 1.250 |  |  |  |
GPU: Big GPU, driver 1.2, commit 0123456, 2026-01-02.
| app, input | gather p99: 1 | gather p99: N/4 | gather p99: N/2 | gather p99: N-1 |
| --- | ---: | ---: | ---: | ---: |
| bfs bfs:1 |  | 20 µs to 1.5 ms |  |  |
| mis mis:1 |  |  | 30 µs |  |
| median over the pairs |  | 20 µs to 1.5 ms | 30 µs |  |
GPU: Big GPU, driver 1.2, commit 0123456, 2026-01-02.
| workload | P/(P-D) | GPU, N/4: in time | overhead | if all scaled | if limited alone (limited) | GPU, N/2: in time | overhead | if all scaled | if limited alone (limited) | GPU, N-1: in time | overhead | if all scaled |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| light | 1.045 | 100 % | 1.250 | 1.026 | 1.020 |  |  |  |  |  |  |  |
| medium | 1.081 |  |  |  |  |  |  |  |  |  |  |  |
| heavy | 1.333 | 0 % | 1.250 | 1.333 | 1.250 | 75 % | 1.250 | 1.292 | 1.190 |  |  |  |
GPU: Big GPU, driver 1.2, commit 0123456, 2026-01-02.
| app, input (GPU) | N/4: light | N/4: medium | N/4: heavy | N/4: no task (limited) | N/2: light | N/2: medium | N/2: heavy | N/2: no task (limited) |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| bfs bfs:1 | -1.000 |  | 0.800 | 0.800 |  |  | 0.500 | 0.600 |
| mis mis:1 |  |  |  |  |  |  | 0.600 |  |
| median over the pairs | -1.000 |  | 0.800 | 0.800 |  |  | 0.550 | 0.600 |
GPU: Big GPU, driver 1.2, commit 0123456, 2026-01-02.
| kernel | device | barrier | workgroups | cooperative | specialised | portable | coop. : spec. | coop. : port. |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| barriers 1 | GPU | query | 7 | 2 ms | 1 ms | 4 ms | 2.000 | 0.500 |
| mis 1 | GPU | atomic | 7 | 2 ms | 1 ms | 4 ms | 2.000 | 0.500 |
GPU: Big GPU, driver 1.2, commit 0123456, 2026-01-02.
| a |
| - |
| b |
Big GPU, driver 1.2, commit 0123456, 2026-01-02.
First: Big GPU, driver 1.2, commit 0123456, 2026-01-02; 7 of 9 cases ok, 2 interrupted.
TEXT

sed -i 's/excerpt: mis y/excerpt: mis z/' page/README.md
papers 1 --root page
check_stderr 'there is no line "mis z beside" in the report of r'

# SO'11: what was measured with all workgroups, ratios of the paper's algorithms and of the best of ours, with the most
# workgroups that both have.
mkdir -p so11/docs so11/run
printf '<!-- %s: GPU = run -->\n<!-- end -->\n' so11_times so11_ratios so11_best so11_quotes so11_barriers so11_pauses >so11/docs/papers.md
python3 - >so11/run/run.json <<'PYTHON'
import json

def case(bench, params, **metrics):
    return {"bench": bench, "status": "ok", "params": params, "metrics": [{"name": n, "median": v} for n, v in metrics.items()]}

def memory(contention, access, operation, groups, ms):
    return case("memory", {"contention": contention, "access": access, "operation": operation, "groups": groups}, time=1e6 * ms)

def primitive(kind, name, groups, throughput, **variant):
    share = "N" if groups == 8 else "other"
    found = case("primitives", {"kind": kind, "primitive": name, "groups": share, **variant}, groups=groups,
                 throughput=throughput, op_time=1e9 / throughput)
    found["metrics"][1].update(min=0.9 * throughput, max=1.1 * throughput)
    return found

print(json.dumps({"cases": [
    memory("contentious", "volatile", "read", "N", 2), memory("contentious", "volatile", "read", "1", 9),
    memory("contentious", "volatile_after_atomic", "read", "N", 3),
    primitive("barrier", "xf", 1, 4e6), primitive("barrier", "xf", 8, 1e6), primitive("barrier", "xf", 9, 1e6),
    primitive("barrier", "two_stage", 1, 3e6), primitive("barrier", "two_stage", 8, 2e5),
    primitive("barrier", "counter", 8, 2e6), primitive("barrier", "relaunch", 9, 2e5),
    primitive("mutex", "spin", 8, 1e6, section=0), primitive("mutex", "spin", 8, 1, section=1),
    primitive("mutex", "ticket_linear", 8, 4e7, section=0), primitive("mutex", "ticket_linear", 8, 9e7, section=0, tune=True),
    *(primitive("mutex", "ticket_linear", 8, speed, section=0, backoff=ns) for speed, ns in ((5e7, "16:128"), (3e7, "32:256"))),
    primitive("mutex", "ticket_linear", 4, 1e6, section=0, backoff="16:128"),
    primitive("mutex", "ticket_linear", 2, 2e6, section=0, backoff="64:4096"), primitive("mutex", "ticket_linear", 2, 1e6, section=0, backoff="16:128"),
    primitive("semaphore", "spin", 8, 1e6, initial=10), primitive("semaphore", "sleeping", 8, 6e6, initial=10),
    primitive("semaphore", "ticket", 8, 9e6, initial=10), primitive("semaphore", "optimistic", 8, 8e6, initial=10),
    *(primitive("semaphore", name, 8, speed, initial=120) for name, speed in (("spin", 1e6), ("sleeping", 5e6), ("optimistic", 6e6)))]}))
PYTHON
papers 0 --root so11
for row in 'contentious volatile | 848 µs | 829 µs | 494 µs | 175 µs | 2 ms |  |' \
  'contentious volatile after atomic : contentious volatile | 1.08 | 1.10 | 2.98 | 4.71 | 1.5 |  |' \
  'best | Tesla | Fermi | GPU, 8 workgroups: the paper'\''s | of all | GPU, N/64 workgroups: the paper'\''s | of all |' \
  'barrier | XF | XF | xf | counter |  |  |' 'mutex | FA | spin with backoff | ticket_linear | ticket_linear |  |  |' \
  'semaphore, initial value 120 | sleeping | sleeping | sleeping | optimistic, sleeping |  |  |' \
  'barrier, one workgroup: two_stage : xf | 6 |  | 0.75 | 0.75 (1) |  |  |' \
  'barrier: two_stage : xf | 6 | under 0.05 | 0.3 | 0.2 (8) |  | 2 (counter, 8) |' \
  'mutex: ticket_linear : spin | 7 | 40 |  | 40 (8) | 50 (8) |  |' \
  'an operation | GPU, 2 workgroups | GPU, 4 workgroups | GPU, 8 workgroups |' \
  'mutex ticket_linear | 500 ns (built in) | no result → 1 µs (16:128) | 25 ns → 20 ns (16:128) |' \
  'semaphore, initial value 10: sleeping : spin | 6 |  | 6 | 6 (8) |  | 9 (ticket, 8) |' \
  'relaunch | 3 to 7 µs | 5 µs (9) |' 'xf_rounds |  |  |' 'two_stage |  | 5 µs (8) |' 'relaunch_sync | 10 to 14 µs |  |'; do
  check "no row $row" grep -qxF "| $row" so11/docs/papers.md
done

# What the program quotes of Tabs. 2 and 3, the documents quote as well.
check "SO'11's ratios differ between the program and the documents" python3 - "$SOURCE_DIR" <<'PYTHON'
import pathlib, re, sys

sys.path.insert(0, sys.argv[1] + "/scripts")
sys.dont_write_bytecode = True
from tables.so11 import RATIOS

program = re.findall(r'\{"[^"]*", \{([\d.]+), ([\d.]+)\}\}', (pathlib.Path(sys.argv[1]) / "probes/memory/abstraction.c").read_text())
pairs = {(float(of[i]), float(of[i + 2])) for *_, of in RATIOS for i in (0, 1)}
assert len(program) == 5 and all((float(tesla), float(fermi)) in pairs for tesla, fermi in program), program
PYTHON

# KLAP'16: geometric means over programs that the host ran, too, or that launch themselves; parents with children on a
# device and by a CUDA twin's CSV; programs that are not the paper's are in no mean, and need no name in the tables.
mkdir -p klap/docs klap/run klap/host
cat >klap/docs/papers.md <<'TEXT'
<!-- promotion: GPU = host; CPU = none -->
<!-- end -->
<!-- promotion: CUDA = twin.csv -->
<!-- end -->
<!-- aggregation: GPU = run; CUDA = twin.csv; CPU = none -->
<!-- end -->
<!-- aggregation_forms: GPU = run -->
<!-- end -->
<!-- recursion: GPU = run -->
<!-- end -->
<!-- tessellation: GPU = run -->
<!-- end -->
<!-- breakdown: GPU = run -->
<!-- end -->
<!-- breakdown_claims: GPU = run -->
<!-- end -->
<!-- streams: CUDA = twin.csv -->
<!-- end -->
<!-- children_at_once: PoCL = cpu -->
<!-- end -->
<!-- aggregation_programs: GPU = run; CUDA = twin.csv; CPU = none -->
<!-- end -->
<!-- klap_twin: GPU = run; CUDA = twin.csv -->
<!-- end -->
<!-- launch_rates: GPU = run; CUDA = twin.csv -->
<!-- end -->
<!-- tuning: GPU = run; CUDA = twin.csv; CPU = none -->
<!-- end -->
<!-- children_at_once: GPU = run; CPU = none -->
<!-- end -->
<!-- steps_at_once: GPU = run; CPU = none -->
<!-- end -->
TEXT
python3 - <<'PYTHON'
import json

def case(name, us, steps=0, elements=0, status="ok"):
    metrics = {"run_time": 1e3 * us}
    if steps:
        metrics.update({"step_time": 1e3 * us / steps, "rate": elements / us * 1e6})
    return {"bench": "launch", "id": f"launch/{name}", "status": status,
            "metrics": [{"name": n, "median": v} for n, v in metrics.items()]}

def at_once(name, **metrics):
    return {**case(f"{name}/occupancy", 1), "metrics": [{"name": n, "median": v} for n, v in metrics.items()]}

def parts(name, *us):
    names = ("parent_time", "aggregation_time", "launch_time", "work_time")
    return {**case(f"{name}/large/breakdown", sum(us)), "metrics": [{"name": "run_time", "median": 1e3 * sum(us)},
            *({"name": n, "median": 1e3 * t} for n, t in zip(names, us))]}

def tries(program, *found):
    for launcher, threshold, coarsening, us in found:
        params = {"program": program, "launcher": launcher, "threshold": threshold, "coarsening": coarsening}
        yield {**case(f"{program}/{launcher}/large/tune", us), "params": {k: v for k, v in params.items() if v}}

json.dump({"cases": [
    case("sc/host/small", 4, 2, 20), case("sc/host/medium", 50, 25, 200), case("sc/host/large", 400, 100, 2000),
    case("pd/host/small", 9, 2, 20), case("pd/host/large", 900, 100, 2000),
    case("sc/PAO-128/small", 8, 2, 20), case("sc/PAO-128/medium", 10, 25, 200), case("sc/PAO-128/large", 100, 100, 2000),
    case("pd/PAO-128/large", 100, 100, 2000), case("los/PAO-128/large", 300, 100, 9), case("sc/PA-2/large", 1, 1, 1, "timeout"),
    case("equal/host/small", 5), case("equal/host/large", 50)]}, open("klap/host/run.json", "w"))
json.dump({"cases": [
    *(case(f"bfs_nested/{launcher}/large", us) for launcher, us in (
        ("serial", 40), ("thread", 160), ("warp", 80), ("grid", 10), ("grid,threshold=64", 5), ("flat", 20))),
    *(case(f"qt/{launcher}/large", us) for launcher, us in (("serial", 10), ("thread", 20), ("warp", 40), ("block", 20))),
    *(case(f"new/{launcher}/large", us) for launcher, us in (("thread", 900), ("grid", 1), ("serial", 7))),
    case("bfs_nested/grid/large/breakdown", 0.1), case("bfs_nested/grid/small", 1), case("equal/thread/large", 9), case("equal/warp/large", 3), case("gc/thread/large", 1, status="error"),
    *tries("qt", ("serial", None, None, 6), ("thread", 1, 1, 8), ("warp", 1, 1, 4), ("grid", 1, 1, 3), ("ahead", 1, 1, 2),
           ("ahead", 64, 1, 1), ("warp", 64, 8, 9), ("flat", None, None, 4)),
    *tries("bfs_nested", ("grid", 1, 1, 10)),
    parts("bt/thread", 1, 1, 6, 2), parts("bt/warp", 1, 2, 4, 1), parts("bt/block", 1, 2, 2, 1), parts("bt/grid", 1, 2, 1, 1),
    parts("gc/thread", 1, 1, 6, 2), parts("gc/warp", 1, 2, 4, 1), parts("gc/block", 1, 2, 5, 1), parts("gc/grid", 1, 2, 1, 3),
    parts("bh/thread", 1, 1, 1, 7), parts("bh/warp", 1, 1, 1, 6), parts("bh/block", 1, 1, 1, 7), parts("bh/grid", 1, 1, 1, 1),
    case("bt/grid/input", 7), case("qt/grid,depth=6/large", 3), case("qt/recursive/large", 4),
    case("bfs_nested/grid,places=scan/large", 20), case("bfs_nested/grid,places=sequential,child-size=noted/large", 25), case("bfs_nested/grid,child-size=items/large", 8),
    at_once("bfs_nested/thread/large", at_once=10, launch_rate=1), at_once("bfs_nested/warp/large", at_once=40, launch_rate=3),
    at_once("bfs_nested/warp/small", at_once=1, launch_rate=1), at_once("bh/thread/large", at_once=8, launch_rate=1),
    at_once("bh/warp/large", at_once=4, launch_rate=3),
    at_once("sc/tail/medium", at_once=0.5, rate=1, waiting=0.1), at_once("sc/PAO-128/medium", at_once=16, rate=5, waiting=0.7),
    *tries("mstf", ("serial", None, None, 1), ("thread", 1, 1, 2), ("block", 1, 8, 1), ("block", 1, 1, 4)),
    case("sc/tail/large", 1, 1, 1)]}, open("klap/run/run.json", "w"))
PYTHON
mkdir -p klap/cpu
python3 - >klap/cpu/run.json <<'PYTHON'
import json

def at_once(name, value, rate):
    return {"bench": "launch", "id": f"launch/bfs_nested/{name}/large/occupancy", "status": "ok",
            "metrics": [{"name": "run_time", "median": 1}, {"name": "at_once", "median": value}, {"name": "launch_rate", "median": rate}]}

print(json.dumps({"devices": [{"type": "cpu", "compute_units": 8}], "cases": [
    at_once("thread", 3, 1), at_once("multiblock", 31566, 2), at_once("grid", 6, 1)]}))
PYTHON
cat >klap/twin.csv <<'TEXT'
# driver 1.2, CUDA 13.0, commit 0123456, 2026-01-02: a note
program,launcher,size,threshold,launches,n,median_ns,min_ns,max_ns,verified,reason,device
bfs_nested,none,large,1,0,11,80000,1,1,yes,,Big GPU
bfs_nested,cdp,large,1,9,11,640000,1,1,yes,,Big GPU
bfs_nested,cdp-stream,large,1,9,11,320000,1,1,yes,,Big GPU
bfs_nested,cdp-null,large,1,9,11,960000,1,1,yes,,Big GPU
bfs_nested,agg-grid,large,1,9,11,40000,1,1,yes,,Big GPU
bfs_nested,agg-last,large,1,9,11,20000,1,1,yes,,Big GPU
bfs_nested,agg-warp,large,32,9,11,1000,1,1,yes,,Big GPU
bfs_nested,agg-block,large,1,9,11,1,1,1,no,word 1 is 2 instead of 3,Big GPU
bh,cdp,large,1,9,0,,,,yes,more launches than the limit,Big GPU
program,launcher,size,threshold,launches,n,median_ns,min_ns,max_ns,verified,reason,device
sc,tail,small,1,2,11,16384,1,1,yes,,Big GPU
sc,tail,large,1,1000,11,8000000,1,1,yes,,Big GPU
sc,PAO,large,1,1000,11,2000000,1,1,yes,,Big GPU
TEXT
papers 0 --root klap
papers 0 --check --root klap
for row in '`host` |  | 1.00 | 1.00 | 1.00 | 1.00 | 1.25 | 4 µs to 9 µs |  |  |  |  |  |  |' '`PA-2` |  |  |  |  |  |  |  |  |  |  |  |  |  |' \
  '`PAO-128` | 5.27 (CDP) | 0.50 | 5.00 | 6.00 | 6.00 | 5.00 | 1 µs to 3 µs |  |  |  |  |  |  |' \
  '`tail` |  | 1.00 |  | 1.00 | 3.15 |  | 8 µs to 8 µs |' '`PAO-all` |  |  |  | 4.00 | 12.59 |  | 2 µs to 2 µs |' \
  '`equal` | `warp` |  |  | 6.55e+04 M |  |  |  |' \
  "all, geometric mean | CGO'22 |  |  | 43.0 | 3.6 | 8.7 |  |  |" \
  'all, geometric mean | GPU |  |  | 4 | 2.29 | 2.45 | 4 | 2 |' '`qt` | GPU | `ahead`, from 64, by 1 | 1 µs | 8 | 3 | 6 | 4 |  |' \
  '`bfs_nested` | GPU | `grid`, from 1, by 1 | 10 µs |  | 1 |  |  | 2 |' \
  '`warp` | 2.81 | 6.35 | 3.83 | 4.00 |  | 0.50 | 1.41 | 3.00 |  |  |  |  |  |' '`PAO-128` | 16.00 | 32.00 | 5.00 | 70 % |  |  |  |  |' \
  '`thread` |  |  | 1.00 | 0.35 | 1.00 | 0.25 |  |  |' '`warp` |  |  | 1.00 | 0.35 |  |  |  |  |' \
  '`grid` |  |  | 16.00 (1) | 4.00 (1) | 16.00 | 4.00 |  |  |' '`grid`, as printed | 6.58 |  | 6.40 (1) | 1.60 (1) |  |  |  |  |' '`block` |  |  | 1.00 (1) | 0.50 (1) |  |  |  |  |' \
  '`bt` | `thread` | 10 µs | 10 % | 10 % | 60 % | 20 % |' '`bt` | `grid` | 5 µs | 10 % | 20 % | 10 % | 10 % |' \
  '`bfs_nested`, `bt`, `gc`, `mstf`, `mstv`, `sp` | launches are over half of the time of each on its own | 2 of 2 |' \
  '`bfs_nested`, `bt`, `gc`, `mstf`, `mstv`, `sp` | launches take less with each granularity | 1 of 2; not `gc` |' \
  '`bfs_nested`, `bt`, `gc`, `mstf`, `mstv`, `sp` | work takes less than with each on its own | 1 of 2; not `gc` |' \
  '`bh` | launches are not over half | yes |' '`bh` | work takes less | no |' '`qt` | K halves it |  |' \
  "each thread's default stream | 1.90 (K40c), 1.83 (GTX 980) |  |  |  |" "a stream of each launch's own |  |  |  | 3.00 |" \
  '`multiblock` |  |  |  | turns |  |  | turns | 2.00 |' '`grid` | 3.51 | 6.68 | 3.82 | 2.00 |  |  | 2.00 | 1.00 |' \
  'T2048/C64 | GPU |  |  |  |  |  |  | 7 µs |  |' '6 |  | 3 µs |  |' '12 | 20 µs |  | 4 µs |' '`grid` | 0.50 (1) |  |  | 1.25 (1) |  |' '`block`, as printed | 4.94 |  |  |  |  |  |  |  |' \
  'the best that aggregates |  | 1.6 of the 6 that gain; 6 of 7, 1.2 to 3.7 | 4.00 | 4 of the 1 that gain; 1 of 2, 4 to 4 | 16.00 | 4 of the 1 that gain; 1 of 1, 4 to 4 |  |  |' \
  '`bfs_nested` | GPU | 40 µs | 20 µs |  | 160 µs | 80 µs |  |  | 10 µs |  | `grid,threshold=64` |' \
  '`bfs_nested` | CUDA | 80 µs |  |  | 320 µs |  |  |  | 20 µs |  | `warp,threshold=32` |' \
  '`new` | GPU | 7 µs |  |  | 900 µs |  |  |  | 1 µs |  | `grid` |' '`equal` | GPU |  |  |  | 9 µs | 3 µs |  |  |  |  | `warp` |' \
  'with children | `grid` |  |  |  |  | 32.00 | 2.00 |' 'with children | `warp` |  |  |  |  | 4.00 |  |' \
  'that launch themselves | `tail` |  |  |  |  | 8000.00 | 8000.00 |'; do
  check "no row $row" grep -qxF "| $row" klap/docs/papers.md
done
check "a row of a case that is not right" test "$(grep -cE '^. `(bh|gc)` . (GPU|CUDA) |with children . `multiblock`' klap/docs/papers.md)" = 0
check "the twin's device is not told" grep -qxF "CUDA: Big GPU, driver 1.2, CUDA 13.0, commit 0123456, 2026-01-02, by CUDA's own launches." klap/docs/papers.md

# FSE'17's tables with each barrier, two numbers of workgroups that are the same, the scale.
mkdir -p barriers/results/reference/gpu/run
echo "gpu/run: made up" >barriers/results/reference/exceptions.txt
cat >barriers/README.md <<'TEXT'
<!-- fig6: CPU = results/reference/gpu/run -->
<!-- end -->
<!-- tab2_barriers: CPU = results/reference/gpu/run -->
<!-- end -->
<!-- tab3_barriers: CPU = results/reference/gpu/run -->
<!-- end -->
TEXT
python3 - >barriers/results/reference/gpu/run/run.json <<'PYTHON'
import json

def case(app, barrier, groups, time_ms, met, overhead, **more):
    return {"id": f"multitask/{app}/groups={groups},barrier={barrier}", "bench": "multitask", "status": "ok",
            "params": {"app": app, "input_name": "x", "barrier": barrier, "workload": "light", "groups": groups, **more},
            "metrics": [
                {"name": "exec_time", "unit": "ns", "median": 1e6 * time_ms, **({"p99": 9e5} if groups == "1" else {})},
                {"name": "task_groups", "unit": "workgroups", "median": 1},
                {"name": "deadlines_met", "unit": "1", "mean": met}, {"name": "overhead", "unit": "1", "median": overhead}]}

alone = {"id": "alone", "bench": "multitask", "status": "ok",
         "params": {"app": "bfs", "input_name": "x", "barrier": "query"},
         "metrics": [{"name": "overhead_specialised", "unit": "1", "median": 1.1}]}
print(json.dumps({
    "invocation": {"entries": [{"bench": "multitask", "options": {"scale": ["tiny"]}}]},
    "cases": [case("bfs", "atomic", "1", 50, 0.5, 1.4), case("bfs", "atomic", "N/4", 40, 1, 1.2),
              case("game", "none", "N/4", 17, 1, 1), case("bfs", "query", "N/4", 99, 0.9, 9), alone,
              {**case("bfs", "regular", "N/4", 9, 1, 7, variant="paper"), "id": "the authors'"}]}))
PYTHON
papers 1 --check --root barriers
papers 0 --root barriers
papers 0 --check --root barriers
check "another text" diff <(grep '^|' barriers/README.md) - <<'TEXT'
| workload, task's workgroups | FSE'17: overhead | period | CPU, `--scale tiny`: pairs | overhead | worst | in time | period | gather p50 | p99 | worst p99 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| light, 1 = N/4 |  |  | 2 | 1.200 | 1.400 | 100 % |  |  |  |  |
| light, N/2 |  |  |  |  |  |  |  |  |  |  |
| light, N-1 |  |  |  |  |  |  |  |  |  |  |
| medium, 1 = N/4 |  |  |  |  |  |  |  |  |  |  |
| medium, N/2 |  |  |  |  |  |  |  |  |  |  |
| medium, N-1 |  |  |  |  |  |  |  |  |  |  |
| heavy, 1 = N/4 |  |  |  |  |  |  |  |  |  |  |
| heavy, N/2 | 1.47 | 40 ms |  |  |  |  |  |  |  |  |
| heavy, N-1 |  |  |  |  |  |  |  |  |  |  |
| barrier | slowdown over | all: mean | max | barriers: mean | max |
| --- | ---: | ---: | ---: | ---: | ---: |
| regular | specialised |  |  |  |  |
| regular | portable |  |  |  |  |
| query | specialised | 1.100 | 1.100 | 1.100 | 1.100 |
| query | portable |  |  |  |  |
| atomic | specialised |  |  |  |  |
| atomic | portable |  |  |  |  |
| workload | kernel-level P/(P-D) | FSE'17, cooperative | the authors' apps, regular | the authors' apps, master | regular | query | atomic |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| light | 1.045 | 1.04 (N/4) | 7.000 (1 = N/4) |  | 1.000 (1 = N/4) | 5.000 (1 = N/4) | 1.200 (1 = N/4) |
| medium | 1.081 | 1.08 (N/4) |  |  |  |  |  |
| heavy | 1.333 | 1.47 (N/2) |  |  |  |  |  |
TEXT

# The same in parts, each a folder of its own, says the same; parts of two commits are none.
split() { # COMMIT of the second
  python3 - "$1" barriers/results/reference/gpu/run <<'PYTHON'
import json, pathlib, sys
commit, folder = sys.argv[1], pathlib.Path(sys.argv[2])
whole = json.loads((folder / "run.json" if (folder / "run.json").exists() else folder / "whole").read_text())
(folder / "whole").write_text(json.dumps(whole))
(folder / "run.json").unlink(missing_ok=True)
# The first was interrupted before what the second has, of which one case is named in both.
left = {"id": "left", "bench": "multitask", "status": "interrupted", "params": {}, "metrics": []}
for part, cases, sha in (("a", [*whole["cases"][:3], left], "1"), ("b", [*whole["cases"][3:], {**left, "status": "skipped"}], commit)):
    (folder / part).mkdir(exist_ok=True)
    (folder / part / "run.json").write_text(json.dumps({
        **whole, "cases": cases, "run_id": part, "summary": {"cases": len(cases), "ok": len(cases) - 1, "interrupted": 1 if part == "a" else 0}, "tool": {"git_sha": sha},
        "time": {"start": "2026-01-01"}, "devices": [{"name": "CPU", "driver_version": "1"}]}))
PYTHON
}
grep -v '^CPU, ' barriers/README.md >whole.md
split 1
papers 0 --root barriers
check "parts say something else" diff <(grep -v '^CPU, ' barriers/README.md | grep .) <(grep . whole.md)
check "an interrupted case that another part has counts" python3 - "$SOURCE_DIR/scripts" barriers/results/reference/gpu/run <<'PYTHON'
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import papers
run = papers.load(pathlib.Path(sys.argv[2]))
assert run["summary"] == {"cases": 7, "ok": 6, "interrupted": 0}, run["summary"]
assert [c["status"] for c in run["cases"] if c.get("id") == "left"] == ["skipped"]
PYTHON
split 2
papers 1 --check --root barriers
check_stderr 'a, b are no parts of one run: another device, driver or commit'

# A median that is known only to more than a tenth says so in a ratio.
mkdir -p rough/run
printf '<!-- speedup: GPU = run -->\n<!-- end -->\n' >rough/README.md
python3 - >rough/run/run.json <<'PYTHON'
import json

def mode(name, time, half):
    return {"bench": "apps", "status": "ok", "params": {"app": "mis", "input_name": "circuit", "mode": name, "barrier": "xf"},
            "metrics": [{"name": "host_time", "median": time, "ci95_low": time - half, "ci95_high": time + half}]}

print(json.dumps({"cases": [mode("multikernel", 100, 80), mode("portable", 20, 1)]}))
PYTHON
papers 0 --root rough
check "not rough" grep -qxF '| mis [circuit] | 0.97 | 0.93 | 5.00 ±80 % |' rough/README.md

# Bounds of specialised apps; without a run that has some, the heads alone.
mkdir -p bounds/run
printf '<!-- bounds: GPU = run; CPU = later -->\n<!-- end -->\n' >bounds/README.md
python3 - >bounds/run/run.json <<'PYTHON'
import json

def case(app, ends, values, **params):
    return {"bench": "apps", "status": "ok",
            "params": {"app": app, "input_name": "x", "mode": "specialised", "barrier": "atomic", "global-barrier": "xf", **params},
            "metrics": [{"name": name, "median": value} for name, value in {"one_more_ends": ends, **values}.items()]}

bound = {"validate-bound": True}
print(json.dumps({"cases": [case("bfs", 0, {"wg_size": 64, "groups_found": 264, "groups_bound": 263}, **bound),
                            case("bfs", 1, {"wg_size": 64, "groups_found": 9}, **bound, variant="paper"),
                            case("bfs", 0, {"run_time": 1})]}))
PYTHON
papers 0 --root bounds
check "other bounds" diff <(grep '^|' bounds/README.md) - <<'TEXT'
| app [input], barrier | GPU: work-items | found | N | with N + 1 | CPU: work-items | found | N | with N + 1 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| bfs (paper) [x], xf | 64 | 9 |  | ends, too |  |  |  |  |
| bfs [x], xf | 64 | 264 | 263 | deadlock |  |  |  |  |
TEXT

# Workgroups that protocols find: means, as in the paper, and nothing where there is no such case.
mkdir -p found/run
printf '<!-- %s: GPU = run -->\n<!-- end -->\n' discovery discovery_delays >found/README.md
python3 - >found/run/run.json <<'PYTHON'
import json

def case(name, metric, median, mean):
    return {"id": f"discover/{name}", "bench": "discover", "status": "ok", "params": {},
            "metrics": [{"name": metric, "median": median, "mean": mean}]}

print(json.dumps({"cases": [case("bound/11", "groups_bound", 4224, 4224), case("ticket/11/delay=0", "groups_found", 4223, 4213.4),
                            case("ticket/11/delay=adaptive", "groups_found", 4224, 4224)]}))
PYTHON
papers 0 --root found
for row in '11 | 512 | 512.0 | 24.9 | 192 | 192.0 | 10.1 | 4224 | 4213.4 |  |  |' 'GPU | 4224 | 4213.4 |  |  |  |  |  | 4224 |'; do
  check "no row $row" grep -qxF "| $row" found/README.md
done

# Times of the protocols by the bound, and where ids lie.
mkdir -p orders/run
printf '<!-- %s: GPU = run -->\n<!-- end -->\n' discovery_times id_places >orders/README.md
python3 - >orders/run/run.json <<'PYTHON'
import json

def case(protocol, size, values, **params):
    return {"id": "x", "bench": "discover", "status": "ok", "params": {"protocol": protocol, "wg-size": size, **params},
            "metrics": [{"name": n, "median": v, "mean": v} for n, v in values.items()]}

def timed(protocol, size, bound, ns, **params):
    return case(protocol, size, {"groups_bound": bound, "protocol_time": ns}, **params)

print(json.dumps({"cases": [
    timed("ticket", 64, 264, 300, delay="0"), timed("spin", 64, 264, 200, delay="0"), timed("lockfree", 64, 264, 5),
    timed("ticket", 96, 264, 600, delay="0"), timed("spin", 96, 264, 500, delay="0"), timed("ticket", 8, 9, 70, delay="0"),
    timed("ticket", 16, 528, 600, delay="0"), timed("spin", 16, 528, 800, delay="0"),
    timed("ticket", 64, 264, 9000, delay="adaptive"), timed("lockfree", 64, 264, 9000, ids="native"),
    case("unsafe", 1, {"neighbours_together": 0, "units_of_first": 8}, microbenchmark="L1", launch="bound"),
    case("spin", 1024, {"neighbours_together": 0.5, "units_of_first": 2}, delay="0", microbenchmark="L1"),
    case("ticket", 1024, {"neighbours_together": 0.75, "units_of_first": 2.5, "protocol_time": 2e3}, delay="0", ids="native",
         launch="bound")]}))
PYTHON
papers 0 --root orders
check "no turn" grep -q '^With the ticket lock the protocol takes longer .* up to a bound of 264, and less from 528 on' orders/README.md
check "other orders" diff <(grep '^|' orders/README.md) - <<'TEXT'
| bound | sizes | ticket | spin | lock-free (ours) | ticket : spin, of all sizes |
| --- | ---: | ---: | ---: | ---: | ---: |
| 9 | 1 | 70 ns |  |  |  |
| 264 | 2 | 450 ns | 350 ns | 5 ns | 1.20 to 1.50 |
| 528 | 1 | 600 ns | 800 ns |  | 0.75 to 0.75 |
| device | protocol | ids | microbenchmark | next id on the same unit | units of the first eight | time |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| GPU | ticket, delay 0 | native | 1024 | 75 % | 2.5 | 2 µs |
| GPU | unsafe | native | L1 | 0 % | 8 |  |
TEXT

# Workgroups that wait without a protocol, and with one more than run at once.
mkdir -p starved/run
printf '<!-- starvation: GPU = run; CPU = later -->\n<!-- end -->\n' >starved/README.md
python3 - >starved/run/run.json <<'PYTHON'
import json

def case(name, status="ok", values={}, **params):
    return {"id": f"discover/{name}", "bench": "discover", "status": status, "params": params,
            "metrics": [{"name": n, "median": v[0], "mean": v[0], "min": v[0], "max": v[-1]} for n, v in values.items()]}

def waits(kind, groups, *ends):
    return case(f"starvation/{kind}/groups={groups}", "ok", {"completes": ends}, starvation=kind, groups=groups, **{"wg-size": 256})

one_more = [case("starvation/xf/groups=bound+1", "ok", {"completes": [0], "groups_launched": [97]}, starvation="xf", launch="bound+1",
                 **{"wg-size": 256}), case("lockfree/wg=256", "ok", {"groups_found": [96]}, launch="auto")]

def more(protocol, status, **values):
    return case(f"{protocol}/11/launch=bound+1", status, values, protocol=protocol, microbenchmark="11", launch="bound+1")

print(json.dumps({"cases": [
    *one_more, waits("flag", 1024, 0, 1), waits("xf", 1024, 0), waits("xf", 128, 1), case("bound/wg=256", "ok", {"groups_bound": [96]}),
    case("bound/11", "ok", {"groups_bound": [4224]}), more("unsafe", "timeout"), more("lockfree", "ok", groups_found=[4224])]}))
PYTHON
papers 0 --root starved
check "other starvation" diff <(grep '^|' starved/README.md) - <<'TEXT'
| device | workgroups wait at | launched | run at once | OOPSLA'16: deadlock on | without a protocol | with ours |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| GPU | the XF barrier | 97 | 96 |  | deadlock | ends, with 96 |
| GPU | a flag (Fig. 1) | 1024 | 96 |  | deadlock in some runs |  |
| GPU | the XF barrier | 1024 | 96 | all eight | deadlock |  |
| GPU | the XF barrier | 128 | 96 | all but GTX 980 and R9 | ends |  |
| GPU | a barrier (11) | 4225 | 4224 |  | deadlock | ends, with 4224 |
TEXT

# What is claimed of how many run at once, a row for each source.
mkdir -p claimed/run
printf '<!-- occupancy_claims: GPU = run -->\n<!-- end -->\n' >claimed/README.md
python3 - >claimed/run/run.json <<'PYTHON'
import json

def case(name, **values):
    return {"id": f"discover/{name}", "bench": "discover", "status": "ok", "params": {},
            "metrics": [{"name": n, "median": v, "mean": v} for n, v in values.items()]}

print(json.dumps({"devices": [{"name": "GPU", "compute_units": 4}], "cases": [
    case("bound/11", groups_bound=128, api_groups_items=1024, cuda_groups=128), case("lockfree/11", groups_found=127.5),
    case("bound/LW", groups_bound=4, api_groups=2)]}))
PYTHON
papers 0 --root claimed
check "other claims" diff <(grep '^|' claimed/README.md) - <<'TEXT'
| source | GPU: 11 | L1 | 1W | LW |
| --- | ---: | ---: | ---: | ---: |
| run at once, by a search | 128 |  |  | 4 |
| found by the protocol `lockfree` | 127.5 |  |  |  |
| compute units | 4, too few |  |  | 4 |
| compute units x workgroups of `CL_KERNEL_WORK_GROUP_SIZE` work-items | 1024, too many |  |  |  |
| compute units x workgroups in `CL_DEVICE_LOCAL_MEM_SIZE` |  |  |  | 2, too few |
| CUDA's occupancy calculator | 128 |  |  |  |
TEXT

# Of runs from before the barrier `xf` was as printed, the line below a table that has it says so.
for day in 2026-11-29:1 2026-11-30:0; do
  cat >starved/README.md <<'TEXT'
<!-- starvation: GPU = run -->
<!-- end -->

<!-- discovery: GPU = run -->
<!-- end -->
TEXT
  python3 - starved/run/run.json "${day%:*}" <<'PYTHON'
import json, pathlib, sys

path = pathlib.Path(sys.argv[1])
run = json.loads(path.read_text()) | {"tool": {"git_sha": "0123456789"}, "time": {"start": f"{sys.argv[2]}T03:04:05Z"},
                                      "devices": [{"name": "Big GPU", "driver_version": "1"}]}
path.write_text(json.dumps(run))
PYTHON
  papers 0 --root starved
  check "$day: another barrier" test "$(grep -c 'today'\''s `xf_rounds`' starved/README.md)" = "${day#*:}"
done

# OOPSLA'16's systems and ours: geometric means over the paper's pairs, the most of long runs; and FSE'17's Fig. 5.
mkdir -p systems/run
printf '<!-- %s: GPU = run -->\n<!-- end -->\n' systems_speedup systems_portability portability_parts systems_runtime fig5_systems >systems/README.md
python3 - >systems/run/run.json <<'PYTHON'
import json

def case(bench, params, **metrics):
    return {"bench": bench, "status": "ok", "params": params, "metrics": [{"name": n, "median": 1e6 * v} for n, v in metrics.items()]}

def mode(app, name, how, ms, **system):
    return case("apps", {"app": app, "input_name": name, "mode": how, "barrier": "atomic", **system}, run_time=ms, host_time=ms)

def task(app, name, workload, ms, **more):
    return case("multitask", {"app": app, "input_name": name, "barrier": "regular", "workload": workload, "groups": "N/4", **more},
                gather_time=0.01, exec_time=ms)

paper = {"variant": "paper", "protocol": "ticket", "global-barrier": "xf"}
ours = {"protocol": "lockfree", "global-barrier": "patient"}
print(json.dumps({"cases": [
    mode("mis", "grid", "baseline", 8, variant="paper"), mode("mis", "grid", "portable", 2, **paper),
    mode("color", "grid", "baseline", 1, variant="paper"), mode("color", "grid", "portable", 1, **paper),
    mode("bfs", "rmat", "specialised", 500, variant="paper", **{"global-barrier": "xf"}), mode("bfs", "rmat", "portable", 600, **paper),
    mode("bfs", "rmat", "portable", 900, variant="paper", protocol="unsafe", ids="arrival", **{"global-barrier": "xf"}),
    mode("mst", "road", "specialised", 10), mode("mst", "road", "portable", 30, **ours),
    task("bfs", "road", "light", 3, variant="paper"), task("bfs", "road", "heavy", 11, variant="paper"),
    task("bfs", "rmat", "heavy", 99, variant="paper")]}))
PYTHON
papers 0 --root systems
for row in 'mis [grid] | 1.05 | 1.02 | 4.00 |  |  |  |' "geometric mean of the paper's | 1.03 | 0.96 | 2.00 (2 of 7) |  |  |  |" \
  "geometric mean of the paper's | 1.31 | 1.29 | 1.20 (1 of 6) |  |  |  | 3.00 (1 of 6) |" "OOPSLA'16, eight GPUs | 2.53 | 1.6 | 1.2 |" \
  "GPU: the paper's system | 1.20 (of 1) | 1.20 (of 1) | no such run |" 'GPU: all ours | 3.00 (of 1) | no such run | no such run |' \
  'bfs (paper) [rmat], xf | 500 ms |  | 1.80 |  |  |  | 1.20 |  |' \
  'bfs usa, N/4 | 10 µs |  | 3 ms | 11 ms |  |  |  |  |  |  |  |  |'; do
  check "no row $row" grep -qxF "| $row" systems/README.md
done

# The authors' apps beside ours: over their own time alone and over the better of both, and preempted.
mkdir -p authors/r
python3 - >authors/r/run.json <<'PYTHON'
import json


def case(bench, app, groups, variant=None, status="ok", **metrics):
    params = {"app": app, "input": "x", "input_name": "road", "workload": "heavy", "groups": groups,
              **({"variant": variant} if variant else {}),
              **({"place": "process"} if bench == "preempt" else {"barrier": "regular" if variant else "atomic"})}
    values = {"deadlines_met": {"mean": 1}, **{name: {"median": value} for name, value in metrics.items()}}
    return {"id": f"{bench}{app}{groups}{variant}", "bench": bench, "status": status, "device": "d", "params": params,
            "metrics": [{"name": n, **v} for n, v in values.items()]}


beside = {"period": 4e7, "exec_time": 2e7, "task_groups": 3}
print(json.dumps({"cases": [
    case("multitask", "bfs", "N/4", "paper", overhead=1.25, app_time=1e7, app_time_alone=8e6, answer_time=3e7, **beside),
    case("multitask", "bfs", "N/4", overhead=1.5, app_time=6e6, app_time_alone=4e6, answer_time=3e7, **beside),
    case("multitask", "mis", "N/4", overhead=9, app_time=6e6, app_time_alone=4e6, answer_time=3e7, **beside),
    case("preempt", "bfs", "N", "paper", overhead=2, answer_time=2e7), case("preempt", "bfs", "N", overhead=7, answer_time=2e7)]}))
PYTHON
printf '<!-- %s: GPU = r -->\n<!-- end -->\n' best_alone tab3_authors >authors/README.md
papers 0 --root authors
for row in 'bfs x | N/4 | 8 ms | 1.250 | 0.500 | 0.600 | 2.500 | 4 ms | 1.500 | 0.500 | 0.333 | 1.500 |' \
  'median of 1 | N/4 |  | 1.250 | 0.500 | 0.600 | 2.500 |  | 1.500 | 0.500 | 0.333 | 1.500 |' \
  'heavy | 1.47 (N/2) | 1 | 2.000 (N) | 20 ms | 1.250 (N/4) | 30 ms |  |  |'; do
  check "no row $row" grep -qxF "| $row" authors/README.md
done
check "a pair of one system" test "$(grep -c mis authors/README.md)" = 0

# Two kernels in one: those of the policy that learns, on both sides of a pair.
mkdir -p both/r
python3 - >both/r/run.json <<'PYTHON'
import json


def case(app, beside, stp, policy="learned", status="ok", share="N/2"):
    values = (("stp", {"median": stp}), ("antt", {"median": 2 * stp}), ("overhead_beside_nobody", {"median": 1 + stp / 10}),
              ("resize_time", {"median": 1e4 * stp, "p95": 2e4 * stp}), ("app_groups", {"median": 3}), ("beside_groups", {"median": 4}))
    return {"id": f"{app}{beside}{policy}", "bench": "multitask", "status": status, "device": "d",
            "params": {"app": app, "beside": beside, "policy": policy, "share": share}, "metrics": [{"name": n, **v} for n, v in values]}


print(json.dumps({"cases": [case("a", "b", 1.5), case("b", "b", 1), case("a", "a", 2), case("a", "b", 9, "fixed"),
                            case("a", "a", 1, "fixed"), case("a", "a", 1.6, "fixed", share="N/4"), case("c", "a", 1, "fixed"),
                            case("b", "c", 9, status="error")]}))
PYTHON
printf '<!-- together_%s: GPU = r -->\n<!-- end -->\n\n' all stp search >both/README.md
papers 0 --root both
for row in 'GPU | 3 | 1.50 | 1.00 (`b`, `b`) | 2 | 3.00 | 1.150 | 15 µs | 40 µs' 'GPU | `a` | 2.00 | 1.50' 'GPU | `b` | 1.50 | 1.00' \
  'GPU | 2 | 2 | 0.708 | 0.167 (`a`, `b`) | 1'; do
  check "no row $row" grep -qxF "| $row |" both/README.md
done

# Litmus tests: how often, by order and scope, and which are forbidden.
mkdir -p weak/r
python3 - >weak/r/run.json <<'PYTHON'
import json


def case(test, scope, ordering, weak, status="ok"):
    return {"id": "x", "bench": "litmus", "status": status, "device": "d", "params": {"test": test, "scope": scope, "ordering": ordering},
            "metrics": [{"name": "weak", "mean": weak}, {"name": "instances", "mean": 2e6}]}


print(json.dumps({"cases": [case("MP", "subgroups", "relaxed", 0.01), case("MP", "workgroups", "relaxed", 2500),
                            case("MP", "workgroups", "acqrel", 0), case("SB", "workgroups", "fences", 3),
                            case("SB", "workgroups", "relaxed", 9, "timeout")]}))
PYTHON
printf '<!-- litmus: GPU = r -->\n<!-- end -->\n' >weak/README.md
papers 0 --root weak
for row in 'GPU | MP, workgroups | 1250 |  | 0, forbidden' 'GPU | SB, workgroups |  | 1.5 | ' 'GPU | MP, subgroups | < 0.01 |  | '; do
  check "no row $row" grep -qxF "| $row |" weak/README.md
done

# The draft's semantics, and its hybrid.
mkdir -p draft/r
python3 - >draft/r/run.json <<'PYTHON'
import json


def case(bench, params, **values):
    return {"id": "x", "bench": bench, "status": "ok", "device": "d", "params": params,
            "metrics": [{"name": n, "median": v, "mean": v, "p99": 2 * v} for n, v in values.items()]}


def task(app, groups, gather, barrier="none", **params):
    return case("multitask", {"app": app, "groups": groups, "barrier": barrier, **params}, gather_time=gather, overhead=1 + gather / 1e5)


def answered(by, **params):
    return case("preempt", {"app": "bfs", "workload": "light", "groups": "N", **params}, answer_time=4e6, answer_time_sliced=5e6,
                hybrid_to_sliced=0.8, answered_cooperatively=by, answered_by_driver=4 - by)


print(json.dumps({"cases": [
    task("octree", "N/2", 20000), task("octree", "N/2", 40000, semantics="any"), task("octree", "1", 10000, semantics="some"),
    task("bfs", "N", 30000, "atomic", semantics="whole"), task("bfs", "1", 1, "query"), task("bfs", "1", 1, "atomic", policy="fixed"),
    answered(3, hybrid=True), answered(0, hybrid=True, phase=0.05), answered(4)]}))
PYTHON
printf '<!-- %s: GPU = r -->\n<!-- end -->\n\n' semantics hybrid >draft/README.md
papers 0 --root draft
for row in '`octree` | N/2 | GPU | 20 µs | 40 µs | 1.200 |  |  |  | 40 µs | 80 µs | 1.400 |  |  |  |' \
  '`octree` | 1 | GPU |  |  |  | 10 µs | 20 µs | 1.100 |  |  |  |  |  |  |' \
  '`bfs` | N | GPU |  |  |  |  |  |  |  |  |  | 30 µs | 60 µs | 1.300 |' \
  '`bfs` | light | its own | GPU | 4 ms | 5 ms |  | 0.800 | 75 % |' '`bfs` | light | 50 ms | GPU | 4 ms | 5 ms |  | 0.800 | 0 % |'; do
  check "no row $row" grep -qxF "| $row" draft/README.md
done
check "a row of another barrier, policy or way" test "$(grep -c '^| `' draft/README.md)" = 5
