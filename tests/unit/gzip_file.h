/* SPDX-License-Identifier: Apache-2.0
 *
 * gzip-compressed files in the folder of the test that runs, where there is zlib.
 */
#pragma once

#include "temp_folder.h"

#ifdef COOPBENCH_ZLIB
#include <zlib.h>

/* mode "wb" writes a file, "ab" adds a member to one; its path. */
static inline const char *write_gzip(const char *name, const char *mode, const char *bytes,
                                     size_t n)
{
    const char *path = path_of(name);
    gzFile out = gzopen(path, mode);
    assert_non_null(out);
    assert_int_equal(gzwrite(out, bytes, (unsigned)n), (int)n);
    assert_int_equal(gzclose(out), Z_OK);
    return path;
}

#endif
