/* SPDX-License-Identifier: Apache-2.0
 *
 * What others have of the cores of a CPU device: the time that these were busy, less the time that
 * this program's processes were on them. /proc/stat counts what a core was not idle in 10 ms: that
 * bounds how little can be seen. What a hypervisor takes away is others', too.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/host/time.h"
#include "runtime/neighbours/internal.h"

#define LEAST_SHARE 0.03 /* of all cores: the system's own work takes less */
#define LEAST_CORES 0.5
/* /proc/stat has whole ticks of 10 ms: the difference of two of its times is off by 4.1 ms
 * (standard deviation) for each core. */
#define TICKS_OFF_NS 4.1e6
#define SURE         4 /* of these deviations */
#define MOST_DEPTH   32

/* Sum of the idle times of the cores of a set, in ticks; false: not told. */
static bool idle_ticks(const cpu_set_t *cores, double *ticks)
{
    char line[512];
    bool found = false;
    FILE *in = fopen("/proc/stat", "re");
    *ticks = 0;
    while (in && fgets(line, sizeof line, in)) {
        unsigned core;
        unsigned long long user, nice, system, idle, waits;
        if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu", &core, &user, &nice, &system, &idle,
                   &waits) != 6 ||
            core >= CPU_SETSIZE || !CPU_ISSET(core, cores))
            continue;
        *ticks += (double)(idle + waits);
        found = true;
    }
    if (in)
        fclose(in);
    return found;
}

/* A number of /proc/PID/stat by its place, from 3 on, which are those after the name. */
static bool read_stat(pid_t pid, const int *places, int n, long long *values)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *in = fopen(path, "re");
    if (!in)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[size] = '\0';
    char *rest = strrchr(text, ')'), *word = rest ? strtok_r(rest + 1, " ", &rest) : NULL;
    for (int place = 3, i = 0; word && i < n; place++, word = strtok_r(NULL, " ", &rest))
        if (place == places[i])
            values[i++] = strtoll(word, NULL, 10);
        else if (place > places[n - 1])
            return false;
    return word != NULL;
}

bool cb_process_is_below(pid_t pid, pid_t root)
{
    const int parent = 4;
    for (int depth = 0; pid > 0 && depth < MOST_DEPTH; depth++) {
        long long above;
        if (pid == root)
            return true;
        if (!read_stat(pid, &parent, 1, &above))
            return false;
        pid = (pid_t)above;
    }
    return false;
}

/* Time on cores of a process and of those that it has waited for. */
static double own_ns(pid_t pid)
{
    const int places[] = {16, 17}; /* cutime, cstime */
    long long ended[] = {0, 0};
    clockid_t clock;
    struct timespec t = {0};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0 ||
        !read_stat(pid, places, 2, ended))
        return 0;
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec +
           (double)(ended[0] + ended[1]) * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* Time on cores of a process and of all below it. */
static double tree_ns(pid_t pid, int depth)
{
    char path[64];
    double sum = own_ns(pid);
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *in = depth < MOST_DEPTH ? fopen(path, "re") : NULL;
    while (in && fscanf(in, "%d", &child) == 1)
        sum += tree_ns(child, depth + 1);
    if (in)
        fclose(in);
    return sum;
}

bool cb_cores_read(pid_t root, struct cb_cores_time *time)
{
    cpu_set_t cores;
    double ticks;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0 || !idle_ticks(&cores, &ticks))
        return false;
    *time = (struct cb_cores_time){.at_ns = cb_now_ns(), .cores = (uint64_t)CPU_COUNT(&cores)};
    time->busy_ns =
        (double)time->cores * (double)time->at_ns - ticks * 1e9 / (double)sysconf(_SC_CLK_TCK);
    time->ours_ns = tree_ns(root, 0);
    return true;
}

double cb_cores_others_ns(const struct cb_cores_time *before, const struct cb_cores_time *now)
{
    return now->busy_ns - before->busy_ns - (now->ours_ns - before->ours_ns);
}

void cb_cores_look(const struct cb_cores_time *before, const struct cb_cores_time *now,
                   struct cb_look *look)
{
    const double wall_ns = (double)(now->at_ns - before->at_ns), cores = (double)now->cores;
    const double others_ns = cb_cores_others_ns(before, now);
    const double least_ns = fmin(LEAST_SHARE * cores, LEAST_CORES) * wall_ns;
    if (now->cores != before->cores || wall_ns <= 0 ||
        others_ns < least_ns + SURE * TICKS_OFF_NS * sqrt(cores))
        return;
    cb_look_sees(look, CB_SIGN_CORES, others_ns / (wall_ns * cores));
}
