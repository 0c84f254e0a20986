/* SPDX-License-Identifier: Apache-2.0
 *
 * What drivers say of their devices, through OpenCL. Runs in worker processes only. A property that
 * a driver does not know is left empty, and a platform that fails is left out: enumeration fails
 * only if the loader does.
 */
#include <CL/cl_ext.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/device.h"
#include "runtime/host/text.h"

#define MAX_PLATFORMS 32
#define MAX_DEVICES   64
#define MOST_TEXT     1024
#define MOST_LISTED   1000000 /* bytes of all names of extensions */

#ifndef CL_DEVICE_PCI_BUS_ID_NV
#define CL_DEVICE_PCI_BUS_ID_NV  0x4008
#define CL_DEVICE_PCI_SLOT_ID_NV 0x4009
#endif
#define CL_DEVICE_PCI_DOMAIN_ID_NV_ 0x400A
#define CL_DEVICE_CC_MAJOR_NV_      0x4000
#define PTX_ACQUIRE_CC_MAJOR        7 /* Volta: the first with ld.acquire and st.release */
#define UUID_BYTES                  16

struct pci_address {
    cl_uint domain, bus, device, function;
};

/* Keeps what a driver says, if it could say it. */
static void keep_text(cl_int code, const char *said, char *text, size_t size)
{
    text[0] = '\0';
    if (code == CL_SUCCESS)
        cb_text_clean(text, size, said, strlen(said), CB_TEXT_STORED);
}

static void platform_text(cl_platform_id platform, cl_platform_info what, char *text, size_t size)
{
    char said[MOST_TEXT] = "";
    cl_int code = clGetPlatformInfo(platform, what, sizeof said - 1, said, NULL);
    keep_text(code, said, text, size);
}

static void device_text(cl_device_id device, cl_device_info what, char *text, size_t size)
{
    char said[MOST_TEXT] = "";
    cl_int code = clGetDeviceInfo(device, what, sizeof said - 1, said, NULL);
    keep_text(code, said, text, size);
}

static uint64_t device_number(cl_device_id device, cl_device_info what)
{
    uint64_t value = 0; /* drivers fill 4 or 8 bytes, little-endian hosts only */
    if (clGetDeviceInfo(device, what, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value;
}

bool cb_device_has_extension(cl_device_id device, const char *name)
{
    size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS ||
        size > MOST_LISTED)
        return false;
    char *all = calloc(1, size + 2);
    bool found = false;
    if (all && clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS) {
        char *rest = all;
        for (char *word; !found && (word = strtok_r(rest, " ", &rest));)
            found = strcmp(word, name) == 0;
    }
    free(all);
    return found;
}

static void query_identity(cl_device_id device, struct cb_device *d)
{
    unsigned char uuid[UUID_BYTES];
    if (cb_device_has_extension(device, "cl_khr_device_uuid") &&
        clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == CL_SUCCESS) {
        char *out = d->uuid;
        for (int i = 0; i < UUID_BYTES; i++)
            out +=
                sprintf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    }
    struct pci_address pci = {0};
    bool known = false;
    if (cb_device_has_extension(device, "cl_khr_pci_bus_info")) {
        known = clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof pci, &pci, NULL) ==
                CL_SUCCESS;
    } else if (cb_device_has_extension(device, "cl_nv_device_attribute_query")) {
        pci.domain = (cl_uint)device_number(device, CL_DEVICE_PCI_DOMAIN_ID_NV_);
        pci.bus = (cl_uint)device_number(device, CL_DEVICE_PCI_BUS_ID_NV);
        pci.device = (cl_uint)device_number(device, CL_DEVICE_PCI_SLOT_ID_NV);
        known = true;
    }
    if (known)
        snprintf(d->pci, sizeof d->pci, "%04x:%02x:%02x.%x", pci.domain & 0xffff, pci.bus & 0xff,
                 pci.device & 0xff, pci.function & 0xf);
    if (d->uuid[0])
        snprintf(d->id, sizeof d->id, "uuid:%s", d->uuid);
    else if (d->pci[0])
        snprintf(d->id, sizeof d->id, "pci:%s", d->pci);
    else
        snprintf(d->id, sizeof d->id, "name:%.100s", d->name);
}

