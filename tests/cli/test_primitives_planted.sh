#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether the checks of the primitives catch primitives that are wrong: bugs are planted in a copy of
# the kernels, each of which has to end with the check that is meant to see it. A race shows only if
# somebody comes in between: first the window is made wide, by letting others run, and what is right
# has to pass with it; then the bug is planted.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
export COOPBENCH_KERNEL_DIR=$PWD/sources

kernels=sources/probes/primitives
barriers=$(primitives BARRIER) mutexes=$(primitives MUTEX) semaphores=$(primitives SEMAPHORE) queues=$(primitives QUEUE)

# run KIND NAME,... OPTION...: with $groups workgroups; again, if discovery has found fewer for some row, as
# it may if the host takes the cores away meanwhile.
groups=8
run() {
  local kind=$1 names=$2 i code
  shift 2
  for ((i = 0; i < 4; i++)); do
    code=0
    "$COOPBENCH" primitives --cpu --barrier none --mutex none --semaphore none --queue none "--$kind" "$names" \
      --groups "$groups" --wg-size 4 --ops 200 --runs 2 --warmup 0 --wait-deadline 20000 "$@" \
      --json - >document 2>log || code=$?
    grep -q 'only [1-7] run at once' document || break
  done
  cat document
  cat log >&2
  return "$code"
}

# passes KIND NAME,... OPTION...: nothing is wrong yet.
passes() {
  check_exit 0 run "$@"
  check_json out 'd["summary"]["ok"] == d["summary"]["cases"] > 0'
}

# caught KIND NAME,... REASON OPTION...: the bug shows in every row.
caught() {
  local kind=$1 names=$2 reason=$3
  shift 3
  check_exit 3 run "$kind" "$names" "$@"
  check_json out \
    'd["exit_code"] == 3 and d["summary"]["verify_failed"] == d["summary"]["cases"] > 0' \
    "all(re.search(r'$reason', c['reason']) for c in d['cases'])" \
    'all(c["verification"] == {"status": "fail", "detail": c["reason"]} for c in d["cases"])'
}

# deadlocks KIND NAME,... SITE OPTION...: a wait in vain is found, in the launch that $where names.
where='checked launch: '
deadlocks() {
  local kind=$1 names=$2 site=$3
  shift 3
  check_exit 4 run "$kind" "$names" --wait-deadline 100 "$@"
  check_json out \
    'd["exit_code"] == 4 and d["summary"]["timeout"] == d["summary"]["cases"] > 0' \
    "all(re.search(r'^${where}workgroup \d+ of 8 waited more than 100 ms for $site',
                   c['reason']) for c in d['cases'])"
}

# ---- Mutexes -------------------------------------------------------------------------------------

# One that lets everybody in. The timed launch has a section of one increment, the checked one has the
# words of all work-items.
copy_sources sources
plant $kernels/mutex.cl 's|\*counter = \*counter + 1;|{\
                uint seen = *counter;\
                cb_relax();\
                *counter = seen + 1;\
            }|
  s|data\[CB_DATA_ITEMS + item\]++;|uint seen = data[CB_DATA_ITEMS + item];\
            cb_relax();\
            data[CB_DATA_ITEMS + item] = seen + 1;|'
passes mutex "$mutexes" --section 1
plant sources/kernels/mutexes/spin.clh 's|while (cb_exchange_.*|while (0)|'
plant sources/kernels/mutexes/spin_backoff.clh 's|while (cb_exchange_.*|while (0) {|'
plant sources/kernels/mutexes/spin_then_backoff.clh 's|while (cb_exchange_.*|while (0) {|'
plant sources/kernels/mutexes/ticket.clh 's|return cb_wait_equal(.*|return true;|'
plant sources/kernels/mutexes/ticket_linear.clh 's|if (served == m->ticket)|if (true)|'
plant sources/kernels/mutexes/ring.clh 's|== m->ticket)|== m->ticket \|\| true)|'
plant sources/kernels/mutexes/ticket_backoff.clh 's|if (before == 0)|if (true)|'
plant sources/kernels/mutexes/array.clh 's|return cb_wait_equal(.*|return true;|'
caught mutex "$mutexes" 'the plain counter of the critical section is \d+ instead of 1600' --section 1
check_schema run.schema.json out
caught mutex spin,ticket \
  'holding the mutex, work-items of workgroup \d+ read \d+ words that were not the last holder' \
  --section 0

