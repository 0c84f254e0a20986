/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device.h"
#include "tests/unit/unit.h"

static struct cb_device machine[] = {
    {.id = "name:PoCL/cpu-8", .index = "0:0", .name = "cpu-8 Some Xeon", .type = "cpu"},
    {.id = "uuid:aa11",
     .index = "1:0",
     .uuid = "aa11",
     .pci = "0000:41:00.0",
     .name = "H200 NVL",
     .type = "gpu"},
    {.id = "uuid:aa22",
     .index = "1:1",
     .uuid = "aa22",
     .pci = "0000:42:00.0",
     .name = "H200 NVL",
     .type = "gpu"},
    {.id = "name:FPGA", .index = "2:0", .name = "Stratix 10", .type = "accelerator"},
};

static const struct cb_devices all = {.items = machine, .count = 4};

/* --- Units ------------------------------------------------------------------------------------ */

static void has_units(const struct cb_device *device, const char *expected)
{
    char text[64];
    cb_device_units(device, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(units_are_threads_on_cores_where_pocl_says)
{
    struct cb_device d = {.platform = "NVIDIA CUDA", .compute_units = 132};
    has_units(&(struct cb_device){0}, "");
    has_units(&d, "132 compute units");
    d = (struct cb_device){
        .platform = CB_POCL_PLATFORM, .type = "cpu", .compute_units = 8, .host_cores = 2};
    has_units(&d, "8 PoCL threads on 2 cores");
    d.host_cores = d.compute_units = 1;
    has_units(&d, "1 PoCL thread on 1 core");
    d.host_cores = 0; /* a run before 1.7 */
    has_units(&d, "1 compute unit");
    cJSON *json = cb_device_to_json(&d);
    assert_false(cJSON_HasObjectItem(json, "host_cores"));
    cJSON_Delete(json);
}

/* --- What a driver says --------------------------------------------------------------------------
 */

static void is_refused(uint64_t units, uint64_t wg_size, const char *text)
{
    const struct cb_device d = {.name = "Odd", .compute_units = units, .max_wg_size = wg_size};
    struct cb_err err;
    assert_int_equal(cb_device_check(&d, &err), CB_NO_DEVICE);
    assert_non_null(strstr(err.text, "Odd cannot be used: its driver says that it has "));
    assert_non_null(strstr(err.text, text));
}

TEST(what_cannot_be_is_refused)
{
    const struct cb_device sound = {.name = "Sound", .compute_units = 132, .max_wg_size = 1024};
    struct cb_err err;
    assert_int_equal(cb_device_check(&sound, &err), CB_OK);
    is_refused(0, 1024, " 0 compute units");
    is_refused(UINT64_MAX, 1024, " 18446744073709551615 compute units");
    is_refused(132, 0, " 0 work-items a workgroup");
    is_refused(132, UINT32_MAX, " 4294967295 work-items a workgroup");
}

/* --- Description ------------------------------------------------------------------------------ */

static const struct cb_device full = {
    .id = "uuid:8f1c",
    .index = "1:0",
    .uuid = "8f1c",
    .pci = "0000:41:00.0",
    .name = "NVIDIA \"H200\"",
    .vendor = "NVIDIA Corporation",
    .type = "gpu",
    .platform = "NVIDIA CUDA",
    .platform_version = "OpenCL 3.0 CUDA 12.8",
    .device_version = "OpenCL 3.0 CUDA",
    .driver_version = "570.1",
    .compute_units = 132,
    .max_clock_mhz = 1980,
    .global_mem_bytes = 150323855360u,
    .local_mem_bytes = 49152,
    .max_wg_size = 1024,
    .event_resolution_ns = 1000,
    .atomic_order = "seq_cst",
    .atomic_scope = "all_devices",
    .svm = "coarse",
    .atomics = "ptx",
    .host_channel = "queue",
    .clock = "globaltimer",
    .relax = "none",
};

TEST(json_round_trip)
{
    cJSON *sent = cb_device_to_json(&full);
    char *text = cJSON_PrintUnformatted(sent);
    cJSON *received = cJSON_Parse(text);
    struct cb_device copy;
    memset(&copy, 'x', sizeof copy);
    cb_device_from_json(&copy, received);
    assert_memory_equal(&copy, &full, sizeof copy);
    cJSON_free(text);
    cJSON_Delete(sent);
    cJSON_Delete(received);
}

/* What is not known is null: never an empty string. */
TEST(unknown_is_null)
{
    static const struct cb_device empty = {.name = "x"};
    cJSON *object = cb_device_to_json(&empty);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(object, "uuid")));
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(object, "compute_units")));
    struct cb_device copy;
    cb_device_from_json(&copy, object);
    assert_memory_equal(&copy, &empty, sizeof copy);
    cJSON_Delete(object);
}

TEST(odd_json)
{
    cJSON *object = cJSON_Parse("{\"name\": 7, \"compute_units\": \"many\", \"max_clock_mhz\": -1,"
                                "\"type\": \"a type that is much too long\", \"new\": {}}");
    struct cb_device copy;
    cb_device_from_json(&copy, object);
    const struct cb_device expected = {.type = "a type that is "};
    assert_memory_equal(&copy, &expected, sizeof copy);
    cJSON_Delete(object);
}

