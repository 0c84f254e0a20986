# SPDX-License-Identifier: Apache-2.0
"""What became of the tasks of a fleet: from the folder, and from Slurm where it still knows them."""
import fcntl
import gzip
import json
import os
import pathlib
import re
import zlib
from dataclasses import dataclass

import slurm

ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY",
         "PREEMPTED", "REVOKED")


class Broken(Exception):
    """A file of the fleet is not what it should be."""


@dataclass
class State:
    name: str  # HOST.NUMBER
    host: str
    state: str = "missing"
    folder: str = None
    uuid: str = None
    attempts: int = 0
    rows: int = 0
    why: str = None
    queued: bool = False  # in Slurm's queue, or running

    def record(self):
        return {"folder": self.folder or self.name, "host": self.host, "device_uuid": self.uuid, "state": self.state,
                "attempts": self.attempts, "why": self.why}


def lock(fleet):
    """The fleet for this process alone, until it ends: of two that submit, one would not know of the other's jobs."""
    file = open(fleet / "lock", "a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Broken(f"{fleet} is being submitted by another fleet.py: wait for it") from None
    return file


def write_json(path, document):
    """Replaces the file as a whole: a full disk leaves the old one."""
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "w", encoding="utf-8") as out:
            json.dump(document, out, indent=1)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def is_plan(plan):
    kinds = {"program": str, "type": str, "suite": str, "attempts": int, "options": list, "sbatch": list, "tasks": list}
    return (isinstance(plan, dict) and plan.get("schema") == 1
            and all(isinstance(plan.get(key), kind) for key, kind in kinds.items())
            and all(isinstance(text, str) for text in plan["options"] + plan["sbatch"])
            and all(isinstance(task, dict) and isinstance(task.get("host"), str) and "/" not in task["host"]
                    and all(isinstance(task.get(key), int) for key in ("number", "gpus"))
                    and all(isinstance(task.get(key, 0), (str, type(None))) for key in ("job", "refused"))
                    for task in plan["tasks"]))


def load_plan(fleet):
    path = fleet / "plan.json"
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Broken(f"{fleet} is no fleet: 'fleet.py submit {fleet} SUITE' begins one") from None
    except (ValueError, RecursionError) as error:
        raise Broken(f"{path} is no JSON: {error}") from None
    if not is_plan(plan):
        raise Broken(f"{path} is no plan of a fleet (schema 1): begin another folder with 'fleet.py submit'")
    return plan


def read_notes(path):
    """What task.sh wrote: its attempts, the folder of the run, how the last attempt ended (None: it did not say)."""
    attempts, folder, end = 0, None, None
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines:
        word, *rest = line.split("\t")
        if word == "begin":
            attempts, end = attempts + 1, None
        elif word == "device" and rest and rest[0] != ".." and pathlib.PurePath(rest[0]).name == rest[0]:
            folder = rest[0]
        elif word == "end" and len(rest) > 1:
            end = f"the last attempt ended with exit code {rest[1]}" + (f" ({rest[2]})" if any(rest[2:]) else "")
        elif word == "failed" and rest:
            end = rest[0]
    return attempts, folder, end


def read_run(folder):
    """The run's document, or None and why it cannot be read."""
    for name, opener in (("run.json", open), ("run.json.gz", gzip.open)):
        try:
            with opener(folder / name, "rt", encoding="utf-8") as file:
                run = json.load(file)
        except FileNotFoundError:
            continue
        except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
            return None, f"{folder.name}/{name} cannot be read: {error}"
        return (run, None) if isinstance(run, dict) else (None, f"{folder.name}/{name} is no run")
    return None, None


def count_rows(folder):
    try:
        with open(folder / "events.jsonl", "rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def complaint(log):
    """The last line of the task's log in which coopbench, this script or Slurm says what is wrong."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    words = ("coopbench: ", "fleet: ", "slurmstepd: error: ")
    return next((line for line in reversed(lines) if line.startswith(words)), None)


def judge_run(state, run):
    """State and device of a task whose run can be read."""
    devices = run.get("devices")
    device = devices[0] if isinstance(devices, list) and devices and isinstance(devices[0], dict) else {}
    state.uuid = device.get("uuid") if isinstance(device.get("uuid"), str) else None
    state.state = "ok" if run.get("complete") is True else "partial"
    summary = run.get("summary") if isinstance(run.get("summary"), dict) else {}
    cases, good = summary.get("cases"), [summary.get(key) for key in ("ok", "unsupported")]
    if state.state == "ok" and all(isinstance(n, int) for n in (cases, *good)) and sum(good) < cases:
        state.why = f"{cases - sum(good)} of {cases} cases failed"


def why_not(state, task, end, log, job, trouble):
    """Why a task is not ok: what is known of its end, of its job and of its node."""
    reasons = [end or (f"attempt {state.attempts} has not ended" if state.attempts else "never began")]
    said = complaint(log)
    if said and said.split(": ", 1)[1] not in reasons[0]:
        reasons.append(said)
    if task["refused"]:
        reasons.append(task["refused"])
    elif job:
        reasons.append(f"its job is {job[0]}" + (f" ({job[1]})" if job[1] else ""))
    elif task["job"]:
        reasons.append(f"Slurm tells nothing of job {task['job']} any more")
    if trouble:
        reasons.append(trouble)
    return "; ".join(reasons)


def judge(fleet, task, job, trouble):
    name = f"{task['host']}.{task['number']}"
    state = State(name, task["host"], queued=bool(job) and job[0] not in ENDED)
    state.attempts, state.folder, end = read_notes(fleet / "tasks" / f"{name}.tsv")
    run, broken = read_run(fleet / state.folder) if state.folder else (None, None)
    if state.folder:
        state.rows = count_rows(fleet / state.folder)
    if run is not None:
        judge_run(state, run)
    elif broken:
        state.state, end = "partial", broken
    if state.state != "ok":
        state.why = why_not(state, task, end, fleet / "tasks" / f"{name}.log", job, trouble)
    return state


def job_name(fleet):
    return "fleet-" + re.sub(r"[^A-Za-z0-9_.-]", "_", fleet.name) # Slurm takes lists of names


def ask_slurm(fleet, sure):
    """Jobs, nodes in trouble, and why there are none of them: without Slurm, what is in the folder is told."""
    try:
        return slurm.jobs(job_name(fleet)), slurm.troubles(), None
    except slurm.Absent as error:
        if sure:
            raise
        return {}, {}, str(error)


def states(fleet, plan, sure=False):
    """A State for each task of the plan. No device twice: the later one is missing then. sure: not without Slurm."""
    jobs, troubles, silence = ask_slurm(fleet, sure)
    found, seen = [], {}
    for task in plan["tasks"]:
        job, trouble = jobs.get(f"{task['job']}_{task['number']}"), troubles.get(task["host"])
        state = judge(fleet, task, job, f"{task['host']} is {trouble}" if trouble else silence)
        if state.folder and state.folder in seen:
            state = State(state.name, state.host, attempts=state.attempts,
                          why=f"has measured {state.folder}, which is that of task {seen[state.folder]}: "
                              "does Slurm hide devices from jobs?")
        elif state.folder:
            seen[state.folder] = state.name
        found.append(state)
    return found
