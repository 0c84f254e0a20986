/* SPDX-License-Identifier: Apache-2.0 */
#include "apps/host/user_image.h"

#include "runtime/cl.h"
#include "runtime/neighbours/room.h"

#define MOST_FORMATS 512 /* of a kind of image: no device has as many */

/* ---- What a device has ----------------------------------------------------------------------- */

/* OpenCL's name of a kind, and the limits of its sizes; 0: it has none. */
struct kind {
    cl_mem_object_type type;
    cl_device_info most[CB_IMAGE_SIZES];
};

static struct kind kind_of(const struct cb_image *image)
{
    static const struct kind kinds[][2] = {
        {{CL_MEM_OBJECT_IMAGE1D, {CL_DEVICE_IMAGE2D_MAX_WIDTH}},
         {CL_MEM_OBJECT_IMAGE1D_ARRAY,
          {CL_DEVICE_IMAGE2D_MAX_WIDTH, 0, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}}},
        {{CL_MEM_OBJECT_IMAGE2D, {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT}},
         {CL_MEM_OBJECT_IMAGE2D_ARRAY,
          {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0,
           CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}}},
        {{CL_MEM_OBJECT_IMAGE3D,
          {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT,
           CL_DEVICE_IMAGE3D_MAX_DEPTH}}},
    };
    return kinds[image->dimensions - 1][image->is_array];
}

static enum cb_status check_size(const struct cb_session *s, cl_device_info limit, size_t size,
                                 const char *what, struct cb_err *err)
{
    size_t most = 0;
    if (CB_CL(err, clGetDeviceInfo(s->device, limit, sizeof most, &most, NULL)) != CB_OK)
        return err->status;
    return size <= most ? CB_OK
                        : cb_fail(err, CB_UNSUPPORTED,
                                  "its %s is %zu, and on %s at most %zu: give a smaller image",
                                  what, size, s->info.name, most);
}

/* Whether the device can have it at all. */
static enum cb_status check_device(const struct cb_session *s, const struct cb_setup_argument *a,
                                   struct cb_err *err)
{
    static const char *const names[CB_IMAGE_SIZES] = {"width", "height", "depth",
                                                      "number of layers"};
    const struct kind kind = kind_of(&a->layout.image);
    for (unsigned i = 0; i < CB_IMAGE_SIZES; i++)
        if (kind.most[i] && check_size(s, kind.most[i], a->sizes[i], names[i], err) != CB_OK)
            return err->status;
    if (a->layout.image.is_written && a->layout.image.dimensions == 3 &&
        !cb_device_has_extension(s->device, "cl_khr_3d_image_writes"))
        return cb_fail(err, CB_UNSUPPORTED, "%s writes no image3d_t (cl_khr_3d_image_writes)",
                       s->info.name);
    return CB_OK;
}

static enum cb_status check_support(const struct cb_session *s, struct cb_err *err)
{
    cl_bool has = CL_FALSE;
    if (CB_CL(err, clGetDeviceInfo(s->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL)) !=
        CB_OK)
        return err->status;
    return has ? CB_OK
               : cb_fail(err, CB_UNSUPPORTED,
                         "%s has no images and no samplers (CL_DEVICE_IMAGE_SUPPORT)",
                         s->info.name);
}

/* ---- Formats --------------------------------------------------------------------------------- */

static cl_image_format format_of(const struct cb_setup_argument *a)
{
    static const cl_channel_type types[] = {
        [CB_PIXELS_UNORM8] = CL_UNORM_INT8,     [CB_PIXELS_SNORM8] = CL_SNORM_INT8,
        [CB_PIXELS_UINT8] = CL_UNSIGNED_INT8,   [CB_PIXELS_INT8] = CL_SIGNED_INT8,
        [CB_PIXELS_UNORM16] = CL_UNORM_INT16,   [CB_PIXELS_SNORM16] = CL_SNORM_INT16,
        [CB_PIXELS_UINT16] = CL_UNSIGNED_INT16, [CB_PIXELS_INT16] = CL_SIGNED_INT16,
        [CB_PIXELS_UINT32] = CL_UNSIGNED_INT32, [CB_PIXELS_INT32] = CL_SIGNED_INT32,
        [CB_PIXELS_HALF] = CL_HALF_FLOAT,       [CB_PIXELS_FLOAT] = CL_FLOAT};
    const unsigned width = a->layout.members[0].element.width;
    return (cl_image_format){width == 1 ? CL_R : width == 2 ? CL_RG : CL_RGBA, types[a->pixels]};
}

static enum cb_status check_format(const struct cb_session *s, const struct cb_setup_argument *a,
                                   cl_mem_flags flags, struct cb_err *err)
{
    const cl_mem_object_type type = kind_of(&a->layout.image).type;
    const cl_image_format wanted = format_of(a);
    cl_image_format all[MOST_FORMATS] = {{0}};
    cl_uint n = 0;
    bool found = false;
    if (CB_CL(err, clGetSupportedImageFormats(s->context, flags, type, MOST_FORMATS, all, &n)) !=
        CB_OK)
        return err->status;
    for (cl_uint i = 0; i < n && i < MOST_FORMATS; i++)
        found |= all[i].image_channel_order == wanted.image_channel_order &&
                 all[i].image_channel_data_type == wanted.image_channel_data_type;
    if (found)
        return CB_OK;
    return cb_fail(err, CB_UNSUPPORTED,
                   "%s has no %s of these \"channels\" and this \"type\": \"rgba\" of \"unorm8\", "
                   "\"uint8\", \"int8\" and \"float\" are on all devices with images",
                   s->info.name, a->layout.image.type);
}

