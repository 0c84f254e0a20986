/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours: what is made of times of cores, of gaps and of NVML's processes (a library that
 * stands in for it, see tests/CMakeLists.txt), and which rows of a run they disturb.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/documents/disturbed.h"
#include "analysis/documents/summary.h"
#include "measure/text/json.h"
#include "runtime/host/time.h"
#include "runtime/neighbours/internal.h"
#include "runtime/neighbours/others.h"

#define S  1e9
#define MS 1e6

#define MIB 1048576.0

/* ---- Cores ----------------------------------------------------------------------------------- */

/* What is seen of so many cores in a time, of which they were busy in all, and we had ours. */
static struct cb_look look_at(unsigned cores, double wall_ns, double busy_ns, double ours_ns)
{
    const struct cb_cores_time before = {1000, cores, 7 * S, 3 * S};
    const struct cb_cores_time now = {1000 + (uint64_t)wall_ns, cores, 7 * S + busy_ns,
                                      3 * S + ours_ns};
    struct cb_look look = {0};
    cb_cores_look(&before, &now, &look);
    return look;
}

TEST(cores_that_only_we_have)
{
    assert_null(look_at(2, S, 2 * S, 2 * S).sign);
    assert_null(look_at(2, S, 0, 0).sign);
    assert_null(look_at(2, S, 1 * S, 1.5 * S).sign); /* times of processes run ahead */
    assert_null(look_at(64, S, 60 * S, 59 * S + 0.9 * S).sign);
}

TEST(cores_that_others_have)
{
    const struct cb_look half = look_at(2, S, 2 * S, 1 * S);
    assert_string_equal(half.sign, CB_SIGN_CORES);
    assert_true(fabs(half.share - 0.5) < 1e-9);
    assert_true(fabs(look_at(2, S, 0.1 * S, 0).share - 0.05) < 1e-9);
    assert_non_null(look_at(64, S, S, 0.2 * S).sign); /* most of one core, of 64 */
}

/* Ticks of 10 ms, on each core: what is less than they tell is not told. */
TEST(cores_in_a_short_time)
{
    assert_null(look_at(2, 50 * MS, 20 * MS, 0).sign);
    assert_non_null(look_at(2, 50 * MS, 30 * MS, 0).sign);
    assert_null(look_at(2, 0, 0, 0).sign);
}

TEST(cores_that_were_taken_away)
{
    const struct cb_cores_time before = {1000, 2, 0, 0}, now = {1000 + 1000000000, 1, 2 * S, 0};
    struct cb_look look = {0};
    cb_cores_look(&before, &now, &look);
    assert_null(look.sign);
}

static void spin(double ns)
{
    const double until_ns = (double)cb_now_ns() + ns;
    while ((double)cb_now_ns() < until_ns)
        ;
}

/* What a process below us does is ours: while it runs, and when it has been waited for. */
TEST(cores_of_a_child)
{
    struct cb_cores_time before, during, after;
    assert_true(cb_cores_read(getpid(), &before));
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        spin(100 * MS);
        if (write(told[1], "x", 1) != 1)
            _exit(1);
        pause();
    }
    char x;
    assert_int_equal(read(told[0], &x, 1), 1);
    assert_true(cb_cores_read(getpid(), &during));
    assert_true(cb_process_is_below(child, getpid()));
    assert_false(cb_process_is_below(getpid(), child));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(cb_cores_read(getpid(), &after));
    close(told[0]);
    close(told[1]);
    assert_true(during.ours_ns - before.ours_ns > 1 * MS); /* a loaded machine gives it little */
    assert_true(after.ours_ns > during.ours_ns - 20 * MS); /* its time in ticks now */
    assert_true(during.busy_ns - before.busy_ns > -10 * MS * (double)before.cores);
    assert_true(during.cores >= 1);
}

TEST(processes_that_are_not)
{
    assert_false(cb_process_is_below(0x3fffffff, getpid()));
    assert_false(cb_process_is_below(0, getpid()));
    assert_true(cb_process_is_below(getpid(), getppid()));
}

/* ---- Gaps ------------------------------------------------------------------------------------ */

static struct cb_look gaps_of(const struct cb_gap *given, double event_ns)
{
    struct cb_gap gaps[4];
    struct cb_look look = {0};
    memcpy(gaps, given, sizeof gaps);
    cb_gaps_look(gaps, 4, 2, 3 * MS, event_ns, &look); /* a tick is 2 ns */
    return look;
}

TEST(gaps)
{
    static const struct cb_gap quiet[4] = {{200, 0}, {100, 0}, {150, 0}, {90, 0}};
    static const struct cb_gap one_late[4] = {{200, 0}, {100, 0}, {150000, 150000}, {90, 0}};
    static const struct cb_gap turns[4] = {
        {625000, 750000}, {625001, 750000}, {624999, 750000}, {100, 0}};
    assert_null(gaps_of(quiet, 3.1 * MS).sign);
    assert_true(gaps_of(quiet, 3.1 * MS).longest_ns == 0);
    assert_null(gaps_of(one_late, 3.1 * MS).sign);
    const struct cb_look look = gaps_of(turns, 3.1 * MS);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 1250000);
    assert_true(fabs(look.share - 0.5) < 1e-9);
}

