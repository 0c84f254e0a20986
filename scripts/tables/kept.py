# SPDX-License-Identifier: Apache-2.0
"""What a kept run has to tell of itself: the commit, without changes, the driver and the date.

A run's document has them. The CSV of a program that is no coopbench (a CUDA twin's) has them in its first line, which
scripts/twins/about.sh prints: "# driver 580.1, CUDA 13.0, commit 0123456, 2026-01-02".
results/reference/exceptions.txt names what lacks some of them and is kept all the same, with the reason.
"""
import json
import re

import runs

ABOUT = re.compile(r"# driver (?P<driver>[^,]+)(?:, CUDA (?P<cuda>[^,]+))?, commit (?P<commit>[0-9a-f]{7,40}(?: with changes)?), "
                   r"(?P<date>\d{4}-\d\d-\d\d)(?:: .*)?")
EXCEPTIONS = "exceptions.txt"


def about(text):
    """{"driver", "cuda", "commit", "date"} of a CSV; None: it does not tell."""
    found = ABOUT.fullmatch(text.partition("\n")[0])
    return found.groupdict() if found else None


def lacks_of_run(run):
    """What is missing in a run's document."""
    tool, device = run.get("tool", {}), (run.get("devices") or [{}])[0]
    known = {"commit": tool.get("git_sha"), "driver": device.get("driver_version"), "date": run.get("time", {}).get("start")}
    return [what for what, value in known.items() if not value] + (
        ["commit without changes"] if tool.get("git_dirty") else [])


def lacks_of_csv(text):
    found = about(text)
    if not found:
        return ["first line \"# driver ..., commit ..., DATE\" (scripts/twins/about.sh)"]
    return ["commit without changes"] if found["commit"].endswith("changes") else []


def lacks_of_json(kept):
    """Of what a script of ours keeps: a document with tool and devices as a run's, or how long commands took, each with its
    commit and its date. What is simulated needs no device."""
    if "tool" in kept:
        return lacks_of_run(kept)
    rows = kept.get("durations", [kept])
    return [what for what, ok in (("driver", kept.get("driver_version") or kept.get("simulated")), ("commit", all(row.get("commit") for row in rows)),
                                  ("date", all(row.get("date") for row in rows))) if not ok]


def lacks(root):
    """{what is kept, below results/reference: what it lacks}"""
    found = {}
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        if file.name == "report.md" and runs.document(file.parent) is None:
            missing = ["run.json"]
        elif file.name in ("run.json", "run.json.gz"):
            missing = lacks_of_run(runs.document(file))
        elif file.suffix == ".csv":
            missing = lacks_of_csv(file.read_text())
        elif file.name == "durations.json" or file.parent.name == "trust" and file.suffix == ".json":
            missing = lacks_of_json(json.loads(file.read_text()))
        else:
            continue
        if missing:
            place = file if file.suffix in (".csv", ".json") and file.name not in ("run.json", "durations.json") else file.parent
            found.setdefault(place.relative_to(root).as_posix(), []).extend(missing)
    return found


def exceptions(root):
    """{what is kept: the reason why it may lack something}"""
    file = root / EXCEPTIONS
    lines = file.read_text().splitlines() if file.exists() else []
    return {place: reason for place, _, reason in (line.partition(": ") for line in lines if line and line[0] != "#")}


def check(root):
    """(complaints, what is excepted, with its reason)"""
    found, allowed = lacks(root), exceptions(root)
    wrong = [f"results/reference/{place} has no {' and no '.join(missing)}: measure it anew on a clean commit, or drop it with "
             "what rests on it" for place, missing in found.items() if place not in allowed]
    wrong += [f"results/reference/{EXCEPTIONS}: {place}: " + ("nothing is missing there: take the line out" if reason
              else "say why, after a colon") for place, reason in allowed.items() if place not in found or not reason]
    return wrong, [f"results/reference/{place} has no {' and no '.join(found[place])}: {reason}"
                   for place, reason in allowed.items() if place in found]
