/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of devices: JSON, text, and selection. No OpenCL calls: the parent uses this.
 */
#include "runtime/device.h"
#include "runtime/host/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE_ALL 18446744073709551616.0 /* 2^64: has no room in a number of struct cb_device */

enum field_type { TEXT, NUMBER, BYTES, COUNT /* absent if it is 0 */ };

/* One row per field: drives JSON in both directions and the listing. */
#define FIELD(key, label, type)                                                                    \
    {                                                                                              \
#key, label, type, offsetof(struct cb_device, key), sizeof(((struct cb_device *)0)->key)   \
    }
static const struct field {
    const char *key, *label;
    enum field_type type;
    size_t offset, size;
} fields[] = {
    FIELD(id, "Id", TEXT),
    FIELD(index, "Index", TEXT),
    FIELD(uuid, "UUID", TEXT),
    FIELD(pci, "PCI address", TEXT),
    FIELD(name, "Name", TEXT),
    FIELD(vendor, "Vendor", TEXT),
    FIELD(type, "Type", TEXT),
    FIELD(platform, "Platform", TEXT),
    FIELD(platform_version, "Platform version", TEXT),
    FIELD(device_version, "Device version", TEXT),
    FIELD(driver_version, "Driver version", TEXT),
    FIELD(compute_units, "Compute units", NUMBER),
    FIELD(host_cores, "Cores of the host", COUNT),
    FIELD(max_clock_mhz, "Maximum clock (MHz)", NUMBER),
    FIELD(global_mem_bytes, "Global memory", BYTES),
    FIELD(local_mem_bytes, "Local memory", BYTES),
    FIELD(max_wg_size, "Maximum workgroup", NUMBER),
    FIELD(event_resolution_ns, "Event resolution (ns)", NUMBER),
    FIELD(atomic_order, "Atomic order", TEXT),
    FIELD(atomic_scope, "Atomic scope", TEXT),
    FIELD(svm, "SVM", TEXT),
    FIELD(atomics, "Atomics back end", TEXT),
    FIELD(host_channel, "Host channel", TEXT),
    FIELD(clock, "Device clock", TEXT),
    FIELD(relax, "Yield in waits", TEXT),
};

static const char *text_of(const struct cb_device *device, const struct field *field)
{
    return (const char *)device + field->offset;
}

static uint64_t number_of(const struct cb_device *device, const struct field *field)
{
    uint64_t value;
    memcpy(&value, (const char *)device + field->offset, sizeof value);
    return value;
}

void cb_devices_free(struct cb_devices *devices)
{
    free(devices->items);
    free(devices->trouble);
    memset(devices, 0, sizeof *devices);
}

cJSON *cb_device_to_json(const struct cb_device *device)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < CB_COUNTOF(fields); i++) {
        if (fields[i].type == COUNT && number_of(device, &fields[i]) == 0)
            continue;
        if (fields[i].type != TEXT)
            cJSON_AddNumberToObject(object, fields[i].key, (double)number_of(device, &fields[i]));
        else if (text_of(device, &fields[i])[0])
            cJSON_AddStringToObject(object, fields[i].key, text_of(device, &fields[i]));
        else
            cJSON_AddNullToObject(object, fields[i].key);
    }
    return object;
}

void cb_device_from_json(struct cb_device *device, const cJSON *object)
{
    memset(device, 0, sizeof *device);
    for (size_t i = 0; i < CB_COUNTOF(fields); i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, fields[i].key);
        char *place = (char *)device + fields[i].offset;
        if (fields[i].type == TEXT && cJSON_IsString(item)) {
            snprintf(place, fields[i].size, "%s", item->valuestring);
        } else if (fields[i].type != TEXT && cJSON_IsNumber(item) && item->valuedouble >= 0 &&
                   item->valuedouble < ABOVE_ALL) {
            uint64_t value = (uint64_t)item->valuedouble;
            memcpy(place, &value, sizeof value);
        }
    }
}

