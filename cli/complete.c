/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/documents/runs.h"
#include "apps/host/app.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/suite/configs.h"

#define MAX_MEANING 70

/* What is to be completed: typed, of which the first `fixed` letters stay ("--order=", "ticket,").
 */
struct word {
    FILE *out;
    const char *typed;
    size_t fixed;
};

/* ---- Candidates ------------------------------------------------------------------------------ */

/* The first sentence of a help text, if that is short. */
static void print_meaning(FILE *out, const char *text)
{
    size_t n = 0;
    while (text[n] && text[n] != '\n' && text[n] != ':' && text[n] != ';' &&
           !(text[n] == '.' && (text[n + 1] == ' ' || text[n + 1] == '\0')))
        n++;
    if (n > MAX_MEANING)
        for (n = MAX_MEANING; n > 0 && text[n] != ' ';)
            n--;
    if (n > 0)
        fprintf(out, "\t%.*s", (int)n, text);
}

/* name: a candidate of n letters; "--" may come before it. */
static void offer(const struct word *w, const char *dashes, const char *name, size_t n,
                  const char *meaning)
{
    char text[128];
    snprintf(text, sizeof text, "%s%.*s", dashes, (int)n, name);
    const char *begun = w->typed + w->fixed;
    if (strncmp(text, begun, strlen(begun)) != 0)
        return;
    fprintf(w->out, "%.*s%s", (int)w->fixed, w->typed, text);
    if (meaning)
        print_meaning(w->out, meaning);
    fputc('\n', w->out);
}

/* Whether the part of the word that is fixed has this element of a list. */
static bool is_given(const struct word *w, const char *element, size_t n)
{
    const char *list = strchr(w->typed, '=');
    list = w->typed[0] == '-' && list ? list + 1 : w->typed;
    for (const char *end = w->typed + w->fixed; list < end; list += strcspn(list, ",") + 1)
        if (strcspn(list, ",") == n && strncmp(list, element, n) == 0)
            return true;
    return false;
}

static void offer_words(const struct word *w, const char *words)
{
    while (words && *words) {
        size_t n = strcspn(words, ",");
        if (!is_given(w, words, n))
            offer(w, "", words, n, NULL);
        words += n + (words[n] == ',');
    }
}

/* ---- Names that are not in a table of options ------------------------------------------------ */

static void offer_apps(const struct word *w)
{
    for (int i = 0; cb_apps[i]; i++)
        if (!is_given(w, cb_apps[i]->id, strlen(cb_apps[i]->id)))
            offer(w, "", cb_apps[i]->id, strlen(cb_apps[i]->id), cb_apps[i]->summary);
}

static void offer_configs(const struct word *w)
{
    const char *name;
    for (int i = 0; (name = cb_configs_name(NULL, i)) != NULL; i++) {
        char *description = cb_configs_description(name);
        offer(w, "", name, strlen(name), description);
        free(description);
    }
}

/* The runs where they are without --output-dir. */
static void offer_runs(const struct word *w)
{
    char **names;
    int n = cb_runs_names("results", &names);
    for (int i = 0; i < n; i++) {
        if (!is_given(w, names[i], strlen(names[i])))
            offer(w, "", names[i], strlen(names[i]), NULL);
        free(names[i]);
    }
    free(names);
}

/* What a text can be, by the value_name of its option or by a command's `arguments`. */
enum paths { NO_PATHS, FILES, FOLDERS };
static const struct kind {
    const char *value_name;
    const char *words;
    void (*offer_names)(const struct word *w); /* NULL: nothing but the words */
    enum paths paths;
} kinds[] = {
    {"APP", "all", offer_apps, NO_PATHS},
    {"APPS", "all", offer_apps, NO_PATHS},
    {"CONFIG", NULL, offer_configs, FILES},
    {"DEVICE", "all,gpu,cpu,accelerator", NULL, NO_PATHS},
    {"DIR", NULL, NULL, FOLDERS},
    {"FILE", NULL, NULL, FILES},
    {"FOLDER", NULL, NULL, FOLDERS},
    {"INPUT", "auto", NULL, FILES},
    {"RUN", NULL, offer_runs, FOLDERS},
    {"TASK", "matmul,reduce", NULL, FILES},
    {"WORKLOAD", "light,medium,heavy,none", NULL, FILES},
};

