/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that read setups share.
 */
#pragma once

#include <stdbool.h>

#include "apps/host/setup.h"
#include "measure/config_reader.h"

#define CB_SETUP_BETWEEN "#"    /* file and kernel */
#define CB_SETUP_BYTES   (1e12) /* most bytes of an argument */

/* A number, at `where` in the setup. */
enum cb_status cb_setup_number_in(struct cb_config_reader *reader, const cJSON *node,
                                  const char *where, double least, double most, bool is_whole,
                                  double *number);

/* Reads a number of an object's key; *number stays if the key is missing. */
enum cb_status cb_setup_number(struct cb_config_reader *reader, const cJSON *object,
                               const char *where, const char *key, double least, double most,
                               bool is_whole, double *number);

/* Refuses keys that are not among these (NULL: none of them), or are there twice: they are most
 * likely a mistake. */
enum cb_status cb_setup_keys(struct cb_config_reader *reader, const cJSON *object,
                             const char *where, const char *const keys[]);

/* How an argument begins: a value, or a buffer's object. */
enum cb_status cb_setup_read_rules(struct cb_config_reader *reader, const cJSON *node,
                                   struct cb_setup_argument *argument);

/* Reads the file of a key of an object, if there is such a key: as many elements as the argument
 * has, which has else as many as the file. */
enum cb_status cb_setup_read_data(struct cb_config_reader *reader, const cJSON *node,
                                  const char *key, struct cb_setup_argument *argument,
                                  unsigned char **data);

/* What else the object of a buffer or an image says of its contents. */
enum cb_status cb_setup_read_contents(struct cb_config_reader *reader, const cJSON *node,
                                      struct cb_setup_argument *argument);

/* An image's object, and a sampler's. */
enum cb_status cb_setup_read_image(struct cb_config_reader *reader, const cJSON *node,
                                   struct cb_setup_argument *argument);
enum cb_status cb_setup_read_sampler(struct cb_config_reader *reader, const cJSON *node,
                                     struct cb_setup_argument *argument);

/* How many numbers a .npy has along each of its dimensions; n 0: it is another file. */
#define CB_SHAPE_MOST 8
struct cb_shape {
    unsigned n;
    size_t of[CB_SHAPE_MOST];
    char type[16]; /* of its numbers, as NumPy calls it; "": structures */
};

/* "(2, 3) of <f4", as NumPy writes it. */
#define CB_SHAPE_TEXT 224
void cb_setup_put_shape(const struct cb_shape *shape, char text[CB_SHAPE_TEXT]);

/* Reads a file of elements, and its shape. */
enum cb_status cb_setup_load_shaped(const char *path, const struct cb_layout *layout,
                                    struct cb_shape *shape, unsigned char **data, size_t *size,
                                    struct cb_err *err);

/* Reads a PNG file as pixels of this layout. CB_UNSUPPORTED: without libpng. */
enum cb_status cb_setup_load_png(const char *path, const struct cb_layout *layout, size_t *width,
                                 size_t *height, unsigned char **data, struct cb_err *err);

/* Whether the header of a .npy file of structures, which are as large as the kernel's, has the same
 * numbers at the same places. CB_USAGE: it has not. */
enum cb_status cb_setup_check_record(const char *path, const char *header,
                                     const struct cb_layout *layout, struct cb_err *err);

/* Takes a path apart, into file, kernel and id. */
enum cb_status cb_setup_begin(const char *path, struct cb_setup *setup, struct cb_err *err);

/* Finds the kernel's entry in the file; without "kernels", the whole is one. */
enum cb_status cb_setup_find(struct cb_config_reader *reader, struct cb_setup *setup);

/* Refuses an entry of another kernel than the command line's. name: NULL: the entry has none. */
enum cb_status cb_setup_check_kernel(struct cb_config_reader *reader, const struct cb_setup *setup,
                                     const cJSON *node, const char *kernel, const char *name);

/* How tasks come. */
enum cb_status cb_setup_read_arrivals(struct cb_config_reader *reader, struct cb_setup *setup);