/* The clock stands still while others have the device: only the driver's times tell. */
TEST(gaps_that_the_clock_does_not_see)
{
    static const struct cb_gap quiet[4] = {{200, 0}, {100, 0}, {150, 0}, {90, 0}};
    const struct cb_look look = gaps_of(quiet, 6 * MS);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 3 * MS);
    assert_true(fabs(look.share - 0.5) < 1e-9);
}

/* What waits in kernels have seen tells of others, too, and not of their share. */
TEST(gaps_in_waits)
{
    struct cb_look look = {0};
    cb_gaps_in_waits(0, &look);
    assert_null(look.sign);
    cb_gaps_in_waits(2.5 * MS, &look);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.longest_ns == 2.5 * MS && look.share == 0.01);
    look = (struct cb_look){.sign = CB_SIGN_NVML, .share = 0.3};
    cb_gaps_in_waits(2.5 * MS, &look);
    assert_true(look.share == 0.3);
}

/* Gaps tell the share better. */
TEST(signs)
{
    struct cb_look look = {0};
    cb_look_sees(&look, CB_SIGN_NVML, 0.95);
    cb_look_sees(&look, CB_SIGN_GAPS, 0.5);
    assert_string_equal(look.sign, CB_SIGN_GAPS);
    assert_true(look.share == 0.5);
    cb_look_sees(&look, CB_SIGN_GAPS, 7);
    assert_true(look.share == 1);
}

/* ---- NVML ------------------------------------------------------------------------------------ */

static const struct cb_device gpu = {
    .name = "H200", .type = "gpu", .pci = "0000:41:00.0", .uuid = "5eed"};

/* A process that lives, and is not ours: init. */
#define OTHER 1u

static void set_processes(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    setenv("FAKE_NVML_PROCESSES", text, 1);
}

static struct cb_look look_at_processes(struct cb_gpu_processes *processes)
{
    struct cb_look look = {.processes = -1};
    cb_gpu_processes_look(processes, getpid(), &look);
    return look;
}

static void open_processes(struct cb_gpu_processes *processes)
{
    struct cb_err err;
    if (cb_gpu_processes_open(processes, &gpu, &err) != CB_OK)
        fail_msg("%s", err.text);
}

TEST(processes)
{
    struct cb_gpu_processes processes;
    set_processes("%u:900:0", OTHER);
    open_processes(&processes);
    set_processes("%u:900:0 %u:100:97", OTHER, (unsigned)getpid());
    struct cb_look look = look_at_processes(&processes);
    assert_null(look.sign); /* it is there, and does nothing */
    assert_int_equal(look.processes, 1);
    assert_true(look.bytes == 900 * MIB);
    set_processes("%u:900:40 %u:100:97", OTHER, (unsigned)getpid());
    look = look_at_processes(&processes);
    assert_string_equal(look.sign, CB_SIGN_NVML);
    assert_true(look.share == 0.2); /* the mean of what was told */
    set_processes("%u:900:0", OTHER);
    look = look_at_processes(&processes);
    assert_string_equal(look.sign, CB_SIGN_NVML); /* it is taken to go on */
    set_processes("%u:100:97", (unsigned)getpid());
    look = look_at_processes(&processes);
    assert_null(look.sign);
    assert_int_equal(look.processes, 0);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_PROCESSES");
}

/* NVML has other numbers for processes than they have in a container: a new one may be ours. */
TEST(processes_of_another_name_space)
{
    struct cb_gpu_processes processes;
    set_processes("77777777:900:0");
    open_processes(&processes);
    set_processes("77777777:900:0 88888888:100:97");
    assert_null(look_at_processes(&processes).sign);
    set_processes("77777777:900:30 88888888:100:97");
    assert_true(look_at_processes(&processes).share == 0.15);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_PROCESSES");
}

/* One that computes and draws is one process. */
TEST(processes_that_draw)
{
    struct cb_gpu_processes processes;
    set_processes("%u:900:0", OTHER);
    setenv("FAKE_NVML_GRAPHICS", "yes", 1);
    open_processes(&processes);
    const struct cb_look look = look_at_processes(&processes);
    assert_int_equal(look.processes, 1);
    assert_true(look.bytes == 900 * MIB);
    cb_nvml_close(&processes.nvml);
    unsetenv("FAKE_NVML_GRAPHICS");
    unsetenv("FAKE_NVML_PROCESSES");
}

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

/* ---- Rows ------------------------------------------------------------------------------------ */

static void note(cJSON *document, double begin_s, double end_s, const char *sign, double share)
{
    const struct cb_look look = {.begin_ns = (uint64_t)(S + begin_s * S),
                                 .end_ns = (uint64_t)(S + end_s * S),
                                 .sign = sign,
                                 .share = share,
                                 .longest_ns = sign ? 2.5 * MS : 0,
                                 .processes = sign ? 2 : 1,
                                 .bytes = 5};
    cJSON *object = cb_look_to_json(&look);
    cb_disturbed_note(document, "uuid:1", object, (uint64_t)S);
    cJSON_Delete(object);
}

