#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One task of a fleet: measures the device with the number of the task on this node, or completes its run. fleet.py
# submits it as a job array:
#   task.sh FLEET TYPE ATTEMPTS PROGRAM SUITE [OPTION OF coopbench run]...
# What happened goes to FLEET/tasks/HOST.NUMBER.tsv, a line each, for 'fleet.py gather'.
set -uo pipefail
fleet=$1 type=$2 attempts=$3 program=$4 suite=$5
shift 5
number=${SLURM_ARRAY_TASK_ID:?is set by Slurm: this script is submitted by fleet.py}
host=${SLURMD_NODENAME:-$(hostname -s)}
export COOPBENCH_HOSTNAME=$host # the name that Slurm's tools know
notes=$fleet/tasks/$host.$number.tsv

# note FIELD...: appends a line of what happened.
note() {
  local IFS=$'\t'
  printf '%s\n' "$*" >>"$notes" || give_up 1 "cannot write $notes: is the disk full?"
}

# give_up CODE WHY: ends the task, and says why in its log. It is noted too, where that is possible.
give_up() {
  echo "fleet: $2" >&2
  printf 'failed\t%s\n' "$2" 2>/dev/null >>"$notes"
  exit "$1"
}

# Of all devices of this type, "ID<tab>INDEX", in an order that does not depend on that of the driver.
devices() {
  "$program" list devices --json - | awk -F'"' -v type="$type" '
    $2 == "id" { id = $4 }
    $2 == "index" { at = $4 }
    $2 == "type" && $4 == type { print id "\t" at }' | sort -V
}

note begin "$(date -u +%FT%TZ)" "${SLURM_ARRAY_JOB_ID-}_$number" "${SLURM_RESTART_COUNT:-0}"
[[ -x $program ]] || give_up 1 "there is no program $program on $host: does the node see this file system?"
mapfile -t found < <(devices)
((number < ${#found[@]})) ||
  give_up 77 "$host shows ${#found[@]} devices of type $type, this task is number $((number + 1)):\
 does Slurm hide devices from jobs?"
IFS=$'\t' read -r id index <<<"${found[number]}"
case $id in
uuid:* | pci:*) device=$id name=${id#*:} ;;
*) device=$index name=$index ;; # its name may be that of others as well
esac
name=$host-${name//[!A-Za-z0-9_.-]/.}
note device "$name"

# A run that was begun is completed.
where=(--run-id "$name")
if [[ -e $fleet/$name/run.json || -e $fleet/$name/run.json.gz ]]; then
  where=(--resume "$fleet/$name")
fi

# Slurm sends INT a minute before the time is over, and TERM if the job is cancelled or preempted. coopbench keeps its
# rows at either; a child of a script ignores INT.
stopped=''
"$program" run "$suite" --device "$device" --output-dir "$fleet" "${where[@]}" --progress lines "$@" &
child=$!
trap 'stopped=limit; kill -TERM "$child"' INT
trap 'stopped=cancelled; kill -TERM "$child"' TERM
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do # a signal has ended the wait
  wait "$child" || code=$?
done
note end "$(date -u +%FT%TZ)" "$code" "$stopped"

if [[ $stopped == limit ]]; then
  ((${SLURM_RESTART_COUNT:-0} + 1 < attempts)) ||
    give_up "$code" "not complete after $attempts attempts: a longer --time, or more --attempts"
  scontrol requeue "$SLURM_JOB_ID" || give_up "$code" "Slurm does not requeue this job: submit it again"
fi
exit "$code"
