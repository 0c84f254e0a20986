# SPDX-License-Identifier: Apache-2.0
"""Run documents, for the scripts here: run.json, or run.json.gz; and the CSVs of programs beside coopbench."""
import csv
import gzip
import json
import os
import pathlib


def document(path):
    """A run's document, by its folder or its file; None: there is none."""
    path = pathlib.Path(path)
    files = [path / "run.json", path / "run.json.gz"] if path.is_dir() else [path]
    for file in files:
        if file.exists():
            data = file.read_bytes()
            return json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return None


def csv_rows(lines):
    """Rows of a CSV, or of several in one file. Lines that begin with # tell where they are from."""
    head, *rest = [line for line in lines if not line.startswith("#")] or [""]
    return csv.DictReader([head, *(line for line in rest if line != head)])


def origin(run):
    """Where durations are from."""
    first = run["devices"][0]
    return {"device": first["name"], "driver_version": first["driver_version"], "cores": len(os.sched_getaffinity(0))}


def told(run):
    """What a row of durations tells of its run."""
    return {"cases": run["summary"]["cases"], "ok": run["summary"]["ok"],
            "commit": (run["tool"]["git_sha"] or "")[:7], "date": run["time"]["start"][:10]}


def keep_duration(path, where, row):
    """Puts the row into the file, in the place of an older one; rows of another device or driver go. where: its origin;
    None: that of the file."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    where = where or {key: kept[key] for key in kept if key != "durations"}
    same = all(kept.get(key) == where.get(key) for key in ("device", "driver_version"))
    rows = {r["command"]: r for r in kept.get("durations", [])} if same else {}
    rows[row["command"]] = row
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(where | {"durations": list(rows.values())}, indent=1) + "\n")
