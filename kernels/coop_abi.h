/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host and the cooperative runtime share (kernels/coop.clh, runtime/coop/megakernel.c):
 * the control block, the host channel, mailboxes and traces. A *slot* is a worker workgroup's
 * place, 0 to workers - 1; the scheduler has none (coop/slots.clh).
 */
#pragma once
#include "types.h"

#define COOP_LINE            32u /* words between words that different workgroups poll: 128 bytes */
#define COOP_STATE_BYTES     256u  /* of a transmit state, at most */
#define COOP_OWN_LOCAL_BYTES 320u  /* of local memory, of the runtime itself, at most */
#define COOP_MAX_WORKERS     4094u /* as many as the membership word counts */

/* Cooperative kernels in a megakernel: COOP_KERNELS of at most so many. */
#define COOP_MOST_KERNELS 4u

/* Execution modes, -DCOOP_MODE=. */
#define COOP_MULTIKERNEL 0
#define COOP_SPECIALISED 1
#define COOP_PORTABLE    2
#define COOP_COOPERATIVE 3

/* Resizing barriers, -DCOOP_RESIZING=. */
#define COOP_REGULAR 0
#define COOP_QUERY   1
#define COOP_ATOMIC  2
#define COOP_LITERAL 3
#define COOP_MASTER  4
/* A row each: X(value, name, what it is, for --help). */
#define COOP_RESIZING_BARRIERS(X)                                                                  \
    X(COOP_REGULAR, "regular", "each offers itself")                                               \
    X(COOP_QUERY, "query", "the last to arrive asks the scheduler")                                \
    X(COOP_ATOMIC, "atomic", "decided in the arrival word")                                        \
    X(COOP_LITERAL, "literal", "the draft's offer, barrier and request, and one barrier more")     \
    X(COOP_MASTER, "master", "workgroup 0 asks the scheduler, and tells each of the others")

/* Which workgroups may leave and come, -DCOOP_SEMANTICS= (FSE'17 Section 3.1; the draft's
 * "alternative semantic choices"). */
#define COOP_HIGHEST 0
#define COOP_SOME    1
#define COOP_ANY     2
#define COOP_WHOLE   3
/* A row each: X(value, name, what it is, for --help). */
#define COOP_SEMANTICS_ALL(X)                                                                      \
    X(COOP_HIGHEST, "highest",                                                                     \
      "as in the paper, only the highest workgroup leaves, and a fork brings back all that are "   \
      "missing")                                                                                   \
    X(COOP_SOME, "some", "a fork brings back half of those that are missing, so that it is short") \
    X(COOP_ANY, "any",                                                                             \
      "any workgroup leaves, the first that comes to an offer; for apps whose ids need not be "    \
      "consecutive")                                                                               \
    X(COOP_WHOLE, "whole",                                                                         \
      "all workgroups may leave, so that a task may have all, and come back with the state that "  \
      "is kept (barriers atomic and query)")

/* Why a phase of a cooperative kernel ended. */
enum coop_yield {
    COOP_DONE,
    COOP_WORKGROUP_BARRIER,
    COOP_GLOBAL_BARRIER,
    COOP_RESIZING_BARRIER,
    COOP_OFFER_KILL,
    COOP_REQUEST_FORK,
    COOP_SHARE_DONE, /* no phase, but a share of a task */
    COOP_JOIN_TASKS,
    COOP_JOIN_ALL_TASKS
};

/* ---- Membership of kernels that offer and fork, and of the barriers `regular` and `query` ---- */

/* One 64-bit word, from the lowest bit: workgroups that have arrived at the barrier (12), active
 * workgroups M (12), how many the scheduler wants there to be (12), surplus ones that wait at their
 * offer (12), barriers passed (4), changes of M so far (12). The last two wrap; the others stay
 * below COOP_MAX_WORKERS + 1. */
