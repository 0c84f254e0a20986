/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/options.h"

#include <stdio.h>
#include <string.h>

#include "apps/host/user.h"
#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* ---- Apps ------------------------------------------------------------------------------------ */

static const char *app_name(const void *unused, int i)
{
    (void)unused;
    return cb_apps[i] ? cb_apps[i]->id : NULL;
}

void cb_app_list(bool (*belongs)(const struct cb_app *app), char *text, size_t room)
{
    *text = '\0';
    for (int i = 0; cb_apps[i]; i++)
        if (!belongs || belongs(cb_apps[i]))
            cb_text_join(text, room, "%s", cb_apps[i]->id);
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

/* How many --app or --kernel names. */
static int count_named(const cJSON *options)
{
    return cb_options_count(options, "app") + cb_options_count(options, "kernel");
}

const struct cb_app *cb_app_named(const cJSON *options, int i)
{
    const char *kernel = cb_options_text(options, "kernel", i);
    const char *app = cb_options_text(options, "app", i);
    char path[CB_SETUP_PATH];
    if (kernel && cb_app_setup_path(options, kernel, path, &(struct cb_err){0}) == CB_OK)
        app = path;
    return app ? cb_app_find(app) : NULL;
}

static bool is_named(const cJSON *options, const struct cb_app *app)
{
    for (int i = 0; i < count_named(options); i++)
        if (cb_app_named(options, i) == app)
            return true;
    return false;
}

bool cb_app_is_chosen(const cJSON *options, const struct cb_app *app, bool synthetic)
{
    if (is_named(options, app))
        return true;
    for (int i = 0; i < cb_options_count(options, "app"); i++)
        if (strcmp(cb_options_text(options, "app", i), "all") == 0)
            return !app->by_name && (synthetic || !app->synthetic);
    return false;
}

int cb_app_variants(const cJSON *options)
{
    int n = cb_options_count(options, "variant");
    return n > 0 ? n : 1;
}

const struct cb_app *cb_app_chosen_variant(const cJSON *options, const struct cb_app *app, int i)
{
    const char *variant = cb_options_text(options, "variant", i);
    return cb_app_variant(app, variant ? variant : CB_APP_OURS);
}

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
            bool named = is_named(options, cb_apps[a]);
            bool has = cb_app_chosen_variant(options, cb_apps[a], i) != NULL;
            if (named && !has)
                return missing_variant(cb_apps[a], cb_options_text(options, "variant", i), err);
            found += has && cb_app_is_chosen(options, cb_apps[a], false);
        }
    return found > 0 ? CB_OK : cb_fail(err, CB_USAGE, "variant: none of the apps has it");
}

enum cb_scale cb_app_scale(const cJSON *options, const struct cb_app *app, const char *device_type)
{
    const char *asked = cb_option_text_or(options, "scale", "");
    for (int s = 0; s < CB_SCALES; s++)
        if (strcmp(asked, cb_app_scales[s]) == 0)
            return (enum cb_scale)s;
    enum cb_scale scale = cb_app_scale_of(device_type);
    bool smaller = cb_options_flag(options, CB_QUICK) && app->slow_check;
    return smaller && scale == CB_SCALE_PAPER ? CB_SCALE_SMALL : scale;
}

/* ---- Kernels of the user, with their setups in one file -------------------------------------- */

bool cb_app_is_kernel(const char *text)
{
    size_t n = strlen(text), ending = strlen(".cl");
    return strstr(text, ".cl:") || (n > ending && strcmp(text + n - ending, ".cl") == 0);
}

/* The kernels that --kernel and --task name, each once; to be deleted. NULL: none. */
static cJSON *list_kernels(const cJSON *options)
{
    cJSON *list = NULL;
    for (int i = 0; i < cb_options_count(options, "kernel"); i++)
        cb_json_add_once(&list, cb_options_text(options, "kernel", i));
    for (int i = 0; i < cb_options_count(options, "task"); i++)
        if (cb_app_is_kernel(cb_options_text(options, "task", i)))
            cb_json_add_once(&list, cb_options_text(options, "task", i));
    return list;
}

/* A first setup, of all of them. */
static enum cb_status lacks_setup(const cJSON *options, const char *kernel, struct cb_err *err)
{
    char all[CB_ERR_TEXT / 2] = "";
    cJSON *list = list_kernels(options), *item;
    cJSON_ArrayForEach (item, list)
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", item->valuestring);
    cJSON_Delete(list);
    return cb_fail(err, CB_USAGE,
                   "%.100s: what are its arguments? 'coopbench init%s -o setup.json' writes a "
                   "first file of them, for --setup setup.json",
                   kernel, all);
}

enum cb_status cb_app_setup_path(const cJSON *options, const char *kernel, char path[CB_SETUP_PATH],
                                 struct cb_err *err)
{
    const char *setup = cb_option_text_or(options, "setup", NULL);
    return setup ? cb_setup_path(setup, kernel, path, err) : lacks_setup(options, kernel, err);
}

static enum cb_status check_kernels(const cJSON *options, struct cb_err *err)
{
    char path[CB_SETUP_PATH];
    int n = cb_options_count(options, "kernel");
    cJSON *kernels = list_kernels(options);
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

/* ---- Checks ---------------------------------------------------------------------------------- */

enum cb_status cb_app_options_check(const cJSON *options, struct cb_err *err)
{
    bool one = count_named(options) == 1;
    if (check_kernels(options, err) != CB_OK)
        return err->status;
    for (int i = 0; i < cb_options_count(options, "app"); i++) {
        const char *text = cb_options_text(options, "app", i);
        bool all = strcmp(text, "all") == 0;
        if (cb_user_app_is(text) && cb_user_app_add(text, err) != CB_OK)
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

#define MAX_FOLDER 256

enum cb_status cb_app_trace_check(const cJSON *options, struct cb_err *err)
{
    if (strlen(cb_option_text_or(options, "trace", "")) >= MAX_FOLDER)
        return cb_fail(err, CB_USAGE, "trace: a folder name of at most %d characters",
                       MAX_FOLDER - 1);
    return CB_OK;
}
