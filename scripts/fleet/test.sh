#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A fleet of 20 devices on a real Slurm (cluster.sh): submitted, one node killed while it measures, its tasks requeued,
# their runs completed, all gathered; nodes that never answer, and disks that are full.
# COOPBENCH names the program [build/coopbench]. 77: Slurm or a CPU device is missing.
SOURCE_DIR=${SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
COOPBENCH=${COOPBENCH:-$SOURCE_DIR/build/coopbench}
source "$SOURCE_DIR/tests/cli/lib.sh"
source "$SOURCE_DIR/scripts/fleet/cluster.sh"
need_cpu
fleet() { python3 "$SOURCE_DIR/scripts/fleet/fleet.py" "$@"; }

# Ten devices, each the CPU, of which none has a UUID.
POCL_DEVICES=$(printf 'pthread %.0s' {1..10})
export POCL_DEVICES

suite() {
  cat <<JSON
{"schema": "coopbench-config", "schema_version": "1.0", "settings": {"order": "listed", "warmup": 0}, "suite": [
  {"bench": "discover", "protocol": "lockfree", "microbenchmark": "11",
   "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 3},
  {"bench": "discover", "protocol": "lockfree", "microbenchmark": "L1",
   "wg-sizes": "none", "bound": "off", "launch": 16, "runs": $1}]}
JSON
}
suite 3 >quick.json
suite 1000000 >endless.json

# The first attempts at node1.0 and node2.3 do not end, so that they are met in the middle; the options that their runs
# have recorded are changed before they are completed.
cat >program <<SCRIPT
#!/usr/bin/env bash
task=\${SLURMD_NODENAME-}.\${SLURM_ARRAY_TASK_ID-}
if [[ \$1 == run && (\$task == node1.0 || \$task == node2.3) && ! -e $folder/met.\$task ]]; then
  touch $folder/met.\$task
  set -- "\${@/*suite.json/$folder/endless.json}"
elif [[ \$1 == run && \$* == *--resume* ]]; then
  sed -i 's/1000000/3/' $folder/lab/node*/run.json
fi
exec "$COOPBENCH" "\$@"
SCRIPT
chmod +x program

begin_cluster

# ---- Plan: what Slurm knows ----------------------------------------------------------------------

check_exit 0 fleet plan --program ./program
check_stdout '^node1: 10 of type gpu$'
check_stdout 'sbatch .*--array=0,1,2,3,4,5,6,7,8,9 --nodelist=node2 .*--exclusive --mem=0 --gres=gpu:10 .*SUITE'
check_stderr '^node3 has no GPU by its Gres: left out'
check_exit 2 fleet plan --nodes node3 --program ./program
check_stderr '^fleet: no node to measure'
check_exit 2 fleet plan --program ./absent
check_stderr '^fleet: no program ./absent'
check_exit 2 fleet gather nowhere
check_stderr "nowhere is no fleet: .*submit .* SUITE' begins one"

# ---- Nodes that never answer, and what Slurm refuses, are told -----------------------------------

check_exit 0 fleet submit "silent, far" quick.json --type cpu --nodes node3 --per-node 2 --program ./program
check_exit 0 fleet submit "silent, far"
check_stdout '^Nothing to submit'
check_exit 1 fleet submit refused quick.json --type cpu --nodes node3 --program ./program --sbatch=--time=soon
check_exit 1 fleet gather refused
check_stdout '^1 tasks: 1 missing$'
check_stdout '^  node3.0 is missing: never began; .*[Ii]nvalid.*time'

check_exit 1 fleet submit refused
check_exit 0 fleet submit refused --time 10
check_stdout '^node3: 1 tasks, job [0-9]+$'

# ---- 20 tasks, of which a node is lost -----------------------------------------------------------

submitted=$SECONDS
check_exit 0 fleet submit lab quick.json --type cpu --nodes 'node[1-2]' --per-node 10 --program ./program
check_stdout '^node2: 10 tasks, job [0-9]+$'
check_exit 2 fleet submit lab quick.json
check_stderr 'lab is a fleet already: .* completes it as it was begun, but for --time'
has_row() { [[ -s lab/$1/events.jsonl ]]; }
job_of() { python3 -c 'import json, sys
print(next(t["job"] for t in json.load(open("lab/plan.json"))["tasks"] if t["host"] == sys.argv[1]))' "$1"; }

node1_job=$(job_of node1) node2_job=$(job_of node2)

# The time is over: what Slurm sends a minute before its end.
wait_for 'a row of node1.0' has_row node1-0.0
scancel --batch --signal=INT "${node1_job}_0" 2>scancel.err & # it may try again when the job is gone already
signaller=$!
was_stopped() { grep -q '^end.*143	limit$' lab/tasks/node1.0.tsv; }
wait_for 'node1.0 to stop' was_stopped
kill "$signaller" 2>/dev/null || true

wait_for 'a row of node2.3' has_row node2-0.3
kill_node node2
wait_for 'node2 to be down' node_is node2 '^down'
requeued() { [[ $(squeue -h -r -t PENDING -o %i) == *"${node2_job}_3"* ]]; }
wait_for 'node2.3 to be requeued' requeued
check_exit 1 fleet gather lab
check_json lab/fleet.json 'd["schema"] == 1' 'len(d["tasks"]) == 20' \
  'all(t["why"] for t in d["tasks"] if t["state"] != "ok")' \
  '[t["state"] for t in d["tasks"] if t["host"] == "node2"] == ["ok"] * 3 + ["partial"] + ["missing"] * 6' \
  '[t for t in d["tasks"] if t["folder"] == "node2-0.3"][0]["attempts"] == 1' \
  '"attempt 1 has not ended; its job is PENDING" in d["tasks"][13]["why"]' \
  '[t["folder"] for t in d["tasks"][13:15]] == ["node2-0.3", "node2.4"]' \
  '"never began" in d["tasks"][19]["why"] and "node2 is down* (Not responding)" in d["tasks"][19]["why"]'
check_exit 0 fleet status lab
check_stdout '^node2.3  attempt 1  [1-9][0-9]* rows  partial: '
check_exit 0 fleet submit lab
check_stdout '^Nothing to submit: all tasks are ok, or in the queue$'

begin_node node2
queue_is_empty() { [[ -z $(squeue -h -n fleet-lab -o %i) ]]; }
wait_for 'the tasks' queue_is_empty
check_exit 0 fleet gather lab
check_stdout '^20 tasks: 20 ok$'
echo "20 tasks and a lost node took $((SECONDS - submitted)) s"
check_json lab/fleet.json '[t["host"] for t in d["tasks"]] == ["node1"] * 10 + ["node2"] * 10' \
  '{t["folder"] for t in d["tasks"]} == {f"node{n}-0.{i}" for n in (1, 2) for i in range(10)}' \
  'all(t["state"] == "ok" and t["why"] is None for t in d["tasks"])' \
  '[t["attempts"] for t in d["tasks"]] == [2] + [1] * 9 + [1] * 3 + [2] + [1] * 6'
python3 - lab/node*/run.json >runs.json <<'PYTHON'
import json, sys
json.dump({path.split("/")[1]: json.load(open(path)) for path in sys.argv[1:]}, sys.stdout)
PYTHON
check_json runs.json 'len(d) == 20' \
  'all(r["complete"] and r["summary"]["ok"] == 2 == len(r["cases"]) for r in d.values())' \
  'all(f == r["run_id"] for f, r in d.items())' \
  'all(f == r["host"]["hostname"] + "-" + r["devices"][0]["index"].replace(":", ".") for f, r in d.items())' \
  '[f for f, r in d.items() if len(r["time"].get("resumed", [])) == 1] == ["node1-0.0", "node2-0.3"]'
check_exit 2 flock lab/lock python3 "$SOURCE_DIR/scripts/fleet/fleet.py" submit lab
check_stderr '/lab is being submitted by another fleet.py: wait for it$'
check_exit 2 fleet submit nowhere
check_stderr "nowhere is no fleet yet: .*submit .* SUITE' begins one"
check_exit 0 "$COOPBENCH" report lab
check 'the report lacks a run' test "$(grep -o 'node[12]-0\.[0-9]' lab/report.html | sort -u | wc -l)" = 20
check_exit 0 fleet submit lab
check_stdout '^Nothing to submit'

# Without Slurm, the folder is told of, but nothing submitted: what is in the queue is not known.
SLURM_CONF=/dev/null check_exit 1 fleet gather refused
check_stdout '^  node3.0 is missing: never began; Slurm tells nothing of job [0-9]+ any more; .*(slurm|squeue)'
SLURM_CONF=/dev/null check_exit 2 fleet submit refused
check_exit 1 fleet gather refused
check_stdout '^  node3.0 is missing: never began; its job is PENDING'

check_exit 1 fleet gather "silent, far"
check_json "silent, far/fleet.json" 'len(d["tasks"]) == 2' \
  'all(t["state"] == "missing" and t["attempts"] == 0 for t in d["tasks"])' \
  'all(re.search("; node3 is (unknown|down)", t["why"]) for t in d["tasks"])'

# ---- A task for itself: its device, and what it says -------------------------------------------

# task EXIT-CODE FLEET NUMBER TYPE PROGRAM
task() {
  check_exit "$1" env SLURMD_NODENAME=node1 SLURM_ARRAY_TASK_ID="$3" \
    "$SOURCE_DIR/scripts/fleet/task.sh" "$2" "$4" 5 "$5" quick.json --runs 3
}
mkdir -p full/tasks alone/tasks gpus/tasks
ln -s /dev/full full/tasks/node1.0.tsv
task 1 full 0 cpu ./program
check_stderr '^fleet: cannot write full/tasks/node1.0.tsv: is the disk full\?$'
check 'measured on a full disk' test ! -e full/node1-0.0

task 77 alone 10 cpu ./program
check_stderr '^fleet: node1 shows 10 devices of type cpu, this task is number 11: does Slurm hide devices'

# By UUID, whatever the order of the driver; by PCI address; the GPUs alone.
cat >gpus.json <<'JSON'
{
	"devices":	[{
			"id":	"uuid:bb22",
			"index":	"0:0",
			"type":	"gpu"
		}, {
			"id":	"name:CPU",
			"index":	"1:0",
			"type":	"cpu"
		}, {
			"id":	"uuid:aa11",
			"index":	"0:1",
			"type":	"gpu"
		}, {
			"id":	"pci:0000:41:00.0",
			"index":	"2:0",
			"type":	"gpu"
		}]
}
JSON
cat >several <<'SCRIPT'
#!/usr/bin/env bash
[[ $1 == run ]] && echo "$*" || cat gpus.json
SCRIPT
chmod +x several
for expected in '0 pci:0000:41:00.0 node1-0000.41.00.0' '1 uuid:aa11 node1-aa11' '2 uuid:bb22 node1-bb22'; do
  read -r number device name <<<"$expected"
  task 0 gpus "$number" gpu ./several
  check_stdout "^run quick.json --device $device --output-dir gpus --run-id $name --progress lines --runs 3$"
done
mkdir gpus/node1-aa11
touch gpus/node1-aa11/run.json.gz
task 0 gpus 1 gpu ./several
check_stdout "^run quick.json --device uuid:aa11 --output-dir gpus --resume gpus/node1-aa11 --progress lines --runs 3$"
task 77 gpus 3 gpu ./several
task 1 gpus 0 gpu ./absent
check_stderr '^fleet: there is no program ./absent on node1: does the node see this file system'
check 'the end is not noted' grep -qx 'failed	there is no program ./absent on node1: .*' gpus/tasks/node1.0.tsv

# ---- A full disk, and folders that somebody has changed ------------------------------------------

cp lab/fleet.json before.json
ln -s /dev/full lab/fleet.json.new
check_exit 1 fleet gather lab
check_stderr '^fleet: cannot write or read .*/lab/fleet.json: No space left on device$'
check 'the old fleet.json is gone' cmp before.json lab/fleet.json
number=1
deep=$(printf '[%.0s' {1..100000})
for document in '{}' '[]' '{"complete": 1, "devices": [3], "summary": []}' '{"devices": {}}' '{' "$deep"; do
  echo "$document" >"lab/node1-0.$number/run.json"
  number=$((number + 1))
done
rm lab/node1-0.7/run.json
{ gzip -c lab/node1-0.8/run.json | head -c 200; head -c 200 /dev/zero; } >lab/node1-0.7/run.json.gz
printf 'device\t../..\nend\n\xff\n\ndevice\tnode1-0.0\n' >>lab/tasks/node1.8.tsv
check_exit 1 fleet gather lab
check_json lab/fleet.json '[t["state"] for t in d["tasks"]] == ["ok"] + ["partial"] * 7 + ["missing"] + ["ok"] * 11' \
  '"node1-0.0, which is that of task node1.0" in d["tasks"][8]["why"]'
for plan in '' '[]' "$deep" '{"schema": 2}' '{"schema": 1, "tasks": [{"host": "../x"}]}'; do
  echo "$plan" >lab/plan.json
  check_exit 2 fleet gather lab
  check_stderr '^fleet: .*/lab/plan.json is no '
done
