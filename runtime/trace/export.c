/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces for others: Chrome trace events, and the table that plots/gantt.gp draws.
 */
#include "runtime/host/json_writer.h"
#include "runtime/trace/spans.h"

/* --- Perfetto --------------------------------------------------------------------------------- */

struct writer {
    FILE *out;
    uint64_t first;
    double unit; /* unit of the times written, per tick */
    struct cb_json_writer json;
};

static double in_units(const struct writer *w, uint64_t time)
{
    return time > w->first ? (double)(time - w->first) * w->unit : 0;
}

static struct writer make_writer(FILE *out, const struct cb_trace *trace, double ns_per_unit)
{
    double ns_per_tick = trace->ns_per_tick > 0 ? trace->ns_per_tick : 1;
    return (struct writer){out, cb_trace_first(trace), ns_per_tick / ns_per_unit, {.out = out}};
}

static void write_name(struct writer *w, uint32_t tid, const char *name)
{
    cb_json_write(&w->json, "\n{ph:%s,pid:0,tid:%d,name:%s,args:{name:%s}}", "M", (int)tid,
                  "thread_name", name);
    cb_json_write(&w->json, "\n{ph:%s,pid:0,tid:%d,name:%s,args:{sort_index:%d}}", "M", (int)tid,
                  "thread_sort_index", (int)tid);
}

static void write_slice(struct writer *w, uint32_t tid, const char *name, uint64_t begin,
                        uint64_t end)
{
    cb_json_write(&w->json, "\n{ph:%s,pid:0,tid:%d,ts:%f,dur:%f,name:%s}", "X", (int)tid,
                  in_units(w, begin), end > begin ? in_units(w, end) - in_units(w, begin) : 0,
                  name);
}

static void write_span(void *self, const struct cb_trace_span *span)
{
    const coop_trace_event *e = span->begin;
    char name[64];
    if (span->activity == CB_TRACE_JOINED) /* the phase that follows says more */
        return;
    if (span->activity == CB_TRACE_PHASE)
        snprintf(name, sizeof name, "phase %u", e->a);
    else if (span->activity == CB_TRACE_BARRIER)
        snprintf(name, sizeof name, "%sbarrier %u", e->b & COOP_BARRIER_RESIZES ? "resizing " : "",
                 e->a);
    else if (span->activity == CB_TRACE_TASK)
        snprintf(name, sizeof name, "task %u share %u", e->a, e->b);
    else if (span->activity == CB_TRACE_CHILD)
        snprintf(name, sizeof name, "child share %u at place %u", COOP_CHILD_SHARE(e->b), e->a);
    else if (span->activity == CB_TRACE_AWAIT)
        snprintf(name, sizeof name, "await children");
    else
        snprintf(name, sizeof name, "pool");
    write_slice(self, span->slot, name, e->time, span->end);
}

static void write_instant(struct writer *w, uint32_t tid, const coop_trace_event *e)
{
    char name[64];
    if (e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_RETIRE)
        snprintf(name, sizeof name, "kill");
    else if (e->kind == COOP_EVENT_FORK)
        snprintf(name, sizeof name, "fork %u", e->b & 0xffffu);
    else if (e->kind == COOP_EVENT_JOIN && e->b == COOP_FROM_START)
        snprintf(name, sizeof name, "start");
    else if (e->kind == COOP_EVENT_JOIN)
        snprintf(name, sizeof name, "join from %u", e->b);
    else if (e->kind == COOP_EVENT_START)
        snprintf(name, sizeof name, "run %u begins", e->a);
    else if (e->kind == COOP_EVENT_RETURN)
        snprintf(name, sizeof name, "run comes back: %u", e->b);
    else if (e->kind == COOP_EVENT_ENDED)
        snprintf(name, sizeof name, "run %u ended", e->a);
    else if (e->kind == COOP_EVENT_WISH)
        snprintf(name, sizeof name, "wish for %u", e->a);
    else if (e->kind == COOP_EVENT_LIMIT)
        snprintf(name, sizeof name, "limit %u", e->a);
    else if (e->kind == COOP_EVENT_LIMITED)
        snprintf(name, sizeof name, "limit %u reached: %u", e->a, e->b);
    else if (e->kind == COOP_EVENT_WITHDRAWN)
        snprintf(name, sizeof name, "task %u withdrawn", e->a);
    else
        return;
    cb_json_write(&w->json, "\n{ph:%s,s:%s,pid:0,tid:%d,ts:%f,name:%s,args:{kernel:%d}}", "i", "t",
                  (int)tid, in_units(w, e->time), name, (int)COOP_WHO_KERNEL(e->who));
}

