/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output_forms.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static enum cb_status write_file(const struct cb_output_form *form, const void *report,
                                 struct cb_err *err)
{
    const char *path = form->path;
    if (strcmp(path, "-") == 0) {
        form->write(stdout, report);
        return CB_OK;
    }
    FILE *out = fopen(path, form->mode);
    if (out)
        form->write(out, report);
    bool failed = !out || ferror(out);
    if (out && fclose(out) != 0)
        failed = true;
    return failed ? cb_fail(err, CB_ERROR, "--%s: cannot write %s: %s", form->name, path,
                            strerror(errno))
                  : CB_OK;
}

enum cb_status cb_output_forms_write(const struct cb_output_form *forms, size_t n,
                                     const void *report, const char *format, struct cb_err *err)
{
    enum cb_status status = CB_OK;
    bool to_stdout = true;
    for (size_t i = 0; i < n; i++) {
        const char *path = forms[i].path;
        to_stdout = to_stdout && !(path && strcmp(path, "-") == 0);
        if (path && write_file(&forms[i], report, err) != CB_OK)
            status = err->status;
    }
    for (size_t i = 0; i < n; i++)
        if (to_stdout && strcmp(forms[i].name, format) == 0)
            forms[i].write(stdout, report);
    return status;
}
