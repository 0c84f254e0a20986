# SPDX-License-Identifier: Apache-2.0
"""Run documents, for the scripts here: run.json, or run.json.gz; and the CSVs of programs beside coopbench."""
import csv
import gzip
import json
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
