/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/documents/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "runtime/source.h"
#include "runtime/version.h"

/* The rest of the first line of a file that starts with prefix, without separator; "" if none. */
static void line_of_file(const char *path, const char *prefix, char *text, size_t size)
{
    text[0] = '\0';
    FILE *in = fopen(path, "r");
    if (!in)
        return;
    char line[256];
    while (!text[0] && fgets(line, sizeof line, in)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        char *value = line + strlen(prefix);
        value += strspn(value, " \t:");
        value[strcspn(value, "\n")] = '\0';
        snprintf(text, size, "%s", value);
    }
    fclose(in);
}

static void add_text(cJSON *object, const char *key, const char *text)
{
    if (text[0])
        cJSON_AddStringToObject(object, key, text);
    else
        cJSON_AddNullToObject(object, key);
}

cJSON *cb_environment_host(void)
{
    cJSON *host = cJSON_CreateObject();
    struct utsname os;
    char text[256];
    double load[3];
    uname(&os);
    const char *name = getenv("COOPBENCH_HOSTNAME");
    add_text(host, "hostname", name && *name ? name : os.nodename);
    snprintf(text, sizeof text, "%.100s %.100s", os.sysname, os.release);
    add_text(host, "os", text);
    add_text(host, "arch", os.machine);
    line_of_file("/proc/cpuinfo", "model name", text, sizeof text);
    add_text(host, "cpu", text);
    cJSON_AddNumberToObject(host, "num_cpus", (double)sysconf(_SC_NPROCESSORS_ONLN));
    line_of_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", text, sizeof text);
    add_text(host, "governor", text);
    if (getloadavg(load, 3) == 3)
        cJSON_AddItemToObject(host, "load_avg", cJSON_CreateDoubleArray(load, 3));
    else
        cJSON_AddNullToObject(host, "load_avg");
    return host;
}

cJSON *cb_environment_tool(void)
{
    char kernels[32];
    cJSON *tool = cJSON_CreateObject();
    cJSON_AddStringToObject(tool, "name", "coopbench");
    cJSON_AddStringToObject(tool, "version", cb_version.version);
    add_text(tool, "git_sha", cb_version.git_sha);
    cJSON_AddBoolToObject(tool, "git_dirty", cb_version.git_dirty);
    cJSON_AddStringToObject(tool, "compiler", cb_version.compiler);
    cJSON_AddStringToObject(tool, "build_type", cb_version.build_type);
    snprintf(kernels, sizeof kernels, "%016llx", (unsigned long long)cb_source_digest());
    cJSON_AddStringToObject(tool, "kernels", kernels);
    return tool;
}

void cb_utc_now(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
