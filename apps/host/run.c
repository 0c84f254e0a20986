/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/fit.h"
#include "runtime/cl.h"
#include "runtime/coop/together.h"
#include "runtime/host/time.h"

#define GROUPS_PER_UNIT 64 /* workgroups that there is room for; what is found beyond is not used */

const char *const cb_app_modes[CB_APP_MODES] = {[COOP_MULTIKERNEL] = "multikernel",
                                                [COOP_SPECIALISED] = "specialised",
                                                [COOP_PORTABLE] = "portable",
                                                [COOP_COOPERATIVE] = "cooperative",
                                                [CB_APP_BASELINE] = "baseline"};

#define RESIZING_NAME(value, name, what) [value] = name,
const char *const cb_app_resizings[CB_APP_RESIZINGS] = {COOP_RESIZING_BARRIERS(RESIZING_NAME)};

const char *const cb_app_semantics[CB_APP_SEMANTICS] = {COOP_SEMANTICS_ALL(RESIZING_NAME)};

unsigned cb_app_mode_of(const char *name)
{
    unsigned mode = 0;
    while (mode < CB_APP_MODES - 1 && strcmp(cb_app_modes[mode], name) != 0)
        mode++;
    return mode;
}

unsigned cb_app_resizing_of(const char *name)
{
    for (unsigned i = 0; i < CB_APP_RESIZINGS; i++)
        if (strcmp(name, cb_app_resizings[i]) == 0)
            return i;
    return COOP_QUERY;
}

