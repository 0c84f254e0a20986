# SPDX-License-Identifier: Apache-2.0
"""FSE'17's draft: alternative semantics (`multitask --semantics`), and Section 5.5's hybrid (`preempt --hybrid`)."""
from tables.common import BARRIER, duration, metric, number, rows, table

SEMANTICS = ("highest", "some", "any", "whole")
GROUPS = ("1", "N/4", "N/2", "N-1", "N")


def semantics(devices):
    """Gather time and overhead beside the tasks, by app and the task's workgroups; a semantics that an app cannot have
    leaves its cells empty."""
    heads = ["app", "workgroups", "device"] + [f"{s}: {what}" for s in SEMANTICS for what in ("gather p50", "p99", "overhead")]
    lines = []
    for name, run in devices:
        found = {}
        for c in rows(run, "multitask"):
            p = c["params"]
            if "groups" in p and "policy" not in p and p.get("barrier") in (BARRIER, "none"):
                found[p["app"], p["groups"], p.get("semantics", SEMANTICS[0])] = c
        for app in sorted({app for app, _, _ in found}):
            for groups in GROUPS:
                cases = [found.get((app, groups, s)) for s in SEMANTICS]
                cells = [cell for c in cases for cell in ((duration(metric(c, "gather_time")), duration(metric(c, "gather_time", "p99")),
                                                           number(metric(c, "overhead"))) if c else ("", "", ""))]
                if any(cases):
                    lines.append([f"`{app}`", groups, name] + cells)
    return table(heads, lines)


def hybrid(devices):
    """Answers of the hybrid, of time slicing alone and of cooperation alone, and by whom they came."""
    lines = []
    for name, run in devices:
        for c in rows(run, "preempt"):
            p = c["params"]
            if not p.get("hybrid"):
                continue
            by = [metric(c, n, "mean") for n in ("answered_cooperatively", "answered_by_driver")]
            lines.append([f"`{p['app']}`", p["workload"], duration(p["phase"] * 1e9) if "phase" in p else "its own", name,
                          *(duration(metric(c, n)) for n in ("answer_time", "answer_time_sliced", "answer_time_cooperative")),
                          number(metric(c, "hybrid_to_sliced")), "" if None in by else f"{100 * by[0] / sum(by):.0f} %"])
    return table(["app", "workload", "phases", "device", "hybrid p50", "time slicing p50", "cooperation p50", "hybrid : time slicing",
                  "by cooperation"], lines)
