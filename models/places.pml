/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of children (kernels/coop/children.clh): N workgroups have PLACES each, and two masks: of those in use, and
 * of those that have a share which nobody has begun. Who clears a bit of the second has the right to begin the next share
 * of that place, and sets it again if there is one more; so a place is never given away twice, also if it is used again
 * meanwhile. Each workgroup submits EACH children of SHARES shares, the last of them from within the first share of its
 * first one, as a child of a child does; it takes shares of any, and waits until those that it is the root
 * of have ended.
 *
 * Each share is done once, with the packet that was written for it; a root sees its count at 0 only after all have ended.
 * With -DLIVE, how shares are found, too: by hints, which may be lost, since no order of memory makes them be seen after
 * the share. Each root ends. Sequentially consistent but for that. The checks are at the end.
 *
 * With -DMOVES ids change hands so many times, as with the semantics `any`: a workgroup has left the kernel, and another
 * gets its id. A root is a slot, which nobody else gets while its workgroup waits.
 */
#ifndef N
#define N 2
#endif
#ifndef PLACES
#define PLACES 2
#endif
#ifndef EACH
#define EACH 3
#endif
#ifndef SHARES
#define SHARES 2
#endif
#define ALL (N*PLACES)
#define NONE 255

byte used[N], ready[N], count[N];
byte started[ALL], left_[ALL], root[ALL], packet[ALL]; /* packet: which child, NONE while it is written */
byte begun[N*EACH], ended[N*EACH]; /* what a proof needs to know and no kernel does */
byte submitted[N];                 /* children of each root */

#ifdef LIVE
/* The last workgroup has no children and is in the pool: it helps until a message comes, at any time or never. */
byte hints, over;                  /* a bit for each slot; others that have waited for theirs */
ltl live { <> (over==N-1) }
#define IN_POOL(me) ((me)==N-1)
#define HINT(slot) if :: hints=hints|BIT(slot) :: true fi
#define NEXT_TURN turn=(turn+1)%N
#else
#define HINT(slot) skip
#define IN_POOL(me) false
#endif

#ifdef MOVES
byte ids[N], moves;                /* of each slot */
#define START_IDS ids[i]=i
#define MAY_MOVE moves<MOVES
#define MOVE(me) who=(me+1)%N; own_id=ids[me]; ids[me]=ids[who]; ids[who]=own_id; own_id=0; who=0; moves++
#else
#define START_IDS skip
#define MAY_MOVE false
#define MOVE(me) skip
#endif
#ifdef BY_ID
#define ROOT(me) ids[me]
#define IS_ROOT(child, r) true
#else
#define ROOT(me) me
#define IS_ROOT(child, r) ((child)/EACH==(r))
#endif

#define BIT(p) (1<<(p))
#define AT(slot,p) ((slot)*PLACES+(p))

/* by: whose places; owner: whose child; r: as whose it is counted. ok: there was room. */
inline SUBMIT(by, owner, r, ok) {
  ok=false; p=0;
  do
  :: p<PLACES && !ok ->
     atomic { if :: used[by]&BIT(p) -> p++ :: else -> used[by]=used[by]|BIT(p); ok=true fi }
  :: else -> break
  od;
  if
  :: ok ->
     at=AT(by,p);
     packet[at]=NONE;
#ifdef UNWRITTEN
     count[r]++;
     ready[by]=ready[by]|BIT(p);
     HINT(by);
#endif
     started[at]=0; left_[at]=SHARES; root[at]=r;
     atomic { packet[at]=(owner)*EACH+submitted[owner]; submitted[owner]++ };
#if defined(UNCOUNTED)
     ready[by]=ready[by]|BIT(p);
     HINT(by);
     count[r]++
#elif defined(LATE)
     if :: !nested -> count[r]++ :: else fi;
     ready[by]=ready[by]|BIT(p);
     HINT(by)
#elif !defined(UNWRITTEN)
     count[r]++;
     ready[by]=ready[by]|BIT(p);
     HINT(by)
#endif
  :: else
  fi
}

inline TAKE(from) {
  got=false; p=0;
  do
  :: p<PLACES && !got ->
     if
     :: ready[from]&BIT(p) ->
        at=AT(from,p);
#ifdef FIRST
        atomic { share=started[at]; started[at]++ };
        if :: share<SHARES -> got=true;
              if :: share+1==SHARES -> ready[from]=ready[from]&~BIT(p) :: else fi
           :: else -> p++ fi
#else
        atomic { if :: ready[from]&BIT(p) -> ready[from]=ready[from]&~BIT(p); got=true :: else -> p++ fi };
        if
        :: got ->
           share=started[at];
#ifdef AGAIN
           if :: share+1<SHARES -> ready[from]=ready[from]|BIT(p) :: else fi;
           started[at]=share+1
#else
           started[at]=share+1;
           if :: share+1<SHARES -> ready[from]=ready[from]|BIT(p); HINT(from) :: else fi
#endif
        :: else
        fi
#endif
     :: else -> p++
     fi
  :: else -> break
  od
}

