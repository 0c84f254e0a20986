/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory a device has left, and who else uses it.
 */
#include "nvml_fixture.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/text/json.h"
#include "runtime/neighbours/internal.h"
#include "runtime/neighbours/others.h"

/* ---- Room ------------------------------------------------------------------------------------ */

static struct cb_room room_of(const struct cb_device *device)
{
    struct cb_room room;
    struct cb_err err;
    if (cb_room_read(device, getpid(), &room, &err) != CB_OK)
        fail_msg("%s", err.text);
    return room;
}

static struct cb_device gpu_of(double bytes)
{
    struct cb_device device = gpu;
    device.global_mem_bytes = (uint64_t)bytes;
    return device;
}

TEST(room_of_a_gpu)
{
    const struct cb_device whole = gpu_of(990 * MIB), part = gpu_of(200 * MIB);
    set_processes("%u:600:0 0:300:0", OTHER);
    setenv("FAKE_NVML_MEMORY", "100:1000", 1);
    const struct cb_room room = room_of(&whole);
    assert_true(room.total == 1000 * MIB && room.free == 100 * MIB);
    assert_true(room.own == 300 * MIB && room.theirs == 600 * MIB);
    assert_int_equal(room.others, 1);
    assert_true(isnan(room_of(&part).free)); /* NVML tells of the whole GPU */
    set_processes("77777777:600:0");         /* numbers of another name space */
    assert_true(isnan(room_of(&whole).own));
    unsetenv("FAKE_NVML_MEMORY");
    assert_true(isnan(room_of(&whole).free));
    unsetenv("FAKE_NVML_PROCESSES");
}

TEST(room_of_the_host)
{
    const struct cb_room room = room_of(&(struct cb_device){.type = "cpu"});
    assert_true(room.free > 0 && room.free <= room.total);
}

/* 'ulimit -v' leaves a process less than the host has free. */
TEST(room_of_a_limited_process)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        unsigned long long pages = 0;
        struct cb_err err;
        FILE *in = fopen("/proc/self/statm", "r");
        const bool read = in && fscanf(in, "%llu", &pages) == 1;
        const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)(64 * MIB);
        const struct rlimit limit = {most, most};
        const struct cb_device device = {.name = "X", .type = "cpu"};
        _exit(read && setrlimit(RLIMIT_AS, &limit) == 0 &&
                      cb_room_check(&device, (uint64_t)(1024 * MIB), &err) == CB_ERROR &&
                      strstr(err.text, "are missing; this shell allows a process ")
                  ? 0
                  : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
}

static const struct cb_device unknown_gpu = {.name = "X", .type = "gpu", .pci = "0000:01:00.0"};

TEST(room_that_nobody_tells)
{
    struct cb_room room;
    struct cb_err err;
    assert_int_equal(cb_room_read(&unknown_gpu, getpid(), &room, &err), CB_UNSUPPORTED);
    assert_true(isnan(room.free) && room.others == -1);
}

TEST(room_before_it_is_taken)
{
    const struct cb_device device = gpu_of(990 * MIB);
    struct cb_err err;
    setenv("FAKE_NVML_MEMORY", "100:1000", 1);
    set_processes("%u:600:0 0:0:0", OTHER);
    assert_int_equal(cb_room_check(&device, (uint64_t)(50 * MIB), &err), CB_OK);
    assert_int_equal(cb_room_check(&device, (uint64_t)(250 * MIB), &err), CB_ERROR);
    assert_string_equal(err.text,
                        "no room for 250 MiB more on H200: 100 MiB of 1000 MiB are free, 150 MiB "
                        "are missing; 1 other process has 600 MiB (nvidia-smi). Take a smaller "
                        "input (--scale, --input), or wait until the others have ended");
    assert_int_equal(cb_room_check(&device, (uint64_t)(2000 * MIB), &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.text, "on H200, which has 990 MiB in all. Take"));
    /* what this process has may be what it has given back; without its number nothing is certain */
    set_processes("%u:600:0 0:200:0", OTHER);
    assert_int_equal(cb_room_check(&device, (uint64_t)(250 * MIB), &err), CB_OK);
    set_processes("%u:600:0", OTHER);
    assert_int_equal(cb_room_check(&device, (uint64_t)(250 * MIB), &err), CB_OK);
    assert_int_equal(cb_room_check(&unknown_gpu, (uint64_t)1 << 60, &err), CB_OK);
    unsetenv("FAKE_NVML_MEMORY");
    unsetenv("FAKE_NVML_PROCESSES");
}