static const char *type_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return "gpu";
    if (type & CL_DEVICE_TYPE_CPU)
        return "cpu";
    return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

static void query_atomics(cl_device_id device, struct cb_device *d)
{
    cl_device_atomic_capabilities caps =
        device_number(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
    if (strncmp(d->device_version, "OpenCL 2.", 9) == 0) /* all of C11, before there was a query */
        caps = CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES |
               CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    const char *order = "", *scope = "";
    if (caps & CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
        order = "seq_cst";
    else if (caps & CL_DEVICE_ATOMIC_ORDER_ACQ_REL)
        order = "acq_rel";
    else if (caps & CL_DEVICE_ATOMIC_ORDER_RELAXED)
        order = "relaxed";
    if (caps & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
        scope = "all_devices";
    else if (caps & CL_DEVICE_ATOMIC_SCOPE_DEVICE)
        scope = "device";
    else if (caps & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP)
        scope = "work_group";
    strcpy(d->atomic_order, order);
    strcpy(d->atomic_scope, scope);
}

static void query_svm(cl_device_id device, struct cb_device *d)
{
    static const struct {
        cl_device_svm_capabilities bit;
        const char *name;
    } kinds[] = {
        {CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse"},
        {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine_buffer"},
        {CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "fine_system"},
        {CL_DEVICE_SVM_ATOMICS, "atomics"},
    };
    cl_device_svm_capabilities caps = device_number(device, CL_DEVICE_SVM_CAPABILITIES);
    for (size_t i = 0; i < CB_COUNTOF(kinds); i++)
        if (caps & kinds[i].bit) {
            strcat(d->svm, d->svm[0] ? "," : "");
            strcat(d->svm, kinds[i].name);
        }
    if (!d->svm[0])
        strcpy(d->svm, "none");
}

unsigned cb_device_nvidia_capability(cl_device_id device)
{
    return cb_device_has_extension(device, "cl_nv_device_attribute_query")
               ? (unsigned)device_number(device, CL_DEVICE_CC_MAJOR_NV_)
               : 0;
}

/* Which back ends of the kernel library fit the device: the one place that knows. */
static void choose_back_ends(cl_device_id device, struct cb_device *d)
{
    bool nvidia = strcmp(d->type, "gpu") == 0 &&
                  cb_device_has_extension(device, "cl_nv_device_attribute_query");
    bool pocl_cpu = cb_device_is_cpu(d) && strstr(d->platform, CB_POCL_PLATFORM);
    bool c11 =
        (strcmp(d->atomic_order, "acq_rel") == 0 || strcmp(d->atomic_order, "seq_cst") == 0) &&
        strcmp(d->atomic_scope, "work_group") != 0;
    bool ptx = nvidia && cb_device_nvidia_capability(device) >= PTX_ACQUIRE_CC_MAJOR;
    strcpy(d->atomics, ptx ? "ptx" : c11 ? "c11" : "cl12");
    strcpy(d->host_channel,
           strstr(d->svm, "fine_buffer") && strstr(d->svm, "atomics") ? "svm" : "queue");
    strcpy(d->clock, cb_device_has_extension(device, "cl_khr_kernel_clock") ? "khr" : "none");
    strcpy(d->relax, "none");
    if (nvidia)
        strcpy(d->clock, "globaltimer");
#if defined(__x86_64__) || defined(__aarch64__)
    if (pocl_cpu) { /* its compiler takes inline assembly of the host's architecture */
        strcpy(d->relax, "sched_yield");
#ifdef __x86_64__
        strcpy(d->clock, "tsc");
#else
        strcpy(d->clock, "cntvct");
#endif
    }
#else
    (void)pocl_cpu;
#endif
}

static void query_device(cl_platform_id platform, cl_device_id device, struct cb_device *d)
{
    device_text(device, CL_DEVICE_NAME, d->name, sizeof d->name);
    device_text(device, CL_DEVICE_VENDOR, d->vendor, sizeof d->vendor);
    device_text(device, CL_DEVICE_VERSION, d->device_version, sizeof d->device_version);
    device_text(device, CL_DRIVER_VERSION, d->driver_version, sizeof d->driver_version);
    platform_text(platform, CL_PLATFORM_NAME, d->platform, sizeof d->platform);
    platform_text(platform, CL_PLATFORM_VERSION, d->platform_version, sizeof d->platform_version);
    strcpy(d->type, type_name(device_number(device, CL_DEVICE_TYPE)));
    d->compute_units = device_number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    d->max_clock_mhz = device_number(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    d->global_mem_bytes = device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    d->local_mem_bytes = device_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
    d->max_wg_size = device_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    d->event_resolution_ns = device_number(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    cpu_set_t cores;
    if (cb_device_is_cpu(d) && sched_getaffinity(0, sizeof cores, &cores) == 0)
        d->host_cores = (uint64_t)CPU_COUNT(&cores);
    query_identity(device, d);
    query_atomics(device, d);
    query_svm(device, d);
    choose_back_ends(device, d);
}

/* Calls visit for every device until it returns false. */
static enum cb_status visit_devices(bool (*visit)(void *context, cl_platform_id, cl_device_id,
                                                  const char *index),
                                    void *context, struct cb_err *err)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint n_platforms = 0;
    cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, &n_platforms);
    if (code == -1001) /* the loader found no driver */
        return CB_OK;
    if (CB_CL_CODE(err, code, "clGetPlatformIDs") != CB_OK)
        return CB_ERROR;
    for (cl_uint p = 0; p < n_platforms && p < MAX_PLATFORMS; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint n_devices = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n_devices) !=
            CL_SUCCESS)
            continue; /* a platform without devices, or a broken driver: the others still count */
        for (cl_uint i = 0; i < n_devices && i < MAX_DEVICES; i++) {
            char index[16];
            snprintf(index, sizeof index, "%u:%u", p, i);
            if (!visit(context, platforms[p], devices[i], index))
                return CB_OK;
        }
    }
    return CB_OK;
}

/* Devices of the same name and no UUID or address: the second is "name:TEXT#2". */
static void make_unique(struct cb_device *d, const struct cb_device *before, int n_before)
{
    int same = 0;
    for (int i = 0; i < n_before; i++)
        same += strcmp(before[i].name, d->name) == 0;
    if (same > 0 && strncmp(d->id, "name:", 5) == 0)
        snprintf(d->id + strlen(d->id), sizeof d->id - strlen(d->id), "#%d", same + 1);
}

static bool append_device(void *context, cl_platform_id platform, cl_device_id device,
                          const char *index)
{
    struct cb_devices *out = context;
    struct cb_device *grown = realloc(out->items, sizeof *grown * (size_t)(out->count + 1));
    if (!grown)
        return false;
    out->items = grown;
    struct cb_device *d = &grown[out->count];
    memset(d, 0, sizeof *d);
    strcpy(d->index, index);
    query_device(platform, device, d);
    make_unique(d, grown, out->count);
    out->count++;
    return true;
}

enum cb_status cb_devices_enumerate(struct cb_devices *out, struct cb_err *err)
{
    memset(out, 0, sizeof *out);
    return visit_devices(append_device, out, err);
}

struct search {
    struct cb_devices seen; /* ids depend on the devices before */
    const char *id;
    cl_platform_id platform;
    cl_device_id device;
};

static bool match_device(void *context, cl_platform_id platform, cl_device_id device,
                         const char *index)
{
    struct search *search = context;
    if (!append_device(&search->seen, platform, device, index))
        return false;
    if (strcmp(search->seen.items[search->seen.count - 1].id, search->id) != 0)
        return true;
    search->platform = platform;
    search->device = device;
    return false;
}

enum cb_status cb_device_open(const char *id, cl_platform_id *platform, cl_device_id *device,
                              struct cb_device *info, struct cb_err *err)
{
    struct search search = {.id = id};
    enum cb_status status = visit_devices(match_device, &search, err);
    if (status == CB_OK && !search.device)
        status = cb_fail(err, CB_NO_DEVICE, "device '%s' has gone", id);
    if (status == CB_OK) {
        *platform = search.platform;
        *device = search.device;
        *info = search.seen.items[search.seen.count - 1];
    }
    cb_devices_free(&search.seen);
    return status;
}
