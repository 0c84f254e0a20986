#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures all devices of a Slurm cluster: a job array for each node, a task for each of its devices.

  fleet.py plan                     the nodes, the devices of each, and what would be submitted
  fleet.py submit FLEET SUITE       begins the fleet run in the new folder FLEET, which all nodes must see
  fleet.py status FLEET             what each task does now
  fleet.py gather FLEET             FLEET/fleet.json: what became of each task, and why if it is not ok
  fleet.py submit FLEET             submits again what is not ok and not in the queue: runs are completed

then: coopbench report FLEET. 'fleet.py submit --help' lists the options.

Tasks of a node run one after another, each with the whole node for itself, so that every device is measured once and
nothing beside it. A task finds its device by UUID. When its node is lost, or its time is over, it is requeued, and
goes on where it was. Exit codes: 0 all is well, 1 something is missing or failed, 2 wrong usage."""
import argparse
import os
import pathlib
import shlex
import shutil
import sys

sys.dont_write_bytecode = True  # this is the source tree
import slurm
import tasks

HERE = pathlib.Path(__file__).resolve().parent


class Usage(Exception):
    pass


def find_program(given):
    program = given or HERE.parents[1] / "build/coopbench"
    if not given and not os.access(program, os.X_OK):
        program = shutil.which("coopbench")
    if not program or not os.access(program, os.X_OK):
        raise Usage(f"no program {given or 'build/coopbench, and none in PATH'}: build it, or name it with --program")
    return str(pathlib.Path(program).resolve())


def sbatch_options(options):
    given = [f"--{name}={getattr(options, name)}" for name in ("partition", "time") if getattr(options, name)]
    return given + options.sbatch


def plan_of(options):
    """The plan of a new fleet: what every task needs, and each task's host and number."""
    kind = options.type or "gpu"
    nodes = slurm.nodes(options.partition, options.nodes, kind, options.per_node)
    for node in nodes:
        if not node.devices:
            print(f"{node.name} has no GPU by its Gres: left out; --per-node N measures it, too", file=sys.stderr)
        elif node.trouble:
            print(f"{node.name} is {node.trouble}: its tasks wait for it", file=sys.stderr)
    nodes = [node for node in nodes if node.devices]
    if not nodes:
        raise Usage("no node to measure: 'sinfo -N -o \"%N %G %T\"' lists them; "
                    "--per-node N says how many devices each has")
    return {"schema": 1, "program": find_program(options.program), "type": kind, "attempts": options.attempts or 5,
            "options": options.options, "sbatch": sbatch_options(options),
            "tasks": [{"host": n.name, "number": i, "gpus": n.gpus, "job": None, "refused": None}
                      for n in nodes for i in range(n.devices)]}


def command(fleet, plan, host, chosen):
    """The sbatch command for these tasks of a node."""
    gpus = chosen[0]["gpus"] if plan["type"] == "gpu" else 0
    gres = [f"--gres=gpu:{gpus}"] if gpus else [] # all of them: --exclusive alone need not show them to the job
    numbers = ",".join(str(task["number"]) for task in chosen)
    return ["sbatch", "--parsable", f"--job-name={tasks.job_name(fleet)}", f"--array={numbers}", f"--nodelist={host}",
            "--nodes=1", "--ntasks=1", "--exclusive", "--mem=0", *gres, "--requeue", "--open-mode=append",
            "--signal=B:INT@60", f"--output={fleet}/tasks/{host}.%a.log", *plan["sbatch"], str(HERE / "task.sh"),
            str(fleet), plan["type"], str(plan["attempts"]), plan["program"], plan["suite"], *plan["options"]]


def by_host(chosen):
    hosts = {}
    for task in chosen:
        hosts.setdefault(task["host"], []).append(task)
    return hosts.items()


def show_plan(options):
    plan = {**plan_of(options), "suite": "SUITE"}
    for host, chosen in by_host(plan["tasks"]):
        print(f"{host}: {len(chosen)} of type {plan['type']}")
        print("  " + shlex.join(command(pathlib.Path("FLEET"), plan, host, chosen)))
    return 0


def begin(fleet, options):
    """The plan of a new fleet, with the suite in its folder: a change of the file meanwhile would stop all resuming."""
    plan = plan_of(options)
    plan["suite"] = options.suite
    if os.path.isfile(options.suite):
        plan["suite"] = str(fleet / "suite.json")
        shutil.copyfile(options.suite, plan["suite"])
    return plan


def go_on(fleet, options):
    """The plan of a fleet that was begun, with what may be another now."""
    fixed = ("suite", "nodes", "per_node", "program", "type", "options")
    if any(getattr(options, name) for name in fixed):
        raise Usage(f"{fleet} is a fleet already: 'fleet.py submit {fleet}' completes it as it was begun, but for "
                    "--time, --attempts, --partition and --sbatch; another folder begins one")
    plan = tasks.load_plan(fleet)
    new = sbatch_options(options)
    replaced = {option.split("=")[0] for option in new}
    plan["sbatch"] = [option for option in plan["sbatch"] if option.split("=")[0] not in replaced] + new
    plan["attempts"] = options.attempts or plan["attempts"]
    return plan


