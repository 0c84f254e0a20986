/* SPDX-License-Identifier: Apache-2.0
 *
 * A setup: a file that makes an app or a task of a user's kernel (docs/setup.schema.json). It names
 * the kernel, and says what its arguments are; their types are the kernel's. A file may hold those
 * of several kernels, which the command line names. Then the path of one is "FILE.json#KERNEL.cl",
 * or "FILE.json#KERNEL.cl:NAME".
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "apps/host/element.h"
#include "apps/host/pace.h"
#include "measure/bench.h"
#include "measure/identity.h"
#include "runtime/host/error.h"
#include "runtime/merge/merge.h"

#define CB_SETUP_ENDING ".json"
#define CB_SETUP_ID     48 /* room for a name */
#define CB_SETUP_PATH   1024

/* "periodic", ...: by CB_ARRIVALS_PERIODIC, ... "file" is no word of a setup's. */
extern const char *const cb_setup_arrivals[];

/* How the numbers of a member begin, in the elements of a buffer one after the other. */
struct cb_setup_rule {
    enum cb_setup_fill { CB_FILL_ZERO, CB_FILL_IOTA, CB_FILL_RANDOM, CB_FILL_VALUES } fill;
    size_t first, step; /* iota: its first number, and how many more an element's next has */
    uint64_t seed;
    double below;    /* random: from 0 on, up to but not with this */
    double *values;  /* of the member's numbers in each element, or */
    size_t n_values; /* 1: of all of them */
    bool is_left;    /* another member of a union is there */
    bool is_given;   /* by the setup, for this member */
};

/* Numbers of a pixel, by the names of CB_PIXELS. */
#define CB_PIXELS(X)                                                                               \
    X(UNORM8, "unorm8", 'u', 1)                                                                    \
    X(SNORM8, "snorm8", 'i', 1)                                                                    \
    X(UINT8, "uint8", 'u', 1)                                                                      \
    X(INT8, "int8", 'i', 1)                                                                        \
    X(UNORM16, "unorm16", 'u', 2)                                                                  \
    X(SNORM16, "snorm16", 'i', 2)                                                                  \
    X(UINT16, "uint16", 'u', 2)                                                                    \
    X(INT16, "int16", 'i', 2)                                                                      \
    X(UINT32, "uint32", 'u', 4)                                                                    \
    X(INT32, "int32", 'i', 4)                                                                      \
    X(HALF, "half", 'f', 2)                                                                        \
    X(FLOAT, "float", 'f', 4)
#define CB_PIXELS_ONE(id, name, kind, size) CB_PIXELS_##id,
enum cb_setup_pixels { CB_PIXELS(CB_PIXELS_ONE) };

/* A size is 1 where the kind of image has none. */
enum { CB_WIDTH, CB_HEIGHT, CB_DEPTH, CB_LAYERS, CB_IMAGE_SIZES };
extern const char *const cb_setup_sizes[CB_IMAGE_SIZES]; /* "width", ... */

struct cb_setup_sampler {
    enum { CB_FILTER_NEAREST, CB_FILTER_LINEAR } filter;
    enum {
        CB_ADDRESS_NONE,
        CB_ADDRESS_CLAMP,
        CB_ADDRESS_EDGE,
        CB_ADDRESS_REPEAT,
        CB_ADDRESS_MIRRORED
    } addressing;
    bool normalized;
};

struct cb_setup_argument {
    char *name;
    struct cb_layout layout;
    bool is_pointer, is_local;   /* is_local: a pointer to local memory */
    size_t bytes;                /* size of the buffer, or of the value */
    struct cb_setup_rule *rules; /* one for each member of the layout; NULL: of local memory */
    unsigned char *begin;        /* a value, or the contents of a file; NULL: as the rules say */
    unsigned char *expect;       /* what it must be in the end, of `bytes`; NULL: no file says it */
    bool is_checked;
    /* An image's contents are those of a buffer whose elements are its pixels, row after row. */
    size_t sizes[CB_IMAGE_SIZES];
    enum cb_setup_pixels pixels;
    struct cb_setup_sampler sampler;
};

static inline bool cb_setup_is_buffer(const struct cb_setup_argument *a)
{
    return a->is_pointer && !a->is_local;
}

static inline bool cb_setup_is_image(const struct cb_setup_argument *a)
{
    return a->layout.image.type;
}

/* Whether it is a value, which a launch packet has. */
static inline bool cb_setup_is_value(const struct cb_setup_argument *a)
{
    return !a->is_pointer && !cb_layout_is_opaque(&a->layout);
}

/* Whether it has contents, which a kernel may change. */
static inline bool cb_setup_has_contents(const struct cb_setup_argument *a)
{
    return cb_setup_is_buffer(a) || cb_setup_is_image(a);
}

/* Reads a file of elements: raw bytes; NumPy's .npy, of the same type; .txt and .csv, numbers with
 * spaces, commas or semicolons between them. data: the caller's to free. CB_USAGE: why it is none.
 */
enum cb_status cb_setup_load(const char *path, const struct cb_layout *layout, unsigned char **data,
                             size_t *size, struct cb_err *err);

/* Whether an image of this kind has a size of its own. */
static inline bool cb_image_has(const struct cb_image *image, unsigned size)
{
    return size == CB_LAYERS ? image->is_array : size < image->dimensions;
}

/* Reads a file of an image's pixels: .png, of two dimensions, or one of cb_setup_load(). sizes: 0
 * where they are not known yet, which .png and .npy tell. */
