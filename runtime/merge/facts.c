/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel's text says of the NDRange that it wants: for a first guess, which a run then
 * proves (coopbench init).
 */
#include "runtime/merge/unit.h"

#include <string.h>
#include <strings.h>

#include "runtime/merge/merge.h"

static const char *after_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* ---- The size of workgroups ------------------------------------------------------------------ */

/* The comma or parenthesis that ends an argument. */
static const char *after_argument(const char *at)
{
    for (int level = 0; *at && (level > 0 || !strchr(",)", *at)); at++)
        level += (*at == '(') - (*at == ')');
    return at;
}

void cb_merge_required(const struct cb_merge_unit *u, size_t required[3])
{
    static const char word[] = "reqd_work_group_size";
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    const char *at = cb_merge_find_word(u, u->code + kernel->begin, word);
    if (!at || at >= u->code + kernel->end)
        return;
    at = after_blanks(at + strlen(word));
    for (int d = 0; d < 3 && (*at == '(' || *at == ','); d++) {
        required[d] = cb_merge_constant(u, at + 1);
        at = after_argument(at + 1);
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static bool is_of_tile(const char *name, size_t n)
{
    static const char *const parts[] = {"BLOCK", "TILE", "WG", "GROUP", "THREADS", "LOCAL", "TDIM"};
    for (size_t i = 0; i < CB_COUNTOF(parts); i++)
        for (size_t at = 0; at + strlen(parts[i]) <= n; at++)
            if (strncasecmp(name + at, parts[i], strlen(parts[i])) == 0)
                return true;
    return false;
}

/* The sides of an array, whose indices are written from the last dimension to the first. */
static void read_array(const struct cb_merge_unit *u, const char *at, size_t tile[3])
{
    size_t sides[3] = {0};
    int n = 0;
    for (; *at == '[' && n < 3; n++) {
        sides[n] = cb_merge_first_product(u, at + 1);
        at += strcspn(at, "]");
        at = *at ? after_blanks(at + 1) : at;
    }
    if (n > 1 && sides[n - 1] == sides[n - 2] + 1) /* against bank conflicts */
        sides[n - 1] = sides[n - 2];
    for (int d = 0; d < 3; d++)
        tile[d] = n == 0 ? 0 : sides[d < n ? n - 1 - d : 0];
}

/* The kernel's first array in local memory tells best how large its workgroups are to be, without
 * what it has beyond, "[TILE + 2]". */
static void read_tile(const struct cb_merge_unit *u, size_t tile[3])
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        if (!var->is_local || !*var->dimensions)
            continue;
        const char *at = cb_merge_find_word(u, u->code + var->begin, var->name);
        at = at ? after_blanks(at + strlen(var->name)) : "";
        read_array(u, *at == '[' ? at : var->dimensions, tile);
        return;
    }
    for (uint32_t at = 0, size; cb_merge_next_macro(u, &at, &size); at += size)
        if (is_of_tile(u->code + at, size) && cb_merge_constant(u, u->code + at + size)) {
            tile[0] = tile[1] = tile[2] = cb_merge_constant(u, u->code + at + size);
            return;
        }
}

/* ---- Dimensions ------------------------------------------------------------------------------ */

/* The dimension that a call of this function asks for; -1: it is not called here, or it does not
 * say which by a number. */
static int dimension_at(const struct cb_merge_unit *u, const char *at, const char *function)
{
    const size_t n = strlen(function);
    if (strncmp(at, function, n) != 0 || cb_merge_is_letter(at[n]) ||
        (at > u->code && cb_merge_is_letter(at[-1])))
        return -1;
    at = after_blanks(at + n);
    at = *at == '(' ? after_blanks(at + 1) : "";
    return *at >= '0' && *at <= '2' && !cb_merge_is_letter(at[1]) ? *at - '0' : -1;
}

/* One more than the highest that the kernel and what it calls ask for. */
static unsigned dimensions_of(const struct cb_merge_unit *u)
{
    unsigned dimensions = 1;
    for (int f = 0; f < u->n_functions; f++)
        for (const char *at = u->code + u->functions[f].begin;
             (f == u->kernel || u->functions[f].is_called) && at < u->code + u->functions[f].end;
             at++)
            for (const struct cb_merge_id_name *i = cb_merge_ids; *at == 'g' && i->source; i++) {
                const int d = i->is_of_dimension ? dimension_at(u, at, i->source) : -1;
                dimensions = d >= (int)dimensions ? (unsigned)d + 1 : dimensions;
            }
    return dimensions;
}

/* Whether a part of the code has a word of ids, or of atomics. */
static bool is_shared_in(const struct cb_merge_unit *u, uint32_t begin, uint32_t end)
{
    const char *atomic = strstr(u->code + begin, "atom");
    bool is_shared = atomic && atomic < u->code + end;
    for (const struct cb_merge_id_name *i = cb_merge_ids; i->source && !is_shared; i++) {
        const char *at = cb_merge_find_word(u, u->code + begin, i->source);
        is_shared = at && at < u->code + end;
    }
    return is_shared;
}

