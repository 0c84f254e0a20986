/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of the kernels of a megakernel, which the host sets all at once (kernels/coop/limits.clh). A write of several
 * words may reach the device word by word, in any order, and the scheduler reads them one by one. Each word has a
 * number, the same in all words of a write, which wraps. The scheduler acts on what it has read if all have the same
 * number, and a new one; else it looks again later.
 * Sequentially consistent, safety only. The commands are at the end.
 */
#ifndef K
#define K 3       /* words */
#endif
#ifndef WRITES
#define WRITES 6
#endif
#ifndef NUMBERS
#define NUMBERS 4 /* 65,536 in the runtime */
#endif
#ifndef AHEAD     /* so many writes at most while the scheduler does not look */
#define AHEAD (NUMBERS-1)
#endif

byte word[K];     /* in which write it was last written: what its number and its limit follow from */
byte begun, ended; /* writes */
byte taken;       /* on which the scheduler acts */

#define NUMBER(w) ((w)%NUMBERS)

active proctype Host() {
  do
  :: atomic { (begun<WRITES && begun-taken<AHEAD) -> begun++ };
     do
     :: atomic { word[0]!=begun -> word[0]=begun }
     :: atomic { word[1]!=begun -> word[1]=begun }
     :: atomic { word[K-1]!=begun -> word[K-1]=begun }
     :: atomic { (word[0]==begun && word[1]==begun && word[K-1]==begun) -> break }
     od;
     ended++
  :: begun==WRITES -> break
  od
}

#ifdef UNCOMPARED /* whatever it has read, once the first word is new */
#define IS_WHOLE true
#else
#define IS_WHOLE (NUMBER(seen[k])==NUMBER(seen[0]))
#endif

active proctype Scheduler() {
  byte seen[K], k;
end_scheduler:
  do
  :: atomic {
       NUMBER(word[0])!=NUMBER(taken) -> seen[0]=word[0]; k=1
     };
     do
     :: k<K ->
        atomic {
          seen[k]=word[k];
          if
          :: IS_WHOLE -> k++
          :: else -> break
          fi
        }
     :: else -> break
     od;
     atomic {
       if
       :: k==K ->
          assert(seen[0]>=taken && seen[0]<=begun);
          do :: k>1 -> k--; assert(seen[k]==seen[0]) :: else -> break od;
          taken=seen[0]
       :: else
       fi;
       k=0; seen[0]=0; seen[1]=0; seen[K-1]=0
     }
  :: atomic { (ended==WRITES && NUMBER(word[0])==NUMBER(taken)) -> assert(taken==WRITES); break }
  od
}

/* Commands:
 *
 *     spin -a limits.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan
 *
 * Bugs: with -DUNCOMPARED the scheduler acts on a half of a write. With -DAHEAD=NUMBERS, more writes than there are
 * numbers while the scheduler does not look, it takes the last one for the one that it knows.
 */
