/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/beside.h"

#include <math.h>
#include <string.h>

#include "measure/sharing.h"
#include "runtime/host/time.h"

#define OPEN_S   60 /* seconds for the other app's process to prepare */
#define ANSWER_S 5  /* seconds for that process to tell of a window that is over */
#define WINDOW_S 30 /* seconds for its window, beyond the time of it */

/* What it tells beside from when until when. */
#define OTHER_TIME "other_time"

/* ---- The plan -------------------------------------------------------------------------------- */

#define ALL "all"

enum cb_status cb_beside_check(const struct cb_preempt_options *options, struct cb_err *err)
{
    const int n = options->beside.n;
    if (n > 0 && options->app.tasks.n > 0)
        return cb_fail(err, CB_USAGE, "beside: not with --task: another app takes its place");
    for (int i = 0; i < n; i++) {
        const char *name = cb_texts_at(options->beside, i);
        if (strcmp(name, ALL) != 0 && !cb_app_beside(name, err))
            return err->status;
    }
    return CB_OK;
}

bool cb_beside_has(struct cb_texts beside, const struct cb_app *app)
{
    const bool is_any = !app->by_name && !app->synthetic;
    bool has = is_any && cb_texts_have(beside, ALL);
    for (int i = 0; i < beside.n; i++)
        has = has || cb_app_find(cb_texts_at(beside, i)) == app;
    return has;
}

/* The inputs that name the app, as in "bfs=road": one without a name is that of the first app. To
 * be deleted. */
static cJSON *named_inputs(struct cb_texts inputs, const struct cb_app *app)
{
    cJSON *own = cJSON_CreateArray();
    const size_t n = strlen(app->id);
    for (int i = 0; i < inputs.n; i++) {
        const char *text = cb_texts_at(inputs, i);
        if (strncmp(text, app->id, n) == 0 && text[n] == '=')
            cJSON_AddItemToArray(own, cJSON_CreateString(text));
    }
    return own;
}

void cb_beside_write(struct cb_case *c, struct cb_preempt_case *params,
                     const struct cb_app_options *options, const struct cb_app *other)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cJSON *named = named_inputs(options->inputs, other);
    struct cb_app_options own = *options;
    own.inputs = (struct cb_texts){named, cJSON_GetArraySize(named)};
    cb_app_choices(&own, other, cb_app_scale(options, other, c->device->type), inputs);
    params->beside = other->id;
    params->beside_input = cb_app_choice_spec(&inputs[0]);
    params->beside_wg_size = cb_app_wg_size(other, c->device->type);
    cb_fields_write(c->params, cb_preempt_fields, params);
    cJSON_Delete(named); /* the input is its text */
}

/* ---- Both processes -------------------------------------------------------------------------- */

#define HALF "beside" /* folder of the other app's process */

bool cb_beside_is_other(const struct cb_preempt_case *params)
{
    return cb_text_is(params->half, HALF);
}

static cJSON *params_of_other(const struct cb_preempt_case *params)
{
    struct cb_preempt_case other = *params;
    cJSON *own = cJSON_CreateObject();
    other.half = HALF;
    other.app.app = params->beside;
    other.app.input = params->beside_input;
    other.app.wg_size = params->beside_wg_size;
    other.app.workgroups = 0;
    other.beside = NULL;
    cb_fields_write(own, cb_preempt_fields, &other);
    return own;
}

enum cb_status cb_beside_open(struct cb_preempt *p, const struct cb_preempt_case *params,
                              struct cb_err *err)
{
    if (p->session->rehearsal)
        return CB_OK;
    return cb_companion_open(cb_bench_find("preempt"), p->session, true, params_of_other(params),
                             OPEN_S, &p->companion, err) == CB_OK
               ? CB_OK
               : cb_context(err, "the other app's process");
}

/* ---- The other app's process ----------------------------------------------------------------- */

enum cb_status cb_beside_other(struct cb_preempt *p, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_preempt_span span;
    cb_coop_move(p->app.coop, p->word++);
    if (cb_preempt_app_ready(&p->app, err) != CB_OK)
        return err->status;
    cb_preempt_settle();
    span.from_ns = (double)cb_now_ns();
    if (cb_preempt_app_window(&p->app, p->launch_ns, p->budget_ns, err) != CB_OK)
        return err->status;
    span.until_ns = (double)cb_now_ns();
    cb_sample_add(sample, OTHER_TIME, cb_preempt_mean_run(p->app.spans, p->app.runs, &span));
    cb_sample_add(sample, CB_PREEMPT_FROM, span.from_ns);
    cb_sample_add(sample, CB_PREEMPT_UNTIL, span.until_ns);
    return cb_preempt_app_check(&p->app, sample, err);
}

/* ---- A sample -------------------------------------------------------------------------------- */

/* What the other app's process has measured. */
struct other {
    struct cb_preempt_span span;
    double mean_ns;
};

static double value_of(const struct cb_sample *sample, const char *name)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(sample->values, name);
    return values && values->child ? values->child->valuedouble : NAN;
}

static enum cb_status take_other(struct cb_preempt *p, struct other *other,
                                 struct cb_sample *sample, struct cb_err *err)
{
    struct cb_sample told = {0};
    enum cb_status status = cb_companion_end(p->companion, ANSWER_S, &told, err);
    if (status == CB_OK) {
        *other =
            (struct other){{value_of(&told, CB_PREEMPT_FROM), value_of(&told, CB_PREEMPT_UNTIL)},
                           value_of(&told, OTHER_TIME)};
        cb_sample_check(sample, !told.failure[0], "the other app: %s", told.failure);
    } else {
        cb_context(err, "the other app's process");
    }
    cb_sample_free(&told);
    return status;
}

/* Until its window is over; meanwhile this process's app has nothing to do, or is launched again
 * and again. */
static enum cb_status run_window(struct cb_preempt *p, bool both, struct other *other,
                                 struct cb_sample *sample, struct cb_err *err)
{
    const double until = (double)cb_now_ns() + p->budget_ns + WINDOW_S * 1e9;
    if (both && cb_preempt_app_ready(&p->app, err) != CB_OK)
        return err->status;
    if (cb_companion_begin(p->companion, err) != CB_OK)
        return err->status;
    cb_preempt_settle();
    while (!cb_companion_has_ended(p->companion) && (double)cb_now_ns() < until) {
        if (!both)
            cb_preempt_settle();
        else if (cb_preempt_app_window(&p->app, p->launch_ns, 0, err) != CB_OK)
            return cb_context(err, "beside the other app");
    }
    return take_other(p, other, sample, err);
}

enum cb_status cb_beside_sample(struct cb_preempt *p, struct cb_sample *sample, struct cb_err *err)
{
    double alone[2], together[2];
    struct other other_alone, other;
    cb_coop_move(p->app.coop, p->word++);
    if (cb_preempt_alone(p, &alone[0], sample, err) != CB_OK ||
        run_window(p, false, &other_alone, sample, err) != CB_OK ||
        run_window(p, true, &other, sample, err) != CB_OK ||
        cb_preempt_app_check(&p->app, sample, err) != CB_OK)
        return err->status;
    alone[1] = other_alone.mean_ns;
    together[0] = cb_preempt_mean_run(p->app.spans, p->app.runs, &other.span);
    together[1] = other.mean_ns;
    if (!(alone[1] > 0 && together[0] > 0 && together[1] > 0))
        return cb_fail(err, CB_ERROR,
                       "one of the apps did not run beside the other: a longer "
                       "--budget");
    cb_sharing_add(sample, alone, together, "other");
    cb_sample_add(sample, "app_groups", (double)p->app.groups);
    return CB_OK;
}
