/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of parameters, by what libclang knows of them: what they are called does not matter.
 */
#include "runtime/merge/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/merge/clang.h"

#define MOST_MEMBERS 4096
#define NO_DEPTH     "images of depths are not supported: take one with a channel \"r\""
#define NO_SAMPLES   "images with several samples of a pixel are not supported"

static void fail(struct cb_layout *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fail(struct cb_layout *l, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!l->trouble && vasprintf(&l->trouble, format, values) < 0)
        abort();
    va_end(values);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool read_scalar(CXType type, struct cb_element *e)
{
    switch (type.kind) {
    case CXType_Bool:
        e->kind = 'b';
        break;
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
        e->kind = 'u';
        break;
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
        e->kind = 'i';
        break;
    case CXType_Half:
    case CXType_Float:
    case CXType_Double:
        e->kind = 'f';
        break;
    case CXType_Enum:
        return read_scalar(
            clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type))),
            e);
    case CXType_Atomic:
        return read_scalar(clang_getCanonicalType(clang_Type_getValueType(type)), e);
    default:
        return false;
    }
    e->size = (size_t)clang_Type_getSizeOf(type);
    e->width = 1;
    return true;
}

static bool read_element(CXType type, struct cb_element *e)
{
    if (type.kind != CXType_ExtVector && type.kind != CXType_Vector)
        return read_scalar(type, e);
    if (!read_scalar(clang_getCanonicalType(clang_getElementType(type)), e))
        return false;
    e->width = (unsigned)clang_getNumElements(type);
    return true;
}

/* ---- Members --------------------------------------------------------------------------------- */

static char *name_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *name_of(const char *format, ...)
{
    char *name;
    va_list values;
    va_start(values, format);
    if (vasprintf(&name, format, values) < 0)
        abort();
    va_end(values);
    return name;
}

static void add_member(struct cb_layout *l, const char *name, struct cb_element element,
                       size_t offset, size_t count)
{
    if (count == 0)
        return;
    if (l->n_members == MOST_MEMBERS) {
        fail(l, "it has more than %d members", MOST_MEMBERS);
        return;
    }
    l->members = cb_merge_grown(l->members, l->n_members, sizeof *l->members);
    l->members[l->n_members++] = (struct cb_layout_member){
        .name = name_of("%s", name), .element = element, .offset = offset, .count = count};
}

struct record {
    struct cb_layout *l;
    const char *name;
    size_t offset;
};

static void read_type(struct cb_layout *l, CXType type, const char *name, size_t offset);

/* What has no name of its own lends its members to the whole. */
static enum CXVisitorResult read_field(CXCursor c, CXClientData data)
{
    const struct record *r = data;
    CXString spelling = clang_getCursorSpelling(c);
    const char *own = clang_getCString(spelling);
    const bool is_named = own && *own && own[strspn(own, CB_MERGE_LETTERS)] == '\0';
    char *name =
        is_named ? name_of("%s%s%s", r->name, *r->name ? "." : "", own) : name_of("%s", r->name);
    if (clang_Cursor_isBitField(c))
        fail(r->l, "its member %s has no bytes of its own", name);
    else
        read_type(r->l, clang_getCursorType(c), name,
                  r->offset + (size_t)clang_Cursor_getOffsetOfField(c) / 8);
    free(name);
    clang_disposeString(spelling);
    return r->l->trouble ? CXVisit_Break : CXVisit_Continue;
}

static void read_array(struct cb_layout *l, CXType type, const char *name, size_t offset)
{
    const CXType each = clang_getCanonicalType(clang_getArrayElementType(type));
    for (long long i = 0; i < clang_getArraySize(type) && !l->trouble; i++) {
        char *indexed = name_of("%s[%lld]", name, i);
        read_type(l, each, indexed, offset + (size_t)(i * clang_Type_getSizeOf(each)));
        free(indexed);
    }
}

static void read_type(struct cb_layout *l, CXType type, const char *name, size_t offset)
{
    type = clang_getCanonicalType(type);
    struct cb_element element;
    size_t count = 1;
    CXType inner = type;
    for (; inner.kind == CXType_ConstantArray;
         inner = clang_getCanonicalType(clang_getArrayElementType(inner)))
        count *= (size_t)clang_getArraySize(inner);
    if (read_element(inner, &element))
        add_member(l, name, element, offset, count);
    else if (type.kind == CXType_ConstantArray)
        read_array(l, type, name, offset);
    else if (type.kind == CXType_Record)
        clang_Type_visitFields(type, read_field, &(struct record){l, name, offset});
    else if (*name)
        fail(l, "its member %s is %s", name,
             type.kind == CXType_Pointer ? "a pointer, which a host cannot know" : "no number");
    else
        fail(l, "a setup knows numbers, vectors, structures, unions, and buffers of these");
}