unsigned cb_app_semantics_of(const char *name)
{
    for (unsigned i = 0; i < CB_APP_SEMANTICS; i++)
        if (strcmp(name, cb_app_semantics[i]) == 0)
            return i;
    return COOP_HIGHEST;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static size_t most_groups(const struct cb_session *session)
{
    bool cpu = cb_device_is_cpu(&session->info); /* runs one on each */
    return (size_t)session->info.compute_units * (cpu ? 1 : GROUPS_PER_UNIT);
}

size_t cb_app_room(const struct cb_session *session)
{
    return most_groups(session) + 1;
}

enum cb_status cb_app_open_input_for(struct cb_session *session, const struct cb_app *app,
                                     const char *input, size_t room, struct cb_app_instance *on,
                                     struct cb_err *err)
{
    *on = (struct cb_app_instance){session, app, NULL, NULL};
    if (session->rehearsal)
        input = app->inputs[0].spec[CB_SCALE_TINY];
    return app->open(session, input ? input : "", room, &on->state, err);
}

enum cb_status cb_app_open_input(struct cb_session *session, const struct cb_app *app,
                                 const char *input, struct cb_app_instance *on, struct cb_err *err)
{
    return cb_app_open_input_for(session, app, input, cb_app_room(session), on, err);
}

void cb_app_close_input(struct cb_app_instance *on)
{
    if (on->app)
        on->app->close(on->state);
    *on = (struct cb_app_instance){0};
}

/* ---- Modes ----------------------------------------------------------------------------------- */

enum cb_status cb_app_open_mode(const struct cb_app_instance *on,
                                const struct cb_coop_config *config, struct cb_coop **coop,
                                struct cb_err *err)
{
    return cb_app_try_mode(on, config, coop, err) == CB_OK ? CB_OK
                                                           : cb_app_explain_fit(on, config, err);
}

/* Until all steps are done. */
static enum cb_status run_steps(const struct cb_app_instance *on, struct cb_steps *steps,
                                struct cb_err *err)
{
    enum cb_status status = on->app->run_baseline(on->state, steps, err);
    return status == CB_OK ? CB_CL(err, clFinish(on->session->queue)) : status;
}

enum cb_status cb_app_open_baseline(const struct cb_app_instance *on, size_t wg_size,
                                    struct cb_steps *steps, struct cb_err *err)
{
    enum cb_status status =
        cb_steps_open(steps, on->session, on->app->baseline_kernel, wg_size, err);
    if (status == CB_OK && on->session->rehearsal)
        status = on->app->clear(on->state, err);
    return status == CB_OK && on->session->rehearsal ? run_steps(on, steps, err) : status;
}

enum cb_status cb_app_run_baseline(const struct cb_app_instance *on, struct cb_steps *steps,
                                   struct cb_coop_time *time, struct cb_sample *sample,
                                   struct cb_err *err)
{
    if (on->app->clear(on->state, err) != CB_OK)
        return err->status;
    double begin_ns = (double)cb_now_ns();
    if (run_steps(on, steps, err) != CB_OK)
        return err->status;
    time->run_ns = time->host_ns = (double)cb_now_ns() - begin_ns;
    return on->app->check(on->state, 1, sample, err);
}

/* ---- Workers --------------------------------------------------------------------------------- */

#define MAX_FOUND 256

/* How many run at once, as searches have found in a session. */
struct found_workers {
    struct found {
        char kernel[640];
        size_t workers; /* 0: the first that is free */
    } list[MAX_FOUND];
};

static const struct cb_kept_kind found_kind = {sizeof(struct found_workers), NULL,
                                               .by_neighbour = true};

/* The entry of the kernel; it has no workers yet if the kernel is new. */
static struct found *find(struct found_workers *found, const char *kernel)
{
    struct found *f = found->list;
    while (f < found->list + MAX_FOUND - 1 && f->workers > 0 && strcmp(f->kernel, kernel) != 0)
        f++;
    if (strcmp(f->kernel, kernel) != 0) {
        f->workers = 0;
        strcpy(f->kernel, kernel);
    }
    return f;
}

static enum cb_status search(const struct cb_app_instance *on, const struct cb_coop_config *config,
                             size_t *workers, struct cb_err *err)
{
    struct cb_coop *coop = NULL;
    enum cb_status status = cb_app_try_mode(on, config, &coop, err);
    if (status == CB_OK)
        status = cb_coop_find_workers(coop, workers, err);
    cb_coop_close(coop);
    return status == CB_OK ? CB_OK : cb_app_explain_fit(on, config, err);
}

enum cb_status cb_app_find_workers(const struct cb_app_instance *on,
                                   const struct cb_coop_config *config, size_t *workers,
                                   struct cb_err *err)
{
    struct found_workers *found = cb_session_kept(on->session, &found_kind, err);
    if (!found)
        return err->status;
    char kernel[sizeof found->list->kernel];
    int n = snprintf(kernel, sizeof kernel, "%s %u %u %u %zu %d %u %s %s %s",
                     config->path ? config->path : on->app->kernel, config->mode, config->resizing,
                     config->semantics, config->wg_size, config->trace_events > 0,
                     config->registers, config->channel ? config->channel : "",
                     config->barrier ? config->barrier : "", config->common ? config->common : "");
    if (config->mode == COOP_COOPERATIVE)
        for (const struct cb_app_instance *o = on->beside; o && n >= 0 && (size_t)n < sizeof kernel;
             o = o->beside)
            n += snprintf(kernel + n, sizeof kernel - (size_t)n, " %s", o->app->kernel);
    struct found *f = find(found, kernel);
    if (f->workers == 0 && search(on, config, &f->workers, err) != CB_OK) {
        f->workers = 0;
        return err->status;
    }
    size_t most = most_groups(on->session);
    *workers = f->workers < most ? f->workers : most;
    return CB_OK;
}

size_t cb_app_fewer_groups(size_t groups, size_t units)
{
    return groups > 0 ? (groups - 1) / units * units : 0;
}

enum cb_status cb_app_fit_groups(const struct cb_app_instance *on, struct cb_coop *coop,
                                 size_t *groups, struct cb_err *err)
{
    const struct cb_session *session = on->session;
    enum cb_status status = CB_TIMEOUT;
    if (session->rehearsal || cb_device_is_cpu(&session->info))
        return CB_OK;
    while (status == CB_TIMEOUT && *groups > 0) {
        struct cb_coop_time ignored;
        if (on->app->clear(on->state, err) != CB_OK)
            return err->status;
        status = cb_coop_run_alone(coop, *groups, &ignored, err);
        if (status == CB_TIMEOUT)
            *groups = cb_app_fewer_groups(*groups, session->info.compute_units);
    }
    if (status == CB_OK)
        *err = (struct cb_err){CB_OK, ""}; /* forgets the error of attempts that did not end */
    return status;
}

enum cb_status cb_app_check(const struct cb_app_instance *on, const struct cb_coop *coop,
                            unsigned runs, struct cb_sample *sample, struct cb_err *err)
{
    if (on->app->sized)
        on->app->sized(on->state, cb_coop_wg_size(coop));
    return on->app->check(on->state, runs, sample, err);
}

enum cb_status cb_app_check_one(const struct cb_app_instance *on, const struct cb_coop *coop,
                                unsigned runs, struct cb_sample *sample, struct cb_err *err)
{
    const bool was_right = !sample->failure[0];
    const enum cb_status status = cb_app_check(on, coop, runs, sample, err);
    if (was_right)
        cb_sample_context(sample, "%s", on->app->id);
    return status;
}

enum cb_status cb_app_check_kernel(const struct cb_app_instance *on, struct cb_coop *coop,
                                   unsigned kernel, unsigned *runs, struct cb_sample *sample,
                                   struct cb_err *err)
{
    struct cb_coop_result r;
    enum cb_status status = cb_coop_result_of(coop, kernel, &r, err);
    *runs = r.runs;
    free(r.run_ns);
    free(r.start_ns);
    return status == CB_OK && r.runs > 0 ? cb_app_check_one(on, coop, r.runs, sample, err) : status;
}

enum cb_status cb_app_run_alone(const struct cb_app_instance *on, struct cb_coop *coop,
                                size_t groups, struct cb_coop_time *time, struct cb_sample *sample,
                                struct cb_err *err)
{
    if (on->app->clear(on->state, err) != CB_OK ||
        cb_coop_run_alone(coop, groups, time, err) != CB_OK)
        return err->status;
    return cb_app_check(on, coop, 1, sample, err);
}
