/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/stopping.h"

#include <math.h>
#include <string.h>

#include "analysis/documents/folder.h"

#define LONGEST_WAIT_MS 1000 /* without --wait-deadline: a CPU device's */

static double longest_wait_s(const struct cb_run_options *o)
{
    return (o->wait_deadline_ms ? o->wait_deadline_ms : LONGEST_WAIT_MS) / 1000.0;
}

enum cb_status cb_stopping_check(const struct cb_run_options *o, struct cb_err *err)
{
    const bool count = !o->stop || strcmp(o->stop, "count") == 0;
    const char *limit = !isnan(o->max_rci_percent) ? "max-rci"
                        : o->max_runs > 0          ? "max-runs"
                        : !isnan(o->max_time_s)    ? "max-time"
                                                   : NULL;
    if (count && limit)
        return cb_fail(err, CB_USAGE,
                       "--%s needs --stop ci or --stop time: with the rule \"count\" a case "
                       "takes exactly --runs samples",
                       limit);
    if (o->run_id && cb_run_id_check(o->run_id, err) != CB_OK)
        return err->status;
    if (o->resume && o->run_id)
        return cb_fail(err, CB_USAGE,
                       "--resume goes on with a run, --run-id names a new one: choose one of them");
    if (o->run_deadline_s <= longest_wait_s(o))
        return cb_fail(err, CB_USAGE,
                       "--run-deadline must be longer than --wait-deadline (%.0f ms), or no "
                       "deadlock could be reported as one",
                       longest_wait_s(o) * 1000);
    return CB_OK;
}

/* ---- A case ---------------------------------------------------------------------------------- */

/* Runs like the search for the bound wait for a few deadlines one after the other. */
#define WAITS_PER_RUN 20

/* To which a deadline is lowered: a run of milliseconds, that has to open its case again in a new
 * process, or on a machine that gets busy, is over long before. */
#define LEAST_DEADLINE_S 30

static void apply_deadline(struct cb_case *c, const struct cb_run_options *options)
{
    const double least_s = WAITS_PER_RUN * longest_wait_s(options);
    if (!isnan(options->run_deadline_s)) {
        c->run_deadline_s = options->run_deadline_s;
        return;
    }
    c->run_deadline_s = fmax(c->run_deadline_s, least_s);
    c->least_deadline_s = c->bench->even_runs ? fmax(LEAST_DEADLINE_S, least_s) : 0;
}

/* What the user said replaces the bench's own choice. */
static enum cb_status apply_stop(struct cb_case *c, const struct cb_run_options *options,
                                 struct cb_err *err)
{
    struct cb_stop *stop = &c->stop;
    const char *rule = options->stop;
    if (c->own_stop)
        return CB_OK;
    if (options->warmup.given)
        stop->warmup = (unsigned)options->warmup.value;
    if (options->runs > 0) {
        unsigned planned = stop->rule == CB_STOP_COUNT ? stop->min_runs : stop->max_runs;
        stop->min_runs = options->runs;
        c->expected_s *= planned ? (double)stop->min_runs / planned : 1;
    }
    bool count = rule && strcmp(rule, "count") == 0;
    if (count || (!rule && options->runs > 0))
        stop->rule = CB_STOP_COUNT;
    if (count || !rule)
        return CB_OK;
    stop->rule = strcmp(rule, "ci") == 0 ? CB_STOP_CI : CB_STOP_TIME;
    if (options->runs == 0)
        stop->min_runs = 15; /* the interval of the median needs some samples to mean anything */
    stop->max_runs = options->max_runs ? options->max_runs : 500;
    stop->max_rci = isnan(options->max_rci_percent) ? 1 : options->max_rci_percent;
    stop->max_time_s = isnan(options->max_time_s) ? 30 : options->max_time_s;
    if (stop->max_runs >= stop->min_runs)
        return CB_OK;
    return cb_fail(err, CB_USAGE, "--max-runs %u is below the least number of runs, %u (--runs)",
                   stop->max_runs, stop->min_runs);
}

enum cb_status cb_stopping_apply(struct cb_case *c, const struct cb_run_options *options,
                                 struct cb_err *err)
{
    apply_deadline(c, options);
    return apply_stop(c, options, err);
}
