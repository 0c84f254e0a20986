/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/suite/beside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/process/beside.h"
#include "measure/process/requests.h"
#include "measure/random.h"
#include "measure/text/json.h"
#include "measure/text/nearest.h"
#include "probes/graphics/observer.h"

#define OPTION_BYTES 32
#define WG_SIZE      256 /* of a grid, on GPUs */
#define RANDOM       "random"

/* The options of a kind, whose rows say what each is. */
struct beside_options {
    const char *from, *order, *scene;
    double every_ms, for_ms, left_mib;
    unsigned groups, wg_size;
};

#define OPTION(name, member) CB_OPTION(struct beside_options, name, member)

static const struct cb_param options_of_kinds[] = {
    {OPTION("every", every_ms), .min = 0.01, .max = 1e6},
    {OPTION("for", for_ms), .min = 0.001, .max = 1e6},
    {OPTION("groups", groups), .min = 1, .max = 1e6},
    {OPTION("wg-size", wg_size), .min = 1, .max = 65536},
    {OPTION("from", from), .choices = "process,queue"},
    {OPTION("order", order), .default_value = "first", .choices = "first,after"},
    {OPTION("left", left_mib), .default_value = "1024", .min = 0, .max = 1e9},
    {OPTION("scene", scene), .default_value = "medium", .choices = "light,medium,heavy"},
    {0},
};

/* Those of CB_BESIDE_KINDS, and RANDOM. */
static const struct kind {
    const char *name, *work; /* work NULL: a case of another benchmark, or none */
    const char *takes;       /* options */
    bool queue;              /* from a queue of the process that measures, unless it is told */
} kinds[] = {
    {"none", NULL, "", false},
    {"process", "product", "every,for", false},
    {"queue", "product", "every,for", true},
    {"grid", "grid", "groups,wg-size,from,order", false},
    {"display", NULL, "scene", false},
    {"copy", "copy", "every,for", false},
    {"memory", "memory", "left", false},
    {RANDOM, NULL, "", false},
};

/* What a case is drawn to have beside it: what any device can have. */
static const char *const drawn[] = {"none", "process", "queue", "grid", "grid:from=queue", "copy"};

const char cb_beside_help[] =
    "Keep the device busy beside the cases, each of which is measured beside each of these: "
    "process, matrix products of a second process; queue, the same from a second queue of this "
    "one (both in bursts with :every=MS:for=MS); grid, a persistent kernel "
    "(:groups=N:wg-size=N:from=queue:order=after); display, a renderer (:scene=heavy); copy, "
    "transfers; "
    "memory, which takes all but :left=MIB; none; random, for selftest and litmus: --seed draws "
    "one of these for each case.";

/* ---- Reading --------------------------------------------------------------------------------- */

/* The kind that a text begins with; NULL: none. */
static const struct kind *kind_of(const char *what)
{
    const size_t length = strcspn(what, ":");
    for (const struct kind *k = kinds; k < kinds + CB_COUNTOF(kinds); k++)
        if (strlen(k->name) == length && strncmp(k->name, what, length) == 0)
            return k;
    return NULL;
}

/* Whether a list, "a,b", has a word. */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

static enum cb_status read_option(const struct kind *kind, const char *text, size_t length,
                                  cJSON *options, struct cb_err *err)
{
    char option[OPTION_BYTES];
    snprintf(option, sizeof option, "%.*s", (int)length, text);
    char *value = strchr(option, '=');
    if (value)
        *value++ = '\0';
    const struct cb_param *param = cb_param_find(options_of_kinds, option);
    if (length >= sizeof option || !value || !param || !has_word(kind->takes, option))
        return cb_fail(err, CB_USAGE, "%s takes %s%s, each as :NAME=VALUE, got \":%.*s\"",
                       kind->name, *kind->takes ? "the options " : "no options", kind->takes,
                       (int)(length < 60 ? length : 60), text);
    if (cJSON_HasObjectItem(options, option))
        return cb_fail(err, CB_USAGE, "%s of %s is given twice", option, kind->name);
    return cb_options_set(options, param, value, err) == CB_OK
               ? CB_OK
               : cb_context(err, "%s of %s", option, kind->name);
}

