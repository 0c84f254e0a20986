/* SPDX-License-Identifier: Apache-2.0
 *
 * The membership word (kernels/coop_abi.h): offers, forks, and the barriers `query` and `regular`, with pool and
 * mail (kernels/coop/offers.clh, barriers.clh, worker.clh). Sequentially consistent, safety only. The commands are
 * at the end. -D parameters:
 */
#ifndef N
#define N 4         /* workgroups */
#endif
#ifndef R
#define R 2         /* barriers of a run */
#endif
#ifndef OFFERS
#define OFFERS 1    /* before each barrier */
#endif
#ifndef CHANGES
#define CHANGES 2   /* of the target, by the scheduler */
#endif
#ifndef QUERY
#define QUERY 1     /* 0: `regular` */
#endif
#ifndef FIRST
#define FIRST N     /* target at the start */
#endif
/* -DNEXT=t: the scheduler changes the target to t, and not to any. -DFEW: slots 0 and 1 do not offer.
 * -DFORK: each requests a fork before each barrier. -DUNTAGGED: the bug that the first version had. */
#ifdef FEW
#define OFFERS_OF(slot) (slot < 2 -> 0 : OFFERS)
#else
#define OFFERS_OF(slot) OFFERS
#endif
#define ROUNDS 4    /* the word's round counts modulo (kernel: 16) */
#define VERSIONS 8  /* and its version (kernel: 4096) */
#define JOIN(s) ((s)+1)
#define FROM_START N

byte A, G=N, T=FIRST, O, Rd, V; /* the word: arrived, groups, target, offered, round, version */
byte number_, before_, after_;  /* the word `resized`: of which barrier, M before, M after */
short pool;
byte finished;
byte mail[N], entry_round[N], entry_passed[N], readers[N];

/* What a proof needs to know and no kernel does. */
byte completed;                     /* barriers */
byte after_of[R+1]; bool done_of[R+1];
bool in_kernel[N];

#define LOAD sa=A; sg=G; st=T; so=O; sr=Rd; sv=V
#define IS_SURPLUS (slot>0 && slot>=st && slot<sg)
#define SET_NEXT(a_,g_,o_,r_,v_) na=a_; ng=g_; no=o_; nr=(r_)%ROUNDS; nv=(v_)%VERSIONS

inline SWAP(ok) {
  atomic { if
    :: (A==sa && G==sg && T==st && O==so && Rd==sr && V==sv) ->
       if :: nr!=Rd -> assert(!done_of[completed]); done_of[completed]=true; after_of[completed]=ng; completed++
          :: else fi;
       A=na; G=ng; O=no; Rd=nr; V=nv;
       sa=na; sg=ng; so=no; sr=nr; sv=nv; ok=true
    :: else -> LOAD; ok=false
  fi }
}

/* coop_publish(): gives up if what is there is of a later barrier. */
inline PUBLISH(groups) {
#ifdef UNTAGGED
  atomic { before_=groups; after_=groups }
#else
  atomic { pn=number_; pb=before_; pa=after_ };
  do
  :: pn>passed -> break
  :: else ->
     atomic { if
     :: (number_==pn && before_==pb && after_==pa) -> number_=passed; before_=groups; after_=groups; break
     :: else -> pn=number_; pb=before_; pa=after_
     fi }
  od
#endif
}

/* coop_without() */
inline WITHOUT(first) {
  last = (sa==first);
  atomic { SET_NEXT((last->0:sa), first, so-(sg-first), sr+last, sv+(sg-first)) };
  if :: last -> PUBLISH(first)
     :: else fi
}

/* coop_try_kill() */
inline TRY_KILL() {
  killed=false;
  atomic { LOAD };
  if
  :: IS_SURPLUS ->
     atomic { O++; LOAD };
     do
     :: (slot<sg && so==sg-st) -> WITHOUT(st); SWAP(ok)
     :: else -> break
     od;
     do /* at its offer, for as long as it likes */
     :: IS_SURPLUS -> atomic { LOAD }
     :: true -> break
     od;
     swapped=false; highest=false;
     do
     :: (!swapped && slot<sg) ->
        highest = (IS_SURPLUS && slot+1==sg);
        if :: highest -> WITHOUT(slot)
           :: else -> atomic { SET_NEXT(sa,sg,so-1,sr,sv) } fi;
        SWAP(swapped)
     :: else -> break
     od;
     killed = (!swapped || highest)
  :: else
  fi
}

