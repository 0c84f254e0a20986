/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/library.h"

#include <dlfcn.h>
#include <string.h>

enum cb_status cb_library_load(const char *file, const char *origin,
                               const struct cb_symbol *symbols, size_t n, void *functions,
                               void **library, struct cb_err *err)
{
    *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        return cb_fail(err, CB_UNSUPPORTED, "%s cannot be loaded (%s): it is a part of %s", file,
                       dlerror(), origin);
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(*library, symbols[i].name);
        if (!symbol && !symbols[i].may_lack)
            return cb_fail(err, CB_UNSUPPORTED, "%s has no %s: its driver is too old", file,
                           symbols[i].name);
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return CB_OK;
}