def submit(options):
    fleet = pathlib.Path(options.fleet).resolve()
    begun = (fleet / "plan.json").exists()
    if not begun and not options.suite:
        raise Usage(f"{fleet} is no fleet yet: 'fleet.py submit {fleet} SUITE' begins one")
    (fleet / "tasks").mkdir(parents=True, exist_ok=True)
    lock = tasks.lock(fleet)
    plan = go_on(fleet, options) if begun else begin(fleet, options)
    tasks.write_json(fleet / "plan.json", plan) # before anything is in the queue: the disk may be full
    states = tasks.states(fleet, plan, sure=True)
    chosen = [task for task, state in zip(plan["tasks"], states) if state.state != "ok" and not state.queued]
    refused = 0
    for host, some in by_host(chosen):
        job, error = slurm.submit(command(fleet, plan, host, some))
        refused += job is None
        for task in some:
            task["job"], task["refused"] = job, error
        print(f"{host}: {len(some)} tasks, job {job}" if job else f"{host}: {error}", flush=True)
        tasks.write_json(fleet / "plan.json", plan) # after each: what is in the queue is known
    lock.close()
    print(f"Then: {sys.argv[0]} status {options.fleet}" if chosen else
          "Nothing to submit: all tasks are ok, or in the queue")
    return 1 if refused else 0


def status(options):
    fleet = pathlib.Path(options.fleet).resolve()
    plan = tasks.load_plan(fleet)
    for state in tasks.states(fleet, plan):
        words = [state.name, f"attempt {state.attempts}", f"{state.rows} rows", state.state]
        print("  ".join(words) + (f": {state.why}" if state.why else ""))
    return 0


def gather(options):
    fleet = pathlib.Path(options.fleet).resolve()
    plan = tasks.load_plan(fleet)
    states = tasks.states(fleet, plan)
    tasks.write_json(fleet / "fleet.json", {"schema": 1, "tasks": [state.record() for state in states]})
    count = {word: sum(state.state == word for state in states) for word in ("ok", "partial", "missing")}
    print(f"{len(states)} tasks: " + ", ".join(f"{n} {word}" for word, n in count.items() if n))
    for state in states:
        if state.state != "ok":
            print(f"  {state.name} is {state.state}: {state.why}")
    complete = count["ok"] == len(states)
    if not complete and not any(state.queued for state in states):
        print(f"To complete it: {sys.argv[0]} submit {options.fleet}")
    print(f"Then: {plan['program']} report {options.fleet}")
    return 0 if complete else 1


def parse(arguments):
    own, options = arguments, []
    if "--" in arguments:
        own, options = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    choice = argparse.ArgumentParser(add_help=False)
    choice.add_argument("--partition", help="of Slurm; without it: the nodes of all, and the default one to submit to")
    choice.add_argument("--nodes", help="only these, as node[1-4,7]")
    choice.add_argument("--type", choices=("gpu", "cpu", "accelerator"), help="of the devices [gpu]")
    choice.add_argument("--per-node", type=positive, help="devices of each node [GPUs: by Slurm's Gres; else 1]")
    choice.add_argument("--time", help="limit of one attempt, as 1:00:00 [the partition's]; the next one goes on")
    choice.add_argument("--attempts", type=positive, help="times that one limit may pass [5]")
    choice.add_argument("--program", help="coopbench, as the nodes see it [build/coopbench, else that in PATH]")
    choice.add_argument("--sbatch", action="append", default=[], metavar="OPTION",
                        help="for sbatch, as --sbatch=--account=lab; may be given again")
    choice.epilog = "after --: options of coopbench run"
    verbs.add_parser("plan", parents=[choice], epilog=choice.epilog, help="shows what would be submitted")
    verb = verbs.add_parser("submit", parents=[choice], epilog=choice.epilog, help="begins a fleet, or completes it")
    verb.add_argument("fleet", metavar="FLEET", help="its folder, which all nodes must see")
    verb.add_argument("suite", metavar="SUITE", nargs="?",
                      help="a name or a file, as for coopbench run; without it: completes FLEET")
    for name, text in (("status", "what each task does now"), ("gather", "writes FLEET/fleet.json")):
        verbs.add_parser(name, help=text).add_argument("fleet", metavar="FLEET")
    result = parser.parse_args(own)
    result.options = options
    return result


def positive(text):
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 10000, got {text!r}")
    return int(text)


def main():
    options = parse(sys.argv[1:])
    verbs = {"plan": show_plan, "submit": submit, "status": status, "gather": gather}
    try:
        return verbs[options.verb](options)
    except (Usage, tasks.Broken, slurm.Absent) as error:
        print(f"fleet: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"fleet: cannot write or read {error.filename}: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
