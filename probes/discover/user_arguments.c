/* SPDX-License-Identifier: Apache-2.0 */
#include "probes/discover/user_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/cl.h"

#define BUFFER_BYTES 256
#define MOST_TEXT    65536 /* bytes of a name or a type: more is no answer */
#define MOST_VALUE   4352  /* bytes of an argument: more than CUDA's or OpenCL's devices take */

/* ---- What they are --------------------------------------------------------------------------- */

/* A text that the driver has of an argument; NULL with err set. */
static char *ask_text(cl_kernel kernel, cl_uint i, cl_kernel_arg_info what, struct cb_err *err)
{
    size_t size = 0;
    if (CB_CL(err, clGetKernelArgInfo(kernel, i, what, 0, NULL, &size)) != CB_OK)
        return NULL;
    if (size > MOST_TEXT) {
        cb_fail(err, CB_ERROR, "clGetKernelArgInfo: the driver says that a name has %zu bytes",
                size);
        return NULL;
    }
    char *text = calloc(1, size + 1);
    if (!text) {
        cb_no_memory(err);
    } else if (CB_CL(err, clGetKernelArgInfo(kernel, i, what, size, text, NULL)) != CB_OK) {
        free(text);
        text = NULL;
    }
    return text;
}

/* "image2d_t" and the like, which OpenCL has in global memory, and no type of the user's. */
static bool is_image(const char *type, cl_kernel_arg_address_qualifier where)
{
    const size_t n = strlen(type);
    return where == CL_KERNEL_ARG_ADDRESS_GLOBAL && n > 2 && strncmp(type, "image", 5) == 0 &&
           strcmp(type + n - 2, "_t") == 0;
}

static enum cb_status cannot_be_given(const struct cb_user_argument *x, struct cb_err *err)
{
    return cb_fail(err, CB_UNSUPPORTED,
                   "its argument %s is a %s, and coopbench has none to give it", x->name, x->type);
}

static enum cb_status find_kind(struct cb_user_argument *x, cl_kernel_arg_address_qualifier where,
                                bool is_pipe, struct cb_err *err)
{
    if (is_pipe || strcmp(x->type, "queue_t") == 0 || strcmp(x->type, "clk_event_t") == 0)
        return cannot_be_given(x, err);
    x->kind = is_image(x->type, where)                 ? CB_USER_IMAGE
              : strcmp(x->type, "sampler_t") == 0      ? CB_USER_SAMPLER
              : where == CL_KERNEL_ARG_ADDRESS_LOCAL   ? CB_USER_LOCAL
              : where == CL_KERNEL_ARG_ADDRESS_PRIVATE ? CB_USER_VALUE
                                                       : CB_USER_BUFFER;
    return CB_OK;
}

static enum cb_status ask(struct cb_user_arguments *a, cl_kernel kernel, cl_uint i,
                          struct cb_err *err)
{
    struct cb_user_argument *x = &a->list[i];
    cl_kernel_arg_address_qualifier where = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    cl_kernel_arg_type_qualifier how = CL_KERNEL_ARG_TYPE_NONE;
    x->name = ask_text(kernel, i, CL_KERNEL_ARG_NAME, err);
    x->type = x->name ? ask_text(kernel, i, CL_KERNEL_ARG_TYPE_NAME, err) : NULL;
    if (!x->type ||
        CB_CL(err, clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof where,
                                      &where, NULL)) != CB_OK ||
        CB_CL(err, clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof how, &how,
                                      NULL)) != CB_OK ||
        find_kind(x, where, how & CL_KERNEL_ARG_TYPE_PIPE, err) != CB_OK)
        return err->status;
    if (x->kind != CB_USER_LOCAL)
        return CB_OK;
    if (a->n_locals == CB_USER_LOCALS)
        return cb_fail(err, CB_UNSUPPORTED, "more than %u of its arguments are local memory",
                       CB_USER_LOCALS);
    a->locals[a->n_locals++] = x->name;
    return CB_OK;
}

/* ---- One of each ----------------------------------------------------------------------------- */

static const struct {
    const char *type;
    cl_mem_object_type is;
} image_types[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
};

