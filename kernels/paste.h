/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#define CB_PASTE_(a, b) a##b
#define CB_PASTE(a, b)  CB_PASTE_(a, b)
