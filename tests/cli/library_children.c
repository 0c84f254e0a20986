/* SPDX-License-Identifier: Apache-2.0
 *
 * library_children DEVICE FOLDER: fixtures/cooperative/parents.cl, whose workgroups submit
 * fixtures/fill.cl, by the library. For tests/cli/test_library.sh.
 */
#include <coopbench.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 40u
#define ITEMS  128u
#define ROUNDS 3u

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != COOPBENCH_OK) {                                                              \
            fprintf(stderr, "%s\n", coopbench_message(c));                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static coopbench *c;
static unsigned sums[BLOCKS];

static void merge(const char *folder)
{
    char kernel[512], task[512], message[1024];
    const char *const files[] = {kernel, task};
    snprintf(kernel, sizeof kernel, "%s/cooperative/parents.cl", folder);
    snprintf(task, sizeof task, "%s/fill.cl", folder);
    if (coopbench_merge(files, 2, "children.cl", message, sizeof message) == COOPBENCH_OK)
        return;
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static coopbench_buffer reserve(size_t bytes)
{
    coopbench_buffer buffer;
    CHECK(coopbench_reserve(c, bytes, &buffer));
    return buffer;
}

static unsigned sum_of(unsigned block)
{
    unsigned sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = block * ITEMS; i < (block + 1) * ITEMS; i++) {
            unsigned x = i * 2654435761u ^ round;
            sum += x ^ x >> 15;
        }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    merge(argv[2]);
    const struct coopbench_options options = {.device = argv[1]};
    const unsigned blocks = BLOCKS, items = ITEMS, rounds = ROUNDS;
    unsigned wrong = 0, refused;
    CHECK(coopbench_open(&options, &c));
    coopbench_buffer out = reserve(sizeof sums), full = reserve(sizeof refused);
    CHECK(coopbench_load(c, "children.cl"));
    const struct coopbench_argument arguments[] = {COOPBENCH_BUFFER(reserve(4 * BLOCKS * ITEMS)),
                                                   COOPBENCH_BUFFER(out),
                                                   COOPBENCH_BUFFER(full),
                                                   COOPBENCH_VALUE(blocks),
                                                   COOPBENCH_VALUE(items),
                                                   COOPBENCH_VALUE(rounds)};
    CHECK(coopbench_arguments(c, arguments, 6));
    CHECK(coopbench_start(c, NULL));
    CHECK(coopbench_stop(c, NULL));
    CHECK(coopbench_read(c, out, sums, sizeof sums));
    CHECK(coopbench_read(c, full, &refused, sizeof refused));
    for (unsigned b = 0; b < BLOCKS; b++)
        wrong += sums[b] != sum_of(b);
    printf("%u sums are wrong, %u of %u children refused\n", wrong, refused, BLOCKS * ROUNDS);
    coopbench_close(c);
    return wrong || refused == BLOCKS * ROUNDS;
}
