/* SPDX-License-Identifier: Apache-2.0
 *
 * gnuplot as a child process, with a deadline.
 */
#pragma once

#include "runtime/host/error.h"

/* Runs folder/<id>.gp, in that folder, with its variables term = type and out = <id>.<type>, to
 * draw folder/<id>.<type>. CB_UNSUPPORTED: there is no gnuplot. CB_ERROR holds what gnuplot said.
 * Neither names the folder, which may be gone when it is read. */
enum cb_status cb_gnuplot_draw(const char *folder, const char *id, const char *type,
                               struct cb_err *err);