enum cb_status cb_setup_load_image(const char *path, const struct cb_layout *layout,
                                   size_t sizes[CB_IMAGE_SIZES], unsigned char **data, size_t *size,
                                   struct cb_err *err);

#define CB_SETUP_ARGUMENTS CB_MERGE_PARAMETERS
#define CB_SETUP_CHILDREN  8

/* A format of what is refused: a parameter's type, and why. */
#define CB_SETUP_NOT_KNOWN "the kernel says \"%s\": %s"

/* Why a parameter's type is none of a setup; NULL: it is one. */
const char *cb_setup_refuses(const struct cb_merge_parameter *parameter, bool is_task);

/* Range of a task. dimensions 0: the setup is an app's. */
struct cb_setup_range {
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
};

struct cb_setup {
    char id[CB_SETUP_ID]; /* the file's name, without its ending; of several kernels, this one's */
    char *file;
    char *summary;
    char *kernel;      /* path, as one that can be opened */
    char *kernel_name; /* NULL: the only one */
    char *own_name;    /* name of the kernel where no path has it */
    char *options;     /* build options of the kernel and its children; "": none */
    struct cb_setup_child {
        char *path, *name;         /* path and name of a child, as of the kernel */
    } children[CB_SETUP_CHILDREN]; /* tasks that it submits */
    unsigned n_children;
    unsigned cpu_wg_size, gpu_wg_size;
    unsigned required_wg_size; /* by the kernel of an app; 0: it takes any */
    double tolerance;          /* relative tolerance of floating-point numbers */
    bool nan_bits;             /* one that is no number has to have the same bits */
    bool is_fresh;             /* each run of the task begins as the first does */
    struct cb_setup_range range;
    struct cb_arrivals arrivals; /* how tasks arrive */
    double *times_ns;            /* times that these refer to; NULL: none */
    struct cb_setup_argument arguments[CB_SETUP_ARGUMENTS];
    unsigned n_arguments;
    char *text;
    cJSON *tree;
    const cJSON *entry; /* the part of it that is of this kernel */
};

/* Whether a path ends as that of a setup, or is that of one of several. */
bool cb_setup_is(const char *path);

/* The path of a kernel's setup among those of a file. CB_USAGE: the file's is none, or too long. */
enum cb_status cb_setup_path(const char *file, const char *kernel, char path[CB_SETUP_PATH],
                             struct cb_err *err);

/* The kernel of such a path; NULL: it is another one. */
const char *cb_setup_kernel(const char *path);

/* Reads all but the arguments. CB_USAGE: file, line and reason. */
enum cb_status cb_setup_read(const char *path, struct cb_setup *setup, struct cb_err *err);

/* Then those of the kernel's parameters, whose layouts the setup takes. */
enum cb_status cb_setup_read_arguments(struct cb_setup *setup, struct cb_merge_kernel *kernel,
                                       struct cb_err *err);

/* Writes what an app's merged program has to begin with: how many elements its arguments in local
 * memory have. */
void cb_setup_write_counts(const struct cb_setup *setup, FILE *out);

/* What the program of an app is merged of: its kernel, then its children. Returns how many. */
int cb_setup_sources(const struct cb_setup *setup,
                     struct cb_merge_source sources[1 + CB_SETUP_CHILDREN]);

/* The digest of all that the setup says, and of its files. */
uint64_t cb_setup_digest(const struct cb_setup *setup);

/* The setup's identity, as an input has one, with a hash of the texts of its kernel and children as
 * they are now, with what they include. */
struct cb_identity cb_setup_identity(const struct cb_setup *setup);

/* The name that its rows are called by, of a file or a kernel. CB_USAGE: it is none for rows. */
enum cb_status cb_setup_name(const char *path, char id[CB_SETUP_ID], struct cb_err *err);

/* What is known of a first setup. */
struct cb_first {
    bool is_tried;     /* false: there was no CPU device, or it submits tasks */
    double launch_ns;  /* of a launch there, if it went well */
    char trouble[512]; /* if it did not: why */
};

/* Adds to an object what a first setup says of a kernel, which is merged of this source: sizes with
 * which a launch stays within its buffers, if that can be tried and there are such. */
enum cb_status cb_setup_first(const struct cb_merge_source *source,
                              const struct cb_merge_kernel *kernel, cJSON *setup,
                              struct cb_first *told, struct cb_err *err);

/* After the end of each buffer, in which a kernel has nothing to write. */
#define CB_SETUP_GUARD_BYTES 4096

/* The bytes of a buffer with its guard. */
static inline size_t cb_setup_guarded(const struct cb_setup_argument *argument)
{
    return argument->bytes + CB_SETUP_GUARD_BYTES;
}

/* Writes the guard of a buffer of so many bytes. */
void cb_setup_guard(const struct cb_setup_argument *argument, void *to);

/* What a buffer begins with. to: of `bytes`. */
void cb_setup_fill(const struct cb_setup_argument *argument, void *to);

/* Fills a part of a buffer that is as large as is needed: `bytes` from `at` on, zero before its
 * begin. */
void cb_setup_fill_part(const struct cb_setup_argument *argument, int64_t at, void *to,
                        size_t bytes);

/* Whether `found`, with its guard, is as it must be: unwritten after its end, and like `expected`
 * (`whose` that is), which is that of as many runs; and whether one run, which left `once`, is like
 * its file. */
void cb_setup_check(const struct cb_setup *setup, unsigned argument, const unsigned char *found,
                    const unsigned char *expected, const unsigned char *once, const char *whose,
                    struct cb_sample *sample);

void cb_setup_free(struct cb_setup *setup);
