/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "apps/host/choices.h"
#include "apps/host/options.h"
#include "apps/host/user.h"
#include "measure/text/nearest.h"
#include "runtime/discovery.h"

#define MAX_FOLDER 256

static bool has_paper(const struct cb_app *app)
{
    return app->paper != NULL;
}

/* Every app has ours. */
static enum cb_status missing_variant(const struct cb_app *app, const char *variant,
                                      struct cb_err *err)
{
    char with[256];
    cb_app_list(has_paper, with, sizeof with);
    return cb_fail(err, CB_USAGE,
                   "variant: %s has no variant \"%s\": leave %s out, or the variant, which only %s "
                   "have",
                   app->id, variant, app->id, with);
}

/* Those that are named must have each variant; of all apps, one. */
static enum cb_status check_variants(const cJSON *options, struct cb_err *err)
{
    int found = 0;
    const char *all = cb_option_text_or(options, "variant", CB_APP_OURS);
    if (strcmp(all, CB_APP_OURS) != 0 && strcmp(all, CB_APP_PAPER) != 0)
        return CB_OK; /* the benchmark takes what there is */
    for (int i = 0; i < cb_app_variants(options); i++)
        for (int a = 0; cb_apps[a]; a++) {
            bool named = cb_app_is_named(options, cb_apps[a]);
            bool has = cb_app_chosen_variant(options, cb_apps[a], i) != NULL;
            if (named && !has)
                return missing_variant(cb_apps[a], cb_options_text(options, "variant", i), err);
            found += has && cb_app_is_chosen(options, cb_apps[a], false);
        }
    return found > 0 ? CB_OK : cb_fail(err, CB_USAGE, "variant: none of the apps has it");
}

static enum cb_status check_kernels(const cJSON *options, struct cb_err *err)
{
    char path[CB_SETUP_PATH];
    int n = cb_options_count(options, "kernel");
    cJSON *kernels = cb_app_list_kernels(options);
    bool any = kernels != NULL;
    cJSON_Delete(kernels);
    if (n > 0 && cb_options_count(options, "app") > 0)
        return cb_fail(err, CB_USAGE, "kernel: it comes in the place of --app: give one of both");
    if (!any && cb_options_count(options, "setup") > 0)
        return cb_fail(err, CB_USAGE,
                       "setup: it is for --kernel FILE.cl or --task FILE.cl, which "
                       "is not there");
    for (int i = 0; i < n; i++)
        if (cb_app_setup_path(options, cb_options_text(options, "kernel", i), path, err) != CB_OK ||
            cb_user_app_add(path, err) != CB_OK)
            return err->status;
    return CB_OK;
}

static const char *app_name(const void *unused, int i)
{
    (void)unused;
    return cb_apps[i] ? cb_apps[i]->id : NULL;
}

static enum cb_status unknown_app(const char *name, struct cb_err *err)
{
    char all[512];
    cb_app_list(NULL, all, sizeof all);
    const char *nearest = cb_nearest(name, app_name, NULL);
    return cb_fail(err, CB_USAGE, "app: expected all, %s, got \"%.60s\"%s%s%s", all, name,
                   nearest ? " (did you mean \"" : "", nearest ? nearest : "",
                   nearest ? "\"?)" : "");
}

enum cb_status cb_app_options_check(const cJSON *options, struct cb_err *err)
{
    bool one = cb_app_count_named(options) == 1;
    if (check_kernels(options, err) != CB_OK)
        return err->status;
    for (int i = 0; i < cb_options_count(options, "app"); i++) {
        const char *text = cb_options_text(options, "app", i);
        bool all = strcmp(text, "all") == 0;
        if (cb_app_is_users(text) && cb_user_app_add(text, err) != CB_OK)
            return err->status;
        if (!all && !cb_app_find(text))
            return unknown_app(text, err);
        one = one && !all;
    }
    if (cb_app_choices_check(options, one, err) != CB_OK)
        return err->status;
    return check_variants(options, err);
}

enum cb_status cb_app_groups_check(const cJSON *options, const struct cb_device *device,
                                   const char *word, struct cb_err *err)
{
    for (int i = 0; i < cb_options_count(options, "groups"); i++) {
        const char *text = cb_options_text(options, "groups", i);
        if (!(word && strcmp(text, word) == 0) && cb_groups_parse(text, 0, NULL, err) != CB_OK)
            return err->status;
    }
    if (cb_option_uint_or(options, "wg-size", 1) > device->max_wg_size)
        return cb_fail(err, CB_USAGE, "wg-size: %s takes at most %llu work-items a workgroup",
                       device->name, (unsigned long long)device->max_wg_size);
    return CB_OK;
}

enum cb_status cb_app_trace_check(const cJSON *options, struct cb_err *err)
{
    if (strlen(cb_option_text_or(options, "trace", "")) >= MAX_FOLDER)
        return cb_fail(err, CB_USAGE, "trace: a folder name of at most %d characters",
                       MAX_FOLDER - 1);
    return CB_OK;
}
