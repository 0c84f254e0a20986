/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/options.h"

#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* ---- Apps ------------------------------------------------------------------------------------ */

void cb_app_list(bool (*belongs)(const struct cb_app *app), char *text, size_t room)
{
    *text = '\0';
    for (int i = 0; cb_apps[i]; i++)
        if (!belongs || belongs(cb_apps[i]))
            cb_text_join(text, room, "%s", cb_apps[i]->id);
}

int cb_app_count_named(const cJSON *options)
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

bool cb_app_is_named(const cJSON *options, const struct cb_app *app)
{
    for (int i = 0; i < cb_app_count_named(options); i++)
        if (cb_app_named(options, i) == app)
            return true;
    return false;
}

bool cb_app_is_chosen(const cJSON *options, const struct cb_app *app, bool synthetic)
{
    if (cb_app_is_named(options, app))
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

cJSON *cb_app_list_kernels(const cJSON *options)
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
    cJSON *list = cb_app_list_kernels(options), *item;
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
