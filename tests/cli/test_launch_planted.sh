#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: bugs in launches of children are found. For those in programs see the other test_launch_planted_*.sh.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

# None is there.
check_exit 0 "$COOPBENCH" launch --cpu --size medium --runs 2 --json document.json
check_json document.json 'len(d["cases"]) == d["summary"]["ok"] > 100'
check_exit 0 "$COOPBENCH" launch --cpu --program bt,gc,power,qt,sp --launcher warp,block,multiblock,grid,ahead --places scan \
  --scale tiny --json document.json
check_json document.json 'd["summary"]["ok"] == 25'
# A scan off by one: from within a kernel, and of launches that the host makes.
wrong 3 apps/nested/programs/nest_coop.clh 's/S->before = sum - S->before;/S->before = sum;/' --program equal,qt --launcher warp,block,multiblock --places scan
wrong 3 apps/nested/programs/nest_coop.clh 's/id % NEST_TOGETHER >= S->distance/id % NEST_TOGETHER > S->distance/' --program power,gc --launcher warp,block --places scan
wrong 3 apps/nested/programs/nest_run.clh 's/(id >= d ? sums/(id > d ? sums/' --program equal,bfs_nested --launcher grid,ahead --places scan
check_stderr 'launch/equal/grid,places=scan/medium: verify_failed'
# Launches that take their places each on its own: with a workgroup too few, and without a place.
wrong 3 apps/nested/programs/nest_run.clh 's/^\(    return cb_fetch_add64_relaxed(.*\), NEST_COUNT(1, groups))/\1, NEST_COUNT(1, groups - 1))/' --program equal128,bh --launcher grid,ahead --places sequential
check_stderr 'launch/bh/ahead,places=sequential/medium: verify_failed'
wrong 3 apps/nested/programs/nest_run.clh 's/^\(    return cb_fetch_add64_relaxed(.*\), NEST_COUNT(1, groups))/\1, NEST_COUNT(0, groups))/' --program power --launcher grid --places sequential
# Of sizes of a child's own: work-items that are not masked, half of a child, workgroups for the largest size, a largest
# size that is none.
sizes() { wrong 3 "$1" "$2" --program "$3" --launcher "$4" --child-size items; }
sizes apps/nested/programs/nest.clh 's/return item >= record.size;/return false;/' qt block,grid
sizes apps/nested/programs/nest.clh 's/return record.size;/return record.size \/ 2;/' power,gc warp,grid
sizes apps/nested/programs/nest_run.clh 's/nest_groups(items, size, factor)/nest_groups(items, child_size, factor)/' power grid
check_stderr 'launch/power/grid,child-size=items/medium: verify_failed: word [0-9]+ is 0 instead of'
sizes apps/nested/programs/nest_run.clh 's/atomic_max((volatile global uint \*)&counts\[1\], size)/atomic_max((volatile global uint *)\&counts[1], 32u)/' power grid
sizes apps/nested/programs/nest_coop.clh 's/atomic_max(&L->sizes\[nest_with(V)\], S->size)/atomic_max(\&L->sizes[nest_with(V)], 32u)/' power warp,block
# Of arguments in arrays: those of an earlier lap, and those that are not noted.
arguments() { wrong 3 "$1" "$2" --program "$3" --launcher block,grid,ahead,multiblock --arguments arrays; }
arguments apps/nested/programs/nest.clh 's/\*arguments = own;/if (own.lap != 1)\n        &/' bfs_nested
arguments apps/nested/programs/nest.clh 's/in.words + own.words/in.words + own.words + own.lap/' qt
# Of children that launch: whoever ends first goes on, half of a child, what finds no place is forgotten, or what follows it.
recursive() { wrong 3 "apps/nested/programs/$1" "$2" --program qt --launcher recursive; }
recursive nest_recursive.clh 's/, 1) + 1 ==/, 1) + nest_groups(task_a->items, task_a->size, 1) ==/'
recursive nest_recursive.clh 's/(uint)task_in(task_v.group, 0, 0) \* task_a->size +/(uint)task_in(task_v.group, 0, 0) * 2 * task_a->size +/'
recursive nest_recursive.clh 's/nest_push(task_l, &in, next\[i\], items);/;/'
recursive qt.clh 's/        next\[n++\] = parent;/        in->lap++;\n&/'
# A child that is lost, one that is done by another parent, too few workgroups, a level that is skipped.
wrong 3 apps/nested/programs/nest_run.clh 's/i < record.items; k++/i < record.items \&\& group != 5; k++/' --program equal --launcher grid
check_stderr 'launch/equal/grid/medium: verify_failed: word [0-9]+ is 0 instead of'
wrong 3 apps/nested/programs/nest.clh 's/records\[middle\].first <= group/records[middle].first < group/' --program equal,power --launcher grid
wrong 3 apps/nested/programs/nest.clh 's/return (items - 1) .*/return (items + 31) \/ (2 * size) + 1;/' --program power --launcher grid
wrong 3 apps/nested/programs/nest_run.clh 's/item += CB_WG_SIZE/& + 1/' --program power,bfs_nested --launcher flat
wrong 3 apps/nested/programs/nest_run.clh 's/i < record.items; k++/i + 1 < record.items; k++/' --program equal --launcher thread,warp
wrong 3 apps/nested/programs/nest_coop.clh 's/NEST_LOCAL_SUM(S->before)/0/' --program power --launcher warp,block
# Of launches by all workgroups, those of one that are another's, and of launches ahead a round whose counts stay.
wrong 3 apps/nested/programs/nest_coop.clh 's/record.first += NEST_GROUPS(L->base)/record.first += 0/' --program equal,qt --launcher multiblock
wrong 3 apps/nested/programs/nest_coop.clh 's/group < NEST_GROUPS(count) \&\& place < at_once/group + 1 < NEST_GROUPS(count)/' --program equal --launcher multiblock
# A lap in line that ought not to take place.
wrong 3 apps/nested/programs/nest_run.clh 's/return lap == 0 || .*/return true;/' --program bh --launcher ahead
wrong 1 apps/nested/programs/nest_run.clh 's/counts\[NEST_COUNT_OF(1 - parity)\] = //' --program sp,gc --launcher ahead
wrong 3 apps/nested/programs/nest_run.clh 's/group < NEST_GROUPS(count) \&\& n_records/group + 9 < NEST_GROUPS(count) \&\& n_records/' --program equal,power --launcher ahead
wrong 3 apps/nested/programs/nest_run.clh 's/if (items >= threshold)/if (items >= threshold || parent % 9 == 0)\n        return items >= threshold ? items : 0;\n    if (false)/' \
  --program power --launcher grid --threshold 64
