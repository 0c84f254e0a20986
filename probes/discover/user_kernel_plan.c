/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "apps/host/setup.h"
#include "probes/discover/user_kernel.h"
#include "runtime/source.h"

/* What is known of a kernel before there is a device. */
struct known {
    struct cb_user_text text;
    char *kernel; /* "./lud.cl:lud_internal" */
    bool has_setup;
    char setup[CB_SETUP_PATH];
    uint64_t local; /* work-items of a workgroup, as the setup has it; 0: it does not */
};

struct planner {
    struct cb_plan *plan;
    const struct cb_discover_options *o;
    const uint64_t *sizes;
    int n_sizes;
};

/* Adds "kernel/lud_internal/wg=64" and the like. */
static struct cb_case *add_case(const struct planner *p, const struct known *k,
                                struct cb_discover_case params, const char *which)
{
    struct cb_case *c = cb_plan_add(p->plan, "kernel/%.120s/%s", k->text.name, which);
    params.headroom = NAN;
    params.kernel = k->kernel;
    params.setup = k->has_setup ? k->setup : NULL;
    params.build_options = p->o->build_options;
    cb_fields_write(c->params, cb_discover_fields, &params);
    c->stop = (struct cb_stop){.rule = CB_STOP_COUNT, .min_runs = 1};
    c->own_stop = true; /* a search repeats its decisive barriers itself */
    return c;
}

/* size 0: what the kernel requires. claims: number of the case without which there is no kernel. */
static void add_size(const struct planner *p, const struct known *k, int claims, uint64_t size)
{
    char which[32] = "wg=required";
    if (size > 0)
        snprintf(which, sizeof which, "wg=%" PRIu64, size);
    add_case(p, k, (struct cb_discover_case){.wg_size = (unsigned)size}, which)->needs = claims;
}

static bool has(const uint64_t *sizes, int n, uint64_t size)
{
    for (int i = 0; i < n; i++)
        if (sizes[i] == size)
            return true;
    return false;
}

static void add_cases(const struct planner *p, const struct known *k)
{
    const bool are_ours = p->o->wg_sizes.n == 1 && cb_texts_have(p->o->wg_sizes, "auto");
    add_case(p, k, (struct cb_discover_case){.claims = true}, "claims");
    const int claims = p->plan->count - 1;
    if (are_ours && cb_user_text_requires_size(&k->text)) {
        add_size(p, k, claims, 0);
        return;
    }
    for (int i = 0; i < p->n_sizes; i++)
        add_size(p, k, claims, p->sizes[i]);
    if (are_ours && k->local > 0 && !has(p->sizes, p->n_sizes, k->local))
        add_size(p, k, claims, k->local);
}

/* Keeps a text, so that a run is not completed with another one. */
static enum cb_status keep(const struct known *k, const char *ending, const char *text,
                           struct cb_err *err)
{
    char *path = NULL;
    if (asprintf(&path, "users/%s%s", k->text.name, ending) < 0)
        return cb_no_memory(err);
    enum cb_status status = cb_source_keep(path, text, err);
    free(path);
    return status;
}

static enum cb_status read_setup(const char *file, struct known *k, struct cb_err *err)
{
    struct cb_setup setup;
    k->has_setup = true;
    if (cb_setup_path(file, k->kernel, k->setup, err) != CB_OK)
        return err->status;
    enum cb_status status = cb_setup_read(k->setup, &setup, err);
    k->local = status == CB_OK && setup.range.dimensions > 0;
    for (unsigned d = 0; d < setup.range.dimensions && status == CB_OK; d++)
        k->local *= setup.range.local[d];
    if (status == CB_OK)
        status = keep(k, CB_SETUP_ENDING, setup.text, err);
    cb_setup_free(&setup);
    return status;
}

static enum cb_status know(const struct cb_discover_options *o, const char *kernel, struct known *k,
                           struct cb_err *err)
{
    if (cb_user_text_read(kernel, o->build_options, &k->text, err) != CB_OK)
        return err->status;
    if (asprintf(&k->kernel, "%s:%s", k->text.file, k->text.name) < 0) {
        k->kernel = NULL;
        return cb_no_memory(err);
    }
    if (keep(k, ".cl", k->text.text, err) != CB_OK)
        return err->status;
    return o->setup ? read_setup(o->setup, k, err) : CB_OK;
}

enum cb_status cb_user_kernels_plan(struct cb_plan *plan, const struct cb_discover_options *o,
                                    const uint64_t *sizes, int n, struct cb_err *err)
{
    const struct planner p = {plan, o, sizes, n};
    enum cb_status status = CB_OK;
    for (int i = 0; i < o->kernels.n && status == CB_OK; i++) {
        struct known k = {.local = 0};
        status = know(o, cb_texts_at(o->kernels, i), &k, err);
        if (status == CB_OK)
            add_cases(&p, &k);
        free(k.kernel);
        cb_user_text_free(&k.text);
    }
    return status;
}
