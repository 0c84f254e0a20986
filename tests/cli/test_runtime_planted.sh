#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The selftest finds bugs of the scheduler that change no result and keep nobody waiting for ever, by the rules of its
# trace and of the line.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/protocols.sh"

# The slots of a withdrawn task do not go back, or the kernel does not hear of it.
find_in withdraw.clh '/lane->first += lane->groups - lane->reserved;/d' \
  'trace: SLOTS at .* was withdrawn and kept [0-9]+, so that' --app game --stress 4
find_in withdraw.clh '/coop_hold_slots(s);/d' \
  'trace: SLOTS at .* was withdrawn and kept [0-9]+, so that' --app game --stress 4

# The kernel is wished to have a slot of a task. A run begins with one workgroup fewer than it may have.
find_in grants.clh 's/max(COOP_LEAST, min(most, s->lowest))/max(COOP_LEAST, min(most, s->lowest + 1))/' \
  'trace: [A-Z]+ at ' --app game --stress 2
find_in scheduler.clh 's/    uint groups = coop_reach(s, q);/    uint groups = max(1u, coop_reach(s, q) - 1);/' \
  'trace: SLOTS at .* was to have [0-9]+ workgroups instead of' --app game --stress 2

# The line has no order.
find_in line.clh 's/rank < line\[(i - 1) \/ 2\]/false/' \
  'task [0-9]+ left the line before task [0-9]+' --app game --stress 4

# A run that was away comes back by a change of M that there has been.
find_in whole/away.clh 's/(kept->version + 1) & COOP_VERSION_MASK/kept->version/' \
  'trace: RUN at .* came back by change' --semantics whole --app bfs,barriers --variant ours --stress 4
