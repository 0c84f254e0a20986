/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that run a structure of kernels/ on weak memory. A file for each kind of structure has a
 * list of them.
 */
#pragma once
#include "explore.h"

/* Ends with one without a name. */
extern const weak_program deque_programs[];
extern const weak_program mutex_programs[];
extern const weak_program semaphore_programs[];
extern const weak_program barrier_programs[];
extern const weak_program queue_programs[];
extern const weak_program discovery_programs[];
extern const weak_program coop_query[];
extern const weak_program coop_regular[];
extern const weak_program coop_literal[];
extern const weak_program coop_master[];
extern const weak_program coop_atomic[];
extern const weak_program coop_offers[];
extern const weak_program coop_offers_master[];
extern const weak_program coop_offers_printed[], coop_model[];
extern const weak_program coop_any[];
extern const weak_program coop_whole_query[];
extern const weak_program coop_whole_atomic[];

extern const weak_program offer_programs[];
extern const weak_program coop_several[];
extern const weak_program coop_several_atomic[];
extern const weak_program children_programs[];
extern const weak_program handover_programs[];
extern const weak_program coop_submits[];
extern const weak_program coop_submits_any[];
extern const weak_program coop_submits_several[];
extern const weak_program coop_submits_several_atomic[];

extern const weak_program nested_programs[], occupy_programs[], chain[], chain_overlap[];
extern const weak_program game_example_programs[];
extern const weak_program game[], game_paper[], octree[], octree_paper[];
