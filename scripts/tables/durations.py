# SPDX-License-Identifier: Apache-2.0
"""How long an answer takes: whole commands with default options (scripts/time-defaults.py)."""
import textwrap

SAID = 120  # letters of a sentence

QUESTIONS = (
    ("how many workgroups run at once, and how a kernel finds out", "discover"),
    ("what contended reads, writes and atomics cost", "memory"),
    ("which barrier, mutex and semaphore to use", "primitives"),
    ("whether a long blocking kernel can share the device with a heavy load of urgent tasks",
     "multitask --workload heavy"),
    ("the same beside light and heavy loads", "multitask"),
    ("what the driver's own time slicing makes of that", "preempt"),
    ("how much of the device a display needs", "graphics"),
    ("what barriers on the device, portability and cooperation cost whole applications", "apps"),
    ("what an app loses, and saves, when it gives up workgroups to save power", "throttle"),
    ("whether the cooperative runtime is right on this device and driver", "selftest"),
)


def _text(seconds):
    return f"{seconds:.0f} s" if seconds >= 1 else "1 s"


def answers(devices):
    """Question, command, and its time on each device, kernels built before."""
    times = [(name, {d["command"]: d["warm_s"] for d in (kept or {}).get("durations", [])}) for name, kept in devices]
    lines = ["| you want to know | `coopbench ...` |" + "".join(f" {name} |" for name, _ in times),
             "| --- | --- |" + " ---: |" * len(times)]
    for question, command in QUESTIONS:
        cells = "".join(f" {_text(d[command]) if command in d else ''} |" for _, d in times)
        lines.append(f"| {question} | [`{command}`](docs/commands/{command.split()[0]}.md) |{cells}")
    return "\n".join(lines) + "\n"


def cold(devices):
    """Each command cold and warm, with the ratio."""
    lines = ["| command |" + "".join(f" {name}: cold | warm | cold : warm |" for name, _ in devices),
             "| --- |" + " ---: | ---: | ---: |" * len(devices)]
    commands = dict.fromkeys(d["command"] for _, kept in devices for d in (kept or {}).get("durations", []) if "cold_s" in d)
    for command in commands:
        row = f"| `{command}` |"
        for _, kept in devices:
            found = [d for d in (kept or {}).get("durations", []) if d["command"] == command and "cold_s" in d]
            row += (f" {found[0]['cold_s']:.1f} s | {found[0]['warm_s']:.1f} s | {found[0]['cold_s'] / found[0]['warm_s']:.2f} |"
                    if found else "  |  |  |")
        lines.append(row)
    return "\n".join(lines) + "\n"


def scripts(devices):
    """How long the scripts of a fresh clone took, packages installed."""
    return "".join(f"- `{d['command']}`: {d['warm_s'] / 60:.1f} minutes\n" for _, kept in devices
                   for d in (kept or {}).get("durations", []) if d["command"].startswith("scripts/"))


def timed(devices):
    """What was timed on what."""
    lines = []
    for name, kept in devices:
        rows = [row for row in (kept or {}).get("durations", []) if "commit" in row]
        if rows:
            commits = ", ".join(dict.fromkeys(row["commit"] for row in rows))
            lines.append(f"{name}: {kept['device']}, driver {kept['driver_version']}, {kept['cores']} CPU cores, commit "
                         f"{commits}, {max(row['date'] for row in rows)}.\n")
    return "".join(lines)


def beside(devices):
    """Each command quiet and beside a neighbour of ours, and what was said of that run (scripts/shared-trust.py)."""
    lines = ["| device | command | quiet | beside | ratio | ok | timeouts | wrong | exit codes | said beside it |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    for name, kept in devices:
        for d in (kept or {}).get("durations", []):
            sentence = textwrap.shorten(d["said"].removeprefix(f"Beside {d['beside']}: ").replace("|", "/"), SAID, placeholder=" ...")
            lines.append(f"| {name} | `{d['command']}` | {d['quiet_s']:.1f} s | {d['beside_s']:.1f} s | {d['beside_s'] / d['quiet_s']:.2f} | "
                         f"{d['ok']} of {d['cases']} | {d['timeouts']} | {d['wrong']} | {', '.join(map(str, d['exit_codes']))} | {sentence} |")
    return "\n".join(lines) + "\n"