void cb_device_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < CB_COUNTOF(units); unit++)
        value /= 1024;
    snprintf(text, size, "%.4g %s", value, units[unit]);
}

/* Whether its compute units are threads, of which the driver says how many. */
static bool has_threads(const struct cb_device *d)
{
    return d->host_cores > 0 && strstr(d->platform, CB_POCL_PLATFORM);
}

uint64_t cb_device_known_groups(const struct cb_device *d)
{
    return has_threads(d) ? d->compute_units : 0;
}

void cb_device_units(const struct cb_device *d, char *text, size_t size)
{
    text[0] = '\0';
    if (has_threads(d))
        snprintf(text, size, "%" PRIu64 " PoCL thread%s on %" PRIu64 " core%s", d->compute_units,
                 CB_PLURAL(d->compute_units), d->host_cores, CB_PLURAL(d->host_cores));
    else if (d->compute_units > 0)
        snprintf(text, size, "%" PRIu64 " compute unit%s", d->compute_units,
                 CB_PLURAL(d->compute_units));
}

void cb_device_describe(const struct cb_device *device,
                        void (*emit)(void *context, const char *label, const char *value),
                        void *context)
{
    for (size_t i = 0; i < CB_COUNTOF(fields); i++) {
        char number[64];
        const char *value = number;
        if (fields[i].type == TEXT)
            value = text_of(device, &fields[i]);
        else if (fields[i].type == BYTES)
            cb_device_bytes(number_of(device, &fields[i]), number, sizeof number);
        else
            snprintf(number, sizeof number, "%" PRIu64, number_of(device, &fields[i]));
        if (fields[i].offset == offsetof(struct cb_device, compute_units) && has_threads(device))
            cb_device_units(device, number, sizeof number);
        if (value[0] && !(fields[i].type == COUNT && number_of(device, &fields[i]) == 0))
            emit(context, fields[i].label, value);
    }
}

enum cb_status cb_device_check_atomics(const struct cb_device *d, struct cb_err *err)
{
    if (strcmp(d->atomics, "c11") == 0 && d->atomic_scope[0] == '\0')
        return cb_fail(err, CB_UNSUPPORTED, "%s has no C11 atomics (%s); use --atomics cl12",
                       d->name, d->device_version);
    if (strcmp(d->atomics, "ptx") == 0 && strcmp(d->clock, "globaltimer") != 0 &&
        !strstr(d->vendor, "NVIDIA"))
        return cb_fail(err, CB_UNSUPPORTED, "--atomics ptx needs an NVIDIA GPU; %s is not one",
                       d->name);
    return CB_OK;
}

#define MOST_UNITS   (1u << 20)
#define MOST_WG_SIZE (1u << 20)

enum cb_status cb_device_check(const struct cb_device *d, struct cb_err *err)
{
    const struct {
        const char *what;
        uint64_t value, most;
    } numbers[] = {
        {"compute units", d->compute_units, MOST_UNITS},
        {"work-items a workgroup", d->max_wg_size, MOST_WG_SIZE},
    };
    for (size_t i = 0; i < CB_COUNTOF(numbers); i++)
        if (numbers[i].value == 0 || numbers[i].value > numbers[i].most)
            return cb_fail(err, CB_NO_DEVICE,
                           "%s cannot be used: its driver says that it has %" PRIu64
                           " %s. Try again, or another one: 'coopbench list devices' shows them.",
                           d->name[0] ? d->name : d->index, numbers[i].value, numbers[i].what);
    return CB_OK;
}

/* ---- Selection ------------------------------------------------------------------------------- */

static bool holds_text(const char *where, const char *what)
{
    return strcasestr(where, what) != NULL;
}

static bool starts_with(const char *where, const char *what)
{
    return where[0] && strncasecmp(where, what, strlen(what)) == 0;
}

