/* SPDX-License-Identifier: Apache-2.0
 *
 * Delaunay mesh refinement (LonestarGPU's dmr): input, buffers and check. The kernels are dmr.cl,
 * and paper.cl of the paper's variant.
 */
#include <stdlib.h>
#include <string.h>

#include "apps/dmr/check.h"
#include "apps/dmr/points.h"
#include "apps/host/app.h"
#include "kernels/coop_abi.h"

/* Triangles that there may be, for each of the input: of random points there are 5 times as many at
 * the end; where points are near each other, or near a line, up to 60 times, but not of millions.
 */
#define ROOM_EVEN   8u
#define ROOM_UNEVEN 64u
#define ROOM_MORE   (1u << 22)
#define ROOM_LEAST  (1u << 14)
#define ROOM_GONE   4u /* times as many where those that are replaced stay */

enum {
    FIRST_CORNERS,
    FIRST_LINKS,
    POINTS,
    CORNERS,
    LINKS,
    MARKS,
    LISTED,
    LISTS,
    ROOMS,
    WORDS,
    DIGESTS,
    BUFFERS
};

struct dmr {
    struct cb_session *session;
    struct cb_dmr_mesh input;
    bool gone_stay; /* triangles that are replaced stay where they are: paper.cl */
    cl_uint triangle_room;
    struct cb_dmr_mesh mesh; /* that was read last, for its check */
    cl_mem buffers[BUFFERS];
    size_t bytes[BUFFERS];
};

static void dmr_close(void *state)
{
    struct dmr *d = state;
    if (!d)
        return;
    for (int i = 0; i < BUFFERS; i++)
        if (d->buffers[i])
            clReleaseMemObject(d->buffers[i]);
    cb_dmr_mesh_free(&d->input);
    cb_dmr_mesh_free(&d->mesh);
    free(d);
}

static uint32_t room_for(const struct dmr *d)
{
    uint32_t triangles = d->input.n_triangles;
    uint32_t more = triangles < ROOM_MORE / ROOM_UNEVEN ? ROOM_UNEVEN * triangles : ROOM_MORE;
    return (ROOM_EVEN * triangles + more + ROOM_LEAST) * (d->gone_stay ? ROOM_GONE : 1);
}

static enum cb_status make_input(struct dmr *d, const char *input, struct cb_err *err)
{
    struct cb_dmr_point *points;
    uint32_t n;
    enum cb_status status = cb_dmr_points(input, &points, &n, err);
    if (status == CB_OK)
        status = cb_dmr_triangulate(points, n, &d->input, err);
    free(points);
    return status;
}

static size_t rooms_words(const struct dmr *d, size_t max_groups)
{
    if (d->gone_stay)
        return DMR_PAPER_ROOM_WORDS((size_t)d->triangle_room) +
               max_groups * DMR_PAPER_ITEMS * DMR_PAPER_ROOM_WORDS(DMR_PAPER_CAVITY);
    size_t slice = DMR_SHARE * max_groups;
    return DMR_LARGE_WORDS((size_t)d->triangle_room) +
           (slice < DMR_SLICE ? slice : DMR_SLICE) * DMR_ROOM_WORDS(DMR_CAVITY);
}

/* There are two more points than triangles at most: a new point makes one or two. */
static enum cb_status create_buffers(struct dmr *d, size_t max_groups, struct cb_err *err)
{
    const size_t input = 16 * (size_t)d->input.n_triangles, room = d->triangle_room;
    const size_t bytes[BUFFERS] = {
        [FIRST_CORNERS] = input,
        [FIRST_LINKS] = input,
        [POINTS] = (room + 2) * sizeof(struct cb_dmr_point),
        [CORNERS] = 16 * room,
        [LINKS] = 16 * room,
        [MARKS] = 4 * room,
        [LISTED] = 4 * (d->gone_stay ? 1 : room),
        [LISTS] = 2 * 4 * room,
        [ROOMS] = 4 * rooms_words(d, max_groups),
        [WORDS] = 4 * DMR_WORDS,
        [DIGESTS] = 4 * COOP_MAX_RUNS,
    };
    memcpy(d->bytes, bytes, sizeof bytes);
    return cb_buffers_create(d->session, bytes, BUFFERS, d->buffers, err);
}

/* Room for all meshes that are read, once: new pages cost as much as what is read into them. */
static bool make_room(struct cb_dmr_mesh *mesh, size_t room)
{
    mesh->points = malloc((room + 2) * sizeof *mesh->points);
    mesh->corners = malloc(16 * room);
    mesh->links = malloc(16 * room);
    return mesh->points && mesh->corners && mesh->links;
}

static enum cb_status write_input(struct dmr *d, struct cb_err *err)
{
    size_t points = d->input.n_points * sizeof *d->input.points;
    if (cb_buffer_write(d->session, d->buffers[POINTS], d->input.points, points, err) != CB_OK ||
        cb_buffer_write(d->session, d->buffers[FIRST_CORNERS], d->input.corners,
                        d->bytes[FIRST_CORNERS], err) != CB_OK)
        return err->status;
    return cb_buffer_write(d->session, d->buffers[FIRST_LINKS], d->input.links,
                           d->bytes[FIRST_LINKS], err);
}

static enum cb_status open_variant(struct cb_session *session, const char *input, size_t max_groups,
                                   bool gone_stay, void **state, struct cb_err *err)
{
    struct dmr *d = calloc(1, sizeof *d);
    *state = d;
    if (!d)
        return cb_no_memory(err);
    d->session = session;
    d->gone_stay = gone_stay;
    if (make_input(d, input, err) != CB_OK)
        return err->status;
    d->triangle_room = room_for(d);
    if (!make_room(&d->mesh, d->triangle_room))
        return cb_no_memory(err);
    if (create_buffers(d, max_groups, err) != CB_OK)
        return err->status;
    return write_input(d, err);
}

