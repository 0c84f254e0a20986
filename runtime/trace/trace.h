/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be done with the traces of the cooperative runtime (kernels/coop_abi.h): check that they
 * obey the rules of cooperative kernels (FSE'17, Sec. 3.1), and draw them.
 *
 * The check takes the time of an event for an approximation, since a workgroup may be suspended
 * between what it does and the note it makes of it. It trusts the order within a ring, and it
 * trusts times across rings where one event is the cause of another: there, the cause is not to be
 * later than the effect. So the runtime has to
 *  - record ARRIVE, FINISH, TASK_END, CHILD_END, START and GATHERED before others can see what they
 *    tell of,
 *  - record LEAVE, RETIRE, KILL, JOIN, TASK_BEGIN, CHILD_BEGIN, AWAITED, ENDED, DONE and LIMITED
 *    after it happened,
 *  - record LIMIT before a higher one can have consequences, and
 *  - record FORK after the change of M and before the first of the joiners can see it.
 */
#pragma once

#include <stdio.h>

#include "runtime/trace/rings.h"

/* Replays the trace. If it breaks a rule, false, and the first violation in one sentence that
 * begins with the rule: KILL, FORK, JOIN, BARRIER, TASK, CHILD, RUN (beginning and end of the
 * cooperative kernel), LIMIT (the host's, of active workgroups), or TRACE (no trace of this
 * runtime). Where a ring was too short, what is later than the last event of the first ring to be
 * full is not judged. The checks name the models that have the same rules; in these, 'rule NAME' is
 * at the assertion and 'event NAME' where a workgroup does what the event tells of.
 */
bool cb_trace_check(const struct cb_trace *trace, char *violation, size_t size);

/* Checks a megakernel of so many kernels; the sentence names the kernel by its number. Of one
 * kernel also the rule SLOTS: which slots tasks leave to it. */
bool cb_trace_check_together(const struct cb_trace *trace, uint32_t kernels, char *violation,
                             size_t size);

/* Writes the trace as Chrome trace events, which https://ui.perfetto.dev draws, too. */
void cb_trace_write_perfetto(FILE *out, const struct cb_trace *trace, const char *title);

/* Kinds of bars and of instants in the table for plots/gantt.gp. */
enum cb_gantt_bar {
    CB_GANTT_COOPERATIVE, /* from joining to leaving */
    CB_GANTT_BARRIER,     /* lies upon one of those */
    CB_GANTT_TASK,
    CB_GANTT_GATHER, /* has been given up, and waits for the task to begin */
    CB_GANTT_AWAIT,  /* for its children: lies upon the cooperative kernel, too */
    /* A share of a child: lies upon the cooperative kernel if its workgroup awaits its own. */
    CB_GANTT_CHILD,
};
enum cb_gantt_instant { CB_GANTT_KILL, CB_GANTT_FORK };

/* Writes three blocks of tab-separated numbers, each below a line that names the columns: bars
 * (slot, start, end, kind), active workgroups (time, number: steps), instants (time, slot, kind).
 * Times are in ms since the first event. A trace that is cut is drawn up to the last event of the
 * first ring to be full: beyond it, those who are missing would seem to be idle. */
void cb_trace_write_gantt(FILE *out, const struct cb_trace *trace);
