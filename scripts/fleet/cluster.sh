# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests: a Slurm of two nodes, and a third that never answers, on this machine's loopback, in $folder/slurm, as this
# user. Source tests/cli/lib.sh first.
# shellcheck disable=SC2154 # folder is of lib.sh
# Nothing outside is written. begin_cluster, kill_node NODE, begin_node NODE; it ends with the test.

# A port that nobody has now.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Ten GPUs a node by its Gres, but all work is the CPU's. A node that does not answer is soon down, and what has to be
# done again begins soon: Slurm waits for two minutes otherwise, until its credentials have expired.
begin_cluster() {
  PATH=$PATH:/usr/sbin
  local tool
  for tool in munged slurmctld slurmd sbatch; do
    command -v "$tool" >/dev/null || {
      echo "skipped: there is no $tool: install slurmctld slurmd slurm-client munge"
      exit 77
    }
  done
  cluster=$folder/slurm daemons=()
  mkdir -p "$cluster"/{munge,state,node1,node2}
  chmod 700 "$cluster/munge"
  (umask 077 && head -c 128 /dev/urandom >"$cluster/munge/key")
  touch "$cluster"/gpu{0..9}
  echo "NodeName=node[1-2] Name=gpu File=$cluster/gpu[0-9]" >"$cluster/gres.conf"
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
BatchStartTimeout=1
SlurmdTimeout=3
MessageTimeout=2
TCPTimeout=1
KillWait=2
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
SwitchType=switch/none
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 Gres=gpu:10
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 Gres=gpu:10
NodeName=node3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1
PartitionName=main Nodes=node[1-3] Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$cluster/slurm.conf
  trap end_cluster EXIT
  trap 'exit 143' TERM
  daemon munged --foreground --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed"
  wait_for 'munged' test -S "$cluster/munge/socket"
  daemon slurmctld -D
  begin_node node1
  begin_node node2
  wait_for 'the nodes' node_is 'node[1-2]' '^idle$' 2
}

# daemon COMMAND...: one that does not outlive the test, even if that is killed.
daemon() {
  setpriv --pdeathsig KILL "$@" >>"$cluster/daemons" 2>&1 </dev/null &
  disown
  daemons+=($!)
}

# Everything on a node has its name in the environment: also what runs the jobs, and they.
begin_node() { SLURMD_NODENAME=$1 daemon slurmd -D -N "$1"; }

# node_is NODES STATE [HOW-MANY]
node_is() { (($(sinfo -h -N -n "$1" -o %T | grep -Ec "$2") == ${3:-1})); }

# processes NODE: of this cluster. slurmstepd writes its title over its environment: it is a job's parent.
processes() {
  local found parent
  while read -r found; do
    grep -qzxF "SLURM_CONF=$SLURM_CONF" "$found" || continue
    found=${found%/environ}
    echo "${found#/proc/}"
    parent=$(sed -n 's/^PPid:[^0-9]*//p' "$found/status")
    [[ $(cat "/proc/$parent/comm") != slurmstepd ]] || echo "$parent"
  done < <(grep -lzxF "SLURMD_NODENAME=$1" /proc/[0-9]*/environ 2>/dev/null) 2>/dev/null
}

# As if its plug was pulled: nothing that is left may tell of what has ended.
kill_node() {
  local found
  while found=$(processes "$1") && [[ -n $found ]]; do
    xargs kill -STOP <<<"$found" 2>/dev/null || true
    xargs kill -KILL <<<"$found" 2>/dev/null || true
    sleep 0.05
  done
}

end_cluster() {
  local code=$?
  kill_node node1
  kill_node node2
  kill -KILL "${daemons[@]}" 2>/dev/null
  set +e
  (exit "$code")
  finish
}
