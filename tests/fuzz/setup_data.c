/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of numbers of a setup: the first line is the ending of the name, a blank, and the type of
 * the elements; the rest is the file.
 */
#include "apps/host/setup.h"
#include "tests/fuzz/fuzz.h"

static const char *const endings[] = {"npy", "txt", "csv", "bin"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *head = fuzz_head(&data, &size), *type = strchr(head, ' ');
    unsigned char *numbers = NULL;
    char name[32];
    struct cb_element element;
    struct cb_err err;
    bool is_pointer;
    if (!type || !cb_element_read(type + 1, &element, &is_pointer))
        return 0;
    for (size_t i = 0; i < CB_COUNTOF(endings); i++) {
        if (strncmp(endings[i], head, 3) != 0 || type != head + 3)
            continue;
        snprintf(name, sizeof name, "data.%s", endings[i]);
        cb_setup_load(fuzz_file(name, data, size), &element, &numbers, &size, &err);
        free(numbers);
    }
    return 0;
}
