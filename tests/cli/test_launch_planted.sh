#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: bugs in its programs, in the chain and in the aggregation are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

launch() { "$COOPBENCH" launch --cpu "$@"; }
# None is there.
check_exit 0 launch --size medium --runs 2 --json document.json
check_json document.json 'len(d["cases"]) == 183 == d["summary"]["ok"]'
copy_sources sources
export COOPBENCH_KERNEL_DIR=$PWD/sources
wrong() { # EXIT FILE SED-SCRIPT OPTION...
  cp "sources/benchmarks/launch/$2" right
  plant "sources/benchmarks/launch/$2" "$3"
  check_exit "$1" launch --size medium --runs 1 --warmup 0 --wait-deadline 200 "${@:4}"
  cp right "sources/benchmarks/launch/$2"
}
wrong 3 promotion/kept.clh 's/p.before.x + p.total, 0/p.before.x + p.total - (p.step == 3), 0/' --program sc --launcher host,loop,PA
check_stderr 'launch/sc/loop/medium: verify_failed: data: element'
wrong 3 promotion/chain_run.clh 's/p->own = p->item > 0/p->own = p->item > 1/' --program pt,los --launcher PAO
wrong 3 promotion/los.cl 's/p.before.x == 0 ||/true ||/' --program los
wrong 3 promotion/unq.cl 's/p.ready.x != p.before.y/true/' --program unq --launcher PAO
wrong 3 promotion/pd.cl 's/#define MOVED_LAST_FIRST//' --program pd
wrong 3 promotion/upd.cl 's/a.columns - a.pad)/a.columns)/' --program upd
# A scan off by one: from within a kernel, and of launches that the host makes.
wrong 3 aggregation/nest_coop.clh 's/S->before = sum - S->before;/S->before = sum;/' --program equal,qt --launcher warp,block,multiblock --places scan
wrong 3 aggregation/nest_coop.clh 's/id % NEST_TOGETHER >= S->distance/id % NEST_TOGETHER > S->distance/' --program power,gc --launcher warp,block --places scan
wrong 3 aggregation/nest_run.clh 's/(id >= d ? sums/(id > d ? sums/' --program equal,bfs_nested --launcher grid,ahead --places scan
check_stderr 'launch/equal/grid,places=scan/medium: verify_failed'
# Elements that go to a wrong place of local memory.
wrong 3 promotion/sc.cl 's/uint to = p.own;/uint to = p.own + (p.item == 3);/' --program sc --launcher loop,PO,PAO
wrong 3 promotion/unq.cl 's/from = p.total + 1 - stay/from = 0/' --program unq --launcher host,tail
wrong 3 promotion/pt.cl 's/p.total + at - kept/p.total + at - p.own/' --program pt --launcher PA,P
# A flag that never comes, and steps that nobody does.
wrong 4 promotion/chain_run.clh 's/flag = step + 1 < steps ?/flag = step == 7 ? 0 : step + 1 < steps ?/' --program sc --launcher PA,PAO --descendants all
check_stderr 'launch/sc/PA-all/medium: timeout: .*waited more than 200 ms.*the step before'
wrong 3 promotion/chain_run.clh 's/step + 1 < steps ?/step < 7 ?/' --program sc,upd --launcher PA,PAO
# A missing acquire: data is believed without its flag, after a step that takes its time to hand it on.
wrong 3 promotion/chain_run.clh \
  's/if (CHAIN_FLAG_OF(x) != 0 .*/if (true)/; s/^    cb_fence_acq_rel();/    for (volatile uint i = 0; step % 8 == 2 \&\& i < 100000000; i++)\n        ;\n&/' \
  --program sc,pt --launcher PAO --descendants all