/* Members that lie where others do come after the first of them. */
static void find_shared(struct cb_layout *l)
{
    size_t end = 0;
    for (int m = 0; m < l->n_members; m++) {
        struct cb_layout_member *member = &l->members[m];
        for (int before = 0; before < m && member->offset < end; before++)
            if (cb_layout_overlap(member, &l->members[before]))
                member->is_again = member->is_shared = l->members[before].is_shared = true;
        const size_t after = member->offset + member->count * cb_element_bytes(&member->element);
        end = after > end ? after : end;
    }
}

/* ---- Images and samplers --------------------------------------------------------------------- */

/* In libclang's order, once for each of its three kinds of access. */
static const struct {
    struct cb_image image;
    const char *trouble; /* why a host cannot give it; NULL: it can */
} images[] = {
    {{"image1d_t", 1, false}, NULL},
    {{"image1d_array_t", 1, true}, NULL},
    {{"image1d_buffer_t", 1, false},
     "images made of buffers are not supported: take image1d_t, or a buffer"},
    {{"image2d_t", 2, false}, NULL},
    {{"image2d_array_t", 2, true}, NULL},
    {{"image2d_depth_t", 2, false}, NO_DEPTH},
    {{"image2d_array_depth_t", 2, true}, NO_DEPTH},
    {{"image2d_msaa_t", 2, false}, NO_SAMPLES},
    {{"image2d_array_msaa_t", 2, true}, NO_SAMPLES},
    {{"image2d_msaa_depth_t", 2, false}, NO_SAMPLES},
    {{"image2d_array_msaa_depth_t", 2, true}, NO_SAMPLES},
    {{"image3d_t", 3, false}, NULL},
};

/* Whether a type is one of these, which has no size. */
static bool read_opaque(struct cb_layout *l, CXType type)
{
    const int n = sizeof images / sizeof *images, kind = (int)type.kind - CXType_OCLImage1dRO;
    l->is_sampler = type.kind == CXType_OCLSampler;
    if (kind < 0 || kind >= 3 * n)
        return l->is_sampler;
    l->image = images[kind % n].image;
    l->image.is_written = kind / n == 1;
    if (kind / n == 2)
        fail(l,
             "images that are read and written are not supported: give one that is read_only and "
             "another that is write_only, or a buffer");
    else if (images[kind % n].trouble)
        fail(l, "%s", images[kind % n].trouble);
    return true;
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static enum cb_space space_of(CXType pointee)
{
    static const enum cb_space spaces[] = {[CB_CLANG_GLOBAL] = CB_GLOBAL,
                                           [CB_CLANG_LOCAL] = CB_LOCAL,
                                           [CB_CLANG_CONSTANT] = CB_CONSTANT};
    const unsigned space = clang_getAddressSpace(pointee);
    return space >= CB_CLANG_GLOBAL && space <= CB_CLANG_CONSTANT ? spaces[space] : CB_NO_SPACE;
}

void cb_merge_read_layout(CXCursor c, enum cb_space *space, struct cb_layout *l)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(c));
    *l = (struct cb_layout){0};
    *space = CB_BY_VALUE;
    if (read_opaque(l, type))
        return;
    const bool is_array = type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
    if (type.kind == CXType_Pointer || is_array) { /* a parameter "int p[]" is a pointer */
        const CXType of = clang_getCanonicalType(is_array ? clang_getArrayElementType(type)
                                                          : clang_getPointeeType(type));
        *space = space_of(is_array ? type : of);
        type = of;
    }
    if (type.kind == CXType_Void) { /* of a type that only the kernel knows */
        add_member(l, "", (struct cb_element){'u', 1, 1}, 0, 1);
        l->bytes = l->alignment = 1;
        return;
    }
    read_type(l, type, "", 0);
    if (l->trouble)
        return;
    if (l->n_members == 0)
        fail(l, "nothing is in it");
    l->bytes = (size_t)clang_Type_getSizeOf(type);
    l->alignment = (size_t)clang_Type_getAlignOf(type);
    l->is_record = type.kind == CXType_Record;
    find_shared(l);
}
