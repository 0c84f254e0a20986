/* SPDX-License-Identifier: Apache-2.0
 *
 * Build options of users' kernels on the command line: all as one text, or -D and -I as compilers
 * have them.
 */
#pragma once

#include "cli/options.h"

struct cb_build_options {
    const char *all;
    struct cb_texts defines, folders;
};

/* The rows of a command's table whose struct has them as a member. */
#define CB_BUILD_OPTIONS_PARAMS(STRUCT, member)                                                    \
    {CB_OPTION(STRUCT, "build-options", member.all), .value_name = "OPTIONS",                      \
     .help = "What a compiler is given for these kernels, as \"-DN=4 -I include "                  \
             "-cl-mad-enable\"."},                                                                 \
        {CB_OPTION(STRUCT, "define", member.defines), .letter = 'D', .list = CB_LIST_REPEAT,       \
         .value_name = "NAME[=VALUE]", .help = "One of these options: defines a macro."},          \
    {                                                                                              \
        CB_OPTION(STRUCT, "include-folder", member.folders),                                       \
            .letter = 'I', .list = CB_LIST_REPEAT, .value_name = "FOLDER",                         \
            .help = "One of these options: where files are that the kernels include."              \
    }

/* All of them as one text, the caller's to free. NULL: no memory. */
char *cb_build_options_text(const struct cb_build_options *options);
