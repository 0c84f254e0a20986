/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies that attract each other, as an app.
 */
#include "nested.clh"

#include "apps/nested/programs/bh.cl"
