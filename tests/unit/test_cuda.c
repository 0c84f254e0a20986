/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA's occupancy calculator is asked, by a stand-in for it (tests/fake_cuda.c).
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/cuda.h"
#include "tests/unit/unit.h"

#define PTX                                                                                        \
    ".version 8.0\n.entry meet(\n\t.param .u64 .ptr .global .align 4 meet_param_0,\n"              \
    "\t.param .u64 .ptr .shared .align 16 meet_param_1\n)\n"

static const struct cb_device gpu = {
    .name = "H200", .platform = "NVIDIA CUDA", .pci = "0000:41:00.0"};
static const struct cb_device cpu = {.platform = "Portable Computing Language"};

static int left(void)
{
    int (*ask)(void);
    void *library = dlopen("libcuda.so.1", RTLD_NOW),
         *symbol = library ? dlsym(library, "fake_cuda_left") : NULL;
    assert_non_null(symbol); /* else LD_LIBRARY_PATH is not what ctest sets */
    memcpy(&ask, &symbol, sizeof ask);
    const int n = ask();
    dlclose(library);
    return n;
}

static int forget(void **state)
{
    (void)state;
    unsetenv("FAKE_CUDA_INIT");
    unsetenv("FAKE_CUDA_PCI");
    unsetenv("FAKE_CUDA_DEVICES");
    unsetenv("FAKE_CUDA_THREADS");
    return 0;
}

static void claims(const struct cb_cuda_kernel *kernel, uint64_t expected)
{
    uint64_t groups = 99;
    struct cb_err err = {0};
    if (cb_cuda_groups(&gpu, kernel, &groups, &err) != CB_OK)
        fail_msg("%s", err.text);
    assert_int_equal(groups, expected);
    assert_int_equal(left(), 0);
}

static void refuses(const struct cb_cuda_kernel *kernel, const char *why)
{
    uint64_t groups = 99;
    struct cb_err err = {0};
    assert_int_equal(cb_cuda_groups(&gpu, kernel, &groups, &err), CB_UNSUPPORTED);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" is not in \"%s\"", why, err.text);
    assert_int_equal(groups, 99);
}

TEST_WITH(groups, forget, forget)
{
    claims(&(struct cb_cuda_kernel){PTX, "meet", 256, 0}, 4 * 8);
    claims(&(struct cb_cuda_kernel){PTX, "meet", 1, 0}, 4 * 64);
    claims(&(struct cb_cuda_kernel){PTX, "meet", 256, 31 * 1024}, 4 * 2);
    claims(&(struct cb_cuda_kernel){PTX, "meet", 2048, 0}, 0);
    setenv("FAKE_CUDA_THREADS", "128", 1); /* a kernel with many registers */
    claims(&(struct cb_cuda_kernel){PTX, "meet", 256, 0}, 0);
    claims(&(struct cb_cuda_kernel){PTX, "meet", 128, 0}, 4 * 16);
}

TEST_WITH(troubles, forget, forget)
{
    const struct cb_cuda_kernel right = {PTX, "meet", 256, 0};
    refuses(&(struct cb_cuda_kernel){PTX, "other", 256, 0},
            "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
    refuses(&(struct cb_cuda_kernel){"\177ELF", "meet", 256, 0},
            "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE");
    assert_int_equal(left(), 0);
    setenv("FAKE_CUDA_INIT", "999", 1);
    refuses(&right, "cuInit: an unknown error");
    unsetenv("FAKE_CUDA_INIT");
    setenv("FAKE_CUDA_PCI", "0000:06:00.0", 1); /* as a virtual machine sees it */
    claims(&right, 4 * 8);
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    refuses(&right, "cuDeviceGetByPCIBusId: CUDA_ERROR_INVALID_DEVICE");
}

TEST(devices)
{
    assert_true(cb_cuda_may_know(&gpu));
    assert_false(cb_cuda_may_know(&cpu));
}

/* Only in the process of the next test, whose LD_LIBRARY_PATH is unset from the start. */
TEST(without_library)
{
    if (getenv("LD_LIBRARY_PATH") || dlopen("libcuda.so.1", RTLD_NOW))
        skip(); /* this machine has the real one */
    refuses(&(struct cb_cuda_kernel){PTX, "meet", 256, 0}, "libcuda.so.1 cannot be loaded");
}

TEST(no_cuda)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_LIBRARY_PATH");
        execl("/proc/self/exe", "units", "test_cuda", "without_library", (char *)NULL);
        _exit(2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
