/* SPDX-License-Identifier: Apache-2.0
 *
 * qt, by children that launch.
 */
#define NEST_COOPERATIVE
#include "qt.clh"

#include "nest_recursive.clh"
