/* SPDX-License-Identifier: Apache-2.0
 *
 * qt, by parents that launch.
 */
#include "qt.clh"

#include "nest_run.clh"