/* Reads all options of a text that has a kind; *values holds their texts, and is to be deleted. */
static enum cb_status read_options(const char *what, struct beside_options *o, cJSON **values,
                                   struct cb_err *err)
{
    const struct kind *kind = kind_of(what);
    *values = cJSON_CreateObject();
    for (const char *at = strchr(what, ':'); at;) {
        const size_t length = strcspn(++at, ":");
        if (read_option(kind, at, length, *values, err) != CB_OK)
            return err->status;
        at = at[length] ? at + length : NULL;
    }
    cb_options_complete(*values, options_of_kinds);
    cb_options_read(*values, options_of_kinds, o);
    if (isnan(o->every_ms) != isnan(o->for_ms) || o->for_ms >= o->every_ms)
        return cb_fail(err, CB_USAGE,
                       "bursts of %s take both :every=MS and a shorter :for=MS, as in "
                       "%s:every=100:for=5",
                       kind->name, kind->name);
    if (strcmp(o->order, "after") == 0 && (!o->from || strcmp(o->from, "queue") != 0))
        return cb_fail(err, CB_USAGE, "order of %s: after takes :from=queue, too", kind->name);
    return CB_OK;
}

static enum cb_status check(const char *what, struct cb_err *err)
{
    struct beside_options o;
    cJSON *values;
    if (!kind_of(what)) {
        char nearest[64], word[64];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(what, ":"), what);
        const char *near =
            cb_nearest_choice(word, CB_BESIDE_KINDS "," RANDOM, nearest, sizeof nearest);
        return cb_fail(err, CB_USAGE,
                       "--beside: expected one of " CB_BESIDE_KINDS "," RANDOM
                       ", got \"%.100s\"%s%s%s",
                       what, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    }
    if (read_options(what, &o, &values, err) != CB_OK)
        cb_context(err, "--beside");
    cJSON_Delete(values);
    return err->status;
}

/* Times beside different neighbours could not be compared, and cases that are drawn may be those
 * of another one that is named. */
static enum cb_status check_random(const struct cb_bench *bench, int all, struct cb_err *err)
{
    if (!bench->holds_beside)
        return cb_fail(err, CB_USAGE,
                       "--beside random is for selftest and litmus, whose results hold beside any "
                       "neighbour: name one for %s",
                       bench->id);
    return all == 1 ? CB_OK
                    : cb_fail(err, CB_USAGE,
                              "--beside: random draws all neighbours: name no other with it");
}

/* The words of an option of the benchmark's own, which has them in a list, or in one text. */
static cJSON *words_of(const cJSON *own)
{
    cJSON *words = cJSON_CreateArray();
    const cJSON *item;
    cJSON_ArrayForEach (item, own) {
        char *text = strdup(cb_json_item_text(item));
        for (char *rest = text, *word; text && (word = strtok_r(rest, ",", &rest)) != NULL;)
            cJSON_AddItemToArray(words, cJSON_CreateString(word));
        free(text);
    }
    return words;
}

/* Takes the kinds out of an option of the benchmark's own; NULL: it has apps, or nothing. Apps and
 * kinds in one list would be multiplied, which none of its words say. */
static enum cb_status take_own(cJSON *options, cJSON **taken, struct cb_err *err)
{
    const cJSON *word;
    const char *kind = NULL, *other = NULL;
    *taken = words_of(cJSON_GetObjectItemCaseSensitive(options, "beside"));
    cJSON_ArrayForEach (word, *taken)
        *(kind_of(word->valuestring) ? &kind : &other) = word->valuestring;
    if (kind && other)
        cb_fail(err, CB_USAGE,
                "--beside: %.60s is a kind of neighbour, but %.60s is not: give apps ('coopbench "
                "list apps'), or kinds, of " CB_BESIDE_KINDS,
                kind, other);
    else if (kind)
        return cJSON_DeleteItemFromObjectCaseSensitive(options, "beside"), CB_OK;
    cJSON_Delete(*taken);
    *taken = NULL;
    return err->status;
}

