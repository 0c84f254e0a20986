/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/user_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/host/setup.h"
#include "measure/identity.h"
#include "measure/text/json.h"
#include "probes/discover/claims.h"
#include "probes/discover/search.h"
#include "runtime/cl.h"
#include "runtime/host/hash.h"

#define FEW_BYTES 16 /* local memory of each argument before its size is known */

/* ---- Programs -------------------------------------------------------------------------------- */

static enum cb_status no_such_kernel(const struct cb_user_kernel *k, struct cb_err *err)
{
    char names[CB_ERR_TEXT / 2] = "";
    clGetProgramInfo(k->program_as_it_is, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    return cb_fail(err, CB_ERROR,
                   "%s: as it is built, there is no kernel %s in it, but %s (clCreateKernel: "
                   "CL_INVALID_KERNEL_NAME)",
                   k->text.file, k->text.name, *names ? names : "none");
}

/* The user's text alone: what the API says is of that, and so are the compiler's complaints. */
static enum cb_status build_as_it_is(struct cb_user_kernel *k, const char *options,
                                     struct cb_err *err)
{
    if (cb_program_build_text(k->session, k->text.file, k->text.text, options, &k->program_as_it_is,
                              err) != CB_OK)
        return k->has_options
                   ? err->status
                   : cb_fail(err, err->status, "%s\nIt had no --build-options.", err->text);
    cl_int code = CL_SUCCESS;
    k->as_it_is = clCreateKernel(k->program_as_it_is, k->text.name, &code);
    return code == CL_INVALID_KERNEL_NAME ? no_such_kernel(k, err)
                                          : CB_CL_CODE(err, code, "clCreateKernel");
}

static enum cb_status build_with_barrier(struct cb_user_kernel *k, const char *options,
                                         struct cb_err *err)
{
    char *text = NULL, *name = NULL;
    const struct cb_user_arguments *a = &k->arguments;
    if (cb_user_text_with_barrier(&k->text, a->locals, a->n_locals, &text, err) != CB_OK)
        return err->status;
    enum cb_status status =
        asprintf(&name, "%s:%s, with a barrier before it", k->text.file, k->text.name) < 0
            ? cb_no_memory(err)
            : cb_program_build_text(k->session, name, text, options, &k->program, err);
    if (status == CB_OK)
        status = cb_kernel_create(k->program, k->text.name, &k->kernel, err);
    free(name);
    free(text);
    return status;
}

static enum cb_status build(struct cb_user_kernel *k, struct cb_err *err)
{
    char *options = NULL;
    if (asprintf(&options, "-cl-kernel-arg-info%s", k->text.version) < 0)
        return cb_no_memory(err);
    enum cb_status status = build_as_it_is(k, options, err);
    if (status == CB_OK)
        status = cb_user_arguments_open(&k->arguments, k->session, k->as_it_is, err);
    if (status == CB_OK)
        status = build_with_barrier(k, options, err);
    free(options);
    return status;
}

/* ---- Workgroups ------------------------------------------------------------------------------ */

/* The layout of a workgroup: what the kernel requires, or a line. wg_size 0: the required one. */
static enum cb_status choose_range(struct cb_user_kernel *k, size_t wg_size, struct cb_err *err)
{
    size_t required[3];
    if (clGetKernelWorkGroupInfo(k->as_it_is, k->session->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                 sizeof required, required, NULL) != CL_SUCCESS)
        memset(required, 0, sizeof required);
    k->wg_size = required[0] * required[1] * required[2];
    if (k->wg_size == 0 && wg_size == 0)
        return cb_fail(err, CB_ERROR,
                       "the driver does not tell which size of workgroups the "
                       "kernel requires: say it, as --wg-sizes 256");
    if (k->wg_size == 0)
        k->wg_size = required[0] = wg_size, required[1] = required[2] = 1;
    if (wg_size > 0 && k->wg_size != wg_size)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the kernel requires workgroups of %zu x %zu x %zu, %zu work-items",
                       required[0], required[1], required[2], k->wg_size);
    k->range = (struct cb_range){3, {1, 1, 1}, {required[0], required[1], required[2]}};
    return CB_OK;
}