# By steps that launch the next one themselves: none is launched, a flag comes too early, a read value is written over.
wrong 3 promotion/chain_coop.clh 's/task_a->step + 1 >= task_a->in.steps/task_a->step >= 7/' --program sc,upd --launcher tail
wrong 3 promotion/chain_coop.clh 's/p.own = task_s->p.item > 0/p.own = task_s->p.item > 1/' --program unq --launcher tail,P,PO
wrong 3 promotion/chain_coop.clh 's/&task_s->p.before,/\&task_s->p.after,/' --program sc,los --launcher P,PO
wrong 4 promotion/chain_coop.clh 's/chain_hand_on(task_a->links, task_a->step,/chain_hand_on(task_a->links, task_a->step + (task_a->step == 9),/' \
  --program pt --launcher P,PO
# A child that is lost, one that is done by another parent, too few workgroups, a level that is skipped.
wrong 3 aggregation/nest_run.clh 's/i < record.items; k++/i < record.items \&\& group != 5; k++/' --program equal --launcher grid
check_stderr 'launch/equal/grid/medium: verify_failed: word [0-9]+ is 0 instead of'
wrong 3 aggregation/nest.clh 's/records\[middle\].first <= group/records[middle].first < group/' --program equal,power --launcher grid
wrong 3 aggregation/nest.clh 's/return (items - 1) .*/return (items + 31) \/ (2 * size) + 1;/' --program power --launcher grid
wrong 3 aggregation/nest_run.clh 's/item += CB_WG_SIZE/& + 1/' --program power,bfs_nested --launcher flat
wrong 3 aggregation/nest_run.clh 's/i < record.items; k++/i + 1 < record.items; k++/' --program equal --launcher thread,warp
wrong 3 aggregation/nest_coop.clh 's/NEST_LOCAL_SUM(S->before)/0/' --program power --launcher warp,block
# Of launches by all workgroups, those of one that are another's, and of launches ahead a round whose counts stay.
wrong 3 aggregation/nest_coop.clh 's/record.first += NEST_GROUPS(L->base)/record.first += 0/' --program equal,qt --launcher multiblock
wrong 3 aggregation/nest_coop.clh 's/group < NEST_GROUPS(count) \&\& place < at_once/group + 1 < NEST_GROUPS(count)/' --program equal --launcher multiblock
# A lap in line that ought not to take place.
wrong 3 aggregation/nest_run.clh 's/return lap == 0 || .*/return true;/' --program bh --launcher ahead
wrong 1 aggregation/nest_run.clh 's/counts\[1 - parity\] = 0;//' --program sp,gc --launcher ahead
wrong 3 aggregation/nest_run.clh 's/group < NEST_GROUPS(count) \&\& n_records/group + 9 < NEST_GROUPS(count) \&\& n_records/' --program equal,power --launcher ahead
wrong 3 aggregation/nest_run.clh 's/if (items >= threshold)/if (items >= threshold || parent % 9 == 0)\n        return items >= threshold ? items : 0;\n    if (false)/' \
  --program power --launcher grid --threshold 64
