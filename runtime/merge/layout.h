/* SPDX-License-Identifier: Apache-2.0
 *
 * What a host has to know of a type of OpenCL C to give a kernel values of it. All types have the
 * same sizes and alignments on every device.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Where a parameter's value lies: itself, or what it points to. */
enum cb_space { CB_BY_VALUE, CB_GLOBAL, CB_CONSTANT, CB_LOCAL, CB_NO_SPACE };

/* A number, or a vector of some. */
struct cb_element {
    char kind;      /* 'i': an integer, 'u': one without a sign, 'f': a floating-point number, 'b':
                       a truth value, 0 or 1 */
    size_t size;    /* bytes of a number */
    unsigned width; /* numbers of the vector; 1: a scalar */
};

struct cb_layout_member {
    char *name; /* "a.b[2].c"; "": the type is no structure */
    struct cb_element element;
    size_t offset, count; /* bytes; elements of an array of any dimensions, else 1 */
    bool is_shared;       /* another member of a union lies there, too, and */
    bool is_again;        /* one before it */
};

/* An image: what it looks like to a kernel. Its pixels are the host's choice. */
struct cb_image {
    const char *type;    /* "image2d_t"; NULL: it is none */
    unsigned dimensions; /* of a layer */
    bool is_array;       /* of layers */
    bool is_written;     /* write_only, else read_only */
};

struct cb_layout {
    size_t bytes, alignment; /* of the type, which an array has one after the other */
    struct cb_layout_member *members;
    int n_members;
    bool is_record; /* a structure or a union */
    struct cb_image image;
    bool is_sampler;
    char *trouble; /* why a host cannot give it; NULL: it can */
};

/* Bytes of an element in an array: three numbers take the room of four. */
static inline size_t cb_element_bytes(const struct cb_element *e)
{
    return e->size * (e->width == 3 ? 4 : e->width);
}

/* Whether it is an image or a sampler, which no memory and no structure can hold: it is an argument
 * of its own. */
static inline bool cb_layout_is_opaque(const struct cb_layout *l)
{
    return l->image.type || l->is_sampler;
}

/* Numbers of a member, and where one of them lies. */
static inline size_t cb_layout_numbers(const struct cb_layout_member *m)
{
    return m->count * m->element.width;
}
static inline size_t cb_layout_at(const struct cb_layout_member *m, size_t number)
{
    return m->offset + number / m->element.width * cb_element_bytes(&m->element) +
           number % m->element.width * m->element.size;
}

static inline bool cb_layout_overlap(const struct cb_layout_member *a,
                                     const struct cb_layout_member *b)
{
    return a->offset < b->offset + b->count * cb_element_bytes(&b->element) &&
           b->offset < a->offset + a->count * cb_element_bytes(&a->element);
}

static inline void cb_layout_free(struct cb_layout *l)
{
    for (int m = 0; m < l->n_members; m++)
        free(l->members[m].name);
    free(l->members);
    free(l->trouble);
    *l = (struct cb_layout){0};
}
