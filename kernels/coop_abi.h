/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host and the cooperative runtime share (kernels/coop.clh, runtime/coop/megakernel.c):
 * the control block, the host channel, mailboxes and traces. A *slot* is a worker workgroup's
 * place, 0 to workers - 1; the scheduler has none (coop/slots.clh).
 */
#pragma once
#include "types.h"

#define COOP_LINE            32u /* words between words that different workgroups poll: 128 bytes */
#define COOP_STATE_BYTES     256u  /* bytes of a transmit state, at most */
#define COOP_OWN_LOCAL_BYTES 320u  /* bytes of local memory of the runtime itself, at most */
#define COOP_MAX_WORKERS     4094u /* the most that the membership word can count */

/* The most cooperative kernels in a megakernel (COOP_KERNELS). */
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
#define COOP_MODEL   5
/* A row for each barrier: X(value, name, what it is, for --help). */
#define COOP_RESIZING_BARRIERS(X)                                                                  \
    X(COOP_REGULAR, "regular", "each offers itself once, workgroup 0 collects the others")         \
    X(COOP_QUERY, "query", "the last to arrive asks the scheduler")                                \
    X(COOP_ATOMIC, "atomic", "decided in the arrival word")                                        \
    X(COOP_LITERAL, "literal", "the draft's offer, barrier and request, and one barrier more")     \
    X(COOP_MASTER, "master", "workgroup 0 asks the scheduler, and tells each of the others")       \
    X(COOP_MODEL, "model", "a barrier, a request, a barrier, an offer and a barrier")
/* Whether workgroup 0 is a master that collects the others and releases them. */
#define COOP_HAS_MASTER(resizing) ((resizing) == COOP_REGULAR || (resizing) == COOP_MASTER)

/* Which workgroups may leave and come, -DCOOP_SEMANTICS= (FSE'17 Section 3.1; the draft's
 * "alternative semantic choices"). */
#define COOP_HIGHEST 0
#define COOP_SOME    1
#define COOP_ANY     2
#define COOP_WHOLE   3
/* A row for each choice: X(value, name, what it is, for --help). */
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
    COOP_SHARE_DONE, /* not a phase but a share of a task ended */
    COOP_JOIN_TASKS,
    COOP_JOIN_ALL_TASKS
};

/* ---- Membership of kernels that offer and fork, and of all barriers but `atomic` ------------- */

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
/* Whether w was decided at a later barrier than v. */
#define COOP_RESIZED_IS_LATER(w, v)                                                                \
    ((int)((COOP_RESIZED_NUMBER(w) - COOP_RESIZED_NUMBER(v)) << 4) > 0)

/* ---- The arrival word of the barrier `atomic` ------------------------------------------------ */

/* Arrivals since the kernel began (upper 32 bits, which wrap), the number of workgroups wished for
 * (16; 0: none is wished for), and the barrier that the wish is for (16). */
#define COOP_ARRIVALS(w)   ((cb_u32)((w) >> 32))
#define COOP_WISH(w)       ((cb_u32)((w) >> 16) & 0xffffu)
#define COOP_WISH_ROUND(w) ((cb_u32)(w)&0xffffu)
#define COOP_WISH_NOBODY   0xffffu /* written as the wish for 0 workgroups */
#define COOP_ARRIVAL_ONE   ((cb_u64)1 << 32)
#define COOP_WISHED(w, groups, round)                                                              \
    (((w) >> 32) << 32 | (cb_u64)(groups) << 16 | (cb_u64)((round)&0xffffu))

/* ---- Messages to a worker in the pool -------------------------------------------------------- */

/* From the lowest bit: a number (16), to how many of the next ids the message is to be passed on
 * (4), the owner of the slot (slots.clh; 8), and its kind (4); 0: none. A worker never has more
 * than one, because only a workgroup gets one that is in the pool or on its way there, and taking
 * it leaves the pool. */
#define COOP_MAIL_JOIN 1u /* join the cooperative kernel, with the state of its id `number` */
/* A task, `number`, wants the slot: say so, and wait until all are gathered. */
#define COOP_MAIL_RESERVE 2u
#define COOP_MAIL_EXIT    3u
#define COOP_MAIL(kind, owner, others, number)                                                     \
    ((kind) << 28 | (owner) << 20 | (others) << 16 | ((number)&0xffffu))
