/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#define CB_CORE_LOOPS 60000u /* about 0.2 ms */