#define COOP_ARRIVED(w)   ((cb_u32)(w)&0xfffu)
#define COOP_GROUPS(w)    ((cb_u32)((w) >> 12) & 0xfffu)
#define COOP_TARGET(w)    ((cb_u32)((w) >> 24) & 0xfffu)
#define COOP_OFFERED(w)   ((cb_u32)((w) >> 36) & 0xfffu)
#define COOP_ROUND(w)     ((cb_u32)((w) >> 48) & 0xfu)
#define COOP_VERSION(w)   ((cb_u32)((w) >> 52))
#define COOP_GROUP_ONE    ((cb_u64)1 << 12)
#define COOP_TARGET_ONE   ((cb_u64)1 << 24)
#define COOP_OFFER_ONE    ((cb_u64)1 << 36)
#define COOP_VERSION_ONE  ((cb_u64)1 << 52)
#define COOP_ROUND_MASK   0xfu
#define COOP_VERSION_MASK 0xfffu
#define COOP_MEMBERS(arrived, groups, target, offered, round, version)                             \
    ((cb_u64)(arrived) | (cb_u64)(groups) << 12 | (cb_u64)(target) << 24 |                         \
     (cb_u64)(offered) << 36 | (cb_u64)((round)&COOP_ROUND_MASK) << 48 |                           \
     (cb_u64)((version)&COOP_VERSION_MASK) << 52)

/* With COOP_ANY, permits to leave: how many were taken, and how many issued (both wrap, 32). */
#define COOP_PERMITS(issued, taken) ((cb_u64)(issued) << 32 | (cb_u32)(taken))
#define COOP_PERMIT_ONE             ((cb_u64)1 << 32)
#define COOP_PERMITS_ISSUED(w)      ((cb_u32)((w) >> 32))
#define COOP_PERMITS_TAKEN(w)       ((cb_u32)(w))

/* What the last barrier of `members` decided, for all that come out of it, from the lowest bit: the
 * version of M after it (12), M after it (12) and before (12), and the barrier's number, which
 * wraps (28). */
#define COOP_RESIZED(number, before, after, version)                                               \
    ((cb_u64)(number) << 36 | (cb_u64)(before) << 24 | (cb_u64)(after) << 12 |                     \
     (cb_u64)((version)&COOP_VERSION_MASK))
#define COOP_RESIZED_VERSION(w) ((cb_u32)(w)&0xfffu)
#define COOP_RESIZED_AFTER(w)   ((cb_u32)((w) >> 12) & 0xfffu)
#define COOP_RESIZED_BEFORE(w)  ((cb_u32)((w) >> 24) & 0xfffu)
#define COOP_RESIZED_NUMBER(w)  ((cb_u32)((w) >> 36))
/* Whether w is of a later barrier than v. */
#define COOP_RESIZED_IS_LATER(w, v)                                                                \
    ((int)((COOP_RESIZED_NUMBER(w) - COOP_RESIZED_NUMBER(v)) << 4) > 0)

/* ---- The arrival word of the barrier `atomic` ------------------------------------------------ */

/* Arrivals since the kernel began (upper 32 bits, which wrap), the number of workgroups wished for
 * (16; 0: none is wished for), and the barrier that the wish is for (16). */
#define COOP_ARRIVALS(w)   ((cb_u32)((w) >> 32))
#define COOP_WISH(w)       ((cb_u32)((w) >> 16) & 0xffffu)
#define COOP_WISH_ROUND(w) ((cb_u32)(w)&0xffffu)
#define COOP_WISH_NOBODY   0xffffu /* instead of 0 workgroups */
#define COOP_ARRIVAL_ONE   ((cb_u64)1 << 32)
#define COOP_WISHED(w, groups, round)                                                              \
    (((w) >> 32) << 32 | (cb_u64)(groups) << 16 | (cb_u64)((round)&0xffffu))

/* ---- Messages to a worker in the pool -------------------------------------------------------- */

/* Kind (4 bits), the owner of the slot (slots.clh; 8), to how many of the next ids it is to be
 * passed on (4), and a number (16); 0: none. There is never more than one, because only a workgroup
 * in the pool gets any, or one on its way there, and it leaves the pool by taking it. */
#define COOP_MAIL_JOIN    1u /* the cooperative kernel, with the state of its id `number` */
#define COOP_MAIL_RESERVE 2u /* for a task, `number`: say so, and wait until all are gathered */
#define COOP_MAIL_EXIT    3u
#define COOP_MAIL(kind, owner, others, number)                                                     \
    ((kind) << 28 | (owner) << 20 | (others) << 16 | ((number)&0xffffu))
