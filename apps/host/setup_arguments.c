/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of a setup: as the kernel's parameters want them, and their values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup_reader.h"
#include "runtime/coop/packet.h"
#include "runtime/host/hash.h"
#include "runtime/source.h"

static enum cb_status read_buffer(struct cb_config_reader *r, const cJSON *node,
                                  struct cb_setup_argument *a)
{
    static const char *const keys[] = {"count", "fill",   "seed",    "below", "file",
                                       "check", "expect", "members", NULL};
    const double each = (double)a->layout.bytes;
    double count = 0;
    if (!cJSON_IsObject(node) || !(cJSON_GetObjectItemCaseSensitive(node, "count") ||
                                   cJSON_GetObjectItemCaseSensitive(node, "file")))
        return cb_config_fail(r, node, a->name,
                              "is a buffer: expected {\"count\": how many elements, ...} or "
                              "{\"file\": ...}");
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK ||
        cb_setup_number(r, node, a->name, "count", 1, floor(CB_SETUP_BYTES / each), true, &count) !=
            CB_OK)
        return r->err->status;
    a->bytes = (size_t)count * a->layout.bytes;
    if (cb_setup_read_data(r, node, "file", a, &a->begin) != CB_OK)
        return r->err->status;
    return cb_setup_read_contents(r, node, a);
}

/* A number, a vector, or a structure with its members: `begin`. */
static enum cb_status read_value(struct cb_config_reader *r, const cJSON *node,
                                 struct cb_setup_argument *a)
{
    static const char *const keys[] = {"members", "file", NULL};
    if (a->layout.is_record) {
        if (!cJSON_IsObject(node) || !node->child)
            return cb_config_fail(r, node, a->name,
                                  "is a structure: expected {\"members\": {...}} or {\"file\": "
                                  "...}");
        if (cb_setup_keys(r, node, a->name, keys) != CB_OK ||
            cb_setup_read_data(r, node, "file", a, &a->begin) != CB_OK)
            return r->err->status;
    }
    if (cb_setup_read_rules(r, node, a) != CB_OK || a->begin)
        return r->err->status;
    unsigned char *value = malloc(a->bytes);
    if (!value)
        return cb_config_no_memory(r);
    cb_setup_fill(a, value);
    a->begin = value;
    return CB_OK;
}

/* Room that a task's argument asks for: {"count": elements}. */
static enum cb_status read_local(struct cb_config_reader *r, const cJSON *node,
                                 struct cb_setup_argument *a)
{
    static const char *const keys[] = {"count", NULL};
    const double each = (double)a->layout.bytes;
    double count = 0;
    if (!cJSON_IsObject(node))
        return cb_config_fail(r, node, a->name,
                              "is local memory: expected {\"count\": how many elements}");
    if (cb_setup_keys(r, node, a->name, keys) != CB_OK ||
        cb_setup_number_in(r, cJSON_GetObjectItemCaseSensitive(node, "count"), a->name, 1,
                           floor(CB_SETUP_BYTES / each), true, &count) != CB_OK)
        return r->err->status;
    a->bytes = (size_t)count * a->layout.bytes;
    return CB_OK;
}

const char *cb_setup_refuses(const struct cb_merge_parameter *p, bool is_task)
{
    return p->layout.trouble ? p->layout.trouble
           : cb_layout_is_opaque(&p->layout)
               ? (is_task ? NULL : "only a task has images and samplers")
           : p->space == CB_NO_SPACE ? "a setup knows pointers to global, constant and "
                                       "local memory"
                                     : NULL;
}

static enum cb_status read_argument(struct cb_config_reader *r, struct cb_setup *s,
                                    const cJSON *arguments, struct cb_merge_parameter *p)
{
    struct cb_setup_argument *a = &s->arguments[s->n_arguments];
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(arguments, p->name);
    *a = (struct cb_setup_argument){.is_checked = true, .name = strdup(p->name)};
    if (!a->name)
        return cb_config_no_memory(r);
    s->n_arguments++;
    const char *why = cb_setup_refuses(p, s->range.dimensions > 0);
    if (why)
        return cb_config_fail(r, node ? node : arguments, p->name, CB_SETUP_NOT_KNOWN, p->type,
                              why);
    if (!node)
        return cb_config_fail(r, arguments, "arguments", "%s (%s) is not there", p->name, p->type);
    a->is_local = p->space == CB_LOCAL;
    a->is_pointer = p->space != CB_BY_VALUE;
    a->layout = p->layout;
    p->layout = (struct cb_layout){0};
    a->bytes = a->is_pointer ? 0 : a->layout.bytes;
    return cb_setup_is_image(a)   ? cb_setup_read_image(r, node, a)
           : a->layout.is_sampler ? cb_setup_read_sampler(r, node, a)
           : a->is_local          ? read_local(r, node, a)
           : a->is_pointer        ? read_buffer(r, node, a)
                                  : read_value(r, node, a);
}

