/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/process/open_cases.h"

#include <stdlib.h>
#include <string.h>

#include "measure/identity.h"

struct cb_batch {
    const struct cb_bench *bench;
    int number;
    void *state;    /* state of open_batch() */
    unsigned users; /* open cases */
};

struct cb_open_case {
    struct cb_open_case *next;
    const struct cb_bench *bench;
    struct cb_batch *batch; /* NULL: its benchmark has none, or it could not be opened */
    void *state;            /* state of open() */
    cJSON *inputs;          /* what it has read (identity.h) */
    bool is_open;           /* open() has succeeded */
    char id[];
};

/* ---- Batches --------------------------------------------------------------------------------- */

/* Closes the batch if no open case uses it, and no case to come. */
static void let_go(struct cb_open_cases *cases, struct cb_batch *batch)
{
    if (!batch || batch->users > 0 || batch == cases->batch)
        return;
    if (batch->state)
        batch->bench->close_batch(batch->state);
    free(batch);
}

static void leave_batch(struct cb_open_cases *cases)
{
    struct cb_batch *left = cases->batch;
    cases->batch = NULL;
    let_go(cases, left);
}

/* NULL with err set after a failure. */
static struct cb_batch *open_batch(struct cb_open_cases *cases, const struct cb_bench *bench,
                                   int number, const cJSON *params, struct cb_err *err)
{
    struct cb_batch *b = calloc(1, sizeof *b);
    if (!b) {
        cb_no_memory(err);
        return NULL;
    }
    *b = (struct cb_batch){bench, number, NULL, 0};
    if (bench->open_batch(cases->session, params, &b->state, err) == CB_OK)
        return b;
    let_go(cases, b);
    return NULL;
}

/* The batch of a case, which is one of its users from now on; NULL with err set after a failure. */
static struct cb_batch *enter_batch(struct cb_open_cases *cases, const struct cb_bench *bench,
                                    int number, const cJSON *params, struct cb_err *err)
{
    struct cb_batch *b = cases->batch;
    if (!b || number == 0 || b->number != number || b->bench != bench) {
        leave_batch(cases);
        b = open_batch(cases, bench, number, params, err);
        cases->batch = number ? b : NULL;
    }
    if (b)
        b->users++;
    return b;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Where the case hangs in the list, or the list's end. */
static struct cb_open_case **find(struct cb_open_cases *cases, const char *id)
{
    struct cb_open_case **c = &cases->list;
    while (*c && strcmp((*c)->id, id) != 0)
        c = &(*c)->next;
    return c;
}

void cb_cases_close(struct cb_open_cases *cases, const char *id)
{
    struct cb_open_case **place = find(cases, id), *c = *place;
    if (!c)
        return;
    *place = c->next;
    if (c->state)
        c->bench->close(c->state);
    if (c->batch)
        c->batch->users--;
    let_go(cases, c->batch);
    cJSON_Delete(c->inputs);
    free(c);
}

enum cb_status cb_cases_open(struct cb_open_cases *cases, const char *id,
                             const struct cb_bench *bench, int batch, const cJSON *params,
                             struct cb_err *err)
{
    cb_cases_close(cases, id);
    struct cb_open_case *c = calloc(1, sizeof *c + strlen(id) + 1);
    if (!c)
        return cb_no_memory(err);
    strcpy(c->id, id);
    c->bench = bench;
    c->next = cases->list;
    cases->list = c;
    if (cb_fields_check(params, bench->fields, err) != CB_OK)
        return err->status;
    if (!bench->open_batch)
        leave_batch(cases);
    else if (!(c->batch = enter_batch(cases, bench, batch, params, err)))
        return err->status;
    void *state = c->batch ? c->batch->state : NULL;
    c->is_open = bench->open(cases->session, params, state, &c->state, err) == CB_OK;
    c->inputs = cb_identities_of(cases->session, params);
    return c->is_open ? CB_OK : err->status;
}

enum cb_status cb_cases_run(struct cb_open_cases *cases, const char *id, struct cb_sample *sample,
                            struct cb_err *err)
{
    const struct cb_open_case *c = *find(cases, id);
    if (!c || !c->is_open)
        return cb_fail(err, CB_ERROR, "worker: no such case is open");
    sample->inputs = cJSON_Duplicate(c->inputs, true);
    return c->bench->run(c->state, sample, err);
}

void cb_cases_close_all(struct cb_open_cases *cases)
{
    while (cases->list)
        cb_cases_close(cases, cases->list->id);
    leave_batch(cases);
}
