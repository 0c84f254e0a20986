/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of accepted changes: read, and added to, after which it has that line.
 */
#include "analysis/history/accept.h"
#include "tests/fuzz/fuzz.h"

static void add_to(const char *path)
{
    struct cb_err err;
    struct cb_accepted accepted = {0};
    int found = 0;
    if (cb_accepted_add(path, "a/b@run-1 time +1.0% why", &err) == CB_OK) {
        fuzz_need(cb_accepted_read(&accepted, path, &err) == CB_OK, "read again");
        for (int i = 0; i < accepted.n; i++)
            found += strcmp(accepted.items[i].case_id, "a/b") == 0 &&
                     strcmp(accepted.items[i].run, "run-1") == 0 &&
                     strcmp(accepted.items[i].metric, "time") == 0;
        fuzz_need(found == 1, "the line");
    }
    cb_accepted_free(&accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("accepted.txt", data, size);
    struct cb_accepted accepted = {0};
    struct cb_err err;
    if (cb_accepted_read(&accepted, path, &err) == CB_OK) {
        cb_accepted_print_warnings(fuzz_sink(), &accepted);
        add_to(path);
    }
    cb_accepted_free(&accepted);
    return 0;
}