#define COOP_MAIL_KIND(m)   ((m) >> 28)
#define COOP_MAIL_OWNER(m)  ((m) >> 20 & 0xffu)
#define COOP_MAIL_OTHERS(m) ((m) >> 16 & 0xfu)
#define COOP_MAIL_NUMBER(m) ((m)&0xffffu)
#define COOP_FROM_START     0xffffu /* id of no sender: the run begins */

/* The flag of a slave at a barrier with a master, 64 bits in the line of its mailbox, at this word.
 * 0; COOP_FLAG_HERE: it has arrived; else it may go, and this is the barrier's COOP_RESIZED. */
#define COOP_FLAG_WORD 2u
/* COOP_ANY: at this word of each line is an entry of the ring of slots that have left: slot + 1; 0:
 * empty. */
#define COOP_LEFT_WORD 4u
#define COOP_FLAG_HERE 1u

/* ---- The host channel ------------------------------------------------------------------------ */

#define COOP_IN_LINE          1024u      /* commands sent whose answers may still be read */
#define COOP_LANES            8u         /* tasks that have slots at once, at most */
#define COOP_LANE_OF_CHILDREN COOP_LANES /* lane of a workgroup that does a share of a child */

enum coop_command {
    COOP_COMMAND_NONE,
    COOP_COMMAND_TASK,
    COOP_COMMAND_CANCEL,  /* cancels a task in line */
    COOP_COMMAND_WITHDRAW /* cancels a task in line, or one that is being gathered */
};

/* The host's order, at its number modulo COOP_IN_LINE; numbers begin with 1. */
typedef struct {
    cb_u32 kind;   /* enum coop_command */
    cb_u32 groups; /* of a task: its workgroups */
    /* A task: its launch packet's offset in the arena, in units of TASK_PACKET_UNIT; else the
     * task's number. */
    cb_u32 what;
    cb_u32 pad1;
    cb_u64 rank; /* of a task: COOP_RANK */
    cb_u64 pad2;
} coop_order;

/* Tasks leave the line by rank: the highest priority (8 bits) first, then the soonest deadline (32
 * bits: in ms, by any clock), then the lowest number, whose lower 24 bits the rank has: among tasks
 * with the same priority and deadline, a few may change order once in so many. */
#define COOP_RANK(priority, deadline, number)                                                      \
    ((cb_u64)(255u - (priority)) << 56 | (cb_u64)(deadline) << 24 | ((number)&COOP_RANK_NUMBER))
#define COOP_RANK_NUMBER 0xffffffu
#define COOP_NO_DEADLINE 0xffffffffu

/* What became of a command. */
enum coop_fate_of_command {
    COOP_FATE_DONE,
    COOP_FATE_CANCELLED, /* the task was cancelled */
    COOP_FATE_TOO_LATE   /* the task to cancel is not in line, or has begun */
};

/* The scheduler's answer, at the command's number; times are ticks of the device clock. */
typedef struct {
    cb_u32 number; /* number of the command: written last */
    cb_u32 fate;   /* enum coop_fate_of_command */
    cb_u64 seen;   /* time at which the scheduler saw the command */
    /* Time at which the task left the line: it had slots, and workgroups were sent for. */
    cb_u64 placed;
    cb_u64 gathered; /* time at which the last of its workgroups was there */
    cb_u64 done;     /* time at which the last of its workgroups had finished */
    /* Workgroups of the cooperative kernel meanwhile; 0: it had ended, or was away. */
    cb_u32 active;
    cb_u32 app_running; /* 1: the cooperative kernel was active when the task was placed */
} coop_answer;

/* When a kernel begins. */
#define COOP_ONCE   0u /* begins with the others, and not again */
#define COOP_REPEAT 1u /* begins again whenever it has ended */
#define COOP_LATER  2u /* does not begin before the host writes another of these */

