/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/host/files.h"

#define DEFAULT_VENDORS        "/etc/OpenCL/vendors"
#define DEFAULT_CPU_WORKGROUPS 8
#define USUAL_STACK            (8u << 20) /* bytes */

struct drivers {
    FILE *out; /* the lines */
    int registered, broken;
    bool pocl;
};

/* ---- Registered drivers ---------------------------------------------------------------------- */

/* The folder of *.icd files, or one such file, that the loader reads. */
static const char *vendors(void)
{
    static const char *const names[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (getenv(names[i]))
            return getenv(names[i]);
    return DEFAULT_VENDORS;
}

/* The file names the driver's library in its first line. */
static void check_driver(struct drivers *d, const char *path)
{
    char library[PATH_MAX] = "";
    FILE *in = fopen(path, "re");
    if (in && fgets(library, sizeof library, in))
        library[strcspn(library, "\r\n")] = '\0';
    if (in)
        fclose(in);
    if (!library[0])
        return;
    d->registered++;
    d->pocl |= strstr(library, "pocl") != NULL;
    if (dlopen(library, RTLD_LAZY | RTLD_LOCAL)) /* stays open: some drivers cannot be unloaded */
        return;
    d->broken++;
    fprintf(d->out, "The driver of %s does not load: %s.\n", path, dlerror());
}

static bool is_icd(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

static void check_drivers(struct drivers *d)
{
    const char *folder = vendors();
    char path[PATH_MAX];
    DIR *dir = opendir(folder);
    if (!dir && is_icd(folder))
        check_driver(d, folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_icd(entry->d_name) && n < (int)sizeof path)
            check_driver(d, path);
    }
    if (dir)
        closedir(dir);
}

/* ---- Causes ---------------------------------------------------------------------------------- */

/* The folder where PoCL keeps kernels; the caller's to free. */
static char *pocl_cache(void)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"POCL_CACHE_DIR", ""},
                  {"XDG_CACHE_HOME", "/pocl/kcache"},
                  {"HOME", "/.cache/pocl/kcache"}};
    char *path = NULL;
    for (size_t i = 0; i < CB_COUNTOF(places); i++)
        if (getenv(places[i].variable))
            return asprintf(&path, "%s%s", getenv(places[i].variable), places[i].below) < 0 ? NULL
                                                                                            : path;
    return strdup("/tmp/pocl/kcache");
}

static enum cb_status try_folder(const char *path, struct cb_err *err)
{
    char *probe = NULL;
    if (cb_make_folders(path, err) != CB_OK)
        return err->status;
    int file = asprintf(&probe, "%s/coopbench.XXXXXX", path) < 0 ? -1 : mkstemp(probe);
    if (file < 0) {
        cb_fail(err, CB_ERROR, "cannot write to the folder %s: %s", path, strerror(errno));
    } else {
        close(file);
        unlink(probe);
    }
    free(probe);
    return file < 0 ? CB_ERROR : CB_OK;
}

/* Without a place for kernels PoCL has no device. */
static void check_pocl_cache(struct drivers *d)
{
    struct cb_err err;
    char *path = pocl_cache();
    if (path && try_folder(path, &err) != CB_OK)
        fprintf(d->out,
                "PoCL has no place for its kernels: %s. Set POCL_CACHE_DIR to a folder that can be "
                "written.\n",
                err.text);
    free(path);
}

static void print_limits(FILE *out)
{
    static const struct {
        int resource;
        const char *what, *option;
        rlim_t unit, needed; /* needed: in units of ulimit */
    } limits[] = {{RLIMIT_AS, "KiB of memory", "v", 1024, 4194304},
                  {RLIMIT_DATA, "KiB of data", "d", 1024, 4194304},
                  {RLIMIT_STACK, "KiB of stack", "s", 1024, 1024},
                  {RLIMIT_NOFILE, "open files", "n", 1, 256},
                  {RLIMIT_NPROC, "processes and threads", "u", 1, 256}};
    for (size_t i = 0; i < CB_COUNTOF(limits); i++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)limits[i].resource, &limit) != 0 ||
            limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / limits[i].unit >= limits[i].needed)
            continue;
        fprintf(out,
                "This shell allows %llu %s, which may be too few: raise it with 'ulimit -%s "
                "%llu'.\n",
                (unsigned long long)(limit.rlim_cur / limits[i].unit), limits[i].what,
                limits[i].option, (unsigned long long)limits[i].needed);
    }
}

static void check_causes(struct drivers *d, bool has_devices)
{
    if (d->pocl && !has_devices)
        check_pocl_cache(d);
    long before = ftell(d->out);
    print_limits(d->out);
    if (d->broken > 0 && ftell(d->out) == before)
        fprintf(d->out, "Install its package again, or remove the .icd file.\n");
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Ends the last line without "\n"; NULL if there is none. */
static char *finish(FILE *out, char **text, size_t *size)
{
    bool lost = fclose(out) != 0;
    if (!lost && *size > 0) {
        (*text)[*size - 1] = '\0';
        return *text;
    }
    free(*text);
    return NULL;
}

char *cb_drivers_trouble(bool has_devices)
{
    char *text = NULL;
    size_t size = 0;
    struct drivers d = {.out = open_memstream(&text, &size)};
    if (!d.out)
        return NULL;
    check_drivers(&d);
    if (d.broken > 0 || (!has_devices && d.registered > 0))
        check_causes(&d, has_devices);
    if (!has_devices && d.registered > d.broken && ftell(d.out) == 0)
        fprintf(d.out,
                "%d driver%s registered in %s and loads, but has no device. Is the device "
                "there, and may this user open it? 'clinfo -l' shows what the loader sees.\n",
                d.registered, d.registered == 1 ? " is" : "s are", vendors());
    return finish(d.out, &text, &size);
}

char *cb_drivers_limits(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_limits(out);
    return finish(out, &text, &size);
}

void cb_drivers_raise_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= USUAL_STACK)
        return;
    limit.rlim_cur = limit.rlim_max < USUAL_STACK ? limit.rlim_max : USUAL_STACK;
    setrlimit(RLIMIT_STACK, &limit);
}

/* Before version 4, PoCL reads the first name, since then the second. */
void cb_drivers_set_cpu_workgroups(unsigned n)
{
    static const char *const names[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"};
    char text[16];
    snprintf(text, sizeof text, "%u", n ? n : DEFAULT_CPU_WORKGROUPS);
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        if (n == 0 && getenv(names[i]))
            return;
    for (size_t i = 0; i < CB_COUNTOF(names); i++)
        setenv(names[i], text, 1);
}