/* Whether all of its work-items do the same: it is meant for one. */
static bool is_for_one(const struct cb_merge_unit *u)
{
    bool is_shared = false;
    for (int f = 0; f < u->n_functions; f++)
        if (f == u->kernel || u->functions[f].is_called)
            is_shared |= is_shared_in(u, u->functions[f].begin, u->functions[f].end);
    for (int m = 0; m < u->n_macros; m++)
        if (!u->macros[m].is_undefined)
            is_shared |= is_shared_in(u, u->macros[m].body, u->macros[m].end);
    return !is_shared;
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* The dimension whose global id a word of the kernel is, a variable that begins with one. -1: none.
 */
static int dimension_of_word(const struct cb_merge_unit *u, const char *word, size_t n)
{
    for (int v = 0; v < u->n_vars; v++) {
        const struct cb_merge_var *var = &u->vars[v];
        if (strlen(var->name) != n || strncmp(var->name, word, n) != 0 || !var->init)
            continue;
        const char *end = u->code + var->init + strcspn(u->code + var->init, ";,");
        for (const char *at = u->code + var->init; at < end; at++) {
            const int d = dimension_at(u, at, "get_global_id");
            if (d >= 0)
                return d;
        }
    }
    return -1;
}

/* What is compared: the word, or the call, that ends before `at`. */
static int dimension_before(const struct cb_merge_unit *u, const char *at)
{
    while (at > u->code && strchr(" \t\r\n", at[-1]))
        at--;
    if (at > u->code && at[-1] == ')') {
        while (at > u->code && *at != '(')
            at--;
        const char *end = at;
        while (at > u->code && cb_merge_is_letter(at[-1]))
            at--;
        return end > at ? dimension_at(u, at, "get_global_id") : -1;
    }
    const char *end = at;
    while (at > u->code && cb_merge_is_letter(at[-1]))
        at--;
    return end > at ? dimension_of_word(u, at, (size_t)(end - at)) : -1;
}

static int dimension_after(const struct cb_merge_unit *u, const char *at)
{
    at += strspn(at, " \t\r\n");
    const int d = dimension_at(u, at, "get_global_id");
    return d >= 0 ? d : dimension_of_word(u, at, strspn(at, CB_MERGE_LETTERS));
}

/* The dimension whose ids a parameter is compared with: "i < n", "n > i", "i >= n", "n <= i". */
static int dimension_bounded_by(const struct cb_merge_unit *u, const char *name)
{
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    const size_t n = strlen(name);
    for (const char *at = u->code + kernel->parameters_end;
         (at = cb_merge_find_word(u, at, name)) && at < u->code + kernel->end; at += n) {
        const char *before = at, *after = after_blanks(at + n);
        while (before > u->code && strchr(" \t\r\n(", before[-1]))
            before--;
        const char *op = before;
        while (op > u->code && strchr("<>=", op[-1]))
            op--;
        int d = op < before && strchr("<>", *op) && before - op <= 2 ? dimension_before(u, op) : -1;
        if (d < 0 && (*after == '>' || *after == '<') && after[1] != *after)
            d = dimension_after(u, after + 1 + (after[1] == '='));
        if (d >= 0)
            return d;
    }
    return -1;
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* The letter of the first read_imagef() and its like, or of write_imagef(), in a function of the
 * text, that is given the image of this name; NULL: any. 0: there is none. */
static char pixels_in(const struct cb_merge_unit *u, const struct cb_merge_function *f,
                      const char *call, const char *name)
{
    const size_t n = strlen(call);
    for (const char *at = u->code + f->begin; (at = strstr(at, call)) && at < u->code + f->end;
         at += n) {
        const char *letter = at + n,
                   *open = after_blanks(letter + strspn(letter, CB_MERGE_LETTERS));
        const char *image = after_blanks(*open == '(' ? open + 1 : open);
        if (*letter && strchr("fiuh", *letter) && *open == '(' &&
            (!name || cb_merge_stands_at(u, (uint32_t)(image - u->code), name)))
            return *letter;
    }
    return 0;
}

/* Such a letter in the helpers that the kernel calls. */
static char pixels_in_helpers(const struct cb_merge_unit *u, const char *call, const char *name)
{
    char pixels = 0;
    for (int i = 0; i < u->n_functions && !pixels; i++)
        if (i != u->kernel && u->functions[i].is_called)
            pixels = pixels_in(u, &u->functions[i], call, name);
    return pixels;
}

/* By its name, else as other images: a helper, or a macro, may call it otherwise. */
static char pixels_of(const struct cb_merge_unit *u, const struct cb_merge_parameter *p)
{
    const struct cb_merge_function *kernel = &u->functions[u->kernel];
    const char *call = p->layout.image.is_written ? "write_image" : "read_image";
    char pixels = pixels_in(u, kernel, call, p->name);
    pixels = pixels ? pixels : pixels_in_helpers(u, call, p->name);
    pixels = pixels ? pixels : pixels_in_helpers(u, call, NULL);
    pixels = pixels ? pixels : pixels_in(u, kernel, call, NULL);
    return pixels ? pixels : 'f';
}

void cb_merge_note_facts(const struct cb_merge_unit *u, struct cb_merge_kernel *kernel)
{
    kernel->dimensions = dimensions_of(u);
    kernel->is_for_one = is_for_one(u);
    cb_merge_required(u, kernel->required);
    read_tile(u, kernel->tile);
    for (int p = 0; p < kernel->n_parameters; p++) {
        kernel->parameters[p].bounds = dimension_bounded_by(u, kernel->parameters[p].name);
        if (kernel->parameters[p].layout.image.type)
            kernel->parameters[p].pixels = pixels_of(u, &kernel->parameters[p]);
    }
}
