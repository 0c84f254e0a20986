/* SPDX-License-Identifier: Apache-2.0
 *
 * Built programs of drivers that keep none themselves, between runs (runtime/cache.h).
 */
#pragma once

#include <stdbool.h>

#include "runtime/cache.h"
#include "runtime/session.h"

/* Whether the driver has a cache of its own, which is switched on. Then ours would only be in the
 * way: PoCL's holds more than a binary does (kernels for the size of workgroup that runs), and
 * NVIDIA's makes its warm runs as fast as any. */
bool cb_driver_keeps_programs(const struct cb_device *device);

/* Tells the folder of the driver's cache from one that is made in its place after it was removed;
 * "none": there is none, or it is not known. */
void cb_driver_cache_identity(const struct cb_device *device, char *text, size_t size);

/* All that decides what a compiler makes of a text. */
struct cb_cache_key cb_program_key(const struct cb_device *device, const char *text,
                                   const char *options);

/* The program that was kept, ready for use, the caller's to release; NULL: there is none, or the
 * driver does not take it any more. */
cl_program cb_program_load(const struct cb_session *session, struct cb_cache_key key,
                           const char *options);

/* What the driver has made of a program, with a 0 after it, the caller's to free: PTX on NVIDIA's.
 * NULL: it does not tell, or there is no memory. */
char *cb_program_binary(cl_program program, size_t *size);

/* Keeps a program that was built, if that can be. */
void cb_program_keep(struct cb_cache_key key, cl_program program);
