/* SPDX-License-Identifier: Apache-2.0
 *
 * A first setup of a kernel, to be edited: guessed from its text, then tried, so that its buffers
 * are as large as the kernel needs, and a launch takes long enough to be measured.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup.h"
#include "apps/host/setup_trial.h"
#include "kernels/task_abi.h"
#include "runtime/source_options.h"

#define FIRST_PERIOD 20   /* ms */
#define FIRST_LOCAL  1024 /* elements of an argument in local memory */
#define FIRST_COUNT  4096 /* elements of a buffer of which nothing is known */
#define FIRST_DEPTH  16   /* pixels of an image where the range has no dimension, and layers */
#define FIRST_BELOW  16   /* of whole numbers in buffers, which may be indices */
#define FIRST_ROWS   64   /* that each work-item of a row, or the only one, goes through */
#define MOST_ITEMS   256  /* of a workgroup */
#define MOST_SCALES  5    /* sizes that are tried, each four times the one before */
#define ENOUGH_NS    2e6  /* a launch that takes so long can be measured */
#define MUCH_NS      5e7  /* it takes longer than it has to: smaller sizes are tried */
#define MOST_BYTES   (64 << 20) /* of all buffers, for a larger size to be tried */
#define MOST_FIRST   (1 << 30)  /* of all buffers: with more, a value that is guessed is wrong */

/* Values that are no sizes, as far as can be seen: the second where the first is too large. */
static const double values[] = {16, 2};

/* What global ids begin with in all dimensions, where a kernel goes before its buffers with 0: as
 * many elements or rows as it needs on each side of its own. */
static const size_t offsets[] = {1, 2, 16};

/* Sizes of one, two and three dimensions: work-items at scale 0, and of a workgroup. */
static const struct {
    size_t global, local;
    unsigned grows; /* bits of a side from one scale to the next */
    int smallest;   /* scale at which there is one workgroup; a side is half of the next one's */
} sizes[] = {{1024, 64, 2, -4}, {64, 8, 1, -3}, {16, 4, 1, -2}};

struct guess {
    const struct cb_merge_kernel *kernel;
    unsigned part;  /* of the tile, a side of a workgroup; 0: sides of our own */
    bool is_single; /* there is one of them */
    bool is_alone;  /* there is one work-item */
    double value;   /* one of `values` */
    unsigned dimensions;
    size_t global[3], local[3];
    size_t offset;
    bool goes_before; /* the begin of a buffer */
    double counts[CB_SETUP_ARGUMENTS];
};

/* ---- Sizes and values ------------------------------------------------------------------------ */

static size_t part_of(size_t tile, unsigned part)
{
    return tile >= 2 * part ? tile / part : 1;
}

static size_t side_of(unsigned last, int scale)
{
    return scale < 0 ? sizes[last].global >> -scale
                     : sizes[last].global << (unsigned)scale * sizes[last].grows;
}

static void guess_sizes(struct guess *g, int scale)
{
    const struct cb_merge_kernel *k = g->kernel;
    g->dimensions = k->dimensions > 0 ? k->dimensions : 1;
    for (unsigned d = 0; d < 3; d++)
        if (k->required[d] > 1 && d >= g->dimensions)
            g->dimensions = d + 1;
    const unsigned last = g->dimensions - 1;
    for (unsigned d = 0; d <= last && g->is_alone; d++)
        g->local[d] = g->global[d] = k->required[d] ? k->required[d] : 1;
    for (unsigned d = 0; d <= last && !g->is_alone; d++) {
        const size_t side = side_of(last, scale);
        g->local[d] = k->required[d] ? k->required[d]
                      : g->part      ? part_of(k->tile[d], g->part)
                                     : sizes[last].local;
        g->global[d] =
            g->is_single ? g->local[d] : (side + g->local[d] - 1) / g->local[d] * g->local[d];
    }
}

static bool has_part(const char *name, const char *const parts[])
{
    char lower[64];
    size_t n = 0;
    for (; name[n] && n < sizeof lower - 1; n++)
        lower[n] = (char)tolower((unsigned char)name[n]);
    lower[n] = '\0';
    for (size_t i = 0; parts[i]; i++)
        if (strstr(lower, parts[i]))
            return true;
    return false;
}

