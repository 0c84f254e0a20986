/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/choices.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/host/options.h"
#include "runtime/host/text.h"

/* ---- Originals ------------------------------------------------------------------------------- */

#define MAX_ORIGINALS 400 /* in struct cb_app_choice, with the name of a graph */

/* Makes the choice the file of the folder that the input stands for, if it is there. What the spec
 * says after an "@", the sources of bc, holds for it, too. */
static bool choose_original(const char *folder, const struct cb_app_input *input,
                            struct cb_app_choice *choice)
{
    static const char *const endings[] = {".gr", ".mtx", ".gr.gz", ".mtx.gz"};
    for (size_t i = 0; input->original && i < CB_COUNTOF(endings); i++) {
        const char *rest = strchr(input->spec[CB_SCALE_PAPER], '@');
        int n = snprintf(choice->original, sizeof choice->original, "%s/%s%s", folder,
                         input->original, endings[i]);
        if ((size_t)n + 16 > sizeof choice->original || access(choice->original, R_OK) != 0)
            continue;
        snprintf(choice->original + n, sizeof choice->original - (size_t)n, "%s", rest ? rest : "");
        snprintf(choice->name, sizeof choice->name, "%s" CB_APP_ORIGINAL, input->name);
        choice->spec = NULL;
        return true;
    }
    return false;
}

/* A folder without any original is a mistake. */
static enum cb_status check_originals(const struct cb_app_options *options, struct cb_err *err)
{
    const char *folder = options->originals;
    char names[256] = "";
    struct cb_app_choice ignored;
    if (folder && strlen(folder) > MAX_ORIGINALS)
        return cb_fail(err, CB_USAGE, "originals: a folder name of at most %d characters",
                       MAX_ORIGINALS);
    for (int a = 0; folder && cb_apps[a]; a++)
        for (const struct cb_app_input *input = cb_apps[a]->inputs; input->name; input++) {
            if (choose_original(folder, input, &ignored))
                return CB_OK;
            if (input->original && !strstr(names, input->original))
                cb_text_join(names, sizeof names, "%s", input->original);
        }
    return folder ? cb_fail(err, CB_USAGE,
                            "originals: %s has none of the papers' graphs: a file is called as one "
                            "of %s, and ends with .gr, .mtx, .gr.gz or .mtx.gz",
                            folder, names)
                  : CB_OK;
}

/* ---- Own inputs ------------------------------------------------------------------------------ */

