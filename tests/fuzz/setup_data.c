/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of numbers of a setup: the first line is the ending of the name, a blank, and the type of
 * the elements (tests/layouts.h), or "record", and for pixels of an image " image"; the rest is the
 * file.
 */
#include "apps/host/setup.h"
#include "tests/fuzz/fuzz.h"
#include "tests/layouts.h"

static const char *const endings[] = {"npy", "txt", "csv", "bin", "png"};

static const struct cb_layout_member members[] = {
    {.name = "truth", .element = {'b', 1, 1}, .count = 1},
    {.name = "place", .element = {'f', 2, 3}, .offset = 8, .count = 2},
    {.name = "bits", .element = {'u', 4, 1}, .offset = 8, .count = 1, .is_again = true},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *head = fuzz_head(&data, &size), *type = strchr(head, ' ');
    unsigned char *numbers = NULL;
    char name[32];
    size_t sizes[CB_IMAGE_SIZES] = {0, 0, 1, 1};
    struct cb_layout layout;
    struct cb_err err;
    if (!type)
        return 0;
    if (strcmp(type, " record") == 0)
        layout = record_of(24, members, CB_COUNTOF(members));
    else if (!layout_read(type + 1, &layout))
        return 0;
    if (!layout.is_record && strstr(type, " image"))
        layout.image = (struct cb_image){.type = "image2d_t", .dimensions = 2};
    for (size_t i = 0; i < CB_COUNTOF(endings); i++) {
        if (strncmp(endings[i], head, 3) != 0 || type != head + 3)
            continue;
        snprintf(name, sizeof name, "data.%s", endings[i]);
        const char *path = fuzz_file(name, data, size);
        if (layout.image.type)
            cb_setup_load_image(path, &layout, sizes, &numbers, &size, &err);
        else
            cb_setup_load(path, &layout, &numbers, &size, &err);
        free(numbers);
    }
    cb_layout_free(&layout);
    return 0;
}
