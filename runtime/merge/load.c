/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/merge/load.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

struct cb_clang cb_clang;

/* POSIX promises that a function's address fits into a pointer to an object, ISO C does not. */
static bool load(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function;
}

enum cb_status cb_clang_load(struct cb_err *err)
{
    static bool loaded;
    if (loaded)
        return CB_OK;
    setenv("LIBCLANG_NOTHREADS", "1", 0); /* its thread has a small stack (merge.c) */
    void *library = dlopen(COOPBENCH_CLANG_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    loaded = library;
#define LOAD(name) loaded = loaded && load(library, "clang_" #name, (void *)&cb_clang.name);
    CB_CLANG_FUNCTIONS(LOAD)
    return loaded ? CB_OK
                  : cb_fail(err, CB_UNSUPPORTED,
                            "merge reads kernels by libclang, which cannot be loaded from %s: "
                            "install it (Debian: libclang-dev), and build again",
                            COOPBENCH_CLANG_LIBRARY);
}