static const struct cb_app_input *own_input(const struct cb_app *app, const char *name)
{
    for (const struct cb_app_input *input = app->inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    return NULL;
}

static void choose_own(const struct cb_app_options *options, const struct cb_app_input *input,
                       enum cb_scale scale, struct cb_app_choice *choice)
{
    if (options->originals && choose_original(options->originals, input, choice))
        return;
    snprintf(choice->name, sizeof choice->name, "%s", input->name);
    choice->spec = input->spec[scale];
}

/* Whether it can be nothing but the name of an own input, or a file's: a word, no number. */
static bool is_name(const char *text)
{
    return *text >= 'a' && *text <= 'z' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* A name has to be that of an own input, or of a file that there is. */
static enum cb_status check_name(const struct cb_app *app, const char *text, struct cb_err *err)
{
    char names[256] = "";
    if (!is_name(text) || own_input(app, text) || access(text, R_OK) == 0)
        return CB_OK;
    for (const struct cb_app_input *input = app->inputs; input->name; input++)
        cb_text_join(names, sizeof names, "%s", input->name);
    return cb_fail(err, CB_USAGE,
                   "input: %s has no input \"%.60s\", and there is no such file: its own are %s; "
                   "'coopbench list apps' tells what else it takes",
                   app->id, text, names);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* The INPUT of "APP=INPUT", if it is for this app; else NULL. Names of files may have a "=". */
static const char *given_to(const char *text, const struct cb_app *app)
{
    size_t n = strlen(app->id);
    return strncmp(text, app->id, n) == 0 && text[n] == '=' ? text + n + 1 : NULL;
}

/* Whether it says which of the app's own inputs are meant. */
static bool is_word(const char *text)
{
    return strcmp(text, "auto") == 0 || strcmp(text, CB_APP_INPUT_FIRST) == 0;
}

/* The names of own inputs among them are those of each variant that runs. */
static enum cb_status check_names(const struct cb_app_options *options, const struct cb_app *app,
                                  const char *spec, struct cb_err *err)
{
    for (int i = 0; i < cb_app_variants(options); i++) {
        const struct cb_app *variant = cb_app_chosen_variant(options, app, i);
        if (variant && check_name(variant, spec, err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

/* An input without APP= would go to every app, and that of an app that does not run to none. */
static enum cb_status check_input(const struct cb_app_options *options, const char *text,
                                  bool one_app, struct cb_err *err)
{
    const char *equals = strchr(text, '=');
    char name[32] = "";
    if (equals)
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const struct cb_app *app = cb_app_find(name);
    if (equals && !app)
        return cb_fail(err, CB_USAGE, "input: \"%s\": there is no app %s", text, name);
    if (app && !cb_app_is_chosen(options, app, false))
        return cb_fail(
            err, CB_USAGE,
            "input: \"%s\": %s does not run: name it with --app, too, or leave its input "
            "out",
            text, name);
    if (!equals && !one_app && !is_word(text))
        return cb_fail(err, CB_USAGE, "input: for several apps, say whose it is: bfs=%s", text);
    if (is_word(text))
        return CB_OK;
    app = app ? app : cb_app_named(options, 0);
    return check_names(options, app, equals ? equals + 1 : text, err);
}

enum cb_status cb_app_choices_check(const struct cb_app_options *options, bool one_app,
                                    struct cb_err *err)
{
    if (options->inputs.n > CB_APP_MAX_CHOICES)
        return cb_fail(err, CB_USAGE, "input: at most %d", CB_APP_MAX_CHOICES);
    for (int i = 0; i < options->inputs.n; i++)
        if (check_input(options, cb_texts_at(options->inputs, i), one_app, err) != CB_OK)
            return err->status;
    return check_originals(options, err);
}

/* The last part of a path, since case ids have no folders. */
static void name_choice(struct cb_app_choice *choice)
{
    const char *slash = strrchr(choice->spec, '/');
    snprintf(choice->name, sizeof choice->name, "%s", slash ? slash + 1 : choice->spec);
}

/* The input that a value of --input gives to an app: of those that name it, or of those that name
 * no app. NULL: none. */
static const char *spec_of(const char *text, const struct cb_app *app, bool named)
{
    if (named)
        return given_to(text, app);
    return strchr(text, '=') || is_word(text) ? NULL : text;
}

static int add_given(const struct cb_app_options *options, const struct cb_app *app, bool named,
                     enum cb_scale scale, struct cb_app_choice *choices)
{
    int n = 0;
    for (int i = 0; i < options->inputs.n; i++) {
        const char *spec = spec_of(cb_texts_at(options->inputs, i), app, named);
        const struct cb_app_input *own = spec ? own_input(app, spec) : NULL;
        if (own) {
            choose_own(options, own, scale, &choices[n++]);
        } else if (spec) {
            choices[n].spec = spec;
            name_choice(&choices[n++]);
        }
    }
    return n;
}

const char *cb_app_choice_spec(const struct cb_app_choice *choice)
{
    return choice->spec ? choice->spec : choice->original;
}

static int add_own(const struct cb_app_options *options, const struct cb_app *app,
                   enum cb_scale scale, struct cb_app_choice *choices)
{
    int n = 0;
    for (const struct cb_app_input *input = app->inputs; input->name; input++)
        if (!input->on_request)
            choose_own(options, input, scale, &choices[n++]);
    return n;
}

int cb_app_choices(const struct cb_app_options *options, const struct cb_app *app,
                   enum cb_scale scale, struct cb_app_choice choices[CB_APP_MAX_CHOICES])
{
    int n = add_given(options, app, true, scale, choices);
    if (n == 0)
        n = add_given(options, app, false, scale, choices);
    if (n > 0)
        return n;
    n = add_own(options, app, scale, choices);
    return cb_texts_have(options->inputs, CB_APP_INPUT_FIRST) ? 1 : n;
}
