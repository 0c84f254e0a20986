/* SPDX-License-Identifier: Apache-2.0
 *
 * Which device a kernel moves to.
 */
#include "probes/migrate/migrate.h"
#include "tests/unit/unit.h"

static struct cb_device list[] = {
    {.id = "uuid:1", .index = "0:0", .name = "H200", .type = "gpu", .local_mem_bytes = 49152},
    {.id = "name:cpu", .index = "1:0", .name = "cpu-8", .type = "cpu", .local_mem_bytes = 2 << 20},
    {.id = "uuid:2", .index = "0:1", .name = "H200", .type = "gpu", .local_mem_bytes = 49152},
    {.id = "uuid:3", .index = "2:0", .name = "Small", .type = "gpu", .local_mem_bytes = 32768},
};
static const struct cb_devices all = {list, CB_COUNTOF(list), NULL};

/* expected: the id of the device, or how the error begins. */
static void moves_to(const struct cb_device *device, const char *to, enum cb_status expected,
                     const char *text)
{
    const struct cb_device *other;
    struct cb_err err = {CB_OK, ""};
    assert_int_equal(cb_migrate_choose(&all, device, to, &other, &err), expected);
    const char *found = expected == CB_OK ? other->id : err.text;
    if (strncmp(found, text, strlen(text)) != 0)
        fail_msg("%s instead of %s", found, text);
}

/* Without a name it is the first other one of the same kind. */
TEST(first_other)
{
    moves_to(&list[0], NULL, CB_OK, "uuid:2");
    moves_to(&list[2], "", CB_OK, "uuid:1");
    moves_to(&list[1], NULL, CB_UNSUPPORTED,
             "there is no device to move to: cpu-8 is the only one of its kind");
    moves_to(&list[3], NULL, CB_UNSUPPORTED,
             "there is no device to move to: Small is the only one of its kind");
}

TEST(named)
{
    moves_to(&list[0], "0:1", CB_OK, "uuid:2");
    moves_to(&list[0], "uuid:1", CB_USAGE, "to: 0:0 is the device that the app begins on");
    moves_to(&list[0], "cpu", CB_UNSUPPORTED,
             "to: cpu-8 (cpu) is not of the same kind as H200 (gpu)");
    moves_to(&list[0], "name:small", CB_UNSUPPORTED,
             "to: Small (gpu) is not of the same kind as H200 (gpu)");
    moves_to(&list[0], "9:9", CB_UNSUPPORTED, "to: no device matches '9:9'");
    moves_to(&list[3], "name:h200", CB_USAGE, "to: ");
    moves_to(&list[0], "all", CB_OK, "uuid:2"); /* one of them, and not the first device itself */
    moves_to(&list[2], "all", CB_OK, "uuid:1");
    moves_to(&list[1], "all", CB_UNSUPPORTED,
             "to: H200 (gpu) is not of the same kind as cpu-8 (cpu)");
}