# One without acquire, and one without release. To take the memory orders out of kernels/atomics.clh
# shows nothing here: on x86 every load is an acquire, every store a release and every atomic read-
# modify-write a full fence, and the compiler moves nothing across volatile accesses and calls. So what
# a processor of weaker order may do is done by hand. Without acquire, it may read the section's data
# before it has the lock:
copy_sources sources
plant $kernels/mutex.cl '/^mutex_timed/,/^}/ {
    s|while (\(done < .*\)) {|for (uint seen = 0; cb_relax(), \1;) {\
            seen = *counter;|
    /i < CB_SECTION/d
    s|\*counter = \*counter + 1;|*counter = seen + 1;|
    s|cb_unlock(&m);|&\
            cb_relax();|
  }'
cp $kernels/mutex.cl wide.cl
passes mutex spin,ticket --section 1
plant $kernels/mutex.cl '/^ *seen = \*counter;$/d; s|cb_relax(), done|seen = *counter, &|'
caught mutex spin,ticket 'the plain counter of the critical section is \d+ instead of 1600' --section 1

# Without release, others may find the lock free before they find what was written in the section:
cp wide.cl $kernels/mutex.cl
plant $kernels/mutex.cl '/^ *\*counter = seen + 1;$/d
  s|^ *cb_relax();$|&\
            *counter = seen + 1;|'
caught mutex spin,ticket 'the plain counter of the critical section is \d+ instead of 1600' --section 1

# A queue lock with too few slots. Ours is right all the same, because a slot holds the ticket that may
# go. With Anderson's own flags, two who wait at one slot go together, or the first to go takes down the
# flag that was meant for the other.
copy_sources sources
plant $kernels/mutex.cl 's|\(cb_mutex m = .*\)value|\1value / 4|'
passes mutex array --section 1
copy_sources sources
plant $kernels/mutex.cl 's|\*counter = \*counter + 1;|{\
                uint seen = *counter;\
                cb_relax();\
                *counter = seen + 1;\
            }|'
plant sources/kernels/mutexes/array.clh '
  s|return cb_wait_equal(.*|bool first = (m->ticket \& (m->slots - 1)) == 0; /* 0: may go */\
    volatile global cb_atomic *slot = cb_array_slot(m, m->ticket);\
    if (!cb_wait_equal(m->launch, slot, !first, CB_SITE_MUTEX))\
        return false;\
    cb_relax();\
    cb_store_relaxed(slot, first);\
    return true;|
  s|cb_store_release(.*|bool first = ((m->ticket + 1) \& (m->slots - 1)) == 0;\
    cb_store_release(cb_array_slot(m, m->ticket + 1), !first);|
  /cb_store_relaxed(cb_array_slot(m, next), next);/d'
passes mutex array --section 1
plant $kernels/mutex.cl 's|\(cb_mutex m = .*\)value|\1value / 4|'
code=0
run mutex array --section 1 --wait-deadline 100 >out 2>err || code=$?
check "queue lock with too few slots: exit code $code" test "$code" = 3 -o "$code" = 4
check_json out \
  're.search("plain counter of the critical section is|for the mutex", d["cases"][0]["reason"])'

# A ring in which nobody takes his place.
copy_sources sources
plant sources/kernels/mutexes/ring.clh '/cb_store_relaxed(cb_ring_slot/d'
where='' deadlocks mutex ring 'the mutex' --section 0

# ---- Barriers ------------------------------------------------------------------------------------

# In each round one workgroup is late, and of its work-items all but the first.
late() {
  copy_sources sources
  plant $kernels/barrier.cl 's|phase\[group \* CB_WG_SIZE + item\] = r;|\
        for (uint i = group == r % n \&\& item > 0 ? 20 : 0; i > 0; i--)\
            cb_relax();\
        &|'
}
another_phase='after a barrier, work-items of workgroup \d+ read \d+ words of another phase'

late
passes barrier "$barriers"

# One that lets go when all but one are there; a master, and stages, that wait for nobody.
all_but_one='s|complete, CB_SITE_BARRIER|complete - 1, CB_SITE_BARRIER|'
plant sources/kernels/barriers/counter.clh "$all_but_one"
plant sources/kernels/barriers/patient.clh "$all_but_one"
plant sources/kernels/barriers/broadcast.clh \
  's|if (cb_fetch_add_acq_rel(\(.*\), 1) + 1 == complete)|\
    if ((int)(cb_fetch_add_acq_rel(\1, 1) + 2 - complete) >= 0)|'
plant sources/kernels/barriers/xf_rounds.clh 's|if (g > 0 &&|if (g > 1 \&\&|'
plant sources/kernels/barriers/xf.clh 's|if (!cb_wait_equal|if (g < b->groups - 1 \&\& !cb_wait_equal|
  s|cb_store_release(cb_xf_flag(b, g), 0)|if (cb_wait_equal(b->launch, cb_xf_flag(b, g), 1, CB_SITE_BARRIER)) &|'
plant sources/kernels/barriers/two_stage.clh 's|(word, 0)) != 0;|(word, 0)) > b->groups;|'
plant sources/kernels/barriers/monitor.clh 's|while ((int)|while (false \&\& (int)|'
caught barrier "$barriers" "$another_phase"
late
plant sources/kernels/barriers/xf_rounds.clh 's|if (g > 0 &&|if (false \&\&|'
caught barrier xf_rounds "$another_phase"

# One without release, for all work-items but the first: their writes do not come before its arrival.
# As with mutexes, the order of the arrival itself cannot be taken away on x86.
late
plant sources/kernels/barrier.clh '/^#define CB_GLOBAL_BARRIER_BY/,/if (/s|CB_WORKGROUP_BARRIER;|;|'
plant sources/kernels/barriers/xf_rounds.clh '/^#define cb_global_barrier_xf/,/if (/s|CB_WORKGROUP_BARRIER;|;|'
plant sources/kernels/barriers/xf.clh '/^        cb_store_release(cb_xf_flag(b, b->group), 1);/d
  s|^        return true;|\
        return local_id > 0 \|\| (cb_store_release(cb_xf_flag(b, b->group), 1), true);|'
caught barrier "$barriers" "$another_phase"

# One without acquire: what is read after it may have been read before.
copy_sources sources
plant $kernels/barrier.cl '/^barrier_checked/,/^}/ {
    /errors += phase/d
    s|cb_global_barrier(b);|errors += phase[((group + r) % n) * CB_WG_SIZE + item] != r;\
        &|
  }'
caught barrier counter "$another_phase"

# One stage only: a quick workgroup raises the word again before a slow one has seen that it was 0.
copy_sources sources
plant sources/kernels/barriers/two_stage.clh 's|return cb_two_stage_pass(b, CB_ATOMIC(b->words\[0\])) &&|return|
  s|(b, CB_ATOMIC(b->words\[CB_LINE_WORDS\]))|(b, CB_ATOMIC(b->words[0]))|'
where='' deadlocks barrier two_stage 'the global barrier' --ops 2000

# Kernels one after the other: one that does not write, one that reads what is not yet there.
copy_sources sources
plant $kernels/relaunch.cl 's|now\[.*= round;|if (item > 0 \|\| group != round % n) &|'
caught barrier relaunch,relaunch_sync "$another_phase"
copy_sources sources
plant $kernels/relaunch.cl 's|(round + 1) % 2|round % 2|'
caught barrier relaunch "$another_phase"

# ---- Semaphores ----------------------------------------------------------------------------------

# Who is in stays there for a while.
stay() {
  copy_sources sources
  plant $kernels/semaphore.cl 's|errors += inside ? cb_checked_enter.*|&\
            for (uint turn = 0; turn < 20; turn++)\
                cb_relax();|'
}
inside='inside the semaphore, workgroup \d+ saw \d+ things that were wrong'

# One too many may come in. For the sleeping semaphore this is what the text of the paper says of its
# Algorithm 5: a waiting workgroup goes as soon as the turn is "greater than or equal to its ticket".
stay
passes semaphore "$semaphores" --initial 2 --ops 500
passes semaphore sleeping --initial 7 --ops 500
plant sources/kernels/semaphores/spin.clh 's|inside < s->value;|inside <= s->value;|'
plant sources/kernels/semaphores/spin_backoff.clh 's|uint pause = 0;|&\
    cb_semaphore wider = *s;\
    wider.value++;|
  s|cb_sem_try_spin(s)|cb_sem_try_spin(\&wider)|'
plant sources/kernels/semaphores/ticket.clh 's|(ticket - posts - s->value) + 1;|(ticket - posts - s->value);|'
plant sources/kernels/semaphores/optimistic.clh 's|>= s->value)|> s->value)|'
plant sources/kernels/semaphores/sleeping.clh 's|index + 1,$|index,|'
caught semaphore "$semaphores" "$inside" --initial 2 --ops 500
caught semaphore sleeping "$inside" --initial 7 --ops 500

# One too few may come in: the writer, which takes all, never does.
copy_sources sources
plant sources/kernels/semaphores/ticket.clh 's|\((ticket - posts - s->value)\) + 1;|\1 + 2;|'
deadlocks semaphore ticket 'the semaphore' --initial 2 --ops 500

# Nobody may, once all are inside: a post that does not go out.
plant sources/kernels/semaphores/spin_backoff_post.clh 's|while (!cb_sem_try_post_spin(s))|while (false)|'
where='' deadlocks semaphore spin_backoff_post 'the semaphore' --initial 2 --ops 500

# Algorithm 5 as printed waits until the turn is greater than the ticket, both unsigned: for ever, once
# the turns have wrapped around. The checked launch begins shortly before.
stay
plant sources/kernels/semaphores/sleeping.clh '/return cb_wait_reached/{
    N
    s|.*|    cb_wait w = {s->launch};\
    for (uint turn; (turn = cb_load_acquire(CB_ATOMIC(s->words[CB_LINE_WORDS]))) <= index;)\
        if (!cb_wait_turn(\&w, CB_SITE_SEMAPHORE, turn, index + 1))\
            return false;\
    return true;|
  }'
deadlocks semaphore sleeping 'the semaphore' --initial 1,7 --ops 500

# Without release, those who come in may find what was there before the post.
copy_sources sources
plant $kernels/semaphore.cl '/^semaphore_checked/,/^}/ {
    /get_group_id(0) == 0)$/,/\]++;$/d
    s|self->operations++;|&\
        }\
        if (inside \&\& get_group_id(0) == 0) {\
            for (uint late = 0; late < 20; late++)\
                cb_relax();\
            data[CB_DATA_ITEMS + item]++;|
  }'
