/* SPDX-License-Identifier: Apache-2.0
 *
 * Power and energy: NVML through a library that stands in for it (LD_LIBRARY_PATH, see
 * tests/CMakeLists.txt), RAPL through a folder of files, and what becomes of readings.
 */
#include "temp_folder.h"
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <math.h>
#include <sys/wait.h>

#include "runtime/host/time.h"
#include "runtime/power/series.h"

static const struct cb_device gpu = {.name = "H200",
                                     .type = "gpu",
                                     .vendor = "NVIDIA Corporation",
                                     .pci = "0000:41:00.0",
                                     .uuid = "5eed"};
static const struct cb_device cpu = {.name = "cpu", .type = "cpu"};

/* ---- Helpers --------------------------------------------------------------------------------- */

static int setup(void **unused)
{
    unsetenv("FAKE_NVML_WATTS");
    unsetenv("FAKE_NVML_POWER");
    unsetenv("FAKE_NVML_ENERGY");
    unsetenv("FAKE_NVML_INIT");
    if (make_folder(unused) != 0)
        return -1;
    return setenv("COOPBENCH_POWERCAP", folder, 1);
}

static struct cb_power *opened(const struct cb_device *device)
{
    struct cb_power *power;
    struct cb_err err;
    if (cb_power_open(device, &power, &err) != CB_OK)
        fail_msg("%s", err.text);
    return power;
}

static void refuses(const struct cb_device *device, const char *text)
{
    struct cb_power *power;
    struct cb_err err = {0};
    assert_int_equal(cb_power_open(device, &power, &err), CB_UNSUPPORTED);
    assert_null(power);
    if (!strstr(err.text, text))
        fail_msg("\"%s\" is not in \"%s\"", text, err.text);
}

static struct cb_power_reading reading_of(struct cb_power *power)
{
    struct cb_power_reading reading;
    struct cb_err err;
    if (cb_power_read(power, &reading, &err) != CB_OK)
        fail_msg("%s", err.text);
    return reading;
}

/* ---- NVML ------------------------------------------------------------------------------------ */

TEST_WITH(nvml, setup, remove_folder)
{
    struct cb_power *power = opened(&gpu);
    double before = (double)cb_now_ns();
    struct cb_power_reading first = reading_of(power), second = reading_of(power);
    assert_string_equal(cb_power_source(power), "nvml");
    assert_true(cb_power_limit(power) == 700);
    assert_true(first.watts == 100);
    assert_true(first.joules >= 0 && first.joules < 1000); /* not since the driver began */
    assert_true(second.joules >= first.joules);
    assert_true(before <= first.time_ns && first.time_ns <= second.time_ns &&
                second.time_ns <= (double)cb_now_ns());
    cb_power_close(power);
}

TEST_WITH(nvml_is_shut_down, setup, remove_folder)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW), *symbol;
    int (*inits)(void);
    assert_non_null(library);
    symbol = dlsym(library, "fake_nvml_inits");
    assert_non_null(symbol); /* else LD_LIBRARY_PATH is not what ctest sets */
    memcpy(&inits, &symbol, sizeof inits);
    struct cb_power *power = opened(&gpu);
    assert_int_equal(inits(), 1);
    cb_power_close(power);
    assert_int_equal(inits(), 0);
    cb_power_close(NULL);
    dlclose(library);
}

TEST_WITH(nvml_by_uuid, setup, remove_folder)
{
    struct cb_device moved = gpu;
    strcpy(moved.pci, "0000:00:06.0"); /* as a virtual machine sees it */
    cb_power_close(opened(&moved));
    strcpy(moved.uuid, "1234");
    refuses(&moved, "NVML does not find H200 at 0000:00:06.0: Not Found");
}

TEST_WITH(nvml_tells_half, setup, remove_folder)
{
    setenv("FAKE_NVML_ENERGY", "none", 1);
    struct cb_power *power = opened(&gpu);
    assert_true(isnan(reading_of(power).joules) && reading_of(power).watts == 100);
    cb_power_close(power);
    setenv("FAKE_NVML_POWER", "none", 1);
    refuses(&gpu, "H200 tells neither power nor energy: NVML: Not Supported");
    unsetenv("FAKE_NVML_ENERGY");
    power = opened(&gpu);
    assert_true(isnan(reading_of(power).watts) && reading_of(power).joules >= 0);
    cb_power_close(power);
}

TEST_WITH(nvml_without_driver, setup, remove_folder)
{
    setenv("FAKE_NVML_INIT", "9", 1);
    refuses(&gpu, "nvmlInit: Driver Not Loaded");
}

/* Only in the process of the next test, whose LD_LIBRARY_PATH is unset from the start. */
TEST(without_library)
{
    if (getenv("LD_LIBRARY_PATH") || dlopen("libnvidia-ml.so.1", RTLD_NOW))
        skip(); /* this machine has the real one */
    refuses(&gpu, "libnvidia-ml.so.1");
    refuses(&gpu, "Debian: libnvidia-ml1");
}

