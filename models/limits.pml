/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of the kernels of a megakernel, which the host sets all at once (kernels/coop/limits.clh). A write of several
 * words may reach the device word by word, in any order, and the scheduler reads them one by one. Each word has a
 * number, the same in all words of a write, which wraps. The scheduler acts on what it has read if all have the same
 * number, and a new one; else it looks again later.
 * With -DLIVE: the last write comes to pass, whatever was before it. Sequentially consistent. The checks are at the end.
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
#ifdef LIVE
ltl live { <> (taken==WRITES) }
#endif

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
#elif defined(PAIRED) /* the last word is not compared */
#define IS_WHOLE (k==K-1 || NUMBER(seen[k])==NUMBER(seen[0]))
#elif defined(NEWER) /* not the same number, only a new one */
#define IS_WHOLE (NUMBER(seen[k])!=NUMBER(taken))
#else
#define IS_WHOLE (NUMBER(seen[k])==NUMBER(seen[0]))
#endif

#ifdef GREATER /* which is wrong once numbers wrap */
#define IS_NEW(w) (NUMBER(w)>NUMBER(taken))
#else
#define IS_NEW(w) (NUMBER(w)!=NUMBER(taken))
#endif

active proctype Scheduler() {
  byte seen[K], k;
end_scheduler:
  do
  :: atomic {
       IS_NEW(word[0]) -> seen[0]=word[0]; k=1
     };
     do
     :: k<K ->
#ifdef TWICE /* it loads a word once more after it has looked at the number */
        if :: NUMBER(word[k])==NUMBER(seen[0]) :: else -> break fi;
        seen[k]=word[k]; k++
#else
        atomic {
          seen[k]=word[k];
          if
          :: IS_WHOLE -> k++
#ifdef HELD
          :: else /* it reads the word again, until it fits the first */
#else
          :: else -> break
#endif
          fi
        }
#endif
     :: else -> break
     od;
     atomic {
       if
       :: k==K ->
          assert(seen[0]>=taken && seen[0]<=begun); /* rule LIMIT, event LIMIT */
          do :: k>1 -> k--; assert(seen[k]==seen[0]) :: else -> break od; /* no trace: all of one write */
          taken=seen[0]
       :: else
       fi;
       k=0; seen[0]=0; seen[1]=0; seen[K-1]=0
     }
  :: atomic { (ended==WRITES && !IS_NEW(word[0])) -> assert(taken==WRITES); break } /* rule LIMIT: the last one */
  od
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DK=2
 * bug quick -DUNCOMPARED -DWRITES=2: the scheduler acts on a half of a write
 * bug quick -DPAIRED -DWRITES=2: it does not compare the last word
 * bug quick -DNEWER -DWRITES=2: it takes any new number of a further word for the right one
 * bug quick -DTWICE -DWRITES=2: it looks at the number of one load, and acts on the limit of another
 * bug quick -DGREATER: it takes only greater numbers for new ones, and misses the write at which they wrap
 * bug quick -DAHEAD=NUMBERS -DWRITES=4: there are more writes than numbers while it does not look, and it takes the
 *     last one for the one that it knows
 * live quick
 * live quick -DK=2
 * stuck quick -DHELD -DWRITES=2: a word that does not fit the first is read again alone, and never does if the first was
 *     the older one
 */
