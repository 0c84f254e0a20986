/* SPDX-License-Identifier: Apache-2.0
 *
 * The replay of a trace against the rules of the cooperative kernel. It goes by causes, not by
 * times: an event is replayed when the others have brought about the state that it needs. The queue
 * (check.c) offers events roughly in the order of time; the rules
 * (kernel.c, members.c, barriers.c, children.c) take one, have it wait, or refuse it. What waits in
 * vain is a violation.
 */
#pragma once

#include "runtime/trace/rules.h"

/* Halves of a word that holds two numbers. */
#define REPLAY_LOW(word)  ((word)&0xffffu)
#define REPLAY_HIGH(word) ((word) >> 16)

enum replay_state {
    POOL,
    CALLED,   /* forked or started, and has not joined yet */
    ACTIVE,   /* in the cooperative kernel */
    ARRIVED,  /* at a barrier that others are missing from */
    RELEASED, /* at one where all have arrived */
    FINISHED, /* at the end of the cooperative kernel, and still one of its M workgroups */
};

struct replay_barrier {
    uint32_t kind; /* COOP_BARRIER_... */
    uint32_t before, after;
    uint32_t arrived, last; /* workgroups; the last of them in time */
    uint64_t last_time;
};

struct replay_ring {
    uint32_t next; /* event */
    bool waits;    /* for others */
    bool refused;  /* its next event broke a rule: it is replayed no further */
    enum replay_state state;
    uint32_t from, version; /* state and version of the call to join */
    uint64_t called;
    /* Workgroups that it has forked, with COOP_ANY: how many have not joined yet, ... */
    uint32_t forked, forked_version, forked_passed;
    uint64_t forked_at;
    uint32_t passed;               /* barriers of this run, those of the forker included */
    uint32_t number;               /* number of the barrier it is at, as it says */
    uint32_t to_fork;              /* workgroups, now: it has left a growing barrier */
    struct replay_barrier barrier; /* that has released it */
    const coop_trace_event *task;  /* event that began the share of a task */
    const coop_trace_event *child; /* event that began the share of a child */
    bool awaits;                   /* it awaits its children, at a join */
};

static inline bool cb_replay_is_active(const struct replay_ring *s)
{
    return s->state == ACTIVE || s->state == ARRIVED || s->state == RELEASED;
}

struct replay {
    struct cb_trace_verdict *verdict;
    const struct cb_trace *trace;
    struct replay_ring *rings;
    bool explains; /* what waits is a violation */
    bool progress; /* others may go on */

    bool running, ran;
    uint32_t run;
    uint32_t groups; /* M */
    bool has_version, has_number;
    uint32_t version, first_version;
    uint32_t unversioned; /* workgroups that barriers have removed since: for each M may have
                             changed, or for all at once, or not; COOP_WHOLE: barriers that have
                             removed some, each of which has changed M once */
    uint32_t number;      /* number of the run's first barrier */
    struct replay_barrier barrier; /* that some have arrived at */
    uint32_t finished;
    uint32_t last; /* to finish */
    uint64_t last_time;
    uint32_t retired; /* the last that a barrier has killed, */
    uint64_t retired_time;
};

/* Whether any workgroup may be killed, and ids need not be consecutive. */
static inline bool cb_replay_is_any(const struct replay *r)
{
    return r->trace->semantics == COOP_ANY;
}

enum replay_step { TAKEN, WAITS, REFUSED };

/* Replays the next event of a ring, if it can be. */
enum replay_step cb_trace_step(struct replay *r, uint32_t ring);

/* Whether that would only tell that the next event of a ring waits for others. */
bool cb_trace_must_wait(const struct replay *r, uint32_t ring);

/* When nothing can go on: takes the versions that no event says, up to the next change of M that
 * some ring waits with, for those of barriers, if these may have changed M so often. False if there
 * are none: what waits does so in vain. Not sooner, since a change that comes before that one may
 * be in another ring, and be tried later. */
bool cb_trace_skip_versions(struct replay *r);

/* ---- For the rules --------------------------------------------------------------------------- */

/* An event breaks a rule; says so. */
enum replay_step cb_replay_refuse(struct replay *r, const char *rule, const coop_trace_event *e,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* An event needs others first; says so only once they do not come any more. */
enum replay_step cb_replay_wait(struct replay *r, const char *rule, const coop_trace_event *e,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A workgroup is to join, by the event that says so: a fork, or the start. passed: barriers. */
void cb_replay_call(struct replay *r, uint32_t slot, uint32_t from, uint32_t passed,
                    const coop_trace_event *e);

/* Whether a version is that of the next change of M, and the change. */
bool cb_replay_is_next(const struct replay *r, uint32_t version);
void cb_replay_change(struct replay *r, uint32_t groups, uint32_t version);

/* The rules of members: a workgroup joins, is killed, or forks others. */
enum replay_step cb_replay_join(struct replay *r, uint32_t slot, const coop_trace_event *e);
enum replay_step cb_replay_kill(struct replay *r, uint32_t slot, const coop_trace_event *e);
enum replay_step cb_replay_fork(struct replay *r, uint32_t slot, const coop_trace_event *e);

/* Whether numbers of barriers are the same. */
bool cb_replay_same_number(uint32_t a, uint32_t b);

/* The rules of barriers: a workgroup arrives, and goes on or is killed. */
enum replay_step cb_replay_arrive(struct replay *r, uint32_t slot, const coop_trace_event *e);
enum replay_step cb_replay_depart(struct replay *r, uint32_t slot, const coop_trace_event *e);

/* Those of a kernel that may leave as a whole (COOP_WHOLE). A run without workgroups is away. */
bool cb_replay_is_away(const struct replay *r);
/* Whether a departure says that all leave: that of workgroup 0. */
bool cb_replay_leaves_whole(const struct replay *r, uint32_t slot, const coop_trace_event *e);
enum replay_step cb_replay_return(struct replay *r, const coop_trace_event *e);
/* At the end of a whole trace. */
void cb_replay_check_away(struct replay *r);

/* Those of children: a workgroup begins a share of one, or ends it; it waits for its own, or goes
 * on after that. */
enum replay_step cb_replay_child(struct replay *r, uint32_t slot, const coop_trace_event *e);
enum replay_step cb_replay_await(struct replay *r, uint32_t slot, const coop_trace_event *e);