static void write_count(void *self, uint64_t time, int64_t groups)
{
    struct writer *w = self;
    cb_json_write(&w->json, "\n{ph:%s,pid:0,ts:%f,name:%s,args:{M:%d}}", "C", in_units(w, time),
                  "active workgroups", (int)groups);
}

/* The event before this one of the same task: SEEN, or GATHERED. */
static const coop_trace_event *task_before(const coop_trace_event *ring, uint32_t i)
{
    for (uint32_t k = i; k-- > 0;)
        if (ring[k].a == ring[i].a &&
            (ring[k].kind == COOP_EVENT_SEEN || ring[k].kind == COOP_EVENT_GATHERED))
            return &ring[k];
    return NULL;
}

/* A task is gathered, and then runs; others may be, too. */
static void write_tasks(struct writer *w, const struct cb_trace *trace)
{
    const coop_trace_event *ring = cb_trace_ring(trace, trace->workers);
    for (uint32_t i = 0; i < cb_trace_length(trace, trace->workers); i++) {
        const coop_trace_event *e = &ring[i], *since = NULL;
        if (e->kind == COOP_EVENT_GATHERED || e->kind == COOP_EVENT_DONE)
            since = task_before(ring, i);
        if (since) {
            char name[64];
            snprintf(name, sizeof name, "%stask %u",
                     since->kind == COOP_EVENT_SEEN ? "gather for " : "", e->a);
            write_slice(w, trace->workers, name, since->time, e->time);
        }
    }
}

void cb_trace_write_perfetto(FILE *out, const struct cb_trace *trace, const char *title)
{
    struct writer w = make_writer(out, trace, 1e3);
    uint64_t last = cb_trace_last(trace);
    cb_json_write(&w.json, "{displayTimeUnit:%s,traceEvents:[", "ns");
    for (uint32_t i = 0; i <= trace->workers; i++) {
        char name[32] = "scheduler";
        if (i < trace->workers) {
            snprintf(name, sizeof name, "workgroup %u", i);
            cb_trace_visit_spans(trace, i, last, write_span, &w);
        }
        write_name(&w, i, name);
        for (uint32_t k = 0; k < cb_trace_length(trace, i); k++)
            write_instant(&w, i, &cb_trace_ring(trace, i)[k]);
    }
    write_tasks(&w, trace);
    cb_trace_visit_groups(trace, write_count, &w);
    cb_json_write(&w.json, "\n{ph:%s,pid:0,name:%s,args:{name:%s}}\n]}\n", "M", "process_name",
                  title);
}

/* --- Gantt ------------------------------------------------------------------------------------ */

struct bars {
    struct writer writer;
    uint64_t until; /* nothing later is drawn */
    bool inside;    /* the cooperative kernel, since: */
    uint64_t since;
};

static void write_bar(const struct bars *b, uint32_t slot, uint64_t begin, uint64_t end,
                      enum cb_gantt_bar kind)
{
    if (end > b->until)
        end = b->until;
    if (begin < end)
        fprintf(b->writer.out, "%u\t%.6f\t%.6f\t%d\n", slot, in_units(&b->writer, begin),
                in_units(&b->writer, end), (int)kind);
}