static void append_line(void *context, const char *label, const char *value)
{
    size_t n = strlen(context);
    snprintf((char *)context + n, 512 - n, "%s=%s;", label, value);
}

TEST(describe)
{
    char text[512] = "";
    const struct cb_device device = {
        .name = "x", .compute_units = 8, .global_mem_bytes = 3221225472u, .local_mem_bytes = 512};
    cb_device_describe(&device, append_line, text);
    assert_non_null(strstr(text, "Name=x;Compute units=8;"));
    assert_non_null(strstr(text, "Global memory=3 GiB;Local memory=512 B;"));
    assert_null(strstr(text, "UUID")); /* is not known */
    const struct cb_device rusticl = {
        .name = "llvmpipe", .platform = "rusticl", .compute_units = 8, .host_cores = 2};
    text[0] = '\0';
    cb_device_describe(&rusticl, append_line, text);
    assert_non_null(strstr(text, "Compute units=8;"));
}

/* --- Selection -------------------------------------------------------------------------------- */

static void selects_of(const struct cb_devices *devices, const char *spec, int expected)
{
    int selected[4], n = -1;
    struct cb_err err;
    if (cb_device_select(devices, spec, selected, &n, &err) != CB_OK)
        fail_msg("%s: %s", spec, err.text);
    assert_int_equal(n, 1);
    assert_int_equal(selected[0], expected);
}

static const char *visible; /* CUDA_VISIBLE_DEVICES; NULL: not set, whoever runs the test */

static void refuses_of(const struct cb_devices *devices, const char *spec, enum cb_status status,
                       const char *text)
{
    int selected[4], n = -1;
    struct cb_err err;
    unsetenv("CUDA_VISIBLE_DEVICES");
    if (visible)
        setenv("CUDA_VISIBLE_DEVICES", visible, 1);
    assert_int_equal(cb_device_select(devices, spec, selected, &n, &err), status);
    assert_int_equal(err.status, status);
    assert_string_equal(err.text, text);
    assert_int_equal(n, 0);
}

static void selects(const char *spec, int expected)
{
    selects_of(&all, spec, expected);
}

static void refuses(const char *spec, enum cb_status status, const char *text)
{
    refuses_of(&all, spec, status, text);
}

TEST(default)
{
    selects("", 1);
    struct cb_device two[] = {machine[3], machine[0]};
    selects_of(&(struct cb_devices){.items = two, .count = 2}, "",
               1); /* a CPU before an accelerator */
    selects_of(&(struct cb_devices){.items = two, .count = 1}, "", 0); /* anything before nothing */
}

