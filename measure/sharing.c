/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sharing.h"

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
