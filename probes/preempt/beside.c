/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/preempt/beside.h"

#include <math.h>
#include <string.h>

#include "measure/sharing.h"
#include "measure/text/json.h"
#include "runtime/host/time.h"

#define OPEN_S   60 /* seconds for the other app's process to prepare */
#define ANSWER_S 5  /* seconds for that process to tell of a window that is over */
#define WINDOW_S 30 /* seconds for its window, beyond the time of it */

/* What it tells beside from when until when. */
#define OTHER_TIME "other_time"

/* ---- The plan -------------------------------------------------------------------------------- */

#define ALL "all"

enum cb_status cb_beside_check(const cJSON *options, struct cb_err *err)
{
    const int n = cb_options_count(options, "beside");
    if (n > 0 && cb_options_count(options, "task") > 0)
        return cb_fail(err, CB_USAGE, "beside: not with --task: another app takes its place");
    for (int i = 0; i < n; i++) {
        const char *name = cb_options_text(options, "beside", i);
        if (strcmp(name, ALL) != 0 && !cb_app_find(name))
            return cb_fail(
                err, CB_USAGE,
                "beside: there is no app \"%s\": 'coopbench list apps' tells which there "
                "are",
                name);
    }
    return CB_OK;
}

bool cb_beside_has(const cJSON *options, const struct cb_app *app)
{
    for (int i = 0; i < cb_options_count(options, "beside"); i++) {
        const char *name = cb_options_text(options, "beside", i);
        const bool is_any = !app->by_name && !app->synthetic;
        if (strcmp(name, app->id) == 0 || (is_any && strcmp(name, ALL) == 0))
            return true;
    }
    return false;
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

void cb_beside_set(struct cb_case *c, const struct cb_app_options *options,
                   const struct cb_app *other)
{
    struct cb_app_choice inputs[CB_APP_MAX_CHOICES];
    cJSON *named = named_inputs(options->inputs, other);
    struct cb_app_options own = *options;
    own.inputs = (struct cb_texts){named, cJSON_GetArraySize(named)};
    cb_app_choices(&own, other, cb_app_scale(options, other, c->device->type), inputs);
    cb_case_set(c, "beside", other->id);
    cJSON_AddStringToObject(c->params, "beside_input", cb_app_choice_spec(&inputs[0]));
    cJSON_AddNumberToObject(c->params, "beside_wg_size", cb_app_wg_size(other, c->device->type));
    cJSON_Delete(named); /* the input is its text */
}

/* ---- Both processes -------------------------------------------------------------------------- */

#define HALF "beside" /* folder of the other app's process */

bool cb_beside_is(const cJSON *params)
{
    return *cb_json_text(params, "beside", "") != '\0';
}

bool cb_beside_is_other(const cJSON *params)
{
    return strcmp(cb_json_text(params, "half", ""), HALF) == 0;
}

static cJSON *params_of_other(const cJSON *params)
{
    cJSON *own = cJSON_Duplicate(params, true);
    cJSON_AddStringToObject(own, "half", HALF);
    cJSON_ReplaceItemInObjectCaseSensitive(own, "app",
                                           cJSON_CreateString(cb_json_text(params, "beside", "")));
    cJSON_ReplaceItemInObjectCaseSensitive(
        own, "input", cJSON_CreateString(cb_json_text(params, "beside_input", "")));
    cJSON_ReplaceItemInObjectCaseSensitive(
        own, "wg-size", cJSON_CreateNumber(cb_json_number(params, "beside_wg_size")));
    cJSON_DeleteItemFromObjectCaseSensitive(own, "workgroups");
    cJSON_DeleteItemFromObjectCaseSensitive(own, "beside");
    return own;
}

enum cb_status cb_beside_open(struct cb_preempt *p, const cJSON *params, struct cb_err *err)
{
    if (p->session->rehearsal)
        return CB_OK;
    return cb_companion_open(cb_bench_find("preempt"), p->session, params_of_other(params), OPEN_S,
                             &p->companion, err) == CB_OK
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