static enum cb_status meet(void *self, size_t groups, uint64_t *event_ns, cb_launch *record,
                           struct cb_err *err)
{
    struct cb_user_kernel *k = self;
    struct cb_range range = k->range;
    range.groups[0] = groups;
    if (cb_buffer_clear(k->session, k->words, sizeof(cb_user_words), err) != CB_OK ||
        cb_kernel_arg(k->kernel, 1, sizeof k->words, &k->words, err) != CB_OK)
        return err->status;
    return cb_launch_run_range(k->session, k->kernel, &range, event_ns, record, err);
}

/* Why not even one workgroup is launched. */
static enum cb_status meet_alone(struct cb_user_kernel *k, struct cb_err *err)
{
    const size_t claimed = cb_claimed_wg_size(k->session, k->as_it_is);
    enum cb_status status = meet(k, 1, NULL, NULL, err);
    if (status == CB_UNSUPPORTED && claimed > 0 && claimed < k->wg_size)
        cb_context(err, "CL_KERNEL_WORK_GROUP_SIZE is %zu", claimed);
    return status;
}

/* ---- Local memory that is given as an argument ----------------------------------------------- */

/* The "count" that a setup has of an argument. */
static enum cb_status read_count(const struct cb_setup *setup, const char *name, double *count,
                                 struct cb_err *err)
{
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(setup->entry, "arguments");
    *count = cb_json_number(cJSON_GetObjectItemCaseSensitive(arguments, name), "count");
    return *count >= 1 && *count <= 1e12 && *count == floor(*count)
               ? CB_OK
               : cb_fail(err, CB_ERROR,
                         "%s: arguments: %s is local memory: expected {\"count\": how many "
                         "elements}",
                         setup->file, name);
}

/* setup: NULL: an element for each work-item. */
static enum cb_status size_locals(struct cb_user_kernel *k, const cb_user_words *words,
                                  const struct cb_setup *setup, struct cb_err *err)
{
    struct cb_user_arguments *a = &k->arguments;
    for (unsigned i = 0; i < a->n_locals; i++) {
        double count = (double)k->wg_size;
        if (setup && read_count(setup, a->locals[i], &count, err) != CB_OK)
            return err->status;
        cb_user_local(a, i)->local_bytes = (size_t)count * words->sizes[i];
    }
    return CB_OK;
}

/* Sets all arguments, of both kernels. */
static enum cb_status set_arguments(struct cb_user_kernel *k, struct cb_err *err)
{
    return cb_user_arguments_set(&k->arguments, k->kernel, 2, err) == CB_OK
               ? cb_user_arguments_set(&k->arguments, k->as_it_is, 0, err)
               : err->status;
}

/* Has a workgroup tell how large elements of the kernel's local arguments are. */
static enum cb_status ask_sizes(struct cb_user_kernel *k, cb_user_words *words, struct cb_err *err)
{
    for (unsigned i = 0; i < k->arguments.n_locals; i++)
        cb_user_local(&k->arguments, i)->local_bytes = FEW_BYTES;
    if (set_arguments(k, err) != CB_OK || meet_alone(k, err) != CB_OK)
        return err->status;
    return cb_buffer_read(k->session, k->words, words, sizeof *words, err);
}