/* "GPU-849c...", as nvidia-smi, Slurm and CUDA_VISIBLE_DEVICES name a GPU, or a part of one. */
static bool is_uuid_of_gpu(const char *text)
{
    return (starts_with(text, "GPU-") || starts_with(text, "MIG-")) && text[4];
}

static bool starts_with_uuid(const char *where, const char *what)
{
    return starts_with(where, is_uuid_of_gpu(what) ? what + 4 : what);
}

#define PCI_BYTES 24

/* A whole address, "00000000:41:00.0" as of nvidia-smi or "41:00.0" as of lspci, in our form. */
static bool read_pci(const char *text, char address[PCI_BYTES])
{
    unsigned domain = 0, bus, slot, function;
    int end = 0;
    bool whole = sscanf(text, "%8x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) == 4;
    if (!whole) {
        domain = 0;
        whole = sscanf(text, "%2x:%2x.%1x%n", &bus, &slot, &function, &end) == 3;
    }
    if (whole)
        snprintf(address, PCI_BYTES, "%04x:%02x:%02x.%x", domain, bus, slot, function);
    return whole && !text[end];
}

static bool is_pci(const char *text)
{
    char address[PCI_BYTES];
    return read_pci(text, address);
}

static bool starts_with_pci(const char *where, const char *what)
{
    char address[PCI_BYTES];
    return starts_with(where, read_pci(what, address) ? address : what);
}

static void append_trouble(const struct cb_devices *devices, struct cb_err *err)
{
    for (const char *line = devices->trouble; line && *line;) {
        size_t used = strlen(err->text), length = strcspn(line, "\n");
        snprintf(err->text + used, sizeof err->text - used, "\n  %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Variables by which users and batch systems hide devices from a program. */
static void append_hiding(struct cb_err *err)
{
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                        "GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK"};
    for (size_t i = 0; i < CB_COUNTOF(names); i++) {
        size_t used = strlen(err->text);
        if (getenv(names[i]))
            snprintf(err->text + used, sizeof err->text - used,
                     "\n  %s=%s in the environment may hide others.", names[i], getenv(names[i]));
    }
}

/* "what: no device matches; there is:" and the list. */
static enum cb_status nothing_matches(const struct cb_devices *devices, const char *what,
                                      struct cb_err *err)
{
    if (devices->count == 0) {
        cb_fail(err, CB_NO_DEVICE, "no OpenCL device found.%s",
                devices->trouble
                    ? ""
                    : "\n  Install a driver: 'apt-get install pocl-opencl-icd' makes the CPU a "
                      "device;\n  a GPU needs its vendor's driver. 'clinfo -l' shows what the "
                      "loader sees.");
        append_trouble(devices, err);
        append_hiding(err);
        return CB_NO_DEVICE;
    }
    cb_fail(err, CB_NO_DEVICE, "no device matches '%s'. There is:", what);
    for (int i = 0; i < devices->count; i++) {
        size_t used = strlen(err->text);
        const struct cb_device *d = &devices->items[i];
        snprintf(err->text + used, sizeof err->text - used, "\n  %-6s %-12s %s (%s)", d->index,
                 d->type, d->name, d->id);
    }
    append_trouble(devices, err);
    append_hiding(err);
    return CB_NO_DEVICE;
}

static int first_of_type(const struct cb_devices *devices, const char *type)
{
    for (int i = 0; i < devices->count; i++)
        if (strcmp(devices->items[i].type, type) == 0)
            return i;
    return -1;
}

static int default_device(const struct cb_devices *devices)
{
    int gpu = first_of_type(devices, "gpu"), cpu = first_of_type(devices, "cpu");
    if (gpu >= 0)
        return gpu;
    return cpu >= 0 ? cpu : devices->count - 1;
}

/* How a specification looks at a device: by its prefix, or without one if it tells by itself. */
static const struct matcher {
    const char *prefix;
    size_t offset;
    bool (*matches)(const char *value, const char *wanted);
    bool (*tells)(const char *spec);
} matchers[] = {
    {"name:", offsetof(struct cb_device, name), holds_text, NULL},
    {"pci:", offsetof(struct cb_device, pci), starts_with_pci, is_pci},
    {"uuid:", offsetof(struct cb_device, uuid), starts_with_uuid, is_uuid_of_gpu},
};

/* wanted: the specification without the prefix. NULL: none understands it. */
static const struct matcher *find_matcher(const char *spec, const char **wanted)
{
    for (size_t i = 0; i < CB_COUNTOF(matchers); i++) {
        const struct matcher *m = &matchers[i];
        const size_t length = strlen(m->prefix);
        const bool has_prefix = strncmp(spec, m->prefix, length) == 0 && spec[length];
        *wanted = has_prefix ? spec + length : spec;
        if (has_prefix || (m->tells && m->tells(spec)))
            return m;
    }
    return NULL;
}

static enum cb_status select_matching(const struct cb_devices *devices, const char *spec,
                                      int *selected, struct cb_err *err)
{
    const char *wanted;
    const struct matcher *matcher = find_matcher(spec, &wanted);
    int found = -1;
    if (!matcher)
        return cb_fail(err, CB_USAGE,
                       "device '%s' is not understood: expected all, gpu, cpu, accelerator, "
                       "PLATFORM:DEVICE, name:TEXT, pci:ADDRESS, uuid:UUID, or what nvidia-smi "
                       "prints: GPU-849c..., 00000000:41:00.0",
                       spec);
    for (int i = 0; i < devices->count; i++) {
        const char *value = (const char *)&devices->items[i] + matcher->offset;
        if (!matcher->matches(value, wanted))
            continue;
        if (found >= 0)
            return cb_fail(err, CB_USAGE,
                           "device '%s' is ambiguous: it matches %s (%s) and %s (%s); name one by "
                           "its index",
                           spec, devices->items[found].name, devices->items[found].index,
                           devices->items[i].name, devices->items[i].index);
        found = i;
    }
    if (found < 0)
        return nothing_matches(devices, spec, err);
    *selected = found;
    return CB_OK;
}

static bool is_index(const char *spec)
{
    unsigned p, d;
    char rest;
    return sscanf(spec, "%u:%u%c", &p, &d, &rest) == 2;
}

static bool is_type(const char *spec)
{
    return strcmp(spec, "gpu") == 0 || strcmp(spec, "cpu") == 0 || strcmp(spec, "accelerator") == 0;
}

/* The device with this id; -1: none has. An id may end with "#2", which no name holds. */
static int with_id(const struct cb_devices *devices, const char *id)
{
    for (int i = 0; i < devices->count; i++)
        if (strcmp(devices->items[i].id, id) == 0)
            return i;
    return -1;
}

enum cb_status cb_device_select(const struct cb_devices *devices, const char *spec, int *selected,
                                int *n_selected, struct cb_err *err)
{
    *n_selected = 0;
    if (devices->count == 0)
        return nothing_matches(devices, spec, err);
    if (strcmp(spec, "all") == 0) {
        for (int i = 0; i < devices->count; i++)
            selected[(*n_selected)++] = i;
        return CB_OK;
    }
    int found = -1;
    if (spec[0] == '\0') {
        found = default_device(devices);
    } else if (is_type(spec)) {
        found = first_of_type(devices, spec);
    } else if (is_index(spec)) {
        for (int i = 0; i < devices->count; i++)
            if (strcmp(devices->items[i].index, spec) == 0)
                found = i;
    } else if ((found = with_id(devices, spec)) < 0 &&
               select_matching(devices, spec, &found, err) != CB_OK) {
        return err->status;
    }
    if (found < 0)
        return nothing_matches(devices, spec, err);
    selected[(*n_selected)++] = found;
    return CB_OK;
}
