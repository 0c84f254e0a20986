/* SPDX-License-Identifier: Apache-2.0
 *
 * Linux's powercap tree: a folder intel-rapl:N for each package (AMD's, too), with a counter of
 * micro-joules that wraps. Below them lie parts, which the package has in it.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host/files.h"
#include "runtime/power/internal.h"

#define ROOT      "/sys/class/powercap"
#define MAX_ZONES 64
#define MAX_PATH  512

static const struct cb_file_kind sensor = {"a sensor", 1000000};

struct zone {
    char path[MAX_PATH]; /* path of its counter */
    uint64_t last, range;
};

struct source {
    struct cb_power power; /* the first member */
    int n;
    double joules;
    struct zone zones[MAX_ZONES];
};

static void close_source(struct cb_power *power)
{
    free(power);
}

/* The first line of folder/name; an errno. */
static int read_line(const char *folder, const char *name, char *line, size_t size)
{
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    struct cb_err ignored;
    errno = 0;
    FILE *in = cb_open_stream(path, &sensor, &ignored);
    if (!in)
        return errno ? errno : EINVAL;
    bool there = fgets(line, (int)size, in);
    int code = there ? 0 : errno ? errno : EIO;
    fclose(in);
    return code;
}

static int read_number(const char *folder, const char *name, uint64_t *number)
{
    char line[64], *end;
    int code = read_line(folder, name, line, sizeof line);
    if (code != 0)
        return code;
    *number = strtoull(line, &end, 10);
    return end == line ? EINVAL : 0;
}

static enum cb_status cannot_read(const char *folder, int code, struct cb_err *err)
{
    return cb_fail(err, CB_UNSUPPORTED, "the CPU's energy: %s/energy_uj: %s%s", folder,
                   strerror(code),
                   code == EACCES || code == EPERM ? ": run as root, or allow it: chmod a+r " ROOT
                                                     "/*/energy_uj"
                                                   : "");
}

/* "intel-rapl:0", but neither its parts ("intel-rapl:0:1") nor the same seen elsewhere
 * ("intel-rapl-mmio:0"); of the whole platform, which some laptops have, it has another name. */
static bool is_package(const char *root, const char *entry)
{
    char folder[MAX_PATH / 2], name[64];
    if (strncmp(entry, "intel-rapl:", 11) != 0 || strchr(entry + 11, ':'))
        return false;
    snprintf(folder, sizeof folder, "%s/%s", root, entry);
    return read_line(folder, "name", name, sizeof name) == 0 && strncmp(name, "package", 7) == 0;
}

static enum cb_status add_zone(struct source *s, const char *root, const char *entry,
                               struct cb_err *err)
{
    struct zone *z = &s->zones[s->n];
    snprintf(z->path, sizeof z->path, "%s/%s", root, entry);
    int code = read_number(z->path, "energy_uj", &z->last);
    if (code == 0)
        code = read_number(z->path, "max_energy_range_uj", &z->range);
    if (code != 0)
        return cannot_read(z->path, code, err);
    s->n++;
    return CB_OK;
}

static enum cb_status find_zones(struct source *s, const char *root, struct cb_err *err)
{
    DIR *folder = opendir(root);
    enum cb_status status = CB_OK;
    for (const struct dirent *e; folder && status == CB_OK && (e = readdir(folder));)
        if (s->n < MAX_ZONES && is_package(root, e->d_name))
            status = add_zone(s, root, e->d_name, err);
    if (folder)
        closedir(folder);
    if (status == CB_OK && s->n == 0)
        return cb_fail(err, CB_UNSUPPORTED,
                       "the CPU does not tell its energy: there is no %s/intel-rapl:0 (virtual "
                       "machines have none; on a machine: modprobe intel_rapl_msr)",
                       root);
    return status;
}

static enum cb_status read_source(struct cb_power *power, struct cb_power_reading *reading,
                                  struct cb_err *err)
{
    struct source *s = (struct source *)power;
    for (struct zone *z = s->zones; z < s->zones + s->n; z++) {
        uint64_t now;
        int code = read_number(z->path, "energy_uj", &now);
        if (code != 0)
            return cannot_read(z->path, code, err);
        s->joules += (double)(now >= z->last ? now - z->last : now + (z->range - z->last)) / 1e6;
        z->last = now;
    }
    reading->joules = s->joules;
    reading->watts = NAN;
    return CB_OK;
}

enum cb_status cb_power_open_rapl(struct cb_power **power, struct cb_err *err)
{
    const char *root = getenv("COOPBENCH_POWERCAP");
    struct source *s = calloc(1, sizeof *s);
    if (!s)
        return cb_no_memory(err);
    s->power = (struct cb_power){"rapl", NAN, read_source, close_source};
    if (find_zones(s, root && *root ? root : ROOT, err) != CB_OK) {
        free(s);
        return err->status;
    }
    *power = &s->power;
    return CB_OK;
}