caught semaphore ticket,optimistic "$inside" --initial 2 --ops 500

# ---- Queues, and condition variables -------------------------------------------------------------

# Who writes an element is late. Then it is said to be there before it is, by the turn, or by no mutex.
slow() {
  copy_sources sources
  plant sources/kernels/queues/tickets.clh 's|^ *cb_queue_turn(q, slot)\[1\] = value;|    cb_relax();\
&|'
  plant sources/kernels/queues/monitor.clh 's|^ *q->words\[CB_MONITOR_ELEMENTS.* = value;|    cb_relax();\
&|'
}
slow
passes queue "$queues"
plant sources/kernels/queues/tickets.clh 's/return cb_wait_equal/return true || cb_wait_equal/'
plant sources/kernels/queues/monitor.clh 's|if (!cb_lock(&m))|if (false)|; s|cb_unlock(&m);||'
code=0
run queue "$queues" --wait-deadline 500 >out 2>err || code=$?
check "queues without waits: exit code $code" test "$code" = 3 -o "$code" = 4
check_json out 'd["summary"]["ok"] == 0'

# Last in, first out; and what is written before an element comes in, written after it.
came_out='element \d+ came out as number \d+: out of order, or twice'
slow
plant sources/kernels/queues/monitor.clh 's|q->ticket = q->words\[CB_MONITOR_HEAD\]++;|q->words[CB_MONITOR_HEAD]++;\
    q->ticket = q->words[CB_MONITOR_TAIL] - 1;|'