#define COOP_MAIL_KIND(m)   ((m) >> 28)
#define COOP_MAIL_OWNER(m)  ((m) >> 20 & 0xffu)
#define COOP_MAIL_OTHERS(m) ((m) >> 16 & 0xfu)
#define COOP_MAIL_NUMBER(m) ((m)&0xffffu)
#define COOP_FROM_START     0xffffu /* no sender: the kernel's beginning */

/* The flag of a slave at the barrier `master`, 64 bits in the line of its mailbox, at this word. 0;
 * COOP_FLAG_HERE: it has arrived; else it may go, and this is the COOP_RESIZED of the barrier. */
#define COOP_FLAG_WORD 2u
/* COOP_ANY: in the same lines, at this word, a place each of the ring of slots that have left: slot
 * + 1; 0: empty. */
#define COOP_LEFT_WORD 4u
#define COOP_FLAG_HERE 1u

/* ---- The host channel ------------------------------------------------------------------------ */

#define COOP_IN_LINE          1024u /* commands that were sent, whose answers may still be read */
#define COOP_LANES            8u    /* tasks that have slots at once, at most */
#define COOP_LANE_OF_CHILDREN COOP_LANES /* instead: of a workgroup that does a child */

enum coop_command {
    COOP_COMMAND_NONE,
    COOP_COMMAND_TASK,
    COOP_COMMAND_CANCEL,  /* of a task in line */
    COOP_COMMAND_WITHDRAW /* or one that has not begun */
};

/* By the host, at its number modulo COOP_IN_LINE; numbers begin with 1. */
typedef struct {
    cb_u32 kind;   /* enum coop_command */
    cb_u32 groups; /* of a task */
    cb_u32 what;   /* of a task: where in the arena its launch packet is, in units of
                      TASK_PACKET_UNIT; else the number of the task */
    cb_u32 pad1;
    cb_u64 rank; /* of a task: COOP_RANK */
    cb_u64 pad2;
} coop_order;

/* Tasks leave the line in this order: the highest priority (8 bits) first, then the soonest
 * deadline (32 bits: in ms, by any clock), then the lowest number, of which this has 24 bits: of
 * tasks with the same priority and deadline, a few may change places once in so many. */
#define COOP_RANK(priority, deadline, number)                                                      \
    ((cb_u64)(255u - (priority)) << 56 | (cb_u64)(deadline) << 24 | ((number)&COOP_RANK_NUMBER))
#define COOP_RANK_NUMBER 0xffffffu
#define COOP_NO_DEADLINE 0xffffffffu

/* What became of a command. */
enum coop_fate_of_command {
    COOP_FATE_DONE,
    COOP_FATE_CANCELLED, /* of a task */
    COOP_FATE_TOO_LATE   /* of a cancel: the task is not in line, or has begun */
};

/* By the scheduler, at the command's number; times are ticks of the device clock. */
typedef struct {
    cb_u32 number;      /* of the command: written last */
    cb_u32 fate;        /* enum coop_fate_of_command */
    cb_u64 seen;        /* the scheduler saw it */
    cb_u64 placed;      /* the task left the line: it had slots, and workgroups were sent for */
    cb_u64 gathered;    /* the last of its workgroups was there */
    cb_u64 done;        /* the last of them had finished */
    cb_u32 active;      /* workgroups of the cooperative kernel while it ran; 0: ended, away */
    cb_u32 app_running; /* 1: the cooperative kernel was active when the task was placed */
} coop_answer;

/* When a kernel begins. */
#define COOP_ONCE   0u /* with the others, and not again */
#define COOP_REPEAT 1u /* and again whenever it has ended */
#define COOP_LATER  2u /* at first only: when the host says so */

typedef struct {                      /* by the host; all but `sent` hold from when they are seen */
    cb_u32 limits[COOP_MOST_KERNELS]; /* COOP_LIMIT: always written all at once */
    cb_u32 sent;                      /* commands so far: written after the command */
    cb_u32 stop; /* 1: end with the cooperative kernels, and all commands so far */
    cb_u32 repeat[COOP_MOST_KERNELS]; /* COOP_ONCE, ... */
} coop_host_words;

