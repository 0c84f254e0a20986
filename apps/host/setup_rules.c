/* SPDX-License-Identifier: Apache-2.0
 *
 * How a setup says that an argument begins: each member of its type has a rule.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "measure/text/json.h"
#include "runtime/host/text.h"

/* What random numbers of this type are below, at most and without a word. */
static double most_below(const struct cb_element *e)
{
    double least, most;
    cb_element_range(e, &least, &most);
    return e->kind == 'f' ? most : e->size == 8 ? ldexp(1, 64 - (e->kind == 'i')) : most + 1;
}

static enum cb_status read_number(struct cb_config_reader *r, const cJSON *node, const char *where,
                                  const struct cb_element *e, double *value)
{
    double least, most;
    cb_element_range(e, &least, &most);
    if (e->kind == 'b' && cJSON_IsBool(node)) {
        *value = cJSON_IsTrue(node);
        return CB_OK;
    }
    return cb_setup_number_in(r, node, where, least, most, e->kind != 'f', value);
}

/* A number for all, or a list with one for each. */
static enum cb_status read_values(struct cb_config_reader *r, const cJSON *node, const char *where,
                                  const struct cb_layout_member *m, struct cb_setup_rule *rule)
{
    const cJSON *next = cJSON_IsArray(node) ? node->child : node;
    const size_t all = cb_layout_numbers(m), n = cJSON_IsArray(node) ? all : 1;
    if (cJSON_IsArray(node) && (size_t)cJSON_GetArraySize(node) != all)
        return cb_config_fail(r, node, where, "expected a list of %zu number%s", all,
                              CB_PLURAL(all));
    rule->fill = CB_FILL_VALUES;
    rule->values = calloc(n, sizeof *rule->values);
    if (!rule->values)
        return cb_config_no_memory(r);
    rule->n_values = n;
    for (size_t i = 0; i < n; i++, next = next->next)
        if (read_number(r, next, where, &m->element, &rule->values[i]) != CB_OK)
            return r->err->status;
    return CB_OK;
}

/* "fill", "seed" and "below" of an object, as far as they are there. */
static enum cb_status read_fill(struct cb_config_reader *r, const cJSON *node, const char *where,
                                const struct cb_layout_member *m, struct cb_setup_rule *rule)
{
    static const char *const fills[] = {
        [CB_FILL_ZERO] = "zero", [CB_FILL_IOTA] = "iota", [CB_FILL_RANDOM] = "random"};
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(node, "fill");
    const char *word = cb_json_text(node, "fill", given ? "" : fills[rule->fill]);
    const bool is_whole = m->element.kind != 'f';
    double seed = (double)rule->seed;
    unsigned f = 0;
    while (f < CB_COUNTOF(fills) && strcmp(fills[f], word) != 0)
        f++;
    if (f == CB_COUNTOF(fills))
        return cb_config_fail(r, given, where, "fill: expected \"zero\", \"iota\" or \"random\"");
    rule->fill = (enum cb_setup_fill)f;
    rule->below = is_whole ? most_below(&m->element) : 1;
    if (cb_setup_number(r, node, where, "seed", 0, 9007199254740991.0, true, &seed) != CB_OK ||
        cb_setup_number(r, node, where, "below", 0, is_whole ? rule->below : 1e30, is_whole,
                        &rule->below) != CB_OK)
        return r->err->status;
    rule->below = fmin(rule->below, most_below(&m->element));
    rule->seed = (uint64_t)seed;
    return CB_OK;
}

/* What a buffer's object says of all members of a structure, of which each takes what it can. */
static enum cb_status read_fill_of_all(struct cb_config_reader *r, const cJSON *node,
                                       struct cb_setup_argument *a)
{
    double any;
    if (a->layout.is_record &&
        cb_setup_number(r, node, a->name, "below", 0, 1e30, false, &any) != CB_OK)
        return r->err->status;
    size_t all = 0;
    for (int m = 0; m < a->layout.n_members; m++)
        all += a->layout.members[m].is_again ? 0 : cb_layout_numbers(&a->layout.members[m]);
    for (int m = 0, first = 0; m < a->layout.n_members; m++) {
        const struct cb_layout_member *member = &a->layout.members[m];
        struct cb_setup_rule *rule = &a->rules[m];
        rule->seed = 1;
        const struct cb_layout_member real = {.element = {'f', 8, 1}, .count = 1};
        if (read_fill(r, node, a->name, a->layout.is_record ? &real : member, rule) != CB_OK)
            return r->err->status;
        if (a->layout.is_record && !cJSON_GetObjectItemCaseSensitive(node, "below"))
            rule->below = member->element.kind == 'f' ? 1 : most_below(&member->element);
        rule->below = fmin(rule->below, most_below(&member->element));
        rule->seed += (uint64_t)m;
        rule->is_left = member->is_again;
        rule->first = (size_t)first;
        rule->step = all;
        first += member->is_again ? 0 : (int)cb_layout_numbers(member);
    }
    return CB_OK;
}