enum cb_status cb_besides_take(const struct cb_bench *bench, struct cb_texts given, bool replaces,
                               cJSON *options, cJSON **besides, struct cb_err *err)
{
    const cJSON *what;
    cJSON *own = NULL;
    *besides = cJSON_CreateArray();
    if (cb_param_find(bench->params, "beside") && take_own(options, &own, err) != CB_OK)
        return err->status;
    for (int i = 0; i < given.n && (replaces || !own); i++)
        cb_json_add_once(besides, cb_texts_at(given, i));
    for (what = own && !replaces ? own->child : NULL; what; what = what->next)
        cb_json_add_once(besides, what->valuestring);
    cJSON_Delete(own);
    if (cJSON_GetArraySize(*besides) == 0)
        cb_json_add_once(besides, "none");
    cJSON_ArrayForEach (what, *besides)
        if (check(cb_json_item_text(what), err) != CB_OK ||
            (strcmp(cb_json_item_text(what), RANDOM) == 0 &&
             check_random(bench, cJSON_GetArraySize(*besides), err) != CB_OK))
            return err->status;
    return CB_OK;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static cJSON *work_message(const struct kind *kind, const struct beside_options *o,
                           const struct cb_device *device)
{
    const bool cpu = cb_device_is_cpu(device);
    const struct cb_beside_request r = {
        .work = kind->work,
        .every_s = o->every_ms / 1e3,
        .for_s = o->for_ms / 1e3,
        .groups = o->groups ? o->groups : (unsigned)(device->compute_units + 1) / 2,
        .wg_size = o->wg_size ? o->wg_size
                   : cpu      ? 1
                              : WG_SIZE,
        .left_bytes = o->left_mib * 0x1p20,
        .after = strcmp(o->order, "after") == 0,
    };
    cJSON *m = cb_request("beside");
    cb_fields_write(m, cb_beside_fields, &r);
    return m;
}

/* A renderer draws one window after the other. */
static enum cb_status add_display(cJSON *messages, const char *scene,
                                  const struct cb_device *device, struct cb_err *err)
{
    cJSON *params;
    const struct cb_bench *graphics = cb_bench_find("graphics");
    if (cb_observer_params(device, scene, &params, err) != CB_OK)
        return err->status;
    cJSON_AddItemToArray(messages, cb_open_request("display", graphics, 0, params));
    cJSON_AddItemToArray(messages, cb_case_request("idle", "display"));
    cJSON_Delete(params);
    return CB_OK;
}

/* What a case has (measure/process/beside.h). */
static enum cb_status make_spec(const char *what, const struct cb_device *device, cJSON **spec,
                                struct cb_err *err)
{
    const struct kind *kind = kind_of(what);
    struct beside_options o;
    cJSON *values;
    enum cb_status status = read_options(what, &o, &values, err);
    *spec = cJSON_CreateObject();
    cJSON_AddStringToObject(*spec, "what", what);
    cJSON_AddBoolToObject(*spec, "queue", o.from ? strcmp(o.from, "queue") == 0 : kind->queue);
    cJSON_AddBoolToObject(*spec, "session", kind->work != NULL);
    cJSON *messages = cJSON_AddArrayToObject(*spec, "messages");
    if (status == CB_OK && kind->work)
        cJSON_AddItemToArray(messages, work_message(kind, &o, device));
    else if (status == CB_OK)
        status = add_display(messages, o.scene, device, err);
    cJSON_Delete(values);
    return status;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static enum cb_status rename_case(struct cb_case *c, const char *what, struct cb_err *err)
{
    const size_t used = strlen(c->id);
    const int n = snprintf(c->id + used, sizeof c->id - used, CB_BESIDE_MARK "%s", what);
    return n > 0 && (size_t)n < sizeof c->id - used
               ? CB_OK
               : cb_fail(err, CB_USAGE, "--beside %.60s makes the id of a case too long: %.60s...",
                         what, c->id);
}

/* Has some cases beside something, whose spec may be there already: cases beside the same have one,
 * by which they are run one after the other. */
static enum cb_status put_beside(struct cb_plan *plan, int first, int end, const char *what,
                                 cJSON **spec, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    if (strcmp(what, "none") == 0 || first == end)
        return CB_OK;
    if (!*spec) {
        plan->besides = plan->besides ? plan->besides : cJSON_CreateArray();
        status = make_spec(what, plan->cases[first].device, spec, err);
        cJSON_AddItemToArray(plan->besides, *spec);
    }
    for (int i = first; i < end && status == CB_OK; i++) {
        plan->cases[i].beside = *spec;
        status = rename_case(&plan->cases[i], what, err);
    }
    return status == CB_OK ? CB_OK : cb_context(err, "--beside %.60s", what);
}

/* Cases of a group take turns, beside the same. */
static enum cb_status put_drawn(struct cb_plan *plan, int first, struct cb_err *err)
{
    cJSON *specs[CB_COUNTOF(drawn)] = {NULL};
    struct cb_random random = {cb_random_mix(plan->seed)};
    for (int i = first, end; i < plan->count; i = end) {
        const unsigned k = cb_random_below(&random, CB_COUNTOF(drawn));
        end = cb_group_end(plan, i);
        if (put_beside(plan, i, end, drawn[k], &specs[k], err) != CB_OK)
            return err->status;
    }
    return CB_OK;
}

enum cb_status cb_beside_plan(struct cb_plan *plan, int first, const char *what, struct cb_err *err)
{
    cJSON *spec = NULL;
    return strcmp(what, RANDOM) == 0 ? put_drawn(plan, first, err)
                                     : put_beside(plan, first, plan->count, what, &spec, err);
}
