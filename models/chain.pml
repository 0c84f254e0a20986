/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch promotion (KLAP'16 Section III): a recursion of launches of one workgroup each, as a chain of flags. STEPS
 * steps, which no workgroup knows, in launches of POOL workgroups one after the other, of which RESIDENT run at once,
 * in any order. Each takes the next step by one addition; the flag of a step says that it is to be done (GO), or that
 * the recursion has ended before it (ABORT), and what it needs is there then. With -DOVERLAP there are two chains: of the
 * condition, after which a step does what depends on no other, and of the data. With -DSPECULATIVE each step launches the
 * next one at its beginning, in vain or not: one launch of POOL workgroups, each of which begins after the one before it
 * has begun. With -DLIVE: all launches end, also if
 * those that do not fit run only after others. Sequentially consistent. The checks are at the end.
 */
#ifndef STEPS
#define STEPS 4
#endif
#ifndef POOL
#define POOL 3
#endif
#ifndef RESIDENT
#define RESIDENT 2
#endif
#define POOLS ((STEPS+POOL-1)/POOL)
#define BLOCKS (POOLS*POOL)
#define GO 1
#define ABORT 2

byte running, ended, pool;
byte next;                        /* step */
byte condition[BLOCKS+1], data[BLOCKS+1], value[BLOCKS+1];
byte loaded[BLOCKS], stored[BLOCKS];
#ifdef SPECULATIVE
bool begun[BLOCKS+1];
#define MAY_BEGIN (id==0 || begun[id-1])
#else
#define MAY_BEGIN true
#endif

#ifdef LIVE
ltl live { <> (ended==BLOCKS) }
#endif

/* What a step reads, the next one may write over. */
inline LOAD() { loaded[step]=1 }

inline PASS() {
  assert(value[step]==step);
#ifdef UNWRITTEN
  data[step+1]=(step+1<STEPS->GO:ABORT);
  value[step+1]=step+1
#else
  value[step+1]=step+1;
  data[step+1]=(step+1<STEPS->GO:ABORT)
#endif
}

proctype Block(byte launch, id) {
  byte step;
  atomic { pool==launch && running<RESIDENT && MAY_BEGIN -> running++ };
#ifdef SPECULATIVE
  begun[id]=true;
  step=id;
#elif defined(STATIC)
  step=launch*POOL+id;
#elif defined(TORN)
  step=next; next=step+1;
#else
  atomic { step=next; next++ };
#endif
#ifdef OVERLAP
  condition[step]!=0;
  if
  :: condition[step]==ABORT -> condition[step+1]=ABORT; goto end
  :: else -> condition[step+1]=(step+1<STEPS->GO:ABORT)
  fi;
  LOAD();
#ifndef UNWAITED
  data[step]!=0;
#endif
#else
#ifdef YIELDED
  do
  :: data[step]!=0 -> break
  :: data[step]==0 -> running--; atomic { running<RESIDENT -> running++ }
  od;
#else
  data[step]!=0;
#endif
  if
#ifdef UNTOLD
  :: data[step]==ABORT -> goto end
#else
  :: data[step]==ABORT -> data[step+1]=ABORT; goto end
#endif
  :: else
  fi;
#ifndef UNLOADED
  LOAD();
#endif
#endif
  PASS();
#ifdef UNLOADED
  LOAD();
#endif
  assert(step==0 || loaded[step-1]);
  stored[step]++;
end:
  atomic { running--; ended++; if :: ended==(launch+1)*POOL -> pool++ :: else fi }
}

init {
  byte p, i;
  atomic {
    data[0]=GO; condition[0]=GO;
    do
    :: p<POOLS ->
       i=0;
       do :: i<POOL -> run Block(p, i); i++ :: else -> break od;
       p++
    :: else -> break
    od
  };
  ended==BLOCKS;
  p=0;
  do :: p<BLOCKS -> assert(stored[p]==(p<STEPS->1:0)); p++ :: else -> break od
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DOVERLAP -DSTEPS=5
 * check quick -DSPECULATIVE -DPOOL=6
 * check quick -DSPECULATIVE -DOVERLAP -DPOOL=6
 * bug quick -DSPECULATIVE -DPOOL=6 -DUNTOLD: a step that was launched in vain does not tell the next one
 * bug quick -DSTATIC -DSTEPS=2: steps are given out before their workgroups run: those that run wait for one that
 *     does not
 * bug quick -DUNLOADED -DSTEPS=2: a step reads what the next one has written over
 * bug quick -DTORN -DSTEPS=2: a step is taken by a load and a store, so that two workgroups do the same one
 * bug quick -DUNWRITTEN -DSTEPS=2: a step says that the next is to be done before what that needs is there
 * bug quick -DUNTOLD: a workgroup without a step does not tell the next one, which waits for ever
 * bug quick -DUNWAITED -DOVERLAP -DSTEPS=2: a step goes on by the chain of the condition alone, before its data is
 *     there
 * live quick
 * live quick -DOVERLAP -DSTEPS=5
 * live quick -DSPECULATIVE -DPOOL=6
 * stuck quick -DSTATIC -DYIELDED -DSTEPS=3: a workgroup whose step is not to be done yet makes room and comes back, and
 *     two that do so leave none for the one that they wait for
 */
