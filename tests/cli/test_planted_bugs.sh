#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether the checks of the discovery catch protocols that are wrong: bugs are planted in a copy of
# the kernels, each of which has to end as verify_failed, with the check that is meant to see it.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_KERNEL_DIR=$PWD/sources

# run PROTOCOL OPTION...: without a bound, whose search would need a barrier that works.
run() {
  "$COOPBENCH" discover --cpu --protocol "$1" --microbenchmark 11 --wg-sizes none --bound off \
    --launch 16 --runs 20 --json - "${@:2}"
}

# caught PROTOCOL REASON OPTION...: the bug shows in the results.
caught() {
  check_exit 3 run "$1" "${@:3}"
  check_schema run.schema.json out
  check_json out \
    'd["exit_code"] == 3 and d["cases"][0]["status"] == "verify_failed"' \
    "re.search(r'$2', d['cases'][0]['reason'])" \
    'd["cases"][0]["verification"]["detail"] == d["cases"][0]["reason"]'
}

# The mutex protocol gives an id to two participants.
copy_sources sources
plant sources/kernels/discovery.clh 's|env->group_id = d->count++;|env->group_id = d->count++ / 2;|'
caught ticket 'workgroups \d+ and \d+ both have id \d+'

# Its participants return a count that is not how many they are.
copy_sources sources
plant sources/kernels/discovery.clh 's|env->num_groups = seen;|env->num_groups = 1;|'
caught spin 'counts 1 participants, there are \d+'

# A mutex that lets everybody in. Two increments of the count overlap if who is between reading and
# writing it lets others run. A workgroup that then counts fewer participants passes the barrier too early, one that
# counts more waits for ever: both are reported.
for lock in ticket spin; do
  copy_sources sources
  plant sources/kernels/discovery.clh 's|env->group_id = d->count++;|\
      env->group_id = d->count; cb_relax(); d->count = env->group_id + 1;|'
  check_exit 0 run "$lock"
  plant "sources/kernels/mutexes/$lock.clh" \
    's|return cb_wait_equal(.*|return true;|; s|while (cb_exchange_acq_rel.*|while (0)|'
  code=0
  run "$lock" >out 2>err || code=$?
  check "$lock lock that lets everybody in: exit code $code" test "$code" = 3 -o "$code" = 4
done

# As printed in the paper: its participants' ids do not begin at 0, and nobody closes the poll, so that those that come
# after the first has gone count more.
copy_sources sources
plant sources/kernels/discovery.clh 's|numbers\[cb_native_group()\] = count;|numbers[cb_native_group()] = count + 1;|'
caught ticket 'has id \d+, not below the \d+ participants|global id|read \d+ where' --delay 0
copy_sources sources
plant sources/kernels/discovery.clh 's|d->closed = 1; |d->closed = 0; |'
caught spin 'counts \d+ participants, there are 16|global size' --delay 0

# Ids in native order are those of the opposite order, or by marks that are not all there yet, since one participant is
# late, or by those of the own word alone.
copy_sources sources
plant sources/kernels/discovery.clh 's|env->group_id = below;|env->group_id = env->num_groups - 1 - below;|'
caught lockfree 'workgroup \d+ has id \d+, but \d+ participants come before it' --ids native
copy_sources sources
plant sources/kernels/discovery.clh '/cb_or_relaxed(CB_ATOMIC(marks/i\
    for (uint i = 0; env->group_id == 0 \&\& i < 1000; i++)\
        cb_relax();'
check_exit 0 run lockfree --ids native --wait-deadline 20000
plant sources/kernels/discovery.clh 's|if (!cb_barrier_once(launch, d->order, env->num_groups))|if (false)|'
caught lockfree 'workgroups \d+ and \d+ both have id \d+|come before it' --ids native --wait-deadline 20000
copy_sources sources
plant sources/kernels/discovery.clh 's|i < own; i++|i + 1 < own; i++|'
check_exit 3 run lockfree --ids native --cpu-workgroups 40 --launch 80
check_json out "re.search(r'both have id|come before it', d['cases'][0]['reason'])"

# Shuffled ids leave their range.
copy_sources sources
plant sources/kernels/discovery.clh 's|while (id >= n);|while (false);|'
caught lockfree 'has id \d+, not below the \d+ participants|global id|both have id|read \d+ where' --ids shuffled --cpu-workgroups 5

# The ids of the lock-free protocol do not begin at 0.
copy_sources sources
plant sources/kernels/discovery.clh 's|env->group_id = id;|env->group_id = id + 1;|'
caught lockfree 'has id \d+, not below the \d+ participants|global id|read \d+ where'

# Its participants return a wrong count, too.
copy_sources sources
plant sources/kernels/discovery.clh \
  's|env->num_groups = cb_load_relaxed(CB_ATOMIC(d->total\[0\]));|env->num_groups = 1;|'
caught lockfree 'counts 1 participants, there are \d+'

# A barrier that lets everybody through shows only if somebody is late, so one is: participant 0
# enters last, long after the others, and writes its letter just before. A barrier that works makes
# the others wait for it.
copy_sources sources
plant sources/kernels/discovery.clh '/env->num_groups = cb_load_relaxed/a\
    if (id == 0) {\
        if (!cb_wait_reached(launch, CB_ATOMIC(d->barrier[0]), env->num_groups - 1, CB_SITE_BARRIER))\
            return false;\
        for (uint i = 0; i < 1000; i++)\
            cb_relax();\
    }'
check_exit 0 run lockfree --wait-deadline 20000
plant sources/kernels/barrier_once.clh 's|return cb_wait_reached(.*|return true;|'
caught lockfree 'after the barrier, participant \d+ read 0 where participant \d+ had written'
