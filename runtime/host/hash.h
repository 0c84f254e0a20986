/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CB_HASH_START 0xcbf29ce484222325u

/* FNV-1a, going on from an earlier hash or CB_HASH_START: tells accidents, not attacks. */
static inline uint64_t cb_hash(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *b = bytes, *end = b + n; b < end; b++)
        hash = (hash ^ *b) * 0x100000001b3u;
    return hash;
}

/* Hashes numbers, a step for each: as machines of either byte order have them. */
static inline uint64_t cb_hash_numbers(uint64_t hash, const uint32_t *numbers, size_t n)
{
    for (const uint32_t *end = numbers + n; numbers < end; numbers++)
        hash = (hash ^ *numbers) * 0x100000001b3u;
    return hash;
}
