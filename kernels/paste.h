/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#define CB_PASTE_(a, b) a##b
#define CB_PASTE(a, b)  CB_PASTE_(a, b)

#define CB_QUOTE_(a) #a
#define CB_QUOTE(a)  CB_QUOTE_(a)

/* For #include: CB_FILE_OF(mutexes, CB_MUTEX) is "mutexes/ticket.clh". A program of coopbench gets
 * all files of the folder (runtime/source.h). */
// clang-format off
#define CB_FILE_OF(folder, id) CB_QUOTE(folder/id.clh)
// clang-format on
