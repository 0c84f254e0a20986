/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/coop/matmul.h"

static uint32_t element_b(uint32_t i)
{
    return (i * 3266489917u) >> CB_MATMUL_SHIFT;
}

static uint32_t weight(uint32_t i)
{
    return i * 2654435761u + 1u;
}

void cb_matmul_fill(float *a, float *b, size_t elements)
{
    for (size_t i = 0; i < elements; i++) {
        a[i] = (float)cb_matmul_element((uint32_t)i);
        b[i] = (float)element_b((uint32_t)i);
    }
}

uint32_t cb_matmul_room(uint32_t size)
{
    uint32_t rows = COOP_TASK_ROWS(size), depth = COOP_TASK_DEPTH(size);
    return rows > depth ? rows : depth;
}

uint32_t cb_matmul_digest(uint32_t size)
{
    uint32_t rows = COOP_TASK_ROWS(size), depth = COOP_TASK_DEPTH(size), digest = 0;
    for (uint32_t k = 0; k < depth; k++) {
        uint32_t column = 0, row = 0;
        for (uint32_t i = 0; i < rows; i++) {
            column += weight(i) * cb_matmul_element(i * depth + k);
            row += weight(i) * element_b(k * rows + i);
        }
        digest += column * row;
    }
    return digest;
}

uint32_t cb_matmul_salted(uint32_t digest, uint32_t size, uint32_t salt)
{
    uint32_t weights = 0;
    for (uint32_t i = 0; i < COOP_TASK_ROWS(size); i++)
        weights += weight(i);
    return digest + salt * weights * weights;
}
