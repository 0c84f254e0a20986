/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/fleet/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/choice.h"
#include "measure/identity.h"
#include "measure/text/json.h"

/* ---- Devices --------------------------------------------------------------------------------- */

static const char *start_of(const struct cb_run_table *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run->document.tree, "time"), "start", "");
}

static const char *of_host(const struct cb_run_table *run, const char *key)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run->document.tree, "host"), key, "");
}

static const char *commit_of(const struct cb_run_table *run)
{
    return cb_json_text(cJSON_GetObjectItemCaseSensitive(run->document.tree, "tool"), "git_sha",
                        "");
}

static struct cb_fleet_device device_of(const struct cb_run_table *run, const struct cb_run_case *c)
{
    const cJSON *json = c->device_json;
    return (struct cb_fleet_device){.run = run,
                                    .runs = 1,
                                    .id = c->device,
                                    .name = cb_json_text(json, "name", c->device),
                                    .driver = cb_json_text(json, "driver_version", ""),
                                    .uuid = cb_json_text(json, "uuid", ""),
                                    .pci = cb_json_text(json, "pci", ""),
                                    .host = of_host(run, "hostname"),
                                    .cpu = cb_device_type_is_cpu(cb_json_text(json, "type", "")),
                                    .compute_units = cb_json_number(json, "compute_units")};
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_kind(const struct cb_fleet_device *a, const struct cb_fleet_device *b)
{
    return strcmp(a->name, b->name) == 0 && same_number(a->compute_units, b->compute_units);
}

/* Hosts of containers may have other names from run to run: a GPU keeps its UUID. */
static bool same_device(const struct cb_fleet_device *a, const struct cb_fleet_device *b)
{
    if (!same_kind(a, b))
        return false;
    if (!a->cpu && *a->uuid && *b->uuid)
        return strcmp(a->uuid, b->uuid) == 0;
    if (strcmp(a->host, b->host) != 0)
        return false;
    if (!a->cpu && *a->pci && *b->pci)
        return strcmp(a->pci, b->pci) == 0;
    return strcmp(a->id, b->id) == 0;
}

/* The place of a device among those that are known, which it joins; -1: no memory. */
static int place_of(struct cb_fleet_devices *d, const struct cb_fleet_device *device)
{
    for (int i = 0; i < d->n; i++) {
        struct cb_fleet_device *known = &d->items[i];
        if (!same_device(known, device))
            continue;
        if (known->run == device->run)
            return i;
        const int runs = known->runs + 1;
        if (strcmp(start_of(device->run), start_of(known->run)) >= 0)
            *known = *device;
        known->runs = runs;
        return i;
    }
    struct cb_fleet_device *items = realloc(d->items, (size_t)(d->n + 1) * sizeof *items);
    if (!items)
        return -1;
    d->items = items;
    d->items[d->n] = *device;
    return d->n++;
}

static bool add_cases(struct cb_fleet_devices *d, const struct cb_run_table *run,
                      const struct cb_compare_choice_options *choice)
{
    const char *id = NULL; /* id of the device of the case before */
    int place = -1;
    for (int i = 0; i < run->count; i++) {
        const struct cb_run_case *c = &run->cases[i];
        if (!cb_compare_wants_case(choice, c->id))
            continue;
        if (!id || strcmp(id, c->device) != 0) {
            const struct cb_fleet_device device = device_of(run, c);
            place = place_of(d, &device);
            id = c->device;
        }
        if (place < 0)
            return false;
        d->cases[d->n_cases++] = (struct cb_fleet_case){.device = place, .run = run, .c = c};
    }
    return true;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* Texts of the devices of a kind, counted as far as they differ. What is not known counts as one
 * text, too. */
static int count_texts(const struct cb_fleet_devices *d, int kind,
                       const char *(*text_of)(const struct cb_fleet_device *device))
{
    int n = 0;
    for (int i = 0; i < d->n; i++) {
        bool is_new = d->items[i].kind == kind;
        for (int k = 0; k < i && is_new; k++)
            is_new = d->items[k].kind != kind ||
                     strcmp(text_of(&d->items[k]), text_of(&d->items[i])) != 0;
        n += is_new;
    }
    return n;
}

static const char *driver_of(const struct cb_fleet_device *device)
{
    return device->driver;
}

static const char *program_of(const struct cb_fleet_device *device)
{
    return commit_of(device->run);
}

static const char *processor_of(const struct cb_fleet_device *device)
{
    return of_host(device->run, "cpu");
}

static bool make_kinds(struct cb_fleet_devices *d)
{
    d->kinds = calloc((size_t)d->n + 1, sizeof *d->kinds);
    if (!d->kinds)
        return false;
    for (int i = 0; i < d->n; i++) {
        int kind = 0;
        while (kind < d->n_kinds && !same_kind(d->kinds[kind].first, &d->items[i]))
            kind++;
        if (kind == d->n_kinds)
            d->kinds[d->n_kinds++].first = &d->items[i];
        d->items[i].kind = kind;
        d->kinds[kind].devices++;
    }
    for (int kind = 0; kind < d->n_kinds; kind++) {
        d->kinds[kind].drivers = count_texts(d, kind, driver_of);
        d->kinds[kind].programs = count_texts(d, kind, program_of);
        d->kinds[kind].processors = count_texts(d, kind, processor_of);
    }
    return true;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

struct sorted {
    struct cb_fleet_case c;
    int kind;
};

static int compare_places(const struct sorted *x, const struct sorted *y)
{
    const int ids = x->kind == y->kind ? strcmp(x->c.c->id, y->c.c->id) : x->kind - y->kind;
    return ids ? ids : x->c.device - y->c.device;
}

/* By kind, id and device; of one device the case that stands for it first. */
static int by_place(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const int places = compare_places(x, y);
    if (places)
        return places;
    const int ok = cb_run_case_ok(y->c.c) - cb_run_case_ok(x->c.c);
    const int starts = ok ? ok : strcmp(start_of(y->c.run), start_of(x->c.run));
    return starts ? starts : (y->c.run > x->c.run) - (y->c.run < x->c.run);
}

static bool sort_cases(struct cb_fleet_devices *d)
{
    struct sorted *sorted = calloc((size_t)d->n_cases + 1, sizeof *sorted);
    if (!sorted)
        return false;
    for (int i = 0; i < d->n_cases; i++)
        sorted[i] = (struct sorted){d->cases[i], d->items[d->cases[i].device].kind};
    qsort(sorted, (size_t)d->n_cases, sizeof *sorted, by_place);
    int kept = 0;
    for (int i = 0; i < d->n_cases; i++)
        if (i == 0 || compare_places(&sorted[i - 1], &sorted[i]) != 0)
            d->cases[kept++] = sorted[i].c;
    d->n_cases = kept;
    free(sorted);
    return true;
}

int cb_fleet_cases_end(const struct cb_fleet_devices *d, int begin)
{
    int end = begin;
    while (end < d->n_cases && strcmp(d->cases[end].c->id, d->cases[begin].c->id) == 0 &&
           d->items[d->cases[end].device].kind == d->items[d->cases[begin].device].kind)
        end++;
    return end;
}

static bool same_param(const struct cb_run_case *a, const struct cb_run_case *b, const cJSON *param)
{
    const enum cb_identity_match match = cb_identity_compare(a->inputs, b->inputs, param->string);
    if (match != CB_IDENTITY_UNKNOWN)
        return match == CB_IDENTITY_SAME;
    return cJSON_Compare(param, cJSON_GetObjectItemCaseSensitive(b->params, param->string), true);
}

/* Parameters are the same but for a seed, which each run may draw; of an input, its contents. */
static bool same_params(const struct cb_run_case *a, const struct cb_run_case *b)
{
    const cJSON *param;
    if (cJSON_GetArraySize(a->params) != cJSON_GetArraySize(b->params))
        return false;
    cJSON_ArrayForEach (param, a->params) {
        if (!param->string) /* no object, as a hand may leave it */
            return false;
        if (strcmp(param->string, "seed") != 0 && !same_param(a, b, param))
            return false;
    }
    return true;
}

/* Those of a case whose parameters are not what most have; as many have: what the first has. */
static void set_aside(struct cb_fleet_case *cases, int n)
{
    int most = 0, best = 0;
    for (int i = 0; i < n && most <= n / 2; i++) {
        int same = 0;
        for (int k = 0; k < n; k++)
            same += same_params(cases[i].c, cases[k].c);
        if (same > most) {
            most = same;
            best = i;
        }
    }
    for (int i = 0; i < n; i++)
        cases[i].other = !same_params(cases[best].c, cases[i].c);
}

/* ---- Making ---------------------------------------------------------------------------------- */

enum cb_status cb_fleet_devices_make(const struct cb_run_table *runs, int n,
                                     const struct cb_compare_choice_options *choice,
                                     struct cb_fleet_devices *out, struct cb_err *err)
{
    size_t room = 1;
    for (int i = 0; i < n; i++)
        room += (size_t)runs[i].count;
    *out = (struct cb_fleet_devices){.cases = calloc(room, sizeof *out->cases)};
    bool done = out->cases != NULL;
    for (int i = 0; i < n && done; i++)
        done = add_cases(out, &runs[i], choice);
    done = done && make_kinds(out) && sort_cases(out);
    if (!done)
        return cb_no_memory(err);
    if (out->n_cases == 0)
        return cb_fail(err, CB_USAGE, "None of the runs has a case%s",
                       cb_compare_chooses(choice) ? ", as --filter and --exclude choose" : "");
    for (int i = 0, end; i < out->n_cases; i = end) {
        end = cb_fleet_cases_end(out, i);
        set_aside(&out->cases[i], end - i);
    }
    return CB_OK;
}

void cb_fleet_devices_free(struct cb_fleet_devices *d)
{
    free(d->items);
    free(d->kinds);
    free(d->cases);
    *d = (struct cb_fleet_devices){0};
}
