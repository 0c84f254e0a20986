/* SPDX-License-Identifier: Apache-2.0
 *
 * Particles, made by a generator. All arithmetic is on integers, and the random numbers are our
 * own: a spec means the same particles on every machine.
 */
#pragma once

#include "apps/octree/octree_abi.h"
#include "measure/random.h"
#include "runtime/host/error.h"

/* "N" or "N:uniform": anywhere. "N:clustered": in 64 clusters, each as dense around its centre as
 * the inverse cube of the distance. "N:hundreds": in clusters of 100, each in a cube of a 1024th of
 * the space's width. "N:equal": all at one place. CB_USAGE: text is none of these. */
enum cb_status cb_particles_make(const char *text, octree_particle **particles, uint32_t *n,
                                 struct cb_err *err);

/* Writes the spec of a few random particles: draw_input of an app (apps/host/app.h). */
void cb_particles_draw(struct cb_random *random, char *spec, size_t size);