static enum cb_status give_arguments(struct cb_user_kernel *k, const struct cb_setup *setup,
                                     struct cb_err *err)
{
    cb_user_words words;
    if (ask_sizes(k, &words, err) != CB_OK || size_locals(k, &words, setup, err) != CB_OK)
        return err->status;
    return k->arguments.n_locals ? set_arguments(k, err) : CB_OK;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* As of apps: the setup is the input, with the build options, and the kernel what is measured. */
static void note_identity(const struct cb_user_kernel *k, const char *kernel,
                          const struct cb_setup *setup)
{
    struct cb_identity identity = {
        .hash = cb_hash(CB_HASH_START, k->text.version, strlen(k->text.version)),
        .source = cb_hash(CB_HASH_START, k->text.text, strlen(k->text.text))};
    if (setup) {
        const uint64_t digest = cb_setup_digest(setup);
        identity.hash = cb_hash(identity.hash, &digest, sizeof digest);
    }
    cb_identity_note(k->session, kernel, identity);
}

static enum cb_status open_with(struct cb_user_kernel *k, const struct cb_discover_case *params,
                                const struct cb_setup *setup, struct cb_err *err)
{
    note_identity(k, params->kernel, setup);
    k->claims = params->claims;
    k->has_options = params->build_options;
    if (build(k, err) != CB_OK)
        return err->status;
    if (k->claims)
        return CB_OK;
    if (choose_range(k, params->wg_size, err) != CB_OK)
        return err->status;
    k->words = cb_buffer_create(k->session, sizeof(cb_user_words), err);
    if (!k->words || give_arguments(k, setup, err) != CB_OK)
        return err->status;
    return k->arguments.n_locals ? meet_alone(k, err) : CB_OK;
}

enum cb_status cb_user_kernel_open(struct cb_user_kernel *k, struct cb_session *session,
                                   const struct cb_discover_case *params, struct cb_err *err)
{
    struct cb_setup setup = {0};
    k->session = session;
    if (cb_user_text_read(params->kernel, params->build_options, &k->text, err) != CB_OK)
        return err->status;
    enum cb_status status = CB_OK;
    if (params->setup)
        status = cb_setup_read(params->setup, &setup, err);
    if (status == CB_OK)
        status = open_with(k, params, params->setup ? &setup : NULL, err);
    k->is_assumed = !params->setup;
    cb_setup_free(&setup);
    return status;
}

void cb_user_kernel_close(struct cb_user_kernel *k)
{
    cb_user_arguments_free(&k->arguments);
    if (k->words)
        clReleaseMemObject(k->words);
    const cl_kernel kernels[] = {k->as_it_is, k->kernel};
    const cl_program programs[] = {k->program_as_it_is, k->program};
    for (size_t i = 0; i < CB_COUNTOF(kernels); i++) {
        if (kernels[i])
            clReleaseKernel(kernels[i]);
        if (programs[i])
            clReleaseProgram(programs[i]);
    }
    cb_user_text_free(&k->text);
    *k = (struct cb_user_kernel){0};
}

/* ---- Running --------------------------------------------------------------------------------- */

/* What claims are about: the kernel as it is. */
static struct cb_claimed claimed(const struct cb_user_kernel *k)
{
    struct cb_claimed c = {k->session,   k->program_as_it_is, k->as_it_is,
                           k->text.name, k->wg_size,          0};
    for (unsigned i = 0; i < k->arguments.n_locals; i++)
        c.argument_bytes += cb_user_local(&k->arguments, i)->local_bytes;
    return c;
}

/* The kernel that is measured ought to need what the kernel as it is does. */
static void note_differences(const struct cb_user_kernel *k, struct cb_sample *sample)
{
    const struct cb_kernel_needs is = cb_kernel_needs(k->session, k->as_it_is),
                                 has = cb_kernel_needs(k->session, k->kernel);
    if (is.local_bytes != has.local_bytes || is.private_bytes != has.private_bytes)
        cb_sample_note(sample,
                       "%s: with the barrier before it, the driver says %llu bytes of "
                       "local and %llu of private memory, as it is %llu and %llu",
                       k->text.name, (unsigned long long)has.local_bytes,
                       (unsigned long long)has.private_bytes, (unsigned long long)is.local_bytes,
                       (unsigned long long)is.private_bytes);
}

static void note_assumptions(const struct cb_user_kernel *k, struct cb_sample *sample)
{
    const struct cb_user_arguments *a = &k->arguments;
    for (unsigned i = 0; i < a->n_locals && k->is_assumed; i++)
        cb_sample_note(sample,
                       "%s: its argument %s, local memory, was taken to have an element "
                       "for each work-item: --setup says how many it has",
                       k->text.name, a->locals[i]);
}

enum cb_status cb_user_kernel_run(struct cb_user_kernel *k, struct cb_sample *sample,
                                  struct cb_err *err)
{
    uint64_t bound = 0;
    const struct cb_claimed c = claimed(k);
    if (k->claims) {
        cb_claims_add_kernel(&c, sample);
        cb_sample_check(sample, true, "it compiles");
        return CB_OK;
    }
    const struct cb_discover_search search = {k->session, k, meet,
                                              CB_DISCOVER_MOST_ITEMS / k->wg_size};
    cb_sample_add(sample, "wg_size", (double)k->wg_size);
    if (cb_discover_search_run(&search, &bound, sample, err) != CB_OK)
        return err->status;
    cb_sample_add(sample, "groups_per_unit",
                  (double)bound / (double)k->session->info.compute_units);
    cb_claims_add_groups(&c, sample);
    note_differences(k, sample);
    note_assumptions(k, sample);
    return CB_OK;
}
