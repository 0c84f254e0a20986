/* SPDX-License-Identifier: Apache-2.0
 *
 * Children that launch (apps/nested/programs/nest_recursive.clh): a binary tree of LEVELS levels, whose nodes are children
 * of GROUPS workgroups each. Each does its part and adds to the node's counter; who ends last goes on, and launches the
 * nodes below. There are PLACES places for launches; one that finds none is done, with all that follows, by the workgroup
 * that would make it, from a stack. N workers take parts of any node in any order.
 *
 * Each part is done once, after all parts of the node above; in the end all nodes are done. A place that is found is one
 * that is free (models/places.pml). With -DLIVE: all workers end. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 2
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef LEVELS
#define LEVELS 3
#endif
#ifndef PLACES
#define PLACES 1
#endif
/* Nodes are numbered from 1 on: those below i are 2i and 2i+1. */
#if LEVELS==2
#define NODES 3
#else
#define NODES 7
#endif

byte ended[NODES+1];                /* the counters */
byte ready[NODES+1];                /* parts that nobody has begun */
byte used=1;                        /* places */
byte done[NODES+1];                 /* parts; what a proof needs to know and no kernel does */
byte over;                          /* workers that have ended */
byte pending=1;                     /* children that have places and have not ended */
byte shares[NODES+1];               /* of such a child that have ended */

#ifdef LIVE
ltl live { <> (over==N) }
#endif

inline DO_PART(nr) {
  assert(nr==1 || done[nr/2]==GROUPS);
  done[nr]++;
  assert(done[nr]<=GROUPS)
}

/* A launch of one of the nodes below, or a frame of the stack. */
inline LAUNCH(below) {
  if
  :: below<=NODES ->
     atomic {
       if
       :: used<PLACES -> used++; pending++; ready[below]=GROUPS
       :: else -> stack[top]=below; top++
       fi
     }
  :: else
  fi
}

inline GO_ON(nr) { LAUNCH(2*nr); LAUNCH(2*nr+1) }

inline CHECK_ALL() {
  node=1;
  do :: node<=NODES -> assert(done[node]==GROUPS); node++ :: else -> break od
}

active [N] proctype Worker() {
  byte node, i, seen, top;
  byte stack[LEVELS+1];
  d_step { if :: _pid==0 -> ready[1]=GROUPS :: else fi };
again:
  do
  :: atomic { ready[1]>0 -> node=1; ready[1]-- }; break
  :: atomic { NODES>1 && ready[2]>0 -> node=2; ready[2]-- }; break
  :: atomic { NODES>2 && ready[3]>0 -> node=3; ready[3]-- }; break
#if LEVELS>2
  :: atomic { ready[4]>0 -> node=4; ready[4]-- }; break
  :: atomic { ready[5]>0 -> node=5; ready[5]-- }; break
  :: atomic { ready[6]>0 -> node=6; ready[6]-- }; break
  :: atomic { ready[7]>0 -> node=7; ready[7]-- }; break
#endif
  :: atomic { pending==0 -> goto end }
  od;
#ifdef EARLY
  atomic { ended[node]++; seen=ended[node] };
  DO_PART(node);
#else
  DO_PART(node);
#ifdef TORN
  seen=ended[node]+1; ended[node]=seen;
#else
  atomic { ended[node]++; seen=ended[node] };
#endif
#endif
  if
#ifdef FIRST
  :: seen==1 -> GO_ON(node)
#else
  :: seen==GROUPS -> GO_ON(node)
#endif
  :: else
  fi;
  i=node;
  do
  :: top>0 ->
     top--; node=stack[top]; stack[top]=0; seen=0;
     do :: seen<GROUPS -> DO_PART(node); seen++ :: else -> break od;
#ifndef LOST
     GO_ON(node)
#endif
  :: else -> break
  od;
  /* The share ends, with the last one of its child the place. */
  atomic {
    node=i; i=0; seen=0; shares[node]++;
    if :: shares[node]==GROUPS -> used--; pending-- :: else fi;
    node=0
  };
  goto again;
end:
  atomic { over++; if :: over==N -> CHECK_ALL() :: else fi }
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DPLACES=3 -DLEVELS=2 -DN=3
 * check quick -DPLACES=3
 * check full -DPLACES=2 -DN=3
 * bug quick -DEARLY -DLEVELS=2: a workgroup counts itself before it has done its part
 * bug quick -DTORN -DLEVELS=2: the counter is loaded and stored, so that nobody is the last
 * bug quick -DFIRST -DLEVELS=2: who ends first goes on
 * bug quick -DLOST: what follows a child that found no place is forgotten
 * live quick -DLEVELS=2
 */
