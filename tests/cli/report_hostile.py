# SPDX-License-Identifier: Apache-2.0
#
# Two hostile runs, of which one has failed since, and one with a case twice, which is left out.
import copy, json, os, sys
run = json.load(open(sys.argv[1]))
for i, name in enumerate(["first", "second", "twice"]):
    other = copy.deepcopy(run)
    other["run_id"] = f"{name} </script><img src=x onerror=alert(2)>"
    other["time"]["start"] = f"2026-10-0{1 + i}T00:00:00Z"
    if i == 1:
        other["cases"][0].update(status="error", reason="</script><img src=x onerror=alert(3)>")
    if i == 2:
        other["cases"].append(other["cases"][0])
    os.makedirs(f"hostile/{name}")
    json.dump(other, open(f"hostile/{name}/run.json", "w"))
