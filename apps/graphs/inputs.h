/* SPDX-License-Identifier: Apache-2.0
 *
 * The graphs that apps are measured with (FSE'17 Tab. 1, OOPSLA'16), for the `inputs` of struct
 * cb_app: tiny, small, and as large as the original that each stands for, which has the last name
 * (docs/graphs.md).
 */
#pragma once

#include "apps/graphs/graph.h"

/* clang-format off */

/* SuiteSparse's ecology1: the same graph. */
#define CB_INPUT_GRID {"grid", {"grid:60x60", "grid:300x300", "grid:1000x1000"}, "ecology1"}

/* SuiteSparse's G3_circuit. */
#define CB_INPUT_CIRCUIT {"circuit", {"circuit:5000", "circuit:100000", "circuit:1585478"}, "G3_circuit"}

/* The 9th DIMACS challenge's USA-road-d.W; small is as large as its USA-road-d.NY. */
#define CB_INPUT_ROAD {"road", {"road:20000", "road:264346", "road:6262104"}, "USA-road-d.W"}

/* Its USA-road-d.NW, with which Pannotia's sssp was run: for what goes through all edges again and
 * again. */
#define CB_INPUT_ROAD_NW {"road", {"road:5000", "road:100000", "road:1207945"}, "USA-road-d.NW"}

/* A grid, undirected, of LonestarGPU's minimum spanning trees, as OOPSLA'16 has them:
 * 2d-2e20.sym. */
#define CB_INPUT_GRID_2E20 {"grid", {"grid:60x60", "grid:300x300", "grid:1024x1024"}, "2d-2e20.sym"}

/* A road, undirected, of the same trees: USA-road-d.FLA.sym. */
#define CB_INPUT_ROAD_FLA {"road", {"road:5000", "road:100000", "road:1070376"}, "USA-road-d.FLA.sym"}

/* LonestarGPU's rmat22. */
#define CB_INPUT_RMAT {"rmat", {"rmat:14", "rmat:18", "rmat:22"}, "rmat22"}

/* LonestarGPU's r4-2e23, four edges for each of 2^23 vertices, one way. */
#define CB_INPUT_UNIFORM {"uniform", {"directed:16384x65536", "directed:262144x1048576", "directed:8388608x33554432"}, "r4-2e23", true}

/* The whole USA-road-d.USA. */
#define CB_INPUT_USA {"usa", {"road:20000", "road:264346", "road:23947347"}, "USA-road-d.USA", true}

/* clang-format on */

/* What else --input may be. */
#define CB_GRAPH_INPUTS_HELP                                                                       \
    "grid:WxH, road:N, circuit:N, rmat:SCALE[:EDGEFACTOR], uniform:SCALE[:EDGEFACTOR], "           \
    "directed:NxM or a file (" CB_GRAPH_FILES ")"
