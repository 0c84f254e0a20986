/* SPDX-License-Identifier: Apache-2.0
 *
 * The app in the execution modes without a scheduler: the same kernel has to give the same result.
 */
#include <string.h>

#include "probes/selftest/selftest.h"

static const struct {
    unsigned mode;
    const char *name;
} modes[] = {{COOP_MULTIKERNEL, "multikernel"},
             {COOP_SPECIALISED, "specialised"},
             {COOP_PORTABLE, "portable"}};

/* Puts the mode before what the app says of a wrong result. */
static void name_mode(struct cb_sample *sample, const char *mode)
{
    char text[sizeof sample->failure];
    strcpy(text, sample->failure);
    snprintf(sample->failure, sizeof sample->failure, "%s: %.900s", mode, text);
}

static enum cb_status run_in(struct cb_selftest *t, struct cb_coop *coop, struct cb_sample *sample,
                             struct cb_err *err)
{
    double ns;
    if (t->app->clear(t->app_state, err) != CB_OK ||
        cb_coop_run_alone(coop, t->mode_groups, &ns, err) != CB_OK)
        return err->status;
    return t->app->check(t->app_state, 1, sample, err);
}

enum cb_status cb_selftest_modes(struct cb_selftest *t, struct cb_sample *sample,
                                 struct cb_err *err)
{
    for (size_t i = 0; i < CB_COUNTOF(modes); i++) {
        struct cb_coop *coop;
        bool failed = sample->failure[0];
        enum cb_status status = cb_selftest_build(t, modes[i].mode, 0, &coop, err);
        if (status == CB_OK)
            status = run_in(t, coop, sample, err);
        cb_coop_close(coop);
        if (status != CB_OK)
            return cb_context(err, "%s", modes[i].name);
        if (!failed && sample->failure[0])
            name_mode(sample, modes[i].name);
    }
    return CB_OK;
}