/* ---- Create and release ---------------------------------------------------------------------- */

static enum cb_status create_image(struct cb_session *s, const struct cb_setup_argument *a,
                                   cl_mem *memory, struct cb_err *err)
{
    const cl_mem_flags flags = a->layout.image.is_written ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY;
    const cl_image_format format = format_of(a);
    const cl_image_desc desc = {.image_type = kind_of(&a->layout.image).type,
                                .image_width = a->sizes[CB_WIDTH],
                                .image_height = a->sizes[CB_HEIGHT],
                                .image_depth = a->sizes[CB_DEPTH],
                                .image_array_size = a->sizes[CB_LAYERS]};
    cl_int code = CL_SUCCESS;
    if (check_device(s, a, err) != CB_OK || check_format(s, a, flags, err) != CB_OK ||
        cb_room_check(&s->info, a->bytes, err) != CB_OK)
        return err->status;
    *memory = clCreateImage(s->context, flags, &format, &desc, NULL, &code);
    if (CB_CL_CODE(err, code, "clCreateImage") != CB_OK)
        return cb_room_explain(&s->info, a->bytes, code, err);
    return *memory ? CB_OK : cb_fail(err, CB_ERROR, "clCreateImage: no image, and no error");
}

static enum cb_status create_sampler(struct cb_session *s, const struct cb_setup_sampler *as,
                                     cl_sampler *sampler, struct cb_err *err)
{
    static const cl_addressing_mode ways[] = {[CB_ADDRESS_NONE] = CL_ADDRESS_NONE,
                                              [CB_ADDRESS_CLAMP] = CL_ADDRESS_CLAMP,
                                              [CB_ADDRESS_EDGE] = CL_ADDRESS_CLAMP_TO_EDGE,
                                              [CB_ADDRESS_REPEAT] = CL_ADDRESS_REPEAT,
                                              [CB_ADDRESS_MIRRORED] = CL_ADDRESS_MIRRORED_REPEAT};
    cl_int code = CL_SUCCESS;
    *sampler = clCreateSampler(
        s->context, as->normalized, ways[as->addressing],
        as->filter == CB_FILTER_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
    if (CB_CL_CODE(err, code, "clCreateSampler") != CB_OK)
        return err->status;
    return *sampler ? CB_OK : cb_fail(err, CB_ERROR, "clCreateSampler: no sampler, and no error");
}

enum cb_status cb_user_image_create(struct cb_session *s, const struct cb_setup *setup, unsigned i,
                                    struct cb_user_image *image, struct cb_err *err)
{
    const struct cb_setup_argument *a = &setup->arguments[i];
    *image = (struct cb_user_image){0};
    enum cb_status status = check_support(s, err);
    if (status == CB_OK)
        status = a->layout.is_sampler ? create_sampler(s, &a->sampler, &image->sampler, err)
                                      : create_image(s, a, &image->memory, err);
    return status == CB_OK ? CB_OK : cb_context(err, "%s: %s", setup->id, a->name);
}

void cb_user_image_release(struct cb_user_image *image)
{
    if (image->memory)
        clReleaseMemObject(image->memory);
    if (image->sampler)
        clReleaseSampler(image->sampler);
    *image = (struct cb_user_image){0};
}

struct cb_kernel_value cb_user_image_value(const struct cb_user_image *image)
{
    return image->sampler ? (struct cb_kernel_value){sizeof image->sampler, &image->sampler}
                          : (struct cb_kernel_value){sizeof image->memory, &image->memory};
}

/* ---- Contents -------------------------------------------------------------------------------- */

/* Layers come after the dimensions of one. */
static void region_of(const struct cb_setup_argument *a, size_t region[3])
{
    for (unsigned d = 0; d < 3; d++)
        region[d] = a->sizes[d];
    if (a->layout.image.is_array)
        region[a->layout.image.dimensions] = a->sizes[CB_LAYERS];
}

enum cb_status cb_user_image_write(struct cb_session *s, const struct cb_user_image *image,
                                   const struct cb_setup_argument *a, const void *from,
                                   struct cb_err *err)
{
    static const size_t origin[3];
    size_t region[3];
    region_of(a, region);
    return image->memory ? CB_CL(err, clEnqueueWriteImage(s->queue, image->memory, CL_TRUE, origin,
                                                          region, 0, 0, from, 0, NULL, NULL))
                         : CB_OK;
}

enum cb_status cb_user_image_read(struct cb_session *s, const struct cb_user_image *image,
                                  const struct cb_setup_argument *a, void *to, struct cb_err *err)
{
    static const size_t origin[3];
    size_t region[3];
    if (!image->memory)
        return CB_OK;
    cb_setup_guard(a, to); /* no kernel writes beyond an image */
    region_of(a, region);
    const struct cb_launch_hook *hook = cb_launch_hook_of(s);
    const enum cb_status status =
        CB_CL(err, clEnqueueReadImage(s->queue, image->memory, CL_TRUE, origin, region, 0, 0, to, 0,
                                      NULL, NULL));
    if (hook && status == CB_OK)
        hook->finished(hook->self, s->queue, true);
    return status;
}