static enum cb_status dmr_open(struct cb_session *session, const char *input, size_t max_groups,
                               void **state, struct cb_err *err)
{
    return open_variant(session, input, max_groups, false, state, err);
}

static enum cb_status paper_open(struct cb_session *session, const char *input, size_t max_groups,
                                 void **state, struct cb_err *err)
{
    return open_variant(session, input, max_groups, true, state, err);
}

static size_t dmr_args(void *state, struct cb_kernel_value *values, size_t room)
{
    struct dmr *d = state;
    cl_uint *const numbers[] = {&d->input.n_points, &d->input.n_triangles, &d->triangle_room};
    if (room < BUFFERS + CB_COUNTOF(numbers))
        return 0;
    for (int i = 0; i < BUFFERS; i++)
        values[i] = (struct cb_kernel_value){sizeof(cl_mem), &d->buffers[i]};
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        values[BUFFERS + i] = (struct cb_kernel_value){sizeof(cl_uint), numbers[i]};
    return BUFFERS + CB_COUNTOF(numbers);
}

static enum cb_status dmr_clear(void *state, struct cb_err *err)
{
    struct dmr *d = state;
    return cb_buffer_clear(d->session, d->buffers[DIGESTS], d->bytes[DIGESTS], err);
}

/* ---- The check ------------------------------------------------------------------------------- */

static enum cb_status read_counts(struct dmr *d, struct cb_err *err)
{
    uint32_t words[DMR_WORDS];
    if (cb_buffer_read(d->session, d->buffers[WORDS], words, sizeof words, err) != CB_OK)
        return err->status;
    if (words[DMR_STOP] == DMR_FULL)
        return cb_fail(err, CB_ERROR,
                       "dmr: there is room for %u triangles, and the mesh needs more to have no "
                       "angle below 30 degrees",
                       d->triangle_room);
    d->mesh.n_points = words[DMR_POINTS];
    d->mesh.n_triangles = words[DMR_TRIANGLES];
    return CB_OK;
}

static enum cb_status read_mesh(struct dmr *d, struct cb_err *err)
{
    struct cb_dmr_mesh *mesh = &d->mesh;
    size_t points = mesh->n_points * sizeof *mesh->points, words = 16 * (size_t)mesh->n_triangles;
    if (cb_buffer_read(d->session, d->buffers[POINTS], mesh->points, points, err) != CB_OK ||
        cb_buffer_read(d->session, d->buffers[CORNERS], mesh->corners, words, err) != CB_OK)
        return err->status;
    return cb_buffer_read(d->session, d->buffers[LINKS], mesh->links, words, err);
}

static enum cb_status check_mesh(struct dmr *d, struct cb_sample *sample, struct cb_err *err)
{
    struct cb_dmr_mesh *mesh = &d->mesh;
    if (!cb_sample_check(
            sample, mesh->n_triangles <= d->triangle_room && mesh->n_points <= d->triangle_room + 2,
            "%u triangles and %u points, more than there is room for", mesh->n_triangles,
            mesh->n_points))
        return CB_OK;
    if (read_mesh(d, err) != CB_OK)
        return err->status;
    if (d->gone_stay)
        cb_dmr_mesh_compact(mesh);
    if (!cb_dmr_check_mesh(mesh, &d->input, sample))
        return cb_no_memory(err);
    if (!sample->failure[0])
        cb_dmr_check_angles(mesh, sample);
    return CB_OK;
}

static enum cb_status dmr_check(void *state, unsigned runs, struct cb_sample *sample,
                                struct cb_err *err)
{
    struct dmr *d = state;
    if (read_counts(d, err) != CB_OK || check_mesh(d, sample, err) != CB_OK)
        return err->status;
    cb_sample_add(sample, "result", d->mesh.n_triangles);
    return cb_app_check_digests(d->session, d->buffers[DIGESTS], runs, DMR_RIGHT, sample, err);
}

/* Counts triangles of the input: how many there are at the end depends on the order of work. */
static double count_triangles(void *state)
{
    return ((struct dmr *)state)->input.n_triangles;
}

/* What both variants say. */
#define DMR_APP                                                                                    \
    .id = "dmr", .inputs_help = CB_DMR_INPUTS_HELP,                                                \
    .inputs = {{"r1m", {"150", "10000", "500000"}}, {"r5m", {"300", "50000", "2500000"}}},         \
    .slow_check = true, .cpu_wg_size = 32, .draw_input = cb_dmr_draw, .args = dmr_args,            \
    .clear = dmr_clear, .check = dmr_check, .close = dmr_close, .work = "triangles",               \
    .count_work = count_triangles, .result = {"triangle", "triangles"}

static const struct cb_app paper = {
    DMR_APP,
    .summary = "Delaunay mesh refinement, a bad triangle of the list for each work-item",
    .source = "OOPSLA'16 Section 5.3, LonestarGPU's dmr",
    .kernel = "apps/dmr/paper.cl",
    .gpu_wg_size = 256,
    .open = paper_open,
};

const struct cb_app cb_app_dmr = {
    DMR_APP,
    .summary = "Delaunay mesh refinement until no angle is below 30 degrees",
    .source = "OOPSLA'16 Section 5.3, in the role of LonestarGPU's dmr",
    .kernel = "apps/dmr/dmr.cl",
    .gpu_wg_size = 1024,
    .open = dmr_open,
    .paper = &paper,
};