/* What is made of the driver's words. */
static const char *explained(const struct cb_device *device, double bytes, cl_int code)
{
    static struct cb_err err;
    cb_fail(&err, CB_ERROR, "its words");
    assert_int_equal(cb_room_explain(device, (uint64_t)bytes, code, &err), CB_ERROR);
    return err.text;
}

TEST(room_that_was_refused)
{
    const struct cb_device device = gpu_of(990 * MIB);
    setenv("FAKE_NVML_MEMORY", "100:1000", 1);
    set_processes("0:600:0");
    assert_string_equal(explained(&device, 250 * MIB, CL_MEM_OBJECT_ALLOCATION_FAILURE),
                        "no room for 250 MiB more on H200: 100 MiB of 1000 MiB are free, 150 MiB "
                        "are missing; no other process has any. Take a smaller input (--scale, "
                        "--input) (its words)");
    set_processes("77777777:600:0");
    assert_non_null(strstr(explained(&device, 250 * MIB, CL_OUT_OF_RESOURCES),
                           "; 1 process, this one among them: 600 MiB (nvidia-smi)."));
    assert_non_null(strstr(explained(&device, 0, CL_OUT_OF_RESOURCES), "no room for more on H200"));
    assert_non_null(strstr(explained(&device, 5, CL_OUT_OF_HOST_MEMORY), "more on the host: "));
    assert_non_null(strstr(explained(&unknown_gpu, 5 * MIB, CL_MEM_OBJECT_ALLOCATION_FAILURE),
                           "no room for 5 MiB more on X: how much is free is not known. Take"));
    assert_string_equal(explained(&device, 50 * MIB, CL_OUT_OF_RESOURCES), "its words");
    assert_string_equal(explained(&unknown_gpu, 0, CL_OUT_OF_RESOURCES), "its words");
    assert_string_equal(explained(&device, 250 * MIB, CL_INVALID_VALUE), "its words");
    unsetenv("FAKE_NVML_MEMORY");
    unsetenv("FAKE_NVML_PROCESSES");
}

/* ---- Others ---------------------------------------------------------------------------------- */

static void others_are(const struct cb_device *device, const char *expected)
{
    char text[1024];
    cJSON *list = cb_others_look(device, 1);
    assert_int_equal(cJSON_GetArraySize(list), 1);
    cb_others_describe(list->child, text, sizeof text);
    if (!strstr(text, expected))
        fail_msg("'%s' instead of '%s'", text, expected);
    cJSON_Delete(list);
}

TEST(others_on_a_gpu)
{
    others_are(&gpu, "nobody");
    set_processes("%u:900:0", OTHER);
    others_are(&gpu, "1 process with 900 MiB, at work 0 % of the time");
    set_processes("%u:1024:40 77777777:1024:30", OTHER);
    setenv("FAKE_NVML_MEMORY", "0:0", 1);
    others_are(&gpu, "2 processes with 2 GiB, at work 70 % of the time; 0 B of 0 B free");
    setenv("FAKE_NVML_USAGE", "none", 1);
    others_are(&gpu, "2 processes with 2 GiB, how much they do is not known");
    unsetenv("FAKE_NVML_USAGE");
    unsetenv("FAKE_NVML_MEMORY");
    unsetenv("FAKE_NVML_PROCESSES");
    others_are(&(struct cb_device){.name = "X", .type = "gpu"}, "not known: NVML does not find X");
}

TEST(others_on_cores)
{
    others_are(&(struct cb_device){.type = "cpu"}, "busy on ");
    cJSON *object = cJSON_Parse("{\"cores\": 4, \"busy_cores\": 1.26, \"load\": 3.5,"
                                " \"pressure\": 0.25}");
    char text[1024];
    cb_others_describe(object, text, sizeof text);
    assert_string_equal(text,
                        "busy on 1.3 of 4 cores, load 3.50, something waits for a core 25 % of "
                        "the time");
    cJSON_Delete(object);
    cb_others_describe(NULL, text, sizeof text);
    assert_string_equal(text, "not known: nobody has looked");
}
