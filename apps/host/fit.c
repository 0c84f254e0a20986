/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/fit.h"

#include <stdio.h>
#include <string.h>

#define MOST_OF_CAUSE 1500 /* a compiler may say more */

/* Appends to a text; what does not fit is left out. */
static void append(char *text, size_t size, const char *more)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

/* "bfs needs 2580 bytes of local memory"; cause: of both, which is not said twice. */
static void append_needs(char *text, size_t size, const struct cb_app_instance *on,
                         const struct cb_coop_config *config, const struct cb_err *cause)
{
    const struct cb_app_instance alone = {on->session, on->app, on->state, NULL};
    struct cb_coop_config own = *config;
    struct cb_coop *coop = NULL;
    struct cb_err err = {CB_OK, ""};
    char line[700];
    own.path = own.common = NULL;
    own.program_tasks = false; /* they are of the program of both */
    if (cb_app_try_mode(&alone, &own, &coop, &err) == CB_OK) {
        const struct cb_kernel_needs needs = cb_coop_needs(coop);
        int n = snprintf(line, sizeof line, "%s needs %llu bytes of local memory", on->app->id,
                         (unsigned long long)needs.local_bytes);
        if (needs.private_bytes > 0)
            snprintf(line + n, sizeof line - (size_t)n,
                     " and %llu of private memory for a work-item",
                     (unsigned long long)needs.private_bytes);
    } else {
        const bool is_same = strcmp(err.text, cause->text) == 0;
        snprintf(line, sizeof line, "%s does not fit either%s%.500s", on->app->id,
                 is_same ? "" : ": ", is_same ? "" : err.text);
    }
    cb_coop_close(coop);
    append(text, size, line);
}

/* Whether it may be room that is missing: local memory, or what CL_OUT_OF_RESOURCES does not say; a
 * mistake in a kernel is none. */
static bool is_of_room(const struct cb_err *err)
{
    return err->status == CB_UNSUPPORTED ||
           (err->status == CB_ERROR && strstr(err->text, "OUT_OF_RESOURCES"));
}

enum cb_status cb_app_explain_fit(const struct cb_app_instance *on,
                                  const struct cb_coop_config *config, struct cb_err *err)
{
    const struct cb_err cause = *err;
    char names[300] = "", needs[2000] = "";
    if (!on->beside || config->mode != COOP_COOPERATIVE || !is_of_room(err))
        return cause.status;
    for (const struct cb_app_instance *o = on; o; o = o->beside) {
        append(names, sizeof names, o == on ? "" : " and ");
        append(names, sizeof names, o->app->id);
        append(needs, sizeof needs, o == on ? "" : ", ");
        append_needs(needs, sizeof needs, o, config, &cause);
    }
    return cb_fail(err, cause.status,
                   "%s in one kernel, of %zu work-items a workgroup: %.*s. Alone with as many, %s; "
                   "the device has %llu bytes of local memory. --wg-size makes workgroups smaller, "
                   "--registers gives a work-item of an NVIDIA GPU fewer registers; or take "
                   "another pair",
                   names, config->wg_size, MOST_OF_CAUSE, cause.text, needs,
                   (unsigned long long)on->session->info.local_mem_bytes);
}