/* A whole number is a side that the ids are compared with, or that its name tells of. */
static double first_value(const struct guess *g, int bounds, const char *name)
{
    static const char *const rows[] = {"height", "rows", "ydim", "dimy", NULL},
                             *const lines[] = {"width", "cols", "columns", "pitch",  "stride",
                                               "size",  "num",  "count",   "length", "elements",
                                               "xdim",  "dimx", NULL},
                             *const all[] = {"n", "N", "len", "dim", NULL};
    if (bounds >= 0 && bounds < (int)g->dimensions)
        return (double)g->global[bounds];
    if (has_part(name, rows))
        return g->dimensions > 1 ? (double)g->global[1] : FIRST_ROWS;
    bool is_size = has_part(name, lines);
    for (size_t i = 0; all[i]; i++)
        is_size = is_size || strcmp(name, all[i]) == 0;
    if (!is_size)
        return g->value;
    return g->is_alone ? FIRST_ROWS : (double)g->global[0];
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void add_sizes(cJSON *setup, const char *key, unsigned dimensions, const size_t of[3])
{
    cJSON *list = dimensions > 1 ? cJSON_AddArrayToObject(setup, key) : NULL;
    for (unsigned d = 0; d < dimensions; d++)
        if (list)
            cJSON_AddItemToArray(list, cJSON_CreateNumber((double)of[d]));
        else
            cJSON_AddNumberToObject(setup, key, (double)of[d]);
}

/* How the numbers of a buffer begin. */
static void add_fill(cJSON *object, const struct cb_element *e)
{
    cJSON_AddStringToObject(object, "fill", "random");
    cJSON_AddNumberToObject(object, "below", e->kind == 'f' ? 1 : e->kind == 'b' ? 2 : FIRST_BELOW);
}

/* So many that all arguments in local memory have room. */
static double first_local(const struct guess *g, const struct cb_layout *l)
{
    size_t n = 0;
    for (int i = 0; i < g->kernel->n_parameters; i++)
        n += g->kernel->parameters[i].space == CB_LOCAL;
    const size_t most = TASK_LOCAL_BYTES / n / TASK_PACKET_UNIT * TASK_PACKET_UNIT / l->bytes;
    return (double)(most < 1 ? 1 : most < FIRST_LOCAL ? most : FIRST_LOCAL);
}

static void add_value(cJSON *object, const char *name, const struct guess *g, int bounds,
                      const struct cb_element *e)
{
    const double most = e->kind == 'b' ? 1 : ldexp(1, (int)(8 * e->size) - (e->kind == 'i')) - 1;
    cJSON_AddNumberToObject(object, name,
                            e->kind == 'f' ? 1 : fmin(first_value(g, bounds, name), most));
}

/* Those of a structure that can all be given. */
static void add_members(cJSON *object, const struct guess *g, const struct cb_merge_parameter *p)
{
    cJSON *members = cJSON_AddObjectToObject(object, "members");
    for (int m = 0; m < p->layout.n_members; m++) {
        const struct cb_layout_member *member = &p->layout.members[m];
        if (member->is_again)
            continue;
        if (p->space == CB_BY_VALUE)
            add_value(members, member->name, g, -1, &member->element);
        else
            add_fill(cJSON_AddObjectToObject(members, member->name), &member->element);
    }
}

/* ---- Images and samplers --------------------------------------------------------------------- */

/* An image has as many pixels as the range work-items in each dimension, and is a square where that
 * has one; there are few in dimensions beyond, and few layers. */
static size_t first_size(const struct guess *g, const struct cb_image *image, unsigned size)
{
    const unsigned d = size == CB_LAYERS ? image->dimensions : size;
    return d < g->dimensions                          ? g->global[d]
           : d == CB_HEIGHT && image->dimensions == 2 ? g->global[0]
                                                      : FIRST_DEPTH;
}

static const char *first_pixels(char pixels)
{
    return pixels == 'u' ? "uint8" : pixels == 'i' ? "int8" : pixels == 'h' ? "half" : "unorm8";
}

/* Returns its bytes, those of a pixel with four channels. */
static double image_bytes(const struct guess *g, const struct cb_merge_parameter *p)
{
    double bytes = p->pixels == 'h' ? 8 : 4;
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++)
        bytes *= cb_image_has(&p->layout.image, i) ? (double)first_size(g, &p->layout.image, i) : 1;
    return bytes;
}

