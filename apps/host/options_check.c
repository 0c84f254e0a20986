/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "apps/host/choices.h"
#include "apps/host/options.h"
#include "apps/host/user.h"
#include "measure/bench.h"
#include "measure/process/beside.h"
#include "measure/text/nearest.h"

#define MAX_FOLDER 256

static bool has_paper(const struct cb_app *app)
{
    return app->paper != NULL;
}

static bool has_paper_once(const struct cb_app *app)
{
    return app->paper_once != NULL;
}

/* Every app has ours. */
static enum cb_status missing_variant(const struct cb_app *app, const char *variant,
                                      struct cb_err *err)
{
    char with[256];
    cb_app_list(strcmp(variant, CB_APP_PAPER) == 0 ? has_paper : has_paper_once, with, sizeof with);
    return cb_fail(err, CB_USAGE,
                   "variant: %s has no variant \"%s\": leave %s out, or the variant, which only %s "
                   "have",
                   app->id, variant, app->id, with);
}

/* Those that are named must have each variant; of all apps, one. */
static enum cb_status check_variants(const struct cb_app_options *options, struct cb_err *err)
{
    int found = 0;
    if (cb_texts_have(options->variants, CB_APP_ALL_VARIANTS))
        return CB_OK;
    for (int i = 0; i < cb_app_variants(options); i++)
        for (int a = 0; cb_apps[a]; a++) {
            bool named = cb_app_is_named(options, cb_apps[a]);
            bool has = cb_app_chosen_variant(options, cb_apps[a], i) != NULL;
            if (named && !has)
                return missing_variant(cb_apps[a], cb_texts_at(options->variants, i), err);
            found += has && cb_app_is_chosen(options, cb_apps[a], false);
        }
    return found > 0 ? CB_OK : cb_fail(err, CB_USAGE, "variant: none of the apps has it");
}

static enum cb_status check_kernels(const struct cb_app_options *options, struct cb_err *err)
{
    char path[CB_SETUP_PATH];
    cJSON *kernels = cb_app_list_kernels(options);
    bool any = kernels != NULL;
    cJSON_Delete(kernels);
    if (options->kernels.n > 0 && options->apps.n > 0)
        return cb_fail(err, CB_USAGE, "kernel: it comes in the place of --app: give one of both");
    if (!any && options->setup)
        return cb_fail(err, CB_USAGE,
                       "setup: it is for --kernel FILE.cl or --task FILE.cl, which "
                       "is not there");
    for (int i = 0; i < options->kernels.n; i++)
        if (cb_app_setup_path(options, cb_texts_at(options->kernels, i), path, err) != CB_OK ||
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

const struct cb_app *cb_app_beside(const char *name, struct cb_err *err)
{
    char nearest[64];
    if (cb_app_is_kernel(name)) {
        cb_fail(err, CB_USAGE,
                "beside: %.100s is a kernel: give its setup, which 'coopbench init %.100s -o "
                "setup.json' writes",
                name, name);
        return NULL;
    }
    if (cb_app_is_users(name) && cb_user_app_add(name, err) != CB_OK)
        return NULL;
    const struct cb_app *app = cb_app_find(name);
    const char *near = cb_nearest_choice(name, CB_BESIDE_KINDS, nearest, sizeof nearest);
    near = near ? near : cb_nearest(name, app_name, NULL);
    if (!app)
        cb_fail(err, CB_USAGE,
                "beside: there is no app \"%.60s\"%s%s%s: 'coopbench list apps' tells which there "
                "are; kinds of neighbours are " CB_BESIDE_KINDS,
                name, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    return app;
}

enum cb_status cb_app_options_check(const struct cb_app_options *options, struct cb_err *err)
{
    bool one = cb_app_count_named(options) == 1;
    if (check_kernels(options, err) != CB_OK)
        return err->status;
    for (int i = 0; i < options->apps.n; i++) {
        const char *text = cb_texts_at(options->apps, i);
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

enum cb_status cb_app_groups_check(const struct cb_app_options *options,
                                   const struct cb_device *device, const char *word,
                                   struct cb_err *err)
{
    return cb_plan_check_groups(options->groups, word, err) == CB_OK
               ? cb_plan_check_wg_size(device, options->wg_size, err)
               : err->status;
}

enum cb_status cb_app_trace_check(const struct cb_app_options *options, struct cb_err *err)
{
    if (options->trace && strlen(options->trace) >= MAX_FOLDER)
        return cb_fail(err, CB_USAGE, "trace: a folder name of at most %d characters",
                       MAX_FOLDER - 1);
    return CB_OK;
}