/* coop_try_fork() */
inline TRY_FORK() {
  atomic { LOAD };
  if
  :: (st>sg && readers[slot]==0) ->
     atomic { reserved = (pool==N-sg && finished==0); if :: reserved -> pool=pool-(st-sg) :: else fi };
     if
     :: reserved ->
        atomic { bef=sg; aft=st; SET_NEXT(sa,st,so,sr,sv+1) };
        SWAP(ok);
        if :: ok -> SEND_JOINS()
           :: else -> pool=pool+(aft-bef) fi
     :: else
     fi
  :: else
  fi
}

/* coop_send_joins() to the slots from bef to aft */
inline SEND_JOINS() {
  assert(readers[slot]==0);
  atomic { entry_round[slot]=round; entry_passed[slot]=passed; readers[slot]=aft-bef };
  j=bef;
  do :: j<aft -> assert(mail[j]==0); mail[j]=JOIN(slot); j++ :: else -> break od
}

/* coop_complete() */
inline COMPLETE() {
  done=false;
  do
  :: !done ->
     bef=sg; aft=sg;
     if
     :: st<sg ->
#if QUERY
        aft=st
#else
        skip
#endif
     :: st>sg ->
        atomic { if :: (pool==N-sg && finished==0) -> pool=pool-(st-sg); aft=st :: else fi }
     :: else
     fi;
     atomic { number_=passed; before_=bef; after_=aft };
     atomic { SET_NEXT(0,aft,0,sr+1,sv+(aft!=bef)) };
     SWAP(done);
     if :: (!done && aft>bef) -> pool=pool+(aft-bef) :: else fi
  :: else -> break
  od
}

proctype Worker(byte slot) {
  byte sa,sg,st,so,sr,sv, na,ng,no,nr,nv, pn,pb,pa, round,passed,offers,j,from,bef,aft;
  bool ok,last,swapped,highest,killed,done,reserved;
in_pool:
end_pool:
  mail[slot]!=0;
  atomic { from=mail[slot]-1; mail[slot]=0 };
  if :: from==FROM_START -> round=0; passed=0
     :: else -> atomic { round=entry_round[from]; passed=entry_passed[from] }; readers[from]--
  fi;
  assert(!in_kernel[slot]); in_kernel[slot]=true;
  do
  :: passed<R ->
     offers=0;
     do
     :: offers<OFFERS_OF(slot) -> TRY_KILL(); if :: killed -> goto leave :: else -> offers++ fi
     :: else -> break
     od;
#ifdef FORK
     TRY_FORK();
#endif
#if QUERY==0
     TRY_KILL(); if :: killed -> goto leave :: else fi;
#endif
     atomic { A++; LOAD };
     if
     :: sa==sg -> COMPLETE()
     :: else -> (Rd!=round || slot>=G)
     fi;
     atomic { bef=before_; aft=after_ };
     round=(round+1)%ROUNDS;
     assert(done_of[passed]);
     if
     :: slot>=aft -> assert(slot>=after_of[passed]); goto leave
     :: else ->
        assert(aft==after_of[passed]); /* all that go on agree */
        passed++
     fi;
     if :: (slot==0 && aft>bef) -> SEND_JOINS()
        :: else fi
  :: else -> break
  od;
  finished++; in_kernel[slot]=false; pool++; goto in_pool;
leave:
  in_kernel[slot]=false; pool++; goto in_pool
}

init {
  byte c, t, now, groups;
  atomic {
    do :: c<N -> run Worker(c); mail[c]=JOIN(FROM_START); c++ :: else -> break od; c=0
  };
  /* the scheduler: coop_want(), at any time */
  do
  :: c<CHANGES ->
#ifdef NEXT
     t=NEXT;
#else
     t=1; do :: t<N -> t++ :: break od;
#endif
     atomic { now=T; groups=G };
     if
     :: (t==now || (t>now && groups>now)) -> skip
     :: else -> atomic { T=T+t-now }
     fi;
     c++
  :: else -> break
  od;
end_scheduler:
  (finished==255)
}

/* Commands:
 *
 *     spin -DN=3 -a members.pml && gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000
 *     spin -DN=3 -DFORK -a members.pml && gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000
 *     spin -DN=3 -DQUERY=0 -a members.pml && gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000
 *     spin -DOFFERS=2 -DCHANGES=1 -DFIRST=2 -DNEXT=1 -DFEW -a members.pml && gcc -O2 -DSAFETY -DBITSTATE -o pan pan.c && ./pan -m1000000 -w31
 *
 * With -DUNTAGGED the fourth finds what the first version had wrong: a workgroup that is about to complete a barrier by
 * leaving says what the barrier decided before it knows whether it is the one; if others take its place, it may be so
 * late that it overwrites what a later barrier has decided.
 */