/* Whether a span is one in the cooperative kernel; a child may be anywhere. */
static bool is_inside(const struct bars *b, const struct cb_trace_span *span)
{
    return span->activity == CB_TRACE_CHILD
               ? b->inside
               : span->activity != CB_TRACE_TASK && span->activity != CB_TRACE_POOL;
}

/* Whether an event that begins another span leaves a workgroup in the cooperative kernel. */
static bool stays_inside(uint32_t kind)
{
    return (kind <= COOP_EVENT_LEAVE && kind != COOP_EVENT_KILL) ||
           (kind >= COOP_EVENT_CHILD_BEGIN && kind <= COOP_EVENT_AWAITED);
}

static void write_bars(void *self, const struct cb_trace_span *span)
{
    struct bars *b = self;
    bool inside = is_inside(b, span);
    bool stays = span->next && stays_inside(span->next->kind);
    if (inside && !b->inside)
        b->since = span->begin->time;
    b->inside = inside && stays;
    if (inside && !stays)
        write_bar(b, span->slot, b->since, span->end, CB_GANTT_COOPERATIVE);
    uint32_t by = span->begin->kind;
    if (span->activity == CB_TRACE_BARRIER)
        write_bar(b, span->slot, span->begin->time, span->end, CB_GANTT_BARRIER);
    else if (span->activity == CB_TRACE_AWAIT)
        write_bar(b, span->slot, span->begin->time, span->end, CB_GANTT_AWAIT);
    else if (span->activity == CB_TRACE_CHILD)
        write_bar(b, span->slot, span->begin->time, span->end, CB_GANTT_CHILD);
    else if (span->activity == CB_TRACE_TASK)
        write_bar(b, span->slot, span->begin->time, span->end, CB_GANTT_TASK);
    else if ((by == COOP_EVENT_KILL || by == COOP_EVENT_RETIRE) && span->next &&
             span->next->kind == COOP_EVENT_TASK_BEGIN)
        write_bar(b, span->slot, span->begin->time, span->end, CB_GANTT_GATHER);
}

static void write_step(void *self, uint64_t time, int64_t groups)
{
    const struct writer *w = self;
    fprintf(w->out, "%.6f\t%lld\n", in_units(w, time), (long long)groups);
}

static void write_mark(const struct bars *b, uint32_t slot, const coop_trace_event *e)
{
    bool kill = e->kind == COOP_EVENT_KILL || e->kind == COOP_EVENT_RETIRE;
    bool fork =
        e->kind == COOP_EVENT_FORK || (e->kind == COOP_EVENT_JOIN && e->b != COOP_FROM_START);
    if ((kill || fork) && e->time <= b->until)
        fprintf(b->writer.out, "%.6f\t%u\t%d\n", in_units(&b->writer, e->time), slot,
                (int)(kill ? CB_GANTT_KILL : CB_GANTT_FORK));
}

void cb_trace_write_gantt(FILE *out, const struct cb_trace *trace)
{
    struct bars bars = {.writer = make_writer(out, trace, 1e6),
                        .until = cb_trace_seen_until(trace)};
    uint64_t last = cb_trace_last(trace);
    fputs("# slot\tstart_ms\tend_ms\tkind\n", out);
    for (uint32_t i = 0; i < trace->workers; i++) {
        bars.inside = false;
        cb_trace_visit_spans(trace, i, last, write_bars, &bars);
    }
    fputs("\n\n# time_ms\tactive_workgroups\n0\t0\n", out);
    cb_trace_visit_groups(trace, write_step, &bars.writer);
    fputs("\n\n# time_ms\tslot\tkind\n", out);
    for (uint32_t i = 0; i < trace->workers; i++)
        for (uint32_t k = 0; k < cb_trace_length(trace, i); k++)
            write_mark(&bars, i, &cb_trace_ring(trace, i)[k]);
}