static cJSON *new_row(cJSON *document, double begin_s, double end_s)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "device", "uuid:1");
    cJSON_AddNumberToObject(row, "begin_s", begin_s);
    cJSON_AddNumberToObject(row, "end_s", end_s);
    cJSON_AddItemToArray(cJSON_GetObjectItem(document, "cases"), row);
    return row;
}

static cJSON *new_document(void)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddArrayToObject(document, "cases");
    return document;
}

static const cJSON *new_marked_row(cJSON *document, double begin_s, double end_s)
{
    cJSON *row = new_row(document, begin_s, end_s);
    cb_disturbed_mark_row(document, row);
    return row;
}

TEST(rows)
{
    cJSON *document = new_document();
    cJSON *before = new_row(document, 0.2, 0.9), *across = new_row(document, 0.8, 1.2);
    cJSON *within = new_row(document, 2.1, 2.2), *after = new_row(document, 3.5, 4);
    cJSON *elsewhere = new_row(document, 2.1, 2.2);
    cJSON_ReplaceItemInObject(elsewhere, "device", cJSON_CreateString("uuid:2"));
    note(document, 0, 1, NULL, 0);
    note(document, 1, 2, CB_SIGN_NVML, 0.2);
    note(document, 2, 3, CB_SIGN_NVML, 0.6);
    note(document, 3, 4, NULL, 0);
    cb_disturbed_mark(document);
    assert_false(cb_row_is_disturbed(before));
    assert_true(cb_row_is_disturbed(across));
    assert_true(cb_row_is_disturbed(within));
    assert_false(cb_row_is_disturbed(after));
    assert_false(cb_row_is_disturbed(elsewhere));
    const cJSON *mark = cJSON_GetObjectItem(within, "disturbed");
    assert_string_equal(cb_json_text(mark, "sign", ""), CB_SIGN_NVML);
    assert_true(cb_json_number(mark, "share") == 0.6); /* of its own time */
    mark = cJSON_GetObjectItem(across, "disturbed");
    assert_true(cb_json_number(mark, "share") == 0.2);
    mark = cJSON_GetObjectItem(new_marked_row(document, 1.5, 2.5), "disturbed");
    assert_true(fabs(cb_json_number(mark, "share") - 0.4) < 1e-6); /* the mean */
    assert_true(cb_json_number(mark, "longest_ns") == 2.5 * MS);
    const cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "neighbours"), 0);
    assert_true(cb_json_number(device, "looks") == 4);
    assert_true(cb_json_number(device, "processes") == 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(device, "spells")), 4);
    cJSON_Delete(document);
}

/* What a sample has seen may last until the next one, or two seconds. */
TEST(rows_between_samples)
{
    cJSON *document = new_document();
    cJSON *row = new_row(document, 2.1, 2.2), *later = new_row(document, 4.1, 4.2);
    note(document, 0, 1, NULL, 0);
    note(document, 1, 2, CB_SIGN_GAPS, 0.5);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    assert_false(cb_row_is_disturbed(later)); /* nobody has looked for so long */
    cJSON *between = new_row(document, 4.9, 4.95);
    note(document, 4.8, 5, NULL, 0);
    note(document, 5, 6, NULL, 0);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    assert_true(cb_row_is_disturbed(later)); /* it ended before somebody saw that all is quiet */
    assert_true(cb_row_is_disturbed(between));
    assert_false(cb_row_is_disturbed(new_marked_row(document, 5.1, 5.2)));
    cJSON_Delete(document);
}

/* What is known of a row is not forgotten with the looks: a run that is resumed may lack them. */
TEST(rows_that_are_marked)
{
    cJSON *document = new_document(), *row = new_row(document, 1.2, 1.5);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(row, "disturbed"), "sign", CB_SIGN_CORES);
    note(document, 1, 2, NULL, 0);
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    cJSON_Delete(document);
}

/* Rows are marked before the exit code is made of them. */
TEST(exit_codes_of_disturbed_runs)
{
    static const struct {
        const char *shared;
        int code;
    } rows[] = {{"warn", 0}, {"wait", 7}, {"refuse", 7}, {"ignore", 0}};
    for (size_t i = 0; i < CB_COUNTOF(rows); i++) {
        cJSON *document = new_document();
        cJSON_AddStringToObject(document, "shared", rows[i].shared);
        cJSON_AddStringToObject(new_row(document, 1.2, 1.5), "status", "ok");
        note(document, 1, 2, CB_SIGN_NVML, 0.2);
        cb_summary_update(document);
        assert_int_equal(cb_summary_exit_code(document, 0), rows[i].code);
        cJSON_Delete(document);
    }
}

/* Rows of documents that have no times are left as they are. */
TEST(rows_without_times)
{
    cJSON *document = new_document(), *row = new_row(document, 1, 2);
    cJSON_DeleteItemFromObject(row, "end_s");
    cJSON_AddObjectToObject(row, "disturbed");
    cb_disturbed_mark(document);
    assert_true(cb_row_is_disturbed(row));
    cJSON_Delete(document);
}
