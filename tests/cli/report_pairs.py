# SPDX-License-Identifier: Apache-2.0
#
# The page's verdicts are those of coopbench compare: pairs.py PAGE BASELINE,... RUN <compare.json
import json, re, sys
data = json.loads(re.search(r'id="data">(.*?)</script>', open(sys.argv[1]).read(), re.S)[1])
names = [r[0] for r in data["runs"]]
[rows] = [p[2] for p in data["pairs"]
          if [names[b] for b in p[0]] == sys.argv[2].split(",") and names[p[1]] == sys.argv[3]]
found = {}
for verdict, case, metric, change, *_ in rows:
    name = data["metrics"][metric].split("\t")[0] if metric >= 0 else None
    found[data["cases"][case][2], name] = data["verdicts"][verdict], change
told = {(r["case"], r.get("metric")): (r["verdict"], r.get("change")) for r in json.load(sys.stdin)["comparisons"]}
assert found.keys() == told.keys(), found.keys() ^ told.keys()
for key in told:
    (a, x), (b, y) = found[key], told[key]
    assert a == b and (x == y or abs(x - y) <= 1e-5 * abs(y)), (key, found[key], told[key])
print(len(told), "agree:", sorted({v for v, _ in told.values()}))
