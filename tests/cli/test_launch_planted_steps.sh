#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# launch: bugs in the chain of steps of a program that launches itself are found.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
source "$SOURCE_DIR/tests/cli/planted.sh"

wrong 3 probes/launch/promotion/chain_run.clh 's/p->own = p->item > 0/p->own = p->item > 1/' --program pt,los --launcher PAO
# A flag that never comes, and steps that nobody does.
wrong 4 probes/launch/promotion/chain_run.clh 's/flag = step + 1 < steps ?/flag = step == 7 ? 0 : step + 1 < steps ?/' --program sc --launcher PA,PAO --descendants all
check_stderr 'launch/sc/PA-all/medium: timeout: .*waited more than 200 ms.*the step before'
wrong 3 probes/launch/promotion/chain_run.clh 's/step + 1 < steps ?/step < 7 ?/' --program sc,upd --launcher PA,PAO
# A missing acquire: data is believed without its flag, after a step that takes its time to hand it on.
wrong 3 probes/launch/promotion/chain_run.clh \
  's/if (CHAIN_FLAG_OF(x) != 0 .*/if (true)/; s/^    cb_fence_acq_rel();/    for (volatile uint i = 0; step % 8 == 2 \&\& i < 100000000; i++)\n        ;\n&/' \
  --program sc,pt --launcher PAO --descendants all
# By steps that launch the next one themselves: none is launched, a flag comes too early, a read value is written over.
wrong 3 probes/launch/promotion/chain_coop.clh 's/task_a->step + 1 >= CHAIN_LAUNCHED(task_a->in.steps)/task_a->step >= 7/' --program sc,upd --launcher tail
wrong 3 probes/launch/promotion/chain_coop.clh 's/p.own = task_s->p.item > 0/p.own = task_s->p.item > 1/' --program unq --launcher tail,P,PO
wrong 3 probes/launch/promotion/chain_coop.clh 's/&task_s->p.before,/\&task_s->p.after,/' --program sc,los --launcher P,PO
wrong 4 probes/launch/promotion/chain_coop.clh 's/chain_hand_on(task_a->links, task_a->step,/chain_hand_on(task_a->links, task_a->step + (task_a->step == 9),/' \
  --program pt --launcher P,PO
# Of steps that are launched speculatively: one that is in vain does not tell the next, does its work, or is none too early.
speculative() { wrong "$1" "probes/launch/promotion/$2" "$3" --program "$4" --launcher P,PO --condition found; }
speculative 4 chain_run.clh 's/chain_hand_on(links, step, 0, \*value);/;/; s/chain_release(links, step, flag == CHAIN_GO ? steps : 0);/if (flag == CHAIN_GO)\n        chain_release(links, step, steps);/' sc,los
speculative 3 chain_coop.clh 's/if (task_l->flag != CHAIN_GO)/if (task_l->flag != CHAIN_GO || task_a->step == 9)/; s/^#define CHAIN_LAUNCHED(steps) ((steps) + CHAIN_TRAIL)/#define CHAIN_LAUNCHED(steps) 9/' sc,upd
# Steps without times.
wrong 3 probes/launch/promotion/chain_run.clh 's/if (item == CHAIN_WG - 1)/if (item == CHAIN_WG - 1 \&\& step != 9)/' --program sc --launcher loop,P,PAO --occupancy
check_stderr 'launch/sc/P/medium/occupancy: verify_failed: step 9 has no times'
