/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders of memory that no program here needs, and why they are there all the same. rare: random
 * executions may find that it is needed, or not.
 */
#pragma once
#include "memory.h"

typedef struct {
    const char *file, *function, *name;
    int order;
    const char *reason;
    bool rare;
} weak_reason;

#define BUFFERED                                                                                   \
    "keeps a load of a place before the store that uses the place again (load buffering)"
#define READS_NOTHING   "nothing is read by it, but there is no swap or addition without"
#define NO_RELAXED_SWAP "there is no relaxed swap; that of the membership word orders it"
#define OLDER_COUNT     "else an older count of those out of the pool may be read (forks.clh)"
#define GATHERED        "a task's workgroups meet as at a barrier"
#define KILLED          "what those wrote that were killed on the way to the barrier"
#define TWO_ADDITIONS   "one of two additions to a word; the other would be enough"
#define PERMITS         "permits order nothing; there is no relaxed swap"
#define RING            "a slot's last message was taken before it comes to another owner"
#define ORDERS          "an order is written after the one before has been carried out"

#define ONLY_THE_FLAG "only the flag itself is read by it; data come by the second chain"
#define RUN_ENDS      "nothing is read by it: the run ends, and what ends it orders the next one"

static const weak_reason weak_reasons[] = {
    {"probes/launch/promotion/chain_run.clh", "chain_acquire", "cb_load_acquire", WEAK_ACQUIRE,
     ONLY_THE_FLAG},
    {"probes/launch/promotion/chain_run.clh", "chain_release", "cb_store_release", WEAK_RELEASE,
     ONLY_THE_FLAG},
    {"apps/game/game.cl", "game_steal", "cb_load_acquire", WEAK_ACQUIRE, RUN_ENDS},
    {"apps/game/paper.cl", "game_take", "cb_load_acquire", WEAK_ACQUIRE, RUN_ENDS},
    {"apps/game/values.clh", "game_end", "cb_store_release", WEAK_RELEASE, RUN_ENDS},
    {"examples/game.cl", "end_game", "cb_store_release", WEAK_RELEASE, RUN_ENDS},
    {"apps/octree/octree.cl", "octree_steal", "cb_load_acquire", WEAK_ACQUIRE, RUN_ENDS},
    {"apps/octree/octree.cl", "octree_end", "cb_store_release", WEAK_RELEASE, RUN_ENDS},
    {"apps/octree/paper.cl", "octree_take", "cb_load_acquire", WEAK_ACQUIRE, RUN_ENDS},
    {"apps/octree/paper.cl", "octree_finish", "cb_store_release", WEAK_RELEASE, RUN_ENDS},
    {"kernels/steal.clh", "cb_deque_pop", "cb_swap64_acq_rel", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_pop", "cb_swap64_acq_rel", WEAK_RELEASE,
     "there is no swap that only acquires"},
    {"kernels/steal.clh", "cb_deque_pop", "cb_fence_polled", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_pop", "cb_load64_poll", WEAK_ACQUIRE, BUFFERED},
    {"kernels/steal.clh", "cb_deque_steal", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     "there is no swap that only releases"},
    {"kernels/steal.clh", "cb_deque_steal", "cb_swap64_acq_rel", WEAK_RELEASE, BUFFERED},
    {"kernels/mutexes/spin.clh", "cb_lock_spin", "cb_exchange_acq_rel", WEAK_RELEASE,
     "a pause, which the fence of PTX is (spin.clh)"},
    {"kernels/condition.clh", "cb_condition_wait", "cb_wait_reached", WEAK_ACQUIRE,
     "all waits acquire; here the mutex does it again"},
    {"kernels/coop/resizing/word.clh", "coop_meet_word", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     OLDER_COUNT, true},
    {"kernels/coop/offers/together.clh", "coop_offer", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/offers.clh", "coop_publish", "cb_swap64_acq_rel", WEAK_ACQUIRE, NO_RELAXED_SWAP},
    {"kernels/coop/offers.clh", "coop_publish", "cb_swap64_acq_rel", WEAK_RELEASE, NO_RELAXED_SWAP},
    {"kernels/coop/offers/together.clh", "coop_offer", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/offers/together.clh", "coop_withdraw", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/offers/together.clh", "coop_withdraw", "cb_swap64_acq_rel", WEAK_RELEASE,
     OLDER_COUNT, true},
    {"kernels/coop/offers/printed.clh", "coop_leave_as_highest", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/offers/highest.clh", "coop_try_fork", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     "the fence before it acquires", true},
    {"kernels/coop/offers/highest.clh", "coop_try_fork", "cb_swap64_acq_rel", WEAK_RELEASE,
     OLDER_COUNT, true},
    {"kernels/coop/offers/highest.clh", "coop_grow", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING, true},
    {"kernels/coop/offers/highest.clh", "coop_grow", "cb_swap64_acq_rel", WEAK_RELEASE, OLDER_COUNT,
     true},
    {"kernels/coop/line.clh", "coop_gather", "cb_load_acquire", WEAK_ACQUIRE, GATHERED},
    {"kernels/coop/pool.clh", "coop_take_share", "cb_add_release", WEAK_RELEASE, GATHERED, true},
    {"kernels/coop/line.clh", "coop_gather", "cb_store_release", WEAK_RELEASE,
     "a task that is withdrawn meanwhile", true},
    {"kernels/coop/resizing/slaves.clh", "coop_await_others", "cb_fence_polled", WEAK_ACQUIRE,
     KILLED, true},
    {"kernels/coop/resizing/slaves.clh", "coop_await_others", "cb_load64_poll", WEAK_ACQUIRE,
     KILLED, true},
    {"kernels/coop/resizing/slaves.clh", "coop_await_slave", "cb_load64_poll", WEAK_ACQUIRE, KILLED,
     true},
    {"kernels/coop/resizing/slaves.clh", "coop_await_slave", "cb_fence_polled", WEAK_ACQUIRE,
     "of work-items that do not come to the fence of coop_await_others()", true},
    {"kernels/coop/resizing/atomic.clh", "coop_arrive", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/wishes.clh", "coop_want_by_wish", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     TWO_ADDITIONS},
    {"kernels/coop/wishes.clh", "coop_want_by_wish", "cb_fetch_add64_acq_rel", WEAK_RELEASE,
     TWO_ADDITIONS},
    {"kernels/coop/grants/any.clh", "coop_issue_permits", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     PERMITS},
    {"kernels/coop/grants/any.clh", "coop_issue_permits", "cb_fetch_add64_acq_rel", WEAK_RELEASE,
     PERMITS},
    {"kernels/coop/grants/any.clh", "coop_issue_permits", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     PERMITS},
    {"kernels/coop/grants/any.clh", "coop_issue_permits", "cb_swap64_acq_rel", WEAK_RELEASE,
     PERMITS},
    {"kernels/coop/offers/any.clh", "coop_take_permit", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     PERMITS},
    {"kernels/coop/offers/any.clh", "coop_take_permit", "cb_fetch_add64_acq_rel", WEAK_RELEASE,
     PERMITS},
    {"kernels/coop/offers/any.clh", "coop_try_kill", "cb_fetch_add64_acq_rel", WEAK_ACQUIRE,
     "the ring and the count of the pool release after it", true},
    {"kernels/coop/offers/any.clh", "coop_try_kill", "cb_fetch_add64_acq_rel", WEAK_RELEASE,
     "the ring and the count of the pool release after it", true},
    {"kernels/coop/offers/any.clh", "coop_announce", "cb_store_release", WEAK_RELEASE, RING, true},
    {"kernels/coop/grants/any.clh", "coop_take_left", "cb_fence_polled", WEAK_ACQUIRE, RING, true},
    {"kernels/coop/grants/any.clh", "coop_read_ring", "cb_load_poll", WEAK_ACQUIRE, RING, true},
    {"kernels/coop/grants/tables.clh", "coop_send_home", "cb_fence_release", WEAK_RELEASE, RING,
     true},
    {"kernels/coop/grants/tables.clh", "coop_send_spare", "cb_fence_acq_rel", WEAK_ACQUIRE, RING,
     true},
    {"kernels/coop/offers/any.clh", "coop_complete_for_others", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING, true},
    {"kernels/coop/offers/any.clh", "coop_complete_for_others", "cb_swap64_acq_rel", WEAK_RELEASE,
     "what the last barrier decided", true},
    {"kernels/coop/offers/any.clh", "coop_take_order", "cb_exchange_acq_rel", WEAK_ACQUIRE, ORDERS,
     true},
    {"kernels/coop/offers/any.clh", "coop_take_order", "cb_exchange_acq_rel", WEAK_RELEASE,
     "there is no other exchange for it"},
    {"kernels/coop/grants/any.clh", "coop_carry_out", "cb_store_release", WEAK_RELEASE, ORDERS,
     true},
    {"kernels/coop/offers/any.clh", "coop_try_fork", "cb_swap64_acq_rel", WEAK_ACQUIRE,
     READS_NOTHING},
    {"kernels/coop/offers/any.clh", "coop_try_fork", "cb_swap64_acq_rel", WEAK_RELEASE,
     "the order after it releases"},
    {"kernels/coop/offers/any.clh", "coop_try_fork", "cb_store_release", WEAK_RELEASE, ORDERS,
     true},
    {"kernels/coop/grants/several.clh", "coop_share_out", "cb_fence_acq_rel", WEAK_RELEASE,
     "there is no fence that acquires what was not read by a poll"},
    {"kernels/coop/grants/tables.clh", "coop_send_spare", "cb_fence_acq_rel", WEAK_RELEASE, RING,
     true},
    {"kernels/coop/children.clh", "coop_find_other", "cb_fence_release", WEAK_RELEASE,
     "a hint, on which nothing depends"},
    {"kernels/coop/scheduler.clh", "coop_has_pending", "cb_load_acquire", WEAK_ACQUIRE,
     "what children wrote, for the next run", true},
    {"kernels/coop/roll_call.clh", "coop_call_roll", "cb_store_release", WEAK_RELEASE,
     "bits by which work-items of a GPU answer, of which no program here has any"},
    {"kernels/coop/line.clh", "coop_lane_has_children", "cb_load_acquire", WEAK_ACQUIRE,
     "children of the host's tasks, which no program here has"},
    {NULL},
};
