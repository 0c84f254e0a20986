/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/litmus/program.h"

#include <string.h>

static struct cb_litmus_event *add(struct cb_litmus_program *p, unsigned what, unsigned thread)
{
    p->events[p->n] = (struct cb_litmus_event){.what = what, .thread = thread};
    return &p->events[p->n++];
}

/* Reads "x=1" or "r0=x" into an event, and returns what comes after it. */
static const char *read_access(const char *text, unsigned thread, unsigned *reads,
                               struct cb_litmus_event *e)
{
    const char *value = strchr(text, '=') + 1;
    const bool reading = *text == 'r';
    *e = (struct cb_litmus_event){
        .what = reading ? CB_LITMUS_READ : CB_LITMUS_WRITE,
        .thread = thread,
        .location = (unsigned)((reading ? *value : *text) - 'x'),
        .value = reading ? 0 : (unsigned)(*value - '0'),
        .digit = CB_LITMUS_READS * thread + (reading ? (*reads)++ : 0),
    };
    value++;
    return *value == ';' ? value + 2 : value;
}

/* The last store of a thread is what others wait to see, the first load what sees it. */
static void order_accesses(int order, struct cb_litmus_event *accesses, unsigned n)
{
    struct cb_litmus_event *last_store = NULL, *first_load = NULL;
    for (unsigned i = 0; i < n; i++) {
        struct cb_litmus_event *e = &accesses[i];
        if (e->what & CB_LITMUS_WRITE)
            last_store = e;
        else if (!first_load)
            first_load = e;
        if (order == CB_LITMUS_RMW)
            e->what = CB_LITMUS_READ | CB_LITMUS_WRITE | CB_LITMUS_ACQUIRE | CB_LITMUS_RELEASE |
                      (e->what & CB_LITMUS_READ ? CB_LITMUS_KEEPS : 0);
    }
    if (last_store && (order == CB_LITMUS_ACQREL || order == CB_LITMUS_RELEASING))
        last_store->what |= CB_LITMUS_RELEASE;
    if (first_load && (order == CB_LITMUS_ACQREL || order == CB_LITMUS_ACQUIRING))
        first_load->what |= CB_LITMUS_ACQUIRE;
}

/* Between two stores stands a fence that releases only. */
static void add_fence(struct cb_litmus_program *p, int order, const struct cb_litmus_event *a)
{
    const bool stores = a[0].what & a[1].what & CB_LITMUS_WRITE;
    const bool after_store = a[0].what & CB_LITMUS_WRITE;
    if (order == CB_LITMUS_FENCES || (order == CB_LITMUS_FENCE_ST && after_store) ||
        (order == CB_LITMUS_FENCE_LD && !after_store))
        add(p, CB_LITMUS_FENCE | CB_LITMUS_RELEASE | (stores ? 0 : CB_LITMUS_ACQUIRE), a->thread);
    else if (order == CB_LITMUS_WG_FENCES)
        add(p, CB_LITMUS_FENCE | CB_LITMUS_RELEASE | CB_LITMUS_ACQUIRE | CB_LITMUS_NARROW,
            a->thread);
}

static const char *add_thread(struct cb_litmus_program *p, int order, const char *text)
{
    struct cb_litmus_event accesses[2], turned;
    unsigned n = 0, reads = 0;
    while (*text && *text != ' ')
        text = read_access(text, p->threads, &reads, &accesses[n++]);
    if (order == CB_LITMUS_REVERSED && n == 2) {
        turned = accesses[0];
        accesses[0] = accesses[1];
        accesses[1] = turned;
    }
    order_accesses(order, accesses, n);
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            add_fence(p, order, accesses);
        p->events[p->n++] = accesses[i];
    }
    p->threads++;
    return *text ? text + strlen(" | ") : text;
}

void cb_litmus_program_of(const struct cb_litmus_test *test, int order, struct cb_litmus_program *p)
{
    *p = (struct cb_litmus_program){.n = 0};
    for (unsigned location = 0; location < CB_LITMUS_LOCATIONS; location++)
        add(p, CB_LITMUS_WRITE, CB_LITMUS_FIRST)->location = location;
    for (const char *text = test->threads; *text;)
        text = add_thread(p, order, text);
}
