/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/identity.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/text/json.h"
#include "runtime/host/text.h"
#include "runtime/session.h"

const char *const cb_identity_params[] = {"input", "beside_input", "task", "kernel", NULL};

/* ---- In a worker ----------------------------------------------------------------------------- */

struct noted {
    struct noted *next;
    struct cb_identity identity;
    char text[];
};

struct all_noted {
    struct noted *first;
};

static void release(void *kept)
{
    struct all_noted *all = kept;
    for (struct noted *next, *n = all->first; n; n = next) {
        next = n->next;
        free(n);
    }
}

static const struct cb_kept_kind noted_kind = {sizeof(struct all_noted), release};

static struct noted *find(const struct all_noted *all, const char *text)
{
    struct noted *n = all->first;
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    return n;
}

void cb_identity_note(struct cb_session *session, const char *text, struct cb_identity identity)
{
    struct cb_err ignored = {0};
    struct all_noted *all = session ? cb_session_kept(session, &noted_kind, &ignored) : NULL;
    struct noted *n = all ? find(all, text) : NULL;
    if (all && !n && (n = malloc(sizeof *n + strlen(text) + 1))) {
        strcpy(n->text, text);
        n->next = all->first;
        all->first = n;
    }
    if (n)
        n->identity = identity;
}

static void add_hash(cJSON *object, const char *key, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, key, text);
}

static void add(cJSON **inputs, const char *param, const struct cb_identity *identity)
{
    if (!*inputs)
        *inputs = cJSON_CreateObject();
    cJSON *object = cJSON_AddObjectToObject(*inputs, param);
    if (identity->vertices > 0) {
        cJSON_AddNumberToObject(object, "vertices", (double)identity->vertices);
        cJSON_AddNumberToObject(object, "edges", (double)identity->edges);
    }
    add_hash(object, "hash", identity->hash);
    if (identity->source)
        add_hash(object, "source", identity->source);
}

cJSON *cb_identities_of(struct cb_session *session, const cJSON *params)
{
    cJSON *inputs = NULL;
    struct cb_err ignored = {0};
    const struct all_noted *all = session ? cb_session_kept(session, &noted_kind, &ignored) : NULL;
    for (const char *const *name = cb_identity_params; all && *name; name++) {
        const char *text = cb_json_text(params, *name, NULL);
        const struct noted *n = text ? find(all, text) : NULL;
        if (n)
            add(&inputs, *name, &n->identity);
    }
    return inputs;
}

/* ---- Of a row -------------------------------------------------------------------------------- */

const cJSON *cb_identity_in(const cJSON *inputs, const char *param)
{
    const cJSON *identity = cJSON_GetObjectItemCaseSensitive(inputs, param);
    return *cb_json_text(identity, "hash", "") ? identity : NULL;
}

enum cb_identity_match cb_identity_compare(const cJSON *inputs, const cJSON *others,
                                           const char *param)
{
    const bool is_name = strcmp(param, "input_name") == 0;
    const cJSON *a = cb_identity_in(inputs, is_name ? "input" : param),
                *b = cb_identity_in(others, is_name ? "input" : param);
    if (!a || !b)
        return CB_IDENTITY_UNKNOWN;
    return is_name || strcmp(cb_json_text(a, "hash", ""), cb_json_text(b, "hash", "")) == 0
               ? CB_IDENTITY_SAME
               : CB_IDENTITY_OTHER;
}

static bool is_graph(const cJSON *identity)
{
    return cb_json_number(identity, "vertices") > 0;
}

void cb_identity_describe(const cJSON *identity, char *text, size_t size)
{
    const double vertices = cb_json_number(identity, "vertices");
    const double edges = cb_json_number(identity, "edges");
    if (is_graph(identity))
        snprintf(text, size, "%.0f %s, %.0f edge%s", vertices,
                 vertices == 1 ? "vertex" : "vertices", edges, CB_PLURAL(edges));
    else
        snprintf(text, size, "hash %s", cb_json_text(identity, "hash", "?"));
}

void cb_identity_differ(const char *param, const char *name, const cJSON *was, const cJSON *is,
                        char *text, size_t size)
{
    char before[64], now[64];
    cb_identity_describe(was, before, sizeof before);
    cb_identity_describe(is, now, sizeof now);
    int n = snprintf(text, size, "%s %.100s: %s; ", param, name, before);
    if (n < 0 || (size_t)n >= size)
        return;
    text += n;
    size -= (size_t)n;
    if (strcmp(before, now) == 0)
        snprintf(text, size, "is as large, but has other contents");
    else if (is_graph(was) && is_graph(is))
        snprintf(text, size, "is %.0f and %.0f", cb_json_number(is, "vertices"),
                 cb_json_number(is, "edges"));
    else
        snprintf(text, size, "is %s", now);
}