TEST(all)
{
    int selected[4], n;
    struct cb_err err;
    assert_int_equal(cb_device_select(&all, "all", selected, &n, &err), CB_OK);
    assert_int_equal(n, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(selected[i], i);
}

TEST(type)
{
    selects("gpu", 1); /* the first */
    selects("cpu", 0);
    selects("accelerator", 3);
    struct cb_devices one = {.items = machine, .count = 1};
    refuses_of(&one, "gpu", CB_NO_DEVICE,
               "no device matches 'gpu'. There is:\n"
               "  0:0    cpu          cpu-8 Some Xeon (name:PoCL/cpu-8)");
}

#define LIST                                                                                       \
    "There is:\n"                                                                                  \
    "  0:0    cpu          cpu-8 Some Xeon (name:PoCL/cpu-8)\n"                                    \
    "  1:0    gpu          H200 NVL (uuid:aa11)\n"                                                 \
    "  1:1    gpu          H200 NVL (uuid:aa22)\n"                                                 \
    "  2:0    accelerator  Stratix 10 (name:FPGA)"

TEST(index)
{
    selects("0:0", 0);
    selects("1:1", 2);
    refuses("1:2", CB_NO_DEVICE, "no device matches '1:2'. " LIST);
    refuses("11:1", CB_NO_DEVICE, "no device matches '11:1'. " LIST);
}

TEST(hidden)
{
    visible = "1";
    refuses("1:2", CB_NO_DEVICE,
            "no device matches '1:2'. " LIST
            "\n  CUDA_VISIBLE_DEVICES=1 in the environment may hide others.");
    visible = NULL;
}

TEST(name)
{
    selects("name:Xeon", 0);
    selects("name:xEON", 0);
    selects("name:stratix", 3);
    struct cb_device two[] = {machine[3], machine[3]}; /* neither UUID nor address */
    const struct cb_devices same = {.items = two, .count = 2};
    snprintf(two[1].id, sizeof two[1].id, "name:FPGA#2");
    selects_of(&same, "name:FPGA", 0);
    selects_of(&same, "name:FPGA#2", 1);
    refuses("name:H200", CB_USAGE,
            "device 'name:H200' is ambiguous: it matches H200 NVL (1:0) and H200 NVL (1:1); name "
            "one by its index");
    refuses("name:H100", CB_NO_DEVICE, "no device matches 'name:H100'. " LIST);
}

TEST(address)
{
    selects("pci:0000:42:00.0", 2);
    selects("pci:0000:41", 1);
    selects("uuid:aa22", 2);
    selects("uuid:AA1", 1);
    refuses("uuid:aa", CB_USAGE,
            "device 'uuid:aa' is ambiguous: it matches H200 NVL (1:0) and H200 NVL (1:1); name one "
            "by its index");
    refuses("uuid:a22", CB_NO_DEVICE, "no device matches 'uuid:a22'. " LIST); /* is no prefix */
    refuses("pci:0000:42:00.01", CB_NO_DEVICE, "no device matches 'pci:0000:42:00.01'. " LIST);
}

/* nvidia-smi's, Slurm's and CUDA_VISIBLE_DEVICES' UUIDs, and addresses of nvidia-smi and lspci. */
TEST(as_other_tools_print_it)
{
    selects("GPU-aa11", 1);
    selects("GPU-AA2", 2);
    selects("MIG-aa22", 2);
    selects("uuid:GPU-aa22", 2);
    selects("00000000:41:00.0", 1);
    selects("0000:42:00.0", 2);
    selects("42:00.0", 2);
    selects("pci:00000000:42:00.0", 2);
    selects("pci:41:00.0", 1);
    struct cb_device one[] = {{.pci = "0000:0a:1f.0", .index = "0:0"}};
    selects_of(&(struct cb_devices){.items = one, .count = 1}, "00000000:0A:1F.0", 0);
    refuses("GPU-a22", CB_NO_DEVICE, "no device matches 'GPU-a22'. " LIST);
    refuses("00010000:41:00.0", CB_NO_DEVICE, "no device matches '00010000:41:00.0'. " LIST);
    refuses("43:00.0", CB_NO_DEVICE, "no device matches '43:00.0'. " LIST);
}

/* The ids that results and listings show select their device. */
TEST(id)
{
    selects(machine[1].id, 1);
    selects(machine[2].id, 2);
}

TEST(nonsense)
{
    static const char *const specs[] = {
        "GPU", "GPU-", "41:00.0x", "gpus",  "0",         "0:", "0:0:0",
        ":",   "H200", "name:",    "uuid:", "Name:H200", " ",  "all "};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++) {
        char text[384];
        snprintf(text, sizeof text,
                 "device '%s' is not understood: expected all, gpu, cpu, accelerator, "
                 "PLATFORM:DEVICE, name:TEXT, pci:ADDRESS, uuid:UUID, or what nvidia-smi prints: "
                 "GPU-849c..., 00000000:41:00.0",
                 specs[i]);
        refuses(specs[i], CB_USAGE, text);
    }
}

TEST(no_device)
{
    static const char *const specs[] = {"", "all", "gpu", "0:0", "nonsense"};
    const struct cb_devices none = {.items = NULL};
    for (size_t i = 0; i < CB_COUNTOF(specs); i++)
        refuses_of(&none, specs[i], CB_NO_DEVICE,
                   "no OpenCL device found.\n"
                   "  Install a driver: 'apt-get install pocl-opencl-icd' makes the CPU a device;\n"
                   "  a GPU needs its vendor's driver. 'clinfo -l' shows what the loader sees.");
}

TEST(many_devices_fit_the_message)
{
    static struct cb_device many[200];
    int selected[1], n;
    struct cb_err err;
    for (size_t i = 0; i < CB_COUNTOF(many); i++) {
        many[i] = machine[0];
        memset(many[i].name, 'n', sizeof many[i].name - 1);
    }
    struct cb_devices devices = {.items = many, .count = (int)CB_COUNTOF(many)};
    assert_int_equal(cb_device_select(&devices, "gpu", selected, &n, &err), CB_NO_DEVICE);
    assert_in_range(strlen(err.text), 3000, CB_ERR_TEXT - 1);
}

static enum cb_status check_atomics(const char *back_end, const char *scope, const char *vendor,
                                    struct cb_err *err)
{
    struct cb_device d = {.name = "Device", .device_version = "OpenCL 1.2"};
    snprintf(d.atomics, sizeof d.atomics, "%s", back_end);
    snprintf(d.atomic_scope, sizeof d.atomic_scope, "%s", scope);
    snprintf(d.vendor, sizeof d.vendor, "%s", vendor);
    return cb_device_check_atomics(&d, err);
}

TEST(atomics)
{
    struct cb_err err;
    assert_int_equal(check_atomics("cl12", "", "Any", &err), CB_OK);
    assert_int_equal(check_atomics("c11", "device", "Any", &err), CB_OK);
    assert_int_equal(check_atomics("ptx", "", "NVIDIA Corporation", &err), CB_OK);
    assert_int_equal(check_atomics("c11", "", "Any", &err), CB_UNSUPPORTED);
    assert_string_equal(err.text, "Device has no C11 atomics (OpenCL 1.2); use --atomics cl12");
    assert_int_equal(check_atomics("ptx", "device", "Any", &err), CB_UNSUPPORTED);
    assert_string_equal(err.text, "--atomics ptx needs an NVIDIA GPU; Device is not one");
}