wrong 3 aggregation/sssp_nested.cl 's/<= distance/<= distance + (other % 8 == 0)/' --program sssp_nested
wrong 3 aggregation/bfs_nested.cl 's/in.words\[other\] = in.lap + 2/& + (other == 9)/' --program bfs_nested
# Of the longest round on its own, another lap, a phase before it, work and notes that are not left out.
wrong 3 aggregation/nest_coop.clh 's/S->lap = A->first_lap/S->lap = 0/' --program bfs_nested --launcher thread,block --breakdown
check_stderr 'launch/bfs_nested/block/medium/breakdown: verify_failed: lap [0-9]+, phase 0 on its own: [0-9]+ launches instead of'
wrong 3 aggregation/nest_coop.clh 's/S->phase = A->first_phase/S->phase = 0/' --program bh --launcher warp --breakdown
wrong 3 aggregation/nest_run.clh 's/(in.off \& NEST_OFF_WORK) \&\& record/false \&\& record/' --program equal --launcher host,block,grid --breakdown
check_stderr 'launch/equal/grid/medium/breakdown: verify_failed: children did what they were to leave out'
wrong 3 aggregation/nest_run.clh 's/(in.off \& NEST_OFF_NOTES) \&\& items/false \&\& items/' --program qt --launcher multiblock,ahead --breakdown
# Launches of a workgroup that take their places together: with the workgroups of another, and a place too few.
wrong 3 aggregation/nest_run.clh 's/NEST_LOCAL_SUM(local_before))/0)/' --program equal,power --launcher grid,ahead
wrong 3 aggregation/nest_run.clh 's/NEST_COUNT(NEST_LOCAL_N(together),/NEST_COUNT(NEST_LOCAL_N(together) - 1,/' --program equal,sp --launcher grid
# Ends of children that nobody notes, and steps without times.
wrong 3 aggregation/nest_times.clh 's/nest_keep_time(in, nest_now(), 1);/if (in.lap != 1)\n            &/' --program bfs_nested --launcher thread,multiblock,ahead --occupancy
check_stderr 'launch/bfs_nested/ahead/medium/occupancy: verify_failed: [0-9]+ workgroups of children began, and [0-9]+ ended'
wrong 3 promotion/chain_run.clh 's/if (item == CHAIN_WG - 1)/if (item == CHAIN_WG - 1 \&\& step != 9)/' --program sc --launcher loop,P,PAO --occupancy
check_stderr 'launch/sc/P/medium/occupancy: verify_failed: step 9 has no times'
# A conflict that is overlooked, a vertex that is forgotten, colours that are too high.
wrong 3 aggregation/gc.cl 's/> priority_of(parent)/& \&\& item != 5/' --program gc --launcher serial,block,grid
check_stderr 'launch/gc/grid/medium: verify_failed: vertices [0-9]+ and [0-9]+ are neighbours of colour'
wrong 3 aggregation/gc.cl '/^static inline void gc_give_back/,/^}/s/\*in.flag = 1;//' --program gc --launcher serial,grid
check_stderr 'launch/gc/grid/medium: verify_failed: vertex [0-9]+ has no colour'
wrong 3 aggregation/gc.cl 's/+ place + 1;/+ place + 1 + (in.lap == 0 ? 100 : 0);/' --program gc --launcher serial,grid
check_stderr 'launch/gc/grid/medium: verify_failed: vertex [0-9]+ has colour 100, and [0-9]+ edges'
# Best weights that stay, an edge with two numbers, any edge instead of the best, a sum without high bits, a link too few.
wrong 3 aggregation/mst.cl '/MST_BEST, vertex) = /d' --program mstf,mstv --launcher serial,grid
check_stderr 'launch/mstv/grid/medium: verify_failed: the forest has [0-9]+ edges instead of'
wrong 3 aggregation/mst.cl 's/return edge < twin ? edge : twin/return edge/' --program mstf,mstv --launcher serial,grid
check_stderr 'launch/mstf/grid/medium: verify_failed: edge [0-9]+ of those marked closes a cycle'
wrong 3 aggregation/mst.cl 's/ == \*mst_word(in, MST_BEST/ >= *mst_word(in, MST_BEST/' --program mstf,mstv --launcher serial,block,grid
check_stderr 'launch/mstv/grid/medium: verify_failed: the forest weighs [0-9]+ instead of'
wrong 3 aggregation/mst.cl 's/sums\[1\], weight)/sums[1], weight \& 127)/' --program mstf,mstv --launcher serial,grid
check_stderr 'launch/mstf/grid/medium: verify_failed: sum 1 is'
wrong 3 aggregation/mst.cl 's/i < in.parents; i++/i < 1; i++/' --program mstf,mstv --launcher serial,grid
# Points, their memory, and memory that is taken together.
wrong 3 aggregation/bt.cl 's/(uint)wanted :/(uint)wanted + (parent == 9) :/' --program bt --launcher serial,flat
check_stderr 'launch/bt/flat/medium: verify_failed: line 9 has [0-9]+ points instead of'
wrong 3 aggregation/bt.cl 's/2.0f \* u \* v/2.0f * u * u/' --program bt --launcher serial,thread
wrong 3 aggregation/bt.cl 's/BT_ROOM_OF(items)$/BT_ROOM_OF((items) - 1)/' --program bt
wrong 3 aggregation/nest_coop.clh 's/nest_with(V)\] + S->room/nest_with(V)]/' --program bt --launcher warp,block
check_stderr 'launch/bt/block/medium: verify_failed: line [0-9]+: its points from word [0-9]+ on have no room of their own'
# Halves that do not meet, other colours, labels on the way to the first.
wrong 3 aggregation/ccl.cl 's/pixel >= in.n \&\&/& item >= in.n \&\&/' --program ccl --launcher serial,block
wrong 3 aggregation/ccl.cl 's/image\[pixel\] == image\[pixel - 1\]/image[pixel] >= image[pixel - 1]/' --program ccl --launcher flat,grid
wrong 3 aggregation/ccl.cl 's/= ccl_first(labels, pixel);$/= labels[pixel];/' --program ccl --launcher serial,warp
# Points on an edge, nodes that are not split, a child in the wrong place, points of others.
wrong 3 aggregation/qt.cl 's/x >= as_float/x > as_float/' --program qt --launcher serial,warp
wrong 3 aggregation/qt.cl 's/>= QT_LEAST/> QT_LEAST/' --program qt --launcher flat,grid
check_stderr 'launch/qt/grid/medium: verify_failed: node [0-9]+ has a quadrant too many, or too few'
wrong 3 aggregation/qt.cl 's/QT_CHILDREN + quadrant\] =/QT_CHILDREN + (child % 512 == 9 ? quadrant ^ 1 : quadrant)] =/' --program qt --launcher serial,thread
wrong 3 aggregation/qt.cl 's/begin += node/begin += quadrant == 2 ? 0 : node/' --program qt --launcher serial,grid
wrong 3 aggregation/qt.cl 's/+ to\] = point/+ to] = in.lap + 1 == QT_DEPTH ? at : point/' --program qt --launcher host,block
check_stderr 'launch/qt/block/medium: verify_failed: node [0-9]+ has other points'
# Surveys: a product with a factor too many, signs the wrong way round, an end too early and too late, none found, some lost.
sp() { wrong 3 "aggregation/${2:-sp.cl}" "$1" --program sp --launcher serial,grid; }
sp 's/if (o == occurrence)/if (o == occurrence \&\& o != 5)/'
check_stderr 'launch/sp/grid/medium: verify_failed: survey [0-9]+ is [0-9.e-]+ instead of'
sp 's/if (SP_NEGATED/if (!SP_NEGATED/'
sp 's/SP_CRITERION 0.01f/SP_CRITERION 0.02f/' sp_abi.h
check_stderr 'laps ended after a largest change of 0\.01'
sp 's/change < -SP_CRITERION/true/'
check_stderr 'laps went on after a largest change of [0-9.]+e-'
sp 's/as_uint(survey)/0/'
sp 's/!= occurrence)/!= occurrence \&\& i != 77)/'
sp 's/if (in.phase == 0)/if (in.phase == 0 \&\& occurrence == 5)\n        return;\n    &/'
# Bodies: another criterion, a cell that is passed over, one that is not emptied, lost bodies, a step too many.
bh() { wrong 3 aggregation/bh.cl "$1" --program bh --launcher serial,block; }
bh 's/BH_THETA \* BH_THETA/0.27f/'
check_stderr 'launch/bh/block/medium: verify_failed: .* of body [0-9]+ is'
bh 's/for (cell++;/for (cell += 1 + (level == 3 \&\& cell == 62);/'
bh 's/uint word = 0;/uint word = cell == 73 + 63;/'
bh 's/at, 1.0f)/at, other == 9 ? 0.0f : 1.0f)/'
bh 's/    (void)items;/    if (parent == 5 \&\& item == 21)\n        return;/'
bh 's/in.lap + 1 < BH_STEPS/in.lap < BH_STEPS/'
bh 's/    in.words\[accelerated\] = 0;//'
