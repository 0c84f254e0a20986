/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cjson/cJSON.h>
#include <stdio.h>

void cb_migrate_report(FILE *out, const cJSON *run);
