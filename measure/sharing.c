/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sharing.h"

#include <stdio.h>

struct cb_sharing cb_sharing_of(const double *alone, const double *together, int n)
{
    struct cb_sharing s = {0};
    double least = alone[0] / together[0], most = least;
    for (int i = 0; i < n; i++) {
        const double progress = alone[i] / together[i];
        s.stp += progress;
        s.antt += 1 / progress / n;
        least = progress < least ? progress : least;
        most = progress > most ? progress : most;
    }
    s.fairness = least / most;
    return s;
}

void cb_sharing_add(struct cb_sample *sample, const double alone[2], const double together[2],
                    const char *other)
{
    const struct cb_sharing s = cb_sharing_of(alone, together, 2);
    const char *const names[2] = {"app", other};
    cb_sample_add(sample, "stp", s.stp);
    cb_sample_add(sample, "antt", s.antt);
    cb_sample_add(sample, "fairness", s.fairness);
    for (int i = 0; i < 2; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s_time", names[i]);
        cb_sample_add(sample, name, together[i]);
        snprintf(name, sizeof name, "%s_time_alone", names[i]);
        cb_sample_add(sample, name, alone[i]);
    }
}