/* What the host wants of a megakernel. */
#define COOP_STOP_END 1u /* end with the cooperative kernels, and all commands so far */
/* COOP_WHOLE: the same, but a run is not waited for: all of its workgroups are killed at its next
 * resizing barrier, and it may go on in another launch (models/move.pml). */
#define COOP_STOP_KILL 2u

/* The host writes these; all but `sent` hold from when the scheduler sees them. */
typedef struct {
    cb_u32 limits[COOP_MOST_KERNELS]; /* COOP_LIMIT: always written all at once */
    cb_u32 sent;                      /* number of commands so far: written after the command */
    cb_u32 stop;                      /* COOP_STOP_..., or 0 */
    cb_u32 repeat[COOP_MOST_KERNELS]; /* COOP_ONCE, COOP_REPEAT or COOP_LATER */
} coop_host_words;

/* A limit, from the lowest bit: how many workgroups the cooperative kernel may have (12; 0: all),
 * how often the host has set this kernel's limit (4, which wrap), and the number of the write (16,
 * which wrap), the same in the limits of all kernels (kernels/coop/limits.clh). */
#define COOP_LIMIT(groups, times, number) ((cb_u32)(number) << 16 | ((times)&0xfu) << 12 | (groups))
#define COOP_LIMIT_GROUPS(word)           ((word)&0xfffu)
#define COOP_LIMIT_TIMES(word)            ((word) >> 12 & 0xfu)
#define COOP_LIMIT_NUMBER(word)           ((word) >> 16)
#define COOP_LIMIT_OWN(word)              ((word)&0xffffu) /* without the number of the write */
/* Written as the groups of a limit: give everything up. */
#define COOP_ABANDON 0xfffu
/* Written as the groups of a limit: the kernel may have none (COOP_WHOLE). 0 cannot say so, since
 * it says all. */
#define COOP_LIMIT_NONE 0xffeu