static void offer_kind(const struct word *w, const char *value_name)
{
    for (size_t k = 0; k < CB_COUNTOF(kinds); k++) {
        if (strcmp(kinds[k].value_name, value_name) != 0)
            continue;
        offer_words(w, kinds[k].words);
        if (kinds[k].offer_names)
            kinds[k].offer_names(w);
        if (kinds[k].paths != NO_PATHS)
            fprintf(w->out, ":%s\n", kinds[k].paths == FILES ? "files" : "folders");
    }
}

/* ---- Values, options, arguments -------------------------------------------------------------- */

/* from: where the value begins in the word. */
static void offer_values(struct word *w, const struct cb_param *param, size_t from)
{
    const char *comma = cb_param_splits(param) ? strrchr(w->typed + from, ',') : NULL;
    w->fixed = comma ? (size_t)(comma - w->typed) + 1 : from;
    if (param->choices)
        offer_words(w, param->choices);
    else
        offer_kind(w, cb_param_value_name(param));
}

static void offer_options(const struct word *w, const struct cb_param *table,
                          const struct cb_param *hidden_by)
{
    for (const struct cb_param *p = table; p && p->name; p++)
        if (!cb_param_find(hidden_by, p->name))
            offer(w, "--", p->name, strlen(p->name), p->help);
}

/* Where the commands' `arguments` are words, these; else by their kind. */
static void offer_arguments(const struct word *w, const char *arguments)
{
    if (!arguments)
        return;
    if (arguments[0] >= 'A' && arguments[0] <= 'Z')
        offer_kind(w, arguments);
    else
        offer_words(w, arguments);
}

static const struct cb_param *letter_of(const struct cb_param *table, char letter)
{
    for (const struct cb_param *p = table; p && p->name; p++)
        if (p->letter == letter)
            return p;
    return NULL;
}

/* The option that "--order", "--order=..." or "-m" names; NULL: none. */
static const struct cb_param *option_of(const struct cb_help *help, const char *word)
{
    char name[64];
    const struct cb_param *param;
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    if (word[1] != '-') {
        char letter = word[strlen(word) - 1]; /* of a cluster the last takes the next word */
        param = letter_of(help->own, letter);
        return param ? param : letter_of(help->globals, letter);
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    param = cb_param_find(help->own, name);
    return param ? param : cb_param_find(help->globals, name);
}

static void complete_command(const struct word *w)
{
    for (int i = 0; cb_benches[i]; i++)
        offer(w, "", cb_benches[i]->id, strlen(cb_benches[i]->id), cb_benches[i]->summary);
    for (const struct cb_command *c = cb_commands; c->name; c++)
        offer(w, "", c->name, strlen(c->name), c->summary);
    offer(w, "--", "help", 4, "What there is");
    offer(w, "--", "version", 7, "What this build is");
}

void cb_complete(FILE *out, char *const *words, int n)
{
    struct cb_help help;
    struct word w = {.out = out, .typed = n > 0 ? words[n - 1] : ""};
    if (n <= 1 || (n == 2 && strcmp(words[0], "help") == 0)) {
        complete_command(&w);
        return;
    }
    if (!cb_command_help(words[0], &help))
        return;
    const char *before = n > 2 ? words[n - 2] : "", *equals = strchr(w.typed, '=');
    const struct cb_param *glued = equals ? option_of(&help, w.typed) : NULL;
    const struct cb_param *param = strchr(before, '=') ? NULL : option_of(&help, before);
    if (param && cb_param_has_value(param)) {
        offer_values(&w, param, 0);
    } else if (glued) {
        offer_values(&w, glued, (size_t)(equals - w.typed) + 1);
    } else if (w.typed[0] == '-') {
        offer_options(&w, help.own, NULL);
        offer_options(&w, help.globals, help.own);
    } else {
        offer_arguments(&w, help.arguments);
    }
}