/* The host does not write an image while the megakernel has it. */
static enum cb_status check_fresh(struct cb_config_reader *r, const struct cb_setup *s)
{
    for (unsigned i = 0; i < s->n_arguments && s->is_fresh; i++)
        if (s->arguments[i].layout.image.is_written)
            return cb_config_fail(r, cJSON_GetObjectItemCaseSensitive(s->entry, "fresh"), "fresh",
                                  "%s is an image that the kernel writes, and which is not written "
                                  "anew between two tasks: give the kernel a buffer",
                                  s->arguments[i].name);
    return CB_OK;
}

static enum cb_status check_names(struct cb_config_reader *r, const struct cb_setup *s,
                                  const cJSON *arguments)
{
    const char *names[CB_SETUP_ARGUMENTS + 1] = {NULL};
    for (unsigned i = 0; i < s->n_arguments; i++)
        names[i] = s->arguments[i].name;
    return cb_setup_keys(r, arguments, "arguments of the kernel", names);
}

/* What a launch packet has no room for. */
static enum cb_status check_packet(struct cb_config_reader *r, const struct cb_setup *s,
                                   const cJSON *arguments)
{
    struct cb_packet packet = {0};
    struct cb_err reason = {0};
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < s->n_arguments && status == CB_OK; i++) {
        const struct cb_setup_argument *a = &s->arguments[i];
        if (cb_layout_is_opaque(&a->layout))
            continue;
        status = a->is_local ? cb_packet_local(&packet, a->bytes, &reason)
                 : a->is_pointer
                     ? cb_packet_buffer(&packet, 0, &reason)
                     : cb_packet_value(&packet, a->begin, a->bytes, a->layout.alignment, &reason);
        if (status != CB_OK)
            cb_config_fail(r, cJSON_GetObjectItemCaseSensitive(arguments, a->name), a->name, "%s",
                           reason.text);
    }
    return status;
}

/* The workgroups of an app are as large as its kernel requires. */
static enum cb_status take_required(struct cb_config_reader *r, struct cb_setup *s,
                                    const size_t required[3])
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(s->entry, "workgroup_size");
    const size_t all = required[0] * required[1] * required[2];
    if (all == 0)
        return CB_OK;
    if (given && s->cpu_wg_size != all)
        return cb_config_fail(r, given, "workgroup_size",
                              "the kernel requires %zu (reqd_work_group_size)", all);
    s->cpu_wg_size = s->gpu_wg_size = s->required_wg_size = (unsigned)all;
    return CB_OK;
}

enum cb_status cb_setup_read_arguments(struct cb_setup *s, struct cb_merge_kernel *kernel,
                                       struct cb_err *err)
{
    struct cb_config_reader r = {.path = s->file, .text = s->text, .tree = s->tree, .err = err};
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(s->entry, "arguments");
    if (!cJSON_IsObject(arguments))
        return cb_config_fail(&r, arguments ? arguments : s->entry, "arguments",
                              "expected an object with the kernel's parameters");
    for (int i = 0; i < kernel->n_parameters; i++)
        if (read_argument(&r, s, arguments, &kernel->parameters[i]) != CB_OK)
            return err->status;
    if (check_names(&r, s, arguments) != CB_OK || check_fresh(&r, s) != CB_OK)
        return err->status;
    return s->range.dimensions > 0 ? check_packet(&r, s, arguments)
                                   : take_required(&r, s, kernel->required);
}

void cb_setup_write_counts(const struct cb_setup *s, FILE *out)
{
    for (unsigned i = 0; i < s->n_arguments; i++)
        if (s->arguments[i].is_local)
            fprintf(out, "#undef " CB_MERGE_COUNT_OF "%s\n#define " CB_MERGE_COUNT_OF "%s %zu\n",
                    s->arguments[i].name, s->arguments[i].name,
                    s->arguments[i].bytes / s->arguments[i].layout.bytes);
}

uint64_t cb_setup_digest(const struct cb_setup *s)
{
    uint64_t digest = cb_hash(CB_HASH_START, s->text, strlen(s->text));
    for (unsigned i = 0; i < s->n_arguments; i++) {
        const struct cb_setup_argument *a = &s->arguments[i];
        if (a->begin)
            digest = cb_hash(digest, a->begin, a->bytes);
        if (a->expect)
            digest = cb_hash(digest, a->expect, a->bytes);
    }
    return s->times_ns ? cb_hash(digest, s->times_ns, s->arrivals.n_times * sizeof *s->times_ns)
                       : digest;
}

/* Wherever its files lie: without the lines that say where. */
static uint64_t digest_of(uint64_t digest, const char *text)
{
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n"), all = n + (line[n] == '\n');
        if (strncmp(line, "#line ", 6) != 0)
            digest = cb_hash(digest, line, all);
        line += all;
    }
    return cb_hash(digest, "", 1);
}

struct cb_identity cb_setup_identity(const struct cb_setup *s)
{
    struct cb_merge_source sources[1 + CB_SETUP_CHILDREN];
    struct cb_identity identity = {.hash = cb_setup_digest(s), .source = CB_HASH_START};
    const int n = cb_setup_sources(s, sources);
    for (int i = 0; i < n; i++) {
        char *text = NULL;
        if (cb_source_users_text(sources[i].path, sources[i].options, sources[i].beside, &text,
                                 &(struct cb_err){0}) == CB_OK)
            identity.source = digest_of(identity.source, text);
        free(text);
    }
    return identity;
}