caught queue monitor "$came_out"
copy_sources sources
plant $kernels/queue.cl 's|^ *payload\[element\] = .*|            ;|
  s|^ *if (last_item && going && takes)|        for (uint late = 0; late < 20 \&\& gives; late++)\
            cb_relax();\
        if (last_item \&\& gives)\
            payload[element] = cb_checked_payload(element);\
&|'
caught queue "$queues" 'after dequeueing, workgroup \d+ read \d+ words older than what came in'

# Signals and broadcasts that do not come, or wake too few.
copy_sources sources
plant sources/kernels/condition.clh 's|^    if (granted != c->words\[0\])|    if (false)|
  s|(CB_ATOMIC(c->words\[CB_LINE_WORDS\]), c->words\[0\]);|(CB_ATOMIC(c->words[CB_LINE_WORDS]), c->words[0] - 1);|'
where='(checked launch: )?' deadlocks queue monitor 'a condition to be signalled'
where='(checked launch: )?' deadlocks barrier monitor 'a condition to be signalled'

# ---- Operations that are left out ----------------------------------------------------------------

copy_sources sources
plant $kernels/mutex.cl '/^mutex_timed/,/^}/ s|done < operations|done + 1 < operations|'
caught mutex ticket 'workgroup 0 has done 199 operations instead of 200' --section 0

# The last section's writes, after which nobody looks but the host.
copy_sources sources
plant $kernels/mutex.cl 's|data\[CB_DATA_ITEMS + item\]++;|data[CB_DATA_ITEMS + item] += i + 1 < count;|'
groups=1
caught mutex ticket 'in the end, word 0 of the critical section is \d*9 instead of \d+0$' --section 0