# Of the longest round on its own, another lap, a phase before it, work and notes that are not left out.
wrong 3 apps/nested/programs/nest_coop.clh 's/S->lap = A->first_lap/S->lap = 0/' --program bfs_nested --launcher thread,block --breakdown
check_stderr 'launch/bfs_nested/block/medium/breakdown: verify_failed: lap [0-9]+, phase 0 on its own: [0-9]+ launches instead of'
wrong 3 apps/nested/programs/nest_coop.clh 's/S->phase = A->first_phase/S->phase = 0/' --program bh --launcher warp --breakdown
wrong 3 apps/nested/programs/nest_run.clh 's/(in.off \& NEST_OFF_WORK) \&\& record/false \&\& record/' --program equal --launcher host,block,grid --breakdown
check_stderr 'launch/equal/grid/medium/breakdown: verify_failed: children did what they were to leave out'
wrong 3 apps/nested/programs/nest_run.clh 's/(in.off \& NEST_OFF_NOTES) \&\& items/false \&\& items/' --program qt --launcher multiblock,ahead --breakdown
# Launches of a workgroup that take their places together: with the workgroups of another, and a place too few.
wrong 3 apps/nested/programs/nest_run.clh 's/NEST_LOCAL_SUM(before))/0)/' --program equal,power --launcher grid,ahead
wrong 3 apps/nested/programs/nest_run.clh 's/NEST_COUNT(NEST_LOCAL_N(L->together),/NEST_COUNT(NEST_LOCAL_N(L->together) - 1,/' --program equal,sp --launcher grid
# Ends of children that nobody notes.
wrong 3 apps/nested/programs/nest_times.clh 's/nest_keep_time(in, nest_now(), 1);/if (in.lap != 1)\n            &/' --program bfs_nested --launcher thread,multiblock,ahead --occupancy
check_stderr 'launch/bfs_nested/ahead/medium/occupancy: verify_failed: [0-9]+ workgroups of children began, and [0-9]+ ended'
# Memory that is taken together.
wrong 3 apps/nested/programs/nest_coop.clh 's/nest_with(V)\] + S->room/nest_with(V)]/' --program bt --launcher warp,block
check_stderr 'launch/bt/block/medium: verify_failed: line [0-9]+: its points from word [0-9]+ on have no room of their own'