#ifdef LIVE
/* coop_own_children(), coop_find_other(): a hint that is not true is taken back; without one, a slot after the other. */
inline FIND(from) {
  from=me;
  if
  :: ready[me]!=0
  :: ready[me]==0 && hints==0 ->
#ifndef TRUSTED
     from=turn;
#endif
     NEXT_TURN
  :: ready[me]==0 && hints!=0 ->
     do :: !(hints&BIT(from)) && hints!=0 -> from=(from+1)%N :: else -> break od;
     if
     :: ready[from]==0 ->
        hints=hints&~BIT(from);
        if :: ready[from]!=0 -> hints=hints|BIT(from) :: else fi
     :: else
     fi
  fi
}
#endif

/* A share; the first one of a root's first child submits that root's last child, if there is room where it is done, and
 * else its root has one child less. */
inline DO() {
  child=packet[at];
  assert(child!=NONE); /* rule CHILD, event CHILD_BEGIN */
  atomic { begun[child]++; assert(begun[child]<=SHARES) }; /* rule CHILD: each share once */
  who=root[at];
  assert(IS_ROOT(child, who)); /* rule CHILD: of its root */
  q=at;
  if
  :: child%EACH==0 && share==0 -> nested=true; SUBMIT(me, child/EACH, who, got); nested=false
  :: else
  fi;
#ifdef LATE
  was=got && child%EACH==0 && share==0;
#endif
  at=q;
  atomic { ended[child]++; left_[at]--; last=left_[at]==0 }; /* event CHILD_END */
  if
  :: last ->
#ifdef FREED
     used[at/PLACES]=used[at/PLACES]&~BIT(at%PLACES);
     who=root[at];
#else
     who=root[at];
     used[at/PLACES]=used[at/PLACES]&~BIT(at%PLACES);
#endif
     count[who]--
  :: else
  fi;
#ifdef LATE
  if :: was -> count[who]++; was=false :: else fi
#endif
}

proctype Worker(byte me) {
  byte p, at, q, share, child, who, own, from, room;
#ifdef MOVES
  byte own_id;
#endif
#ifdef LIVE
  byte turn;
#endif
  bool got, last, nested, was;
  /* its children but the last, which comes from within the first */
  do
  :: own<EACH-1 && !IN_POOL(me) ->
     SUBMIT(me, me, ROOT(me), got);
     if :: got -> own++ :: else -> own=EACH /* no room: it does the rest itself */ fi
  :: else -> break
  od;
  do
  :: atomic { MAY_MOVE -> MOVE(me) }
  :: count[ROOT(me)]==0 -> break /* event AWAITED */
  :: count[ROOT(me)]!=0 || IN_POOL(me) ->
#ifdef LIVE
     FIND(from);
#else
     if :: from=me :: from=(me+1)%N fi;
#endif
     TAKE(from);
     if :: got -> DO() :: else fi
  od;
  q=0;
  do
  :: q<submitted[me] -> assert(ended[me*EACH+q]==SHARES); q++ /* rule CHILD: a root goes on after all */
  :: else -> break
  od
#ifdef LIVE
  ;
  over=over+!IN_POOL(me)
#endif
}

init {
  byte i;
  atomic { do :: i<N -> START_IDS; run Worker(i); i++ :: else -> break od }
}

/* Checks (README.md):
 *
 * check quick -DN=2 -DEACH=2 -DSHARES=1
 * check full -DN=3 -DEACH=2 -DPLACES=1 -DSHARES=1
 * check full
 * bug quick -DFIRST -DEACH=2 -DSHARES=1: the share's number is drawn before the bit is cleared, and a place that is
 *     used again gives away a share of a packet that is not written
 * bug quick -DLATE -DEACH=2 -DSHARES=1: a child of a child is counted after its parent's end
 * bug quick -DUNWRITTEN -DEACH=2 -DSHARES=1 -DPLACES=1: the bit is set before the packet is written
 * bug quick -DUNCOUNTED -DEACH=2 -DSHARES=1 -DPLACES=1: a child may end before it is counted
 * bug quick -DAGAIN -DEACH=2: the bit is set again before the next share's number is written, and a share is done
 *     twice
 * bug quick -DFREED -DEACH=2 -DSHARES=1 -DPLACES=1: a place is given back before its root has been read
 * check quick -DMOVES=1 -DEACH=2 -DSHARES=1 -DPLACES=1
 * check full -DMOVES=2 -DEACH=2 -DSHARES=1
 * bug quick -DBY_ID -DMOVES=1 -DEACH=2 -DSHARES=1 -DPLACES=1: a root is an id, which is another's when it waits
 * live quick -DEACH=2 -DSHARES=1
 * live full -DEACH=2
 * stuck quick -DTRUSTED -DEACH=2 -DSHARES=1: a share is looked for by hints alone, and lies where a workgroup left it
 *     that is waiting elsewhere: kernels/coop/children.clh had that
 */
