/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/options.h"

#include <stdio.h>
#include <string.h>

#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "runtime/discovery.h"
#include "runtime/host/text.h"

/* ---- The struct ------------------------------------------------------------------------------ */

void cb_app_options_of_run(const cJSON *options, struct cb_app_options *app)
{
    static const struct cb_param of_the_run[] = {
        {CB_OPTION(struct cb_app_options, CB_QUICK, quick)},
        {CB_OPTION(struct cb_app_options, CB_APP_ORIGINALS, originals)},
        {0},
    };
    cb_options_read(options, of_the_run, app);
}

/* ---- Apps ------------------------------------------------------------------------------------ */

void cb_app_list(bool (*belongs)(const struct cb_app *app), char *text, size_t room)
{
    *text = '\0';
    for (int i = 0; cb_apps[i]; i++)
        if (!belongs || belongs(cb_apps[i]))
            cb_text_join(text, room, "%s", cb_apps[i]->id);
}

int cb_app_count_named(const struct cb_app_options *options)
{
    return options->apps.n + options->kernels.n;
}

const struct cb_app *cb_app_named(const struct cb_app_options *options, int i)
{
    const char *kernel = cb_texts_at(options->kernels, i);
    const char *app = cb_texts_at(options->apps, i);
    char path[CB_SETUP_PATH];
    if (kernel && cb_app_setup_path(options, kernel, path, &(struct cb_err){0}) == CB_OK)
        app = path;
    return app ? cb_app_find(app) : NULL;
}

bool cb_app_is_named(const struct cb_app_options *options, const struct cb_app *app)
{
    for (int i = 0; i < cb_app_count_named(options); i++)
        if (cb_app_named(options, i) == app)
            return true;
    return false;
}

bool cb_app_is_chosen(const struct cb_app_options *options, const struct cb_app *app,
                      bool synthetic)
{
    if (cb_app_is_named(options, app))
        return true;
    return cb_texts_have(options->apps, "all") && !app->by_name && (synthetic || !app->synthetic);
}

int cb_app_variants(const struct cb_app_options *options)
{
    return options->variants.n > 0 ? options->variants.n : 1;
}

const struct cb_app *cb_app_chosen_variant(const struct cb_app_options *options,
                                           const struct cb_app *app, int i)
{
    return cb_app_variant(app, cb_texts_at(options->variants, i));
}

enum cb_scale cb_app_scale(const struct cb_app_options *options, const struct cb_app *app,
                           const char *device_type)
{
    for (int s = 0; options->scale && s < CB_SCALES; s++)
        if (strcmp(options->scale, cb_app_scales[s]) == 0)
            return (enum cb_scale)s;
    enum cb_scale scale = cb_app_scale_of(device_type);
    bool smaller = options->quick && app->slow_check;
    return smaller && scale == CB_SCALE_PAPER ? CB_SCALE_SMALL : scale;
}

/* ---- Kernels of the user, with their setups in one file -------------------------------------- */

bool cb_app_is_kernel(const char *text)
{
    size_t n = strlen(text), ending = strlen(".cl");
    return strstr(text, ".cl:") || (n > ending && strcmp(text + n - ending, ".cl") == 0);
}

cJSON *cb_app_list_kernels(const struct cb_app_options *options)
{
    cJSON *list = NULL;
    for (int i = 0; i < options->kernels.n; i++)
        cb_json_add_once(&list, cb_texts_at(options->kernels, i));
    for (int i = 0; i < options->tasks.n; i++)
        if (cb_app_is_kernel(cb_texts_at(options->tasks, i)))
            cb_json_add_once(&list, cb_texts_at(options->tasks, i));
    return list;
}

/* A first setup, of all of them. */
static enum cb_status lacks_setup(const struct cb_app_options *options, const char *kernel,
                                  struct cb_err *err)
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

enum cb_status cb_app_setup_path(const struct cb_app_options *options, const char *kernel,
                                 char path[CB_SETUP_PATH], struct cb_err *err)
{
    return options->setup ? cb_setup_path(options->setup, kernel, path, err)
                          : lacks_setup(options, kernel, err);
}