typedef struct { /* The scheduler writes these of a kernel. */
    cb_u32 runs; /* number of runs that have ended */
    /* Number of the last write whose limit has come to pass; written last. */
    cb_u32 limit;
    /* Workgroups of the cooperative kernel when the limit came to pass; 0: it had ended. */
    cb_u32 limit_active;
    /* Scheduling points so far, which workgroups count in a kernel that is watched. */
    cb_u32 points;
    cb_u64 limit_seen; /* device clock when the scheduler saw the limit */
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

/* The address of a barrier's word decides up to a third of its time: a launch may choose among
 * COOP_OFFSETS addresses, which are an odd number of lines apart, to reach all parts of a cache. */
#define COOP_OFFSETS      64u
#define COOP_OFFSET_WORDS 4128u

/* A lane: a task that has slots. */
typedef struct {
    cb_u32 gathered; /* number of workers that wait for the task to begin */
    cb_u32 pad1[COOP_LINE - 1];
    cb_u32 go; /* number of tasks in this lane so far (COOP_LANE_TASKS): the task may begin */
    cb_u32 pad2[COOP_LINE - 1];
    cb_u32 shares_done;
    cb_u32 pad3[COOP_LINE - 1];
    /* Valid while `go` has the task's number. */
    cb_u32 first; /* slot of share 0; share i has slot first + i */
    cb_u32 groups;
    cb_u32 packet;    /* coop_order.what */
    cb_u32 taken;     /* number of blocks that were taken beyond the first of each share */
    cb_u32 withdrawn; /* 1: there is nothing to do (coop/withdraw.clh) */
    cb_u32 pad4[COOP_LINE - 5];
    /* The scheduler's own words. */
    cb_u32 number;   /* number of the command */
    cb_u32 serial;   /* number among all tasks, for traces */
    cb_u32 tasks;    /* number of tasks of this lane so far */
    cb_u32 reserved; /* number of workers that were sent for: those of the highest slots */
    cb_u32 active;   /* as coop_answer.active */
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
/* Runs of the cooperative kernel whose times are kept: two seconds of the shortest runs. */
#define COOP_MAX_RUNS 65536u

/* Index of the times of a run of kernel k of K kernels, which share the room. */
#define COOP_TIMES_OF(K)        (COOP_MAX_RUNS / (K))
#define COOP_TIME_AT(K, k, run) ((k)*COOP_TIMES_OF(K) + (run) % COOP_TIMES_OF(K))

/* What the scheduler tells a kernel: whether it waits for a scheduling point, or for a task's
 * workgroups (1), and how many workgroups it needs to get from the kernel (31). */
#define COOP_URGENT(waits, wanted) ((wanted) << 1 | (waits))
#define COOP_URGENT_WANTED(word)   ((word) >> 1)

/* The words of one cooperative kernel. */
typedef struct {
    cb_u64 members;
    cb_u64 pad1[COOP_LINE / 2 - 1];
    cb_u32 plain; /* arrivals at global_barrier(), beside `atomic` */
    cb_u32 pad2[COOP_LINE - 1];
    cb_u32 out; /* number of its workers that are not in the pool: at work, or on their way there */
    cb_u32 pad3[COOP_LINE - 1];
    cb_u32 finished; /* number of workgroups at the kernel's end */
    cb_u32 pad4[COOP_LINE - 1];
    cb_u32 urgent; /* COOP_URGENT: what the scheduler waits for */
    cb_u32 pad5[COOP_LINE - 1];
    cb_u64 resized;      /* COOP_RESIZED */
    cb_u32 kills, forks; /* number of workgroups that left and joined */
    cb_u32 run;          /* number of the kernel's run, from 0 */
    /* COOP_ANY: number of workgroups that were killed, for their entries in the ring */
    cb_u32 left;
    cb_u32 orders; /* COOP_ANY: 1: an order is being written, or has not been carried out */
    /* COOP_ANY: workgroups to send for << 16 | the id whose state they get; 0: none */
    cb_u32 order;
    cb_u64 entered; /* COOP_WHOLE: device clock when workgroup 0 first began in this launch */
    cb_u64 gone;    /* COOP_WHOLE: device clock when all workgroups had been killed */
    cb_u32 killed;  /* 1: the run was ended by killing all (COOP_STOP_KILL) */
    cb_u32 pad6[COOP_LINE - 13];
    cb_u64 permits; /* COOP_ANY: COOP_PERMITS */
    cb_u64 pad7[COOP_LINE / 2 - 1];
} coop_kernel_words;

typedef struct {
    /* The host writes these. */
    cb_u32 workers; /* N: the most workgroups of the cooperative kernel */
    cb_u32 delay;   /* the discovery's delay, in turns of the lock */
    cb_u64 quiet;   /* the discovery's quiet time, in ticks */
    /* Ticks after which the scheduler gives up (without a clock: its turns). */
    cb_u64 lifetime_ticks;
    cb_u64 gather_ticks; /* ticks after which a task that is being gathered gives up */
    cb_u64 yield_ticks;  /* ticks between two yields of a CPU workgroup that never waits */
    cb_u64 offer_ticks;  /* ticks for which an offer waits for those of all surplus workgroups */
    cb_u32 trace_events; /* events that fit in each ring */
    cb_u32 offset;       /* index of the barrier's word among the barrier words */
    cb_u64 repeat_ticks; /* COOP_REPEATS: no run begins after so many ticks */
    cb_u32 first_run;    /* COOP_REPEATS: number of the first run */
    cb_u32 repeat_runs;  /* COOP_REPEATS: the most runs */
    cb_u32 lanes_used;   /* number of lanes: 1 to COOP_LANES */
    cb_u32 most;         /* the megakernel's coop_max_groups() */
    /* COOP_WHOLE: 1: the first run goes on from the state that the host has written as workgroup
     * 0's. */
    cb_u32 resumed;
    cb_u32 pad0[COOP_LINE - 21];

    cb_u32 beat; /* changes at each turn of the scheduler: it lives */
    cb_u32 pad1[COOP_LINE - 1];
    coop_kernel_words kernels[COOP_MOST_KERNELS];
    cb_u32 discovered; /* number of workgroups that run at once, the scheduler among them */
    cb_u32 steps_done; /* multikernel: number of workgroups at the end of the kernel */
    cb_u32 last_run;   /* COOP_REPEATS: number of the last run */
    cb_u32 pad2;
    cb_u64 begun; /* COOP_REPEATS: device clock at the beginning */
    cb_u32 pad3[COOP_LINE - 6];
    coop_lane lanes[COOP_LANES];
    cb_u64 line[COOP_IN_LINE]; /* heap of ranks, the scheduler's own */
    /* Device clock at which each run began and ended, at COOP_TIME_AT. */
    cb_u64 started[COOP_MAX_RUNS];
    cb_u64 ended[COOP_MAX_RUNS];
} coop_control;

/* What a worker that joins must know beside the transmit state; one for each id, and one for the
 * beginning of a run. */
typedef struct {
    cb_u32 round;  /* resizing barriers passed so far (`atomic`), else all barriers */
    cb_u32 base;   /* arrivals at the barriers passed so far (`atomic`) */
    cb_u32 plain;  /* arrivals at the global_barrier()s passed so far */
    cb_u32 groups; /* M */
    cb_u32 version;
    cb_u32 readers; /* joiners that have not read yet: until then, the sender forks nobody else */
    cb_u32 passed;  /* barriers of all kinds passed so far */
    cb_u32 inside;  /* 1: the joiners begin inside a resizing barrier */
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
    COOP_EVENT_TASK_END,    /* a: number of the task, b: share */
    COOP_EVENT_CHILD_BEGIN, /* a: its place, b: COOP_SHARE_OF_CHILD */
    COOP_EVENT_CHILD_END,   /* a: its place, b: COOP_SHARE_OF_CHILD */
    COOP_EVENT_AWAIT,       /* at a join; a: children that have not ended */
    COOP_EVENT_AWAITED,     /* the children that a join waited for have ended */
    /* Events of the scheduler, in the last ring. */
    COOP_EVENT_START,     /* a: run, b: M */
    COOP_EVENT_WISH,      /* a: target */
    COOP_EVENT_SEEN,      /* the task has left the line; a: its number, b: its workgroups */
    COOP_EVENT_GATHERED,  /* a: number of the task */
    COOP_EVENT_DONE,      /* a: number of the task */
    COOP_EVENT_WITHDRAWN, /* a: number of the task, b: COOP_KEPT */
    COOP_EVENT_ENDED,     /* a: run, b: M at the end */
    COOP_EVENT_LIMIT,     /* a: most workgroups from now on */
    COOP_EVENT_LIMITED,   /* the limit has come to pass; a: most workgroups, b: M */
    COOP_EVENT_RETURN,    /* a run that was away is back; a: version after, b: M */
    COOP_EVENT_KINDS
};

/* Workgroups that a withdrawn task keeps until they have come and gone, and slots that tasks leave
 * to the kernel from then on; several kernels: 0. */
#define COOP_KEPT(groups, left) ((left) << 16 | (groups))
#define COOP_KEPT_GROUPS(b)     ((b)&0xffffu)
#define COOP_KEPT_LEFT(b)       ((b) >> 16)

/* The root of a child, how many shares it has, and which of them it is. */
#define COOP_SHARE_OF_CHILD(root, shares, share) ((root) << 16 | (shares) << 8 | (share))
#define COOP_CHILD_ROOT(b)                       ((b) >> 16)
#define COOP_CHILD_SHARES(b)                     ((b) >> 8 & 0xffu)
#define COOP_CHILD_SHARE(b)                      ((b)&0xffu)

/* Bits: what kind of barrier a workgroup has arrived at. */
#define COOP_BARRIER_RESIZES 1u
/* A killed workgroup reads M after the barrier, and may find a later, smaller one. */
#define COOP_BARRIER_LATE 2u

typedef struct {
    cb_u64 time; /* device clock */
    cb_u32 kind; /* enum coop_event */
    cb_u32 a, b;
    cb_u32 who; /* COOP_WHO: the kernel that a worker is in, or was in, and its id there */
} coop_trace_event;

#define COOP_WHO(kernel, id) ((kernel) << 16 | (id))
#define COOP_WHO_KERNEL(who) ((who) >> 16)
#define COOP_WHO_ID(who)     ((who)&0xffffu)
