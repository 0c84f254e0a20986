# SPDX-License-Identifier: Apache-2.0
"""What tests/power.c finds, kept for scripts/papers.py: history-trust.py and compare-trust.py, --power."""
import datetime
import json
import pathlib
import subprocess

TRIES = "50"  # of each pair of numbers


def keep(tool, program, path):
    done = subprocess.run([program, tool, TRIES], stdout=subprocess.PIPE, text=True, check=True)
    git = ["git", "-C", str(pathlib.Path(__file__).resolve().parent), "describe", "--always", "--abbrev=7", "--dirty"]
    commit = subprocess.run(git, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    result = {"what": f"{tool}_power", "simulated": True, "commit": commit.replace("-dirty", " with changes"),
              "date": f"{datetime.date.today()}", "grids": json.loads(done.stdout)}
    text = json.dumps(result).replace("], [", "],\n[").replace("}, {", "},\n{") + "\n"
    pathlib.Path(path).write_text(text)