/* A limit, from the lowest bit: how many workgroups the cooperative kernel may have (12; 0: all),
 * how often the host has set this kernel's (4, which wrap), and the number of the write (16, which
 * wrap), the same in the limits of all kernels (kernels/coop/limits.clh). */
#define COOP_LIMIT(groups, times, number) ((cb_u32)(number) << 16 | ((times)&0xfu) << 12 | (groups))
#define COOP_LIMIT_GROUPS(word)           ((word)&0xfffu)
#define COOP_LIMIT_TIMES(word)            ((word) >> 12 & 0xfu)
#define COOP_LIMIT_NUMBER(word)           ((word) >> 16)
#define COOP_LIMIT_OWN(word)              ((word)&0xffffu) /* without the number of the write */
#define COOP_ABANDON                      0xfffu /* in the place of groups: give everything up */
/* The same: none at all (COOP_WHOLE). As a number of workgroups it would be as many as there can
 * be, which 0 says, too. */
#define COOP_LIMIT_NONE 0xffeu

typedef struct { /* by the scheduler, of a kernel */
    cb_u32 runs; /* how often it has ended */
    /* of the limit: written last, the number of the last write whose limit has come to pass */
    cb_u32 limit;
    cb_u32 limit_active; /* workgroups of the cooperative kernel then; 0: had ended */
    cb_u32 points;       /* by workgroups, if it is watched: scheduling points so far */
    cb_u64 limit_seen;   /* the scheduler saw it: ticks of the device clock */
    cb_u64 limit_reached;
} coop_device_kernel;

typedef struct {
    coop_host_words host;
    cb_u32 pad1[2 * COOP_LINE - sizeof(coop_host_words) / 4];
    coop_device_kernel device[COOP_MOST_KERNELS];
    cb_u32 pad2[2 * COOP_LINE - COOP_MOST_KERNELS * sizeof(coop_device_kernel) / 4];
    coop_order orders[COOP_IN_LINE];
    coop_answer answers[COOP_IN_LINE];
} coop_channel;

/* Where in memory a barrier's word lies decides up to a third of its time: a launch may choose
 * among so many places, so many words apart (an odd number of lines, to reach all parts of a
 * cache). */
#define COOP_OFFSETS      64u
#define COOP_OFFSET_WORDS 4128u

/* A task that has slots. */
typedef struct {
    cb_u32 gathered; /* workers that wait for the task to go */
    cb_u32 pad1[COOP_LINE - 1];
    cb_u32 go; /* the task may begin: number of tasks in this lane so far, COOP_LANE_TASKS */
    cb_u32 pad2[COOP_LINE - 1];
    cb_u32 shares_done;
    cb_u32 pad3[COOP_LINE - 1];
    /* valid while `go` has its number */
    cb_u32 first; /* slot of share 0; share i has slot first + i */
    cb_u32 groups;
    cb_u32 packet;    /* coop_order.what */
    cb_u32 taken;     /* blocks that were taken beyond the first of each share */
    cb_u32 withdrawn; /* 1: there is nothing to do (coop/withdraw.clh) */
    cb_u32 pad4[COOP_LINE - 5];
    /* the scheduler's own */
    cb_u32 number;   /* of the command */
    cb_u32 serial;   /* of all tasks: in traces */
    cb_u32 tasks;    /* of this lane so far */
    cb_u32 reserved; /* workers that were sent for: those of the highest slots */
    cb_u32 active;   /* as in coop_answer */
    cb_u32 app_running;
    cb_u64 placed, went;
    cb_u32 pad5[COOP_LINE - 10];
} coop_lane;

/* Mail to a share of a task: its lane, and the number of tasks in this lane so far. */
#define COOP_LANE_TASKS             0xfffu
#define COOP_LANE_MAIL(lane, tasks) ((lane) << 12 | ((tasks)&COOP_LANE_TASKS))
#define COOP_LANE_OF(mail_number)   ((mail_number) >> 12 & (COOP_LANES - 1))
#define COOP_LANE_TASK(mail_number) ((mail_number)&COOP_LANE_TASKS)

