/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/app.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup.h"
#include "kernels/coop_abi.h"

const char *const cb_app_scales[CB_SCALES] = {
    [CB_SCALE_TINY] = "tiny", [CB_SCALE_SMALL] = "small", [CB_SCALE_PAPER] = "paper"};

bool cb_app_is_users(const char *name)
{
    return strchr(name, '/') || cb_setup_is(name);
}

const struct cb_app *cb_app_find(const char *id)
{
    for (int i = 0; cb_apps[i]; i++)
        if (strcmp(cb_apps[i]->id, id) == 0 ||
            (cb_app_is_users(id) && strcmp(cb_apps[i]->inputs[0].spec[0], id) == 0))
            return cb_apps[i];
    return NULL;
}

void cb_app_table_add(const struct cb_app *app)
{
    int n = 0;
    while (cb_apps[n])
        n++;
    cb_apps[n] = app;
}

const char *cb_app_variant_name(const struct cb_app *variant)
{
    const struct cb_app *app = cb_app_find(variant->id);
    return !app                         ? CB_APP_OURS
           : app->paper == variant      ? CB_APP_PAPER
           : app->paper_once == variant ? CB_APP_PAPER_ONCE
                                        : CB_APP_OURS;
}

const char *cb_app_variant_mark(const struct cb_app *variant, char mark[CB_APP_VARIANT_MARK])
{
    const char *name = cb_app_variant_name(variant);
    snprintf(mark, CB_APP_VARIANT_MARK, ",variant=%s", name);
    return strcmp(name, CB_APP_OURS) == 0 ? "" : mark;
}

const struct cb_app *cb_app_variant(const struct cb_app *app, const char *variant)
{
    if (!app || !variant || strcmp(variant, CB_APP_OURS) == 0)
        return app;
    return strcmp(variant, CB_APP_PAPER) == 0        ? app->paper
           : strcmp(variant, CB_APP_PAPER_ONCE) == 0 ? app->paper_once
                                                     : NULL;
}

enum cb_scale cb_app_scale_of(const char *device_type)
{
    return cb_device_type_is_cpu(device_type) ? CB_SCALE_SMALL : CB_SCALE_PAPER;
}

unsigned cb_app_wg_size(const struct cb_app *app, const char *device_type)
{
    return cb_device_type_is_cpu(device_type) ? app->cpu_wg_size : app->gpu_wg_size;
}

unsigned cb_app_required_wg_size(const struct cb_app *app, const struct cb_app *beside,
                                 unsigned size)
{
    return app->required_wg_size                ? app->required_wg_size
           : beside && beside->required_wg_size ? beside->required_wg_size
                                                : size;
}

bool cb_app_read_count(const char *input, uint32_t least, uint32_t most, uint32_t *count,
                       const char **rest)
{
    size_t digits = strspn(input, "0123456789");
    char end = input[digits];
    errno = 0;
    unsigned long long value = strtoull(input, NULL, 10);
    if (digits == 0 || (end && !(rest && end == ':')) || errno || value < least || value > most)
        return false;
    *count = (uint32_t)value;
    if (rest)
        *rest = input + digits;
    return true;
}

enum cb_status cb_app_check_digests(struct cb_session *session, cl_mem digests, unsigned runs,
                                    uint32_t expected, struct cb_sample *sample, struct cb_err *err)
{
    unsigned n = runs < COOP_MAX_RUNS ? runs : COOP_MAX_RUNS;
    uint32_t *seen = malloc((n + 1) * sizeof *seen);
    if (!seen)
        return cb_no_memory(err);
    enum cb_status status = CB_OK;
    if (n > 0)
        status = cb_buffer_read(session, digests, seen, n * sizeof *seen, err);
    for (unsigned r = 0; status == CB_OK && r < n; r++)
        cb_sample_check(sample, seen[r] == expected,
                        "run %u of %u: the digest of its result is %u instead of %u", r, runs,
                        seen[r], expected);
    free(seen);
    return status;
}