TEST(no_nvml)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_LIBRARY_PATH");
        execl("/proc/self/exe", "units", "test_power", "without_library", (char *)NULL);
        _exit(2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(other_devices)
{
    const struct cb_device other = {.name = "Iris", .type = "gpu", .vendor = "Intel"};
    refuses(&other, "the power of Iris is not known");
}

/* ---- RAPL ------------------------------------------------------------------------------------ */

static void write_file(const char *zone, const char *name, const char *text)
{
    char path[128], line[64];
    mkdir(path_of(zone), 0700);
    snprintf(path, sizeof path, "%s/%s", zone, name);
    snprintf(line, sizeof line, "%s\n", text);
    write_text(path, line);
}

static void write_zone(const char *zone, const char *name, const char *energy)
{
    write_file(zone, "name", name);
    write_file(zone, "energy_uj", energy);
    write_file(zone, "max_energy_range_uj", "10000000");
}

TEST_WITH(rapl, setup, remove_folder)
{
    write_zone("intel-rapl:0", "package-0", "1000000");
    write_zone("intel-rapl:1", "package-1", "9000000");
    write_zone("intel-rapl:0:0", "core", "5");
    write_zone("intel-rapl-mmio:0", "package-0", "7");
    write_zone("intel-rapl:2", "psys", "8");
    struct cb_power *power = opened(&cpu);
    assert_string_equal(cb_power_source(power), "rapl");
    assert_true(isnan(cb_power_limit(power)));
    assert_true(reading_of(power).joules == 0);
    write_file("intel-rapl:0", "energy_uj", "1500000");
    write_file("intel-rapl:1", "energy_uj", "1000000"); /* it has wrapped */
    write_file("intel-rapl:0:0", "energy_uj", "5000000");
    struct cb_power_reading reading = reading_of(power);
    assert_true(fabs(reading.joules - 2.5) < 1e-9 && isnan(reading.watts));
    assert_true(fabs(reading_of(power).joules - 2.5) < 1e-9);
    cb_power_close(power);
}

TEST_WITH(no_rapl, setup, remove_folder)
{
    refuses(&cpu, "there is no ");
    write_zone("intel-rapl:0", "psys", "1");
    refuses(&cpu, "/intel-rapl:0 (virtual machines have none");
    setenv("COOPBENCH_POWERCAP", "/nowhere", 1);
    refuses(&cpu, "there is no /nowhere/intel-rapl:0");
}

TEST_WITH(closed_rapl, setup, remove_folder)
{
    char path[256];
    write_zone("intel-rapl:0", "package-0", "1");
    snprintf(path, sizeof path, "%s/intel-rapl:0/energy_uj", folder);
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0) /* which may read all */
        refuses(&cpu, "energy_uj: Permission denied: run as root, or allow it: chmod a+r");
    assert_int_equal(remove(path), 0);
    refuses(&cpu, "energy_uj: No such file or directory");
    write_file("intel-rapl:0", "energy_uj", "much");
    refuses(&cpu, "energy_uj: Invalid argument");
}

/* ---- The sampler ----------------------------------------------------------------------------- */

/* The limits are wide: a reading lasts 150 ms, in which a busy machine may read the counter late.
 */
static bool is_about_100(double watts)
{
    return watts > 60 && watts < 160;
}

TEST_WITH(sampler, setup, remove_folder)
{
    struct cb_power *power = opened(&gpu);
    struct cb_power_sampler *sampler;
    struct cb_power_point points[4];
    struct cb_err err = {0};
    double begin = (double)cb_now_ns();
    assert_int_equal(cb_power_sampler_start(power, 1000, 1000, &sampler, &err), CB_OK);
    while (cb_power_points(sampler, 50e6, points, 4) < 4 && (double)cb_now_ns() < begin + 30e9)
        usleep(1000);
    assert_int_equal(cb_power_points(sampler, 50e6, points, 4), 4);
    for (int i = 1; i < 4; i++)
        assert_true(points[i].time_ns >= points[i - 1].time_ns + 50e6);
    assert_true(points[0].time_ns >= begin + 50e6 && points[3].time_ns <= (double)cb_now_ns());
    double mean = cb_power_mean(sampler, points[0].time_ns, points[3].time_ns);
    assert_true(is_about_100(mean));
    assert_int_equal(cb_power_sampler_stop(sampler, &err), CB_OK);
    assert_int_equal(cb_power_sampler_stop(sampler, &err), CB_OK);
    assert_true(is_about_100(cb_power_mean(sampler, points[0].time_ns, points[3].time_ns)));
    double end = (double)cb_now_ns();
    assert_true(
        isnan(cb_power_mean(sampler, end + 1e9, end + 2e9))); /* it has read nothing since */
    cb_power_sampler_close(sampler);
    cb_power_close(power);
}

/* Stopping it does not wait for the next reading. */
TEST_WITH(sampler_ends_at_once, setup, remove_folder)
{
    struct cb_power *power = opened(&gpu);
    struct cb_power_sampler *sampler;
    struct cb_err err;
    double begin = (double)cb_now_ns();
    assert_int_equal(cb_power_sampler_start(power, 0.001, 4, &sampler, &err), CB_OK);
    cb_power_sampler_close(sampler);
    assert_true((double)cb_now_ns() - begin < 10e9); /* a period is 1000 s */
    cb_power_close(power);
    cb_power_sampler_close(NULL);
    assert_int_equal(cb_power_sampler_stop(NULL, &err), CB_OK);
    assert_true(isnan(cb_power_mean(NULL, 0, 1)));
    assert_int_equal(cb_power_points(NULL, 0, NULL, 0), 0);
}

TEST_WITH(sampler_tells_failure, setup, remove_folder)
{
    char path[256];
    struct cb_power_sampler *sampler;
    struct cb_err err = {0};
    write_zone("intel-rapl:0", "package-0", "1");
    struct cb_power *power = opened(&cpu);
    snprintf(path, sizeof path, "%s/intel-rapl:0/energy_uj", folder);
    assert_int_equal(remove(path), 0);
    assert_int_equal(cb_power_sampler_start(power, 1000, 4, &sampler, &err), CB_OK);
    assert_int_equal(cb_power_sampler_stop(sampler, &err), CB_UNSUPPORTED);
    assert_non_null(strstr(err.text, "energy_uj: No such file"));
    cb_power_sampler_close(sampler);
    cb_power_close(power);
}