/* ---- The control block, zeroed before each launch except for the host's part ----------------- */
/* runs of the cooperative kernel whose times are kept: two seconds of the shortest */
#define COOP_MAX_RUNS 65536u

/* Where the times of a run of kernel k of K are, which share the room. */
#define COOP_TIMES_OF(K)        (COOP_MAX_RUNS / (K))
#define COOP_TIME_AT(K, k, run) ((k)*COOP_TIMES_OF(K) + (run) % COOP_TIMES_OF(K))

/* What is a cooperative kernel's own. */
typedef struct {
    cb_u64 members;
    cb_u64 pad1[COOP_LINE / 2 - 1];
    cb_u32 plain; /* arrivals at global_barrier() beside `atomic` */
    cb_u32 pad2[COOP_LINE - 1];
    cb_u32 out; /* of its workers, those that are not in the pool: at work, or on their way there */
    cb_u32 pad3[COOP_LINE - 1];
    cb_u32 finished; /* workgroups at its end */
    cb_u32 pad4[COOP_LINE - 1];
    cb_u32 urgent; /* 1: the scheduler waits for a scheduling point, or for a task's workgroups */
    cb_u32 pad5[COOP_LINE - 1];
    cb_u64 resized;      /* COOP_RESIZED */
    cb_u32 kills, forks; /* workgroups that left and joined */
    cb_u32 run;          /* of the kernel, from 0 */
    cb_u32 left;         /* COOP_ANY: workgroups that were killed: places of the ring */
    cb_u32 orders;       /* the same: 1: an order is being written, or has not been carried out */
    cb_u32 order;        /* workgroups to send for << 16 | the id whose state they get; 0: none */
    cb_u32 pad6[COOP_LINE - 8];
    cb_u64 permits; /* COOP_ANY: COOP_PERMITS */
    cb_u64 pad7[COOP_LINE / 2 - 1];
} coop_kernel_words;

typedef struct {
    /* by the host */
    cb_u32 workers;        /* most workgroups of the cooperative kernel: N */
    cb_u32 delay;          /* of the discovery */
    cb_u64 quiet;          /* of the discovery */
    cb_u64 lifetime_ticks; /* after which the scheduler gives up (without a clock: its turns) */
    cb_u64 gather_ticks;   /* after which a task does */
    cb_u64 yield_ticks;    /* between two yields of a CPU workgroup that never waits */
    cb_u64 offer_ticks;    /* how long an offer waits for those of all surplus workgroups */
    cb_u32 trace_events;   /* room in each ring */
    cb_u32 offset;         /* of the barrier's word among the barrier words */
    cb_u64 repeat_ticks;   /* with COOP_REPEATS: no run begins after so long */
    cb_u32 first_run;      /* with COOP_REPEATS: the number of the first run, */
    cb_u32 repeat_runs;    /* and how many there are at most */
    cb_u32 lanes_used;     /* at most: 1 to COOP_LANES */
    cb_u32 pad0[COOP_LINE - 19];

    cb_u32 beat; /* the scheduler lives */
    cb_u32 pad1[COOP_LINE - 1];
    coop_kernel_words kernels[COOP_MOST_KERNELS];
    cb_u32 discovered; /* workgroups that run at once, the scheduler among them */
    cb_u32 steps_done; /* multikernel: workgroups at the end of the kernel */
    cb_u32 last_run;   /* with COOP_REPEATS: with which it ends */
    cb_u32 pad2;
    cb_u64 begun; /* with COOP_REPEATS: device clock */
    cb_u32 pad3[COOP_LINE - 6];
    coop_lane lanes[COOP_LANES];
    cb_u64 line[COOP_IN_LINE]; /* ranks, a heap: the scheduler's own */
    /* Of each run, at COOP_TIME_AT: device clock. */
    cb_u64 started[COOP_MAX_RUNS];
    cb_u64 ended[COOP_MAX_RUNS];
} coop_control;