static void add_image(cJSON *object, const struct guess *g, const struct cb_merge_parameter *p)
{
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++)
        if (cb_image_has(&p->layout.image, i))
            cJSON_AddNumberToObject(object, cb_setup_sizes[i],
                                    (double)first_size(g, &p->layout.image, i));
    cJSON_AddStringToObject(object, "channels", "rgba");
    cJSON_AddStringToObject(object, "type", first_pixels(p->pixels));
    if (!p->layout.image.is_written)
        cJSON_AddStringToObject(object, "fill", "random");
}

static void add_sampler(cJSON *object)
{
    cJSON_AddStringToObject(object, "filter", "nearest");
    cJSON_AddStringToObject(object, "addressing", "clamp_to_edge");
    cJSON_AddFalseToObject(object, "normalized");
}

/* ---- The setup ------------------------------------------------------------------------------- */

static void add_argument(cJSON *arguments, const struct guess *g, int i)
{
    const struct cb_merge_parameter *p = &g->kernel->parameters[i];
    if (cb_layout_is_opaque(&p->layout)) {
        cJSON *opaque = cJSON_AddObjectToObject(arguments, p->name);
        if (p->layout.is_sampler)
            add_sampler(opaque);
        else
            add_image(opaque, g, p);
        return;
    }
    const struct cb_element *e = &p->layout.members[0].element;
    if (p->space == CB_BY_VALUE && !p->layout.is_record) {
        add_value(arguments, p->name, g, p->bounds, e);
        return;
    }
    cJSON *object = cJSON_AddObjectToObject(arguments, p->name);
    if (p->space != CB_BY_VALUE)
        cJSON_AddNumberToObject(
            object, "count",
            p->space == CB_LOCAL ? fmax(g->counts[i], first_local(g, &p->layout)) : g->counts[i]);
    if (p->space != CB_LOCAL && p->layout.is_record)
        add_members(object, g, p);
    else if (p->space != CB_LOCAL)
        add_fill(object, e);
}

