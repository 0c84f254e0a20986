# SPDX-License-Identifier: Apache-2.0
"""Runs of several devices, or kernels, in one table: it has to say so.

A table over such runs has the name of each in its heads or cells, and that name tells the device.
"""
import itertools
import re


def origin(run):
    """Device, driver, commit and hash of the kernels, as far as a run tells them; None: nothing is known of it."""
    if not run:
        return None
    if "twin" in run:
        about = run["about"] or {}
        return ", ".join(run["twin"]), about.get("driver"), about.get("commit"), None
    if "tool" not in run or not run.get("devices"):
        return None
    device = run["devices"][0]
    return device["name"], device.get("driver_version"), run["tool"].get("git_sha"), run["tool"].get("kernels")


def same_device(one, other):
    return one[:2] == other[:2]


def same_kernels(one, other):
    """By their hash; by the commit, where one does not have it."""
    if one[3] and other[3]:
        return one[3] == other[3]
    return bool(one[2] and other[2]) and (one[2].startswith(other[2]) or other[2].startswith(one[2]))


def tells(text, device):
    """Whether a text names a device: by a word of its name, such as H100, or as PoCL."""
    words = [word for word in re.findall(r"[\w-]+", device) if len(word) > 2 and word not in ("NVIDIA", "GPU")] or [device]
    if device.startswith(("pthread-", "cpu-")):
        words = ["PoCL", "CPU"]
    return any(re.search(rf"\b{re.escape(word)}\b", text) for word in words)


def of_table(runs, text):
    """What is wrong with a table of these (name, run); None: nothing."""
    known = [(name, origin(run)) for name, run in runs]
    known = [(name, of) for name, of in known if of]
    for (name, of), (other, its) in itertools.combinations(known, 2):
        if same_device(of, its) and same_kernels(of, its):
            continue
        what = "kernels" if same_device(of, its) else "devices"
        if name == other:
            return f"two {what} have one name, {name}"
        for called, whose in ((name, of), (other, its)):
            if called not in text:
                return f"runs of two {what} in one table, and no head or cell says \"{called}\""
            if not same_device(of, its) and not tells(called, whose[0]):
                return f"runs of two {what} in one table, and \"{called}\" does not tell that it is {whose[0]}"
    return None
