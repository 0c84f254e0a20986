# SPDX-License-Identifier: Apache-2.0
"""What Slurm says of nodes and jobs. Every call has a deadline."""
import re
import subprocess
from dataclasses import dataclass

SECONDS = 60
WELL = ("idle", "mixed", "allocated", "completing", "reserved", "planned", "draining", "drained") # it answers


class Absent(Exception):
    """Slurm's tools are not here, or do not answer."""


@dataclass
class Node:
    name: str
    devices: int  # to measure
    gpus: int     # by Slurm's Gres
    trouble: str  # "down* (Not responding)"; empty: none


def call(*command):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=SECONDS)
    except FileNotFoundError:
        raise Absent(f"{command[0]} is not in PATH: run this where Slurm's tools are") from None
    except subprocess.TimeoutExpired:
        raise Absent(f"{command[0]} has not answered in {SECONDS} s: is slurmctld well? ('scontrol ping')") from None


def ask(*command):
    result = call(*command)
    if result.returncode != 0:
        raise Absent((result.stderr.strip().splitlines() or [f"{command[0]} ended with {result.returncode}"])[-1])
    return result.stdout.splitlines()


def gpus_of(gres):
    """"gpu:h100:4(S:0-1),gpu:2,nic:1" has 6."""
    return sum(int(n) for n in re.findall(r"(?:^|,)gpu(?::[^:,()]+)?:(\d+)", gres))


def nodes(partition=None, names=None, kind="gpu", per_node=None):
    """Each node once, in the order of Slurm, with how many devices of the kind it is to have."""
    chosen = ([f"--partition={partition}"] if partition else []) + ([f"--nodes={names}"] if names else [])
    found = {}
    for line in ask("sinfo", "-h", "-N", "-o", "%N|%G|%T|%E", *chosen):
        name, gres, state, reason = (line.split("|", 3) + ["", "", ""])[:4]
        trouble = "" if state in WELL else state + ("" if reason in ("", "none") else f" ({reason})")
        found[name] = Node(name, per_node or (gpus_of(gres) if kind == "gpu" else 1), gpus_of(gres), trouble)
    return list(found.values())


def troubles():
    """Of nodes that are not well: what Slurm says."""
    return {node.name: node.trouble for node in nodes() if node.trouble}


def submit(command):
    """The job's number, or None and why not."""
    result = call(*command)
    job = result.stdout.strip().split(";")[0]
    if result.returncode == 0 and job.isdigit():
        return job, None
    return None, "; ".join(result.stderr.split("\n")).strip("; ") or f"sbatch ended with {result.returncode}"


def jobs(name):
    """Of the tasks of arrays with this name that Slurm still knows: {"12_3": ("PENDING", "Resources")}."""
    known = {}
    for line in ask("squeue", "-h", "-r", "-t", "all", "-n", name, "-o", "%i|%T|%r"):
        task, state, reason = (line.split("|", 2) + ["", ""])[:3]
        known[task] = (state, "" if reason == "None" else reason)
    return known
