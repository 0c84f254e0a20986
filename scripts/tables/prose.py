# SPDX-License-Identifier: Apache-2.0
"""Measured numbers in prose that nobody keeps up to date.

A number with a unit or with decimals is measured, and so is a count ("9 of 11"), unless it is quoted from a paper
(<!-- paper -->1.47<!-- end -->) or from a study whose runs are too many to be kept (<!-- study -->142 of 145<!-- end -->),
or a setting, which stands in a code span (`200 ms`). Tables and code are not prose.
"""
import re

UNIT = (r"(?:[nµum]?s|seconds?|minutes?|hours?|%|percent|times|[x×]|[kMG]?Hz|[mk]?[WJ]"
        r"|(?:[kMG]i?)?B/s|[kMG]/s|(?:[kMG]?\s?(?:runs|ops|edges|loops))/[sJ]|kruns|Mops)")
MEASURED = re.compile(rf"(?<![\w.:/#-])\d[\d,]*(?:\.\d+)?(?:\s?{UNIT}(?![\w/'-])|(?<=\d\.\d)|(?<=\.\d\d)|(?<=\.\d\d\d))")
COUNT = re.compile(r"\b\d+ of (?:the |his |its )?\d+\b")
LIST = r"\d+(?:\.\d+)*(?:(?:, | and |, and | to | or )\d+(?:\.\d+)*)*"
NOT_MEASURED = (
    re.compile(r"^```.*?^```", re.M | re.S),
    re.compile(r"^ *\|[^\n]*", re.M),  # tables
    re.compile(r"<!-- [\w-]+: [^\n]*? -->\n.*?<!-- end -->", re.S),  # filled tables
    re.compile(r"<!-- (?:paper|study) -->.*?<!-- end -->", re.S),
    re.compile(r"<!--.*?-->", re.S),
    re.compile(r"`[^`]*`"),
    re.compile(r"\]\([^)]*\)|<img [^>]*>|https?://\S+"),
    re.compile(r"\b\d{4}-\d\d-\d\d\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b"),  # dates, commits
    re.compile(rf"\b(?:Sec|Tab|Fig)s?\.\s{LIST}|\b(?:Section|Algorithm)s?\s{LIST}"),
    re.compile(rf"\b(?:OpenCL|OpenGL ES|EGL|PoCL|NVIDIA|CMake|Python|LLVM|GNU|C|driver|version|schema)\s{LIST}"),
    re.compile(r"\b\d+(?:\.\d+)? %\s(?:confidence )?intervals?\b"),
)


def hide(match):
    """As many characters and lines, and no number."""
    return re.sub(r"[^\n]", "¤", match.group())


def measured(text):
    """(line, number) of each measured number that is not quoted."""
    for pattern in NOT_MEASURED:
        text = pattern.sub(hide, text)
    found = sorted([*MEASURED.finditer(text), *COUNT.finditer(text)], key=re.Match.start)
    return [(text.count("\n", 0, m.start()) + 1, " ".join(m.group().split())) for m in found]
