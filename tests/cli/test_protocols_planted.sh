#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The selftest finds bugs that are planted in a copy of the protocols, with the name of the rule that they break.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

source "$SOURCE_DIR/tests/cli/protocols.sh"

# Workgroups leave together before all of them are at their offers.
fresh_sources
plant sources/kernels/coop/offers/together.clh \
  's|COOP_OFFERED(seen) == COOP_GROUPS(seen) - COOP_TARGET(seen)|COOP_OFFERED(seen) > 0|'
caught 'trace: [A-Z]+ at .* (killed|active|acted)' --app game --stress 3

# A workgroup is killed that is not the highest, and does not wait for others.
fresh_sources
plant sources/kernels/coop/offers/together.clh 's|coop_await_offers(w, coop_offer(w))|coop_offer(w)|'
plant sources/kernels/coop/offers/together.clh 's|coop_is_surplus(w, \*seen) && w->own->id + 1 == COOP_GROUPS(\*seen)|true|'
caught 'trace: [A-Z]+ at .* (killed|active|acted)' --app game --stress 3

# A fork gives away an id that is active.
fresh_sources
plant sources/kernels/coop/offers/highest.clh \
  's|coop_send_joins(w, S, active, |coop_send_joins(w, S, active - 1, |'
caught 'trace: (FORK|JOIN) at .* active' --app game --stress 3

# One waiter does not wait.
fresh_sources
plant sources/kernels/coop/resizing/word.clh 's|== round \&\&$|== round \&\& w->own->id != 1 \&\&|'
caught 'trace: BARRIER at' --app bfs --variant ours --stress 4
fresh_sources
plant sources/kernels/coop/resizing/atomic.clh 's|- complete) < 0)$|- complete) < 0 \&\& w->own->id != 1)|'
caught 'trace: BARRIER at' --app bfs --variant ours --stress 4

# The draft's resizing barrier as printed: not all see the same M after it.
fresh_sources
plant sources/kernels/coop/resizing/literal.clh \
  '/coop_request_inside/,$ s|return coop_meet_word(w, S, COOP_KEEPS);|return COOP_GOES_ON;|; s|return coop_meet_word(w, 0, .*|return true;|'
caught 'the digest of its result is' --resizing literal --app bc --stress 4

# `model` without its last barrier: the same.
fresh_sources
plant sources/kernels/coop/resizing/model.clh \
  '/coop_try_kill/,$ s|return coop_meet_word(w, S, COOP_KEEPS);|return COOP_GOES_ON;|; s|GOES_ON \&\&$|GOES_ON;|; /^ *coop_meet_word(w, 0/d'
caught 'passed a barrier and did not find another one there' --resizing model --app barriers --stress 4

# An offer as printed kills a workgroup that is not the highest.
fresh_sources
plant sources/kernels/coop/offers/printed.clh 's| \&\& w->own->id + 1 == COOP_GROUPS(\*seen)||'
caught 'trace: KILL at .* was killed by change' --app game --variant paper --stress 2

# A slave of `master` is not waited for. Another keeps what it was told, and takes it for the next answer.
fresh_sources
plant sources/kernels/coop/resizing/slaves.clh 's|coop_await_slaves(w, 1 + item, |coop_await_slaves(w, 2 + item, |'
caught 'trace: BARRIER at .* before workgroup 1 had arrived' --resizing master --app bfs --stress 3
fresh_sources
plant sources/kernels/coop/resizing/slaves.clh 's|cb_store64_relaxed(flag, 0);||'
caught 'trace: BARRIER at .* saw an M of' --resizing master --app barriers --stress 3

# A run begins with more workgroups than the host allows.
fresh_sources
plant sources/kernels/coop/scheduler.clh 's|uint groups = coop_reach(s, q);|uint groups = s->workers;|'
caught 'trace: (LIMIT at .* began with|SLOTS at .* was to have)' --app barriers --stress 3

# A limit is said to have come to pass before it has.
fresh_sources
plant sources/kernels/coop/scheduler.clh 's/(q->groups != coop_target(s, q) || q->pending ||/(/'
caught 'at most [0-9]+ workgroups were asked for, and [0-9]+ were active|trace: LIMIT at' \
  --app barriers --stress 3

# Each share of a child is its first one.
fresh_sources
plant sources/kernels/coop/children.clh 's/    return share;/    return 0;/'
caught 'trace: CHILD at .* share 1 0 times' --app children --stress 3

# Of each product some elements are wrong, a row of each tile is not stored, or in another's place, or rows of
# different tiles are in each other's.
for bug in 's/float4 c0 = 0,/float4 c0 = (float)(row == 4),/' '/coop_matmul_store_row(tile + rows,/d' \
  's/coop_matmul_store_row(tile + rows,/coop_matmul_store_row(tile + 2 * rows,/' \
  's/coop_matmul_store_row(tile + 3 \* rows,/coop_matmul_store_row(\&c[(row + 3) * rows + (column ^ 4)],/'; do
  fresh_sources
  plant sources/kernels/tasks/matmul.clh "$bug"
  caught 'task [0-9]+ of [0-9]+ \(matmul, .* the result is wrong' --app game --stress 3
done