/* ---- Members --------------------------------------------------------------------------------- */

static enum cb_status check_members(struct cb_config_reader *r, const cJSON *members,
                                    const struct cb_setup_argument *a)
{
    const char **names = calloc((size_t)a->layout.n_members + 1, sizeof *names);
    if (!names)
        return cb_config_no_memory(r);
    for (int m = 0; m < a->layout.n_members; m++)
        names[m] = a->layout.members[m].name;
    const enum cb_status status = cb_setup_keys(r, members, a->name, names);
    free(names);
    return status;
}

/* A member of a union takes the place of the others. */
static enum cb_status leave_others(struct cb_config_reader *r, const cJSON *node,
                                   struct cb_setup_argument *a, int given)
{
    const struct cb_layout_member *member = &a->layout.members[given];
    for (int m = 0; member->is_shared && m < a->layout.n_members; m++) {
        if (m == given || !cb_layout_overlap(member, &a->layout.members[m]))
            continue;
        if (a->rules[m].is_given)
            return cb_config_fail(r, node, a->name, "%s and %s lie at the same place: give one",
                                  a->layout.members[m].name, member->name);
        a->rules[m].is_left = true;
    }
    return CB_OK;
}

static enum cb_status read_member(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a, int m)
{
    static const char *const keys[] = {"fill", "seed", "below", NULL};
    const struct cb_layout_member *member = &a->layout.members[m];
    struct cb_setup_rule *rule = &a->rules[m];
    char where[CB_CONFIG_WHERE];
    snprintf(where, sizeof where, "%s: %s", a->name, member->name);
    *rule = (struct cb_setup_rule){
        .is_given = true, .seed = 1 + (uint64_t)m, .step = cb_layout_numbers(member)};
    if (leave_others(r, node, a, m) != CB_OK)
        return r->err->status;
    if (!cJSON_IsObject(node))
        return read_values(r, node, where, member, rule);
    return cb_setup_keys(r, node, where, keys) == CB_OK ? read_fill(r, node, where, member, rule)
                                                        : r->err->status;
}

static enum cb_status read_members(struct cb_config_reader *r, const cJSON *node,
                                   struct cb_setup_argument *a)
{
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(node, "members");
    if (!members)
        return CB_OK;
    if (!a->layout.is_record || a->begin || !cJSON_IsObject(members))
        return cb_config_fail(r, members, a->name,
                              a->begin ? "members: its file says how it begins"
                              : a->layout.is_record
                                  ? "members: expected an object with the structure's members"
                                  : "members: it is no structure");
    if (check_members(r, members, a) != CB_OK)
        return r->err->status;
    for (int m = 0; m < a->layout.n_members; m++) {
        const cJSON *given = cJSON_GetObjectItemCaseSensitive(members, a->layout.members[m].name);
        if (given && read_member(r, given, a, m) != CB_OK)
            return r->err->status;
    }
    return CB_OK;
}

enum cb_status cb_setup_read_rules(struct cb_config_reader *r, const cJSON *node,
                                   struct cb_setup_argument *a)
{
    a->rules = calloc((size_t)a->layout.n_members, sizeof *a->rules);
    if (!a->rules)
        return cb_config_no_memory(r);
    if (cb_setup_is_value(a) && !a->layout.is_record) {
        const struct cb_layout_member *number = &a->layout.members[0];
        if (!cJSON_IsNumber(node) && !(number->element.width > 1 && cJSON_IsArray(node)))
            return cb_config_fail(r, node, a->name, "is a value: expected a number%s",
                                  number->element.width > 1 ? ", or a list of numbers" : "");
        return read_values(r, node, a->name, number, a->rules);
    }
    return read_fill_of_all(r, node, a) == CB_OK ? read_members(r, node, a) : r->err->status;
}