/* What a worker that joins must know beside the transmit state; one for each slot, and one for the
 * beginning. */
typedef struct {
    cb_u32 round;  /* resizing barriers passed so far (`atomic`), else all */
    cb_u32 base;   /* arrivals of the barriers passed so far (`atomic`) */
    cb_u32 plain;  /* the same of global_barrier() */
    cb_u32 groups; /* M */
    cb_u32 version;
    cb_u32 readers; /* joiners that have not read yet: until then, the sender forks nobody else */
    cb_u32 passed;  /* barriers passed so far: of all kinds */
    cb_u32 inside;  /* 1: whom it calls begins inside a resizing barrier */
} coop_entry;

/* ---- Traces ---------------------------------------------------------------------------------- */
enum coop_event {
    COOP_EVENT_NONE,
    COOP_EVENT_JOIN,        /* a: version of M,      b: slot that forked it, or COOP_FROM_START */
    COOP_EVENT_PHASE,       /* a: point it goes on from */
    COOP_EVENT_OFFER,       /* a: M seen,            b: target seen */
    COOP_EVENT_KILL,        /* a: version after,     b: M before */
    COOP_EVENT_FORK,        /* a: version after,     b: M before << 16 | workgroups forked */
    COOP_EVENT_ARRIVE,      /* a: barrier,           b: COOP_BARRIER_... */
    COOP_EVENT_LEAVE,       /* a: barrier,           b: M before << 16 | M after */
    COOP_EVENT_RETIRE,      /* killed by a barrier;  a: barrier, b: M after (0: workgroup
                               0's M before << 16) */
    COOP_EVENT_FINISH,      /* end of the cooperative kernel; a: run */
    COOP_EVENT_TASK_BEGIN,  /* a: number of the task, b: share */
    COOP_EVENT_TASK_END,    /* the same */
    COOP_EVENT_CHILD_BEGIN, /* a: its place, b: COOP_SHARE_OF_CHILD */
    COOP_EVENT_CHILD_END,   /* the same */
    COOP_EVENT_AWAIT,       /* at a join; a: children that have not ended */
    COOP_EVENT_AWAITED,     /* they have */
    /* the scheduler's, in the last ring */
    COOP_EVENT_START,     /* a: run, b: M */
    COOP_EVENT_WISH,      /* a: target */
    COOP_EVENT_SEEN,      /* has left the line: a: number of the task, b: its workgroups */
    COOP_EVENT_GATHERED,  /* a: number of the task */
    COOP_EVENT_DONE,      /* a: number of the task */
    COOP_EVENT_WITHDRAWN, /* a: number of the task, b: workgroups that it keeps until they come */
    COOP_EVENT_ENDED,     /* a: run, b: M at the end */
    COOP_EVENT_LIMIT,     /* a: most workgroups from now on */
    COOP_EVENT_LIMITED,   /* that has come to pass: a: the same, b: M */
    COOP_EVENT_RETURN,    /* of a run that was away: a: version after, b: M */
    COOP_EVENT_KINDS
};

/* The root of a child, how many shares it has, and which of them it is. */
#define COOP_SHARE_OF_CHILD(root, shares, share) ((root) << 16 | (shares) << 8 | (share))
#define COOP_CHILD_ROOT(b)                       ((b) >> 16)
#define COOP_CHILD_SHARES(b)                     ((b) >> 8 & 0xffu)
#define COOP_CHILD_SHARE(b)                      ((b)&0xffu)

/* What kind of barrier a workgroup has arrived at: bits. */
#define COOP_BARRIER_RESIZES 1u
/* a killed workgroup reads M' after it, and may find a later, smaller one */
#define COOP_BARRIER_LATE 2u

typedef struct {
    cb_u64 time; /* device clock */
    cb_u32 kind; /* enum coop_event */
    cb_u32 a, b;
    cb_u32 who; /* COOP_WHO: of a worker the kernel that it is in, or was in, and its id there */
} coop_trace_event;

#define COOP_WHO(kernel, id) ((kernel) << 16 | (id))
#define COOP_WHO_KERNEL(who) ((who) >> 16)
#define COOP_WHO_ID(who)     ((who)&0xffffu)
