/* SPDX-License-Identifier: Apache-2.0
 *
 * An image filter beside a breadth-first search: while the search goes through a grid, pictures
 * come in, and each is blurred by a part of its workgroups.
 *
 *     cc filter.c $(pkg-config --cflags --libs coopbench) -o filter && ./filter gpu .
 */
#include <math.h>

#include "example.h"

#define SIDE     300u /* of the grid */
#define WIDTH    512u
#define HEIGHT   384u
#define PICTURES 20

static unsigned rows[SIDE * SIDE + 1], targets[4 * SIDE * SIDE], levels[SIDE * SIDE];
static float picture[HEIGHT][WIDTH], blurred[HEIGHT][WIDTH];

/* Each vertex has an edge to its neighbours. */
static void make_grid(void)
{
    unsigned edges = 0;
    for (unsigned v = 0; v < SIDE * SIDE; v++) {
        unsigned x = v % SIDE, y = v / SIDE;
        if (x > 0)
            targets[edges++] = v - 1;
        if (x + 1 < SIDE)
            targets[edges++] = v + 1;
        if (y > 0)
            targets[edges++] = v - SIDE;
        if (y + 1 < SIDE)
            targets[edges++] = v + SIDE;
        rows[v + 1] = edges;
        levels[v] = v == 0 ? 0 : ~0u;
    }
}

static unsigned count_wrong(void)
{
    unsigned wrong = 0;
    for (unsigned v = 0; v < SIDE * SIDE; v++)
        wrong += levels[v] != v % SIDE + v / SIDE;
    for (unsigned y = 1; y + 1 < HEIGHT; y++)
        for (unsigned x = 1; x + 1 < WIDTH; x++) {
            float sum = 0;
            for (unsigned i = 0; i < 9; i++)
                sum += picture[y - 1 + i / 3][x - 1 + i % 3];
            wrong += !(fabsf(blurred[y][x] - sum / 9) < 1e-4f);
        }
    return wrong;
}

int main(int argc, char **argv)
{
    make_grid();
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        picture[i / WIDTH][i % WIDTH] = (float)(i * 2654435761u >> 8) / (1 << 24);
    coopbench *c = open_program(argc, argv, "levels.cl", "blur.cl");
    const unsigned n = SIDE * SIDE, width = WIDTH, height = HEIGHT;
    coopbench_buffer level = buffer_of(c, levels, sizeof levels);
    coopbench_buffer out = buffer_of(c, NULL, sizeof blurred);
    const struct coopbench_argument search[] = {
        COOPBENCH_BUFFER(buffer_of(c, rows, sizeof rows)),
        COOPBENCH_BUFFER(buffer_of(c, targets, sizeof targets)), COOPBENCH_BUFFER(level),
        COOPBENCH_BUFFER(buffer_of(c, NULL, 3 * sizeof(unsigned))), COOPBENCH_VALUE(n)};
    const struct coopbench_argument filter[] = {
        COOPBENCH_BUFFER(buffer_of(c, picture, sizeof picture)), COOPBENCH_BUFFER(out),
        COOPBENCH_VALUE(width), COOPBENCH_VALUE(height)};
    unsigned workers, number;
    struct coopbench_report report;
    double slowest = 0;

    CHECK(coopbench_arguments(c, search, 5));
    CHECK(coopbench_workers(c, &workers));
    CHECK(coopbench_start(c, NULL));
    const struct coopbench_task task = {.kernel = "blur",
                                        .workers = (workers + 3) / 4,
                                        .dimensions = 2,
                                        .global = {WIDTH, HEIGHT},
                                        .local = {16, 4},
                                        .arguments = filter,
                                        .n_arguments = 4};
    for (int i = 0; i < PICTURES; i++) {
        CHECK(coopbench_submit(c, &task, &number));
        CHECK(coopbench_await(c, number, &report));
        slowest = fmax(slowest, report.answer_s);
    }
    struct coopbench_result result;
    CHECK(coopbench_stop(c, &result));
    CHECK(coopbench_read(c, level, levels, sizeof levels));
    CHECK(coopbench_read(c, out, blurred, sizeof blurred));
    printf("%d pictures beside a search of %.0f ms by %u workgroups, each in at most %.1f ms\n",
           PICTURES, result.seconds * 1e3, workers, slowest * 1e3);
    printf("%u values are wrong\n", count_wrong());
    coopbench_close(c);
    return count_wrong() ? 1 : 0;
}