/* Adds what has been guessed. */
static enum cb_status add_guess(const char *path, const struct guess *g, cJSON *setup,
                                struct cb_err *err)
{
    const struct cb_merge_kernel *kernel = g->kernel;
    if (kernel->is_task) {
        add_sizes(setup, "global", g->dimensions, g->global);
        add_sizes(setup, "local", g->dimensions, g->local);
        if (g->offset > 0)
            add_sizes(setup, "offset", g->dimensions,
                      (const size_t[3]){g->offset, g->offset, g->offset});
        cJSON_AddNumberToObject(setup, "period_ms", FIRST_PERIOD);
    }
    if (kernel->lacks_tasks)
        cJSON_AddItemToArray(cJSON_AddArrayToObject(setup, "children"),
                             cJSON_CreateString("TASK.cl"));
    cJSON *arguments = cJSON_AddObjectToObject(setup, "arguments");
    if (!arguments)
        return cb_no_memory(err);
    for (int i = 0; i < kernel->n_parameters; i++) {
        const struct cb_merge_parameter *p = &kernel->parameters[i];
        const char *why = cb_setup_refuses(p, kernel->is_task);
        if (why)
            return cb_fail(err, CB_USAGE, "%s: %s: " CB_SETUP_NOT_KNOWN, path, p->name, p->type,
                           why);
        add_argument(arguments, g, i);
    }
    return CB_OK;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

/* The setup as a trial gets it, from wherever that is. NULL: err says why. */
static cJSON *setup_of_trial(const struct cb_merge_source *source, const struct guess *g,
                             struct cb_err *err)
{
    cJSON *setup = cJSON_CreateObject();
    char *path = realpath(source->path, NULL), *kernel = NULL, *options = NULL;
    bool ok = setup && path && asprintf(&kernel, "%s:%s", path, g->kernel->name) >= 0;
    ok = ok &&
         cb_source_options_moved(source->options ? source->options : "", &options, err) == CB_OK;
    if (ok) {
        cJSON_AddStringToObject(setup, "kernel", kernel);
        cJSON_AddStringToObject(setup, "build_options", options);
        ok = add_guess(source->path, g, setup, err) == CB_OK;
    } else {
        cb_no_memory(err);
    }
    free(path);
    free(kernel);
    free(options);
    if (ok)
        return setup;
    cJSON_Delete(setup);
    return NULL;
}

static enum cb_status attempt(const struct cb_merge_source *source, const struct guess *g,
                              enum cb_trial_kind kind, struct cb_trial *trial, struct cb_err *err)
{
    cJSON *setup = setup_of_trial(source, g, err);
    enum cb_status status = setup ? cb_setup_try(setup, kind, trial, err) : err->status;
    cJSON_Delete(setup);
    return status;
}

/* Lets buffers be as large as is used. Returns the bytes of all. */
static double take_counts(struct guess *g, const struct cb_trial *trial)
{
    double bytes = 0;
    for (int i = 0; i < g->kernel->n_parameters; i++) {
        const struct cb_merge_parameter *p = &g->kernel->parameters[i];
        if (p->layout.image.type)
            bytes += image_bytes(g, p);
        if (p->layout.trouble || p->space == CB_BY_VALUE || p->space == CB_NO_SPACE)
            continue;
        const double each = (double)p->layout.bytes;
        g->goes_before |= trial->used[i].first < 0;
        g->counts[i] = fmax(1, ceil((double)trial->used[i].end / each));
        bytes += p->space == CB_LOCAL ? 0 : g->counts[i] * each;
    }
    return bytes;
}

static void set_counts(struct guess *g, double count)
{
    for (int i = 0; i < g->kernel->n_parameters; i++)
        g->counts[i] = g->kernel->parameters[i].space == CB_LOCAL ? 0 : count;
}

/* The largest scale below n at which a launch takes no longer than it has to: from 0 on, or,
 * where that takes too long, but ends (slow), from the smallest one on. CB_NO_DEVICE: nothing
 * can be tried here. */
static enum cb_status choose_scale(const struct cb_merge_source *source, struct guess *g, int n,
                                   struct guess *slow, bool *has_slow, struct cb_err *err)
{
    struct cb_trial trial;
    bool has_one = false;
    for (int scale = 0; scale < n; scale++) {
        struct guess next = *g;
        guess_sizes(&next, scale);
        set_counts(&next, 1);
        const enum cb_status status = attempt(source, &next, CB_TRIAL_LEARNS, &trial, err);
        const bool is_long = status == CB_TIMEOUT || (status == CB_OK && trial.launch_ns > MUCH_NS);
        if (is_long && scale == 0 && !has_one && !g->is_single) {
            n = 0;
            scale = sizes[next.dimensions - 1].smallest - 1;
            *has_slow = status == CB_OK && take_counts(&next, &trial) <= MOST_FIRST;
            *slow = next;
            continue;
        }
        if (has_one && (is_long || status != CB_OK))
            return CB_OK;
        if (status != CB_OK)
            return status;
        const double bytes = take_counts(&next, &trial);
        if (has_one && bytes > MOST_BYTES)
            return CB_OK;
        if (bytes > MOST_FIRST)
            return cb_fail(err, CB_VERIFY_FAILED,
                           "its buffers would have to have %.3g GiB: a value in the setup is too "
                           "large or too small, or an index in the kernel wrong",
                           ldexp(bytes, -30));
        *g = next;
        has_one = true;
        if (trial.launch_ns >= ENOUGH_NS || g->goes_before)
            return CB_OK;
    }
    return CB_OK;
}

static enum cb_status prove_both(const struct cb_merge_source *source, struct guess *g,
                                 struct cb_trial *trial, struct cb_err *err)
{
    const enum cb_status status = attempt(source, g, CB_TRIAL_PROVES_END, trial, err);
    return status == CB_OK ? attempt(source, g, CB_TRIAL_PROVES_BEGIN, trial, err) : status;
}

/* Chooses a scale below n and proves it, or else the one that takes long: a kernel may need so
 * much. CB_NO_DEVICE: nothing can be tried here. */
static enum cb_status prove(const struct cb_merge_source *source, struct guess *g, int n,
                            struct cb_trial *trial, struct cb_err *err)
{
    struct guess slow;
    bool has_slow = false;
    enum cb_status status = choose_scale(source, g, n, &slow, &has_slow, err);
    if (status == CB_OK)
        status = prove_both(source, g, trial, err);
    if (status == CB_OK || !has_slow)
        return status;
    *g = slow;
    return prove_both(source, g, trial, err);
}

/* Proves it with ids that begin further on, if it goes before its buffers; else it stays as it is,
 * and so does what is wrong. */
static enum cb_status prove_beyond(const struct cb_merge_source *source, struct guess *g,
                                   struct cb_trial *trial, enum cb_status status)
{
    for (size_t i = 0; i < CB_COUNTOF(offsets) && status != CB_OK && g->goes_before; i++) {
        struct guess next = *g;
        struct cb_err err = {0};
        next.offset = offsets[i];
        next.goes_before = false;
        if (prove(source, &next, 1, trial, &err) != CB_OK)
            continue;
        *g = next;
        status = CB_OK;
    }
    return status;
}

/* Workgroups to try: as the kernel's tiles, half as large on each side, for two elements of a
 * work-item, and as they are without a word of its. Returns how many there are. */
static unsigned choose_parts(const struct guess *g, unsigned parts[3])
{
    unsigned n = 0;
    for (unsigned part = 1; g->kernel->is_task && part <= 2; part++) {
        size_t items = 1;
        bool differs = false;
        for (unsigned d = 0; d < g->dimensions; d++) {
            items *= part_of(g->kernel->tile[d], part);
            differs |= part_of(g->kernel->tile[d], part) != g->local[d];
        }
        if (items > 1 && items <= MOST_ITEMS && differs && !g->kernel->required[0])
            parts[n++] = part;
    }
    parts[n++] = 0;
    return n;
}

/* Whether there is anything that takes one of `values`. */
static bool has_value(const struct cb_merge_kernel *kernel)
{
    bool has = false;
    for (int i = 0; i < kernel->n_parameters; i++)
        has |= kernel->parameters[i].space == CB_BY_VALUE;
    return has;
}

/* One work-item for a kernel in which all would do the same. Whether that is proved. */
static bool find_alone(const struct cb_merge_source *source, struct guess *g, struct cb_first *told)
{
    struct cb_err err = {0};
    struct cb_trial trial;
    *g = (struct guess){
        .kernel = g->kernel, .value = values[0], .is_single = true, .is_alone = true};
    guess_sizes(g, 0);
    set_counts(g, FIRST_COUNT);
    told->is_tried = prove(source, g, 1, &trial, &err) == CB_OK;
    told->launch_ns = told->is_tried ? trial.launch_ns : 0;
    return told->is_tried;
}

/* Tries sizes of workgroups, then a single workgroup of each, then the same with other values,
 * until one is proved; else the first are kept, with what is wrong with them. After one that does
 * not end only the smallest is tried. */
static void find_guess(const struct cb_merge_source *source, struct guess *g, struct cb_first *told)
{
    unsigned parts[3];
    const unsigned n = choose_parts(g, parts), shapes = g->kernel->is_task ? 2 * n : 1;
    struct guess first = *g;
    const unsigned all = has_value(g->kernel) ? CB_COUNTOF(values) * shapes : shapes;
    if (g->kernel->is_task && g->kernel->is_for_one && find_alone(source, g, told))
        return;
    for (unsigned i = 0; i < all; i++) {
        struct cb_err err = {0};
        struct cb_trial trial;
        *g = (struct guess){.kernel = first.kernel,
                            .part = parts[i % n],
                            .is_single = i % shapes / n,
                            .value = values[i / shapes]};
        guess_sizes(g, 0);
        set_counts(g, FIRST_COUNT);
        enum cb_status status = prove(source, g, i > 0 ? 1 : MOST_SCALES, &trial, &err);
        if (i == 0 && g->kernel->is_task)
            status = prove_beyond(source, g, &trial, status);
        if (status == CB_OK && (i > 0 || g->offset > 0) &&
            trial.launch_ns < ENOUGH_NS) /* right, but short */
            status = prove(source, g, MOST_SCALES, &trial, &err);
        told->is_tried = status != CB_NO_DEVICE;
        if (status == CB_OK) {
            told->launch_ns = trial.launch_ns;
            *told->trouble = '\0';
            return;
        }
        if (i == 0) {
            snprintf(told->trouble, sizeof told->trouble, "%.500s", err.text);
            first = *g;
        }
        if (!told->is_tried)
            break;
        if (status == CB_TIMEOUT && i < all - 1)
            i = all - 2; /* the last one is next */
    }
    *g = first;
}

enum cb_status cb_setup_first(const struct cb_merge_source *source,
                              const struct cb_merge_kernel *kernel, cJSON *setup,
                              struct cb_first *told, struct cb_err *err)
{
    struct guess g = {.kernel = kernel, .value = values[0]};
    *told = (struct cb_first){0};
    guess_sizes(&g, 0);
    set_counts(&g, FIRST_COUNT);
    if (!kernel->lacks_tasks && !kernel->submits)
        find_guess(source, &g, told);
    return add_guess(source->path, &g, setup, err);
}