static enum cb_status make_image(const struct cb_user_arguments *a, struct cb_user_argument *x,
                                 struct cb_err *err)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT}; /* each device with images has it */
    cl_image_desc desc = {.image_width = 1, .image_height = 1, .image_depth = 1};
    size_t t = 0;
    while (t < CB_COUNTOF(image_types) && strcmp(image_types[t].type, x->type) != 0)
        t++;
    if (t == CB_COUNTOF(image_types))
        return cannot_be_given(x, err);
    desc.image_type = image_types[t].is;
    desc.image_array_size = 1;
    if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = a->buffer;
    cl_int code = CL_SUCCESS;
    x->image = clCreateImage(a->session->context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    if (code == CL_INVALID_OPERATION)
        return cb_fail(err, CB_UNSUPPORTED, "the device has no images");
    return CB_CL_CODE(err, code, "clCreateImage");
}

static enum cb_status make(struct cb_user_arguments *a, struct cb_user_argument *x,
                           struct cb_err *err)
{
    if (x->kind == CB_USER_IMAGE)
        return make_image(a, x, err);
    if (x->kind != CB_USER_SAMPLER || a->sampler)
        return CB_OK;
    cl_int code = CL_SUCCESS;
    a->sampler = clCreateSampler(a->session->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                 CL_FILTER_NEAREST, &code);
    return CB_CL_CODE(err, code, "clCreateSampler");
}

enum cb_status cb_user_arguments_open(struct cb_user_arguments *a, struct cb_session *session,
                                      cl_kernel kernel, struct cb_err *err)
{
    cl_uint n = 0;
    if (CB_CL(err, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL)) != CB_OK)
        return err->status;
    *a = (struct cb_user_arguments){.session = session, .list = calloc(n + 1, sizeof *a->list)};
    if (!a->list)
        return cb_no_memory(err);
    a->n = n;
    a->buffer = cb_buffer_create(session, BUFFER_BYTES, err);
    if (!a->buffer)
        return err->status;
    for (cl_uint i = 0; i < n; i++)
        if (ask(a, kernel, i, err) != CB_OK || make(a, &a->list[i], err) != CB_OK)
            return err->status;
    return CB_OK;
}

void cb_user_arguments_free(struct cb_user_arguments *a)
{
    for (unsigned i = 0; a->list && i < a->n; i++) {
        free(a->list[i].name);
        free(a->list[i].type);
        if (a->list[i].image)
            clReleaseMemObject(a->list[i].image);
    }
    if (a->buffer)
        clReleaseMemObject(a->buffer);
    if (a->sampler)
        clReleaseSampler(a->sampler);
    free(a->list);
    *a = (struct cb_user_arguments){0};
}

struct cb_user_argument *cb_user_local(const struct cb_user_arguments *a, unsigned i)
{
    struct cb_user_argument *x = a->list;
    while (x->name != a->locals[i])
        x++;
    return x;
}

/* ---- Setting --------------------------------------------------------------------------------- */

/* A value of zeros: the driver knows its size, which OpenCL does not tell, and takes no other. */
static enum cb_status set_value(const struct cb_user_argument *x, cl_kernel kernel, cl_uint i,
                                struct cb_err *err)
{
    static const unsigned char zeros[MOST_VALUE];
    cl_int code = CL_INVALID_ARG_SIZE;
    for (size_t size = 1; code == CL_INVALID_ARG_SIZE && size <= sizeof zeros; size++)
        code = clSetKernelArg(kernel, i, size, zeros);
    if (CB_CL_CODE(err, code, "clSetKernelArg") != CB_OK)
        cb_context(err, "its argument %s, a %s", x->name, x->type);
    return code == CL_SUCCESS ? CB_OK : err->status;
}

enum cb_status cb_user_arguments_set(const struct cb_user_arguments *a, cl_kernel kernel,
                                     cl_uint first, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    for (unsigned i = 0; i < a->n && status == CB_OK; i++) {
        const struct cb_user_argument *x = &a->list[i];
        if (x->kind == CB_USER_VALUE)
            status = set_value(x, kernel, first + i, err);
        else if (x->kind == CB_USER_LOCAL)
            status = cb_kernel_arg(kernel, first + i, x->local_bytes, NULL, err);
        else if (x->kind == CB_USER_SAMPLER)
            status = cb_kernel_arg(kernel, first + i, sizeof a->sampler, &a->sampler, err);
        else
            status = cb_kernel_arg(kernel, first + i, sizeof(cl_mem),
                                   x->kind == CB_USER_IMAGE ? &x->image : &a->buffer, err);
    }
    return status;
}
