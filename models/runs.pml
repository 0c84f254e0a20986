/* SPDX-License-Identifier: Apache-2.0
 *
 * Which children a run waits for (kernels/coop/children.clh, coop_has_ended()). Each child has a root: a slot of one of K
 * kernels, or a lane of the host's tasks. A run ends when its own kernel's children have ended, with those that they
 * submitted; beside it somebody else's children never come to an end, since each submits the next. With -DLIVE: the run
 * ends. That each share is taken at last is places.pml's subject: here a child is a process. Sequentially consistent. The
 * checks are at the end.
 */
#ifndef K
#define K 2        /* kernels: the run is of the first; the others' children are of the last, or with one, of the host */
#endif
#ifndef CHILDREN
#define CHILDREN 2 /* of the run, without those that they submit */
#endif
#define WORKERS 2  /* slots of each kernel */
#define LANE (K*WORKERS)
#if K==1
#define OTHERS LANE
#else
#define OTHERS (LANE-1)
#endif

byte pending[K];         /* children of each kernel that have not ended */
byte submitted, done;    /* what a proof needs to know: of the run */
bool finished, ended;    /* its workgroups, and it */
#ifdef LIVE
ltl live { <> ended }
#endif

#if defined(TOGETHER) || K==1
#define KERNEL_OF(root) 0
#else
#define KERNEL_OF(root) ((root)/WORKERS)
#endif
#ifdef HOSTED
#define IS_COUNTED(root) true
#else
#define IS_COUNTED(root) ((root)<LANE)
#endif

/* coop_count_child() */
inline COUNT_CHILD(root, change) {
  if
  :: IS_COUNTED(root) -> pending[KERNEL_OF(root)]=pending[KERNEL_OF(root)]+change
  :: else
  fi
}

/* Of the run. Nested: it has been submitted by another, and submits none. */
proctype Child(byte root; bool nested) {
  if
  :: !nested ->
#ifdef LATE
     atomic { COUNT_CHILD(root, -1) };
#endif
     atomic { submitted++; COUNT_CHILD(root, 1) };
     run Child(root, true)
#ifdef LATE
     ;
     done++;
     goto end
#endif
  :: true
  fi;
  atomic { done++; COUNT_CHILD(root, -1) };
#ifdef LATE
end:
#endif
  skip
}

/* There is always one more. */
proctype Others() {
  atomic { COUNT_CHILD(OTHERS, 1) };
  do
  :: atomic { COUNT_CHILD(OTHERS, 1) };
     atomic { COUNT_CHILD(OTHERS, -1) }
  od
}

proctype Kernel() {
  byte i;
  do
  :: i<CHILDREN -> atomic { submitted++; COUNT_CHILD(i%WORKERS, 1) }; run Child(i%WORKERS, false); i++
  :: break
  od;
  finished=true
}

init {
  atomic {
    run Kernel();
#ifdef LIVE
    run Others()
#endif
  };
  atomic {
    finished && pending[0]==0 ->
    assert(done==submitted);
    ended=true
  }
}

/* Checks (README.md):
 *
 * check quick -DK=1
 * check quick -DK=2
 * bug quick -DLATE: a child is counted when the one that submitted it is no longer
 * live quick -DK=1
 * live quick -DK=2
 * stuck quick -DTOGETHER -DK=2: a run waits for the children of another kernel, which always has some
 * stuck quick -DHOSTED -DK=1: a run waits for the children of the host's tasks
 */
