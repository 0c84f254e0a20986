#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""junit.reader.py FILE: reads what CI systems do of a JUnit report. Prints a line for each test case: its name, how it
ended, and why."""
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
(suite,) = root.findall("testsuite")
cases = suite.findall("testcase")
for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
    found = [case for case in cases if case.find(kind) is not None]
    assert len(found) == int(suite.get(attribute)), kind
    assert all(case.find(kind).get("message") for case in found), kind
assert len(cases) == int(suite.get("tests")), len(cases)
for case in cases:
    print(f"{case.get('name')}:", f"{case[0].tag} {case[0].get('message')}" if len(case) else "passed")
