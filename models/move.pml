/* SPDX-License-Identifier: Apache-2.0
 *
 * A cooperative kernel moves from one device to another and back (kernels/coop/whole/, runtime/coop/megakernel.c): the
 * host has all of its workgroups killed at a resizing barrier, which ends the megakernel, reads the state that workgroup
 * 0 has kept, copies state and buffers, and starts a megakernel on the other device, which brings the run back. The wish
 * may come too late: then the run has ended where it was. whole.pml has how barriers remove all, and how a run comes
 * back; here a barrier is one step. With -DLIVE: the run ends. Sequentially consistent. The checks are at the end.
 */
#ifndef N
#define N 2         /* workers of a device; the second has one more with -DMORE */
#endif
#ifndef R
#define R 3         /* barriers of the run */
#endif
#ifndef MOVES
#define MOVES 2     /* most of them */
#endif
#ifdef MORE
#define WORKERS(d) (N+(d))
#define MOST (N+1)
#else
#define WORKERS(d) N
#define MOST N
#endif

#define START 1     /* mail */
#define JOIN 2

/* Of each device, as the launch finds and leaves it: a launch begins with all but state and entry cleared. */
byte mail[2*MOST];
byte groups[2];     /* M */
byte arrived[2], round[2];
byte out[2];        /* workers that are not in the pool, */
byte finished[2];   /* or at the kernel's end */
byte state[2], entry[2]; /* what workgroup 0 has kept: barriers passed */
bool resumed[2];    /* the host's words */
byte stop[2];       /* 1: end with the kernel; 2: kill all */
bool launched[2], killed[2], ended[2]; /* ended: the run */
byte data[2];       /* the buffers: shares of phases done */

/* What a proof needs to know and no kernel does. */
byte working[2];
byte done;          /* shares of phases, on both devices */
byte completed;     /* barriers */
bool over;
#ifdef LIVE
ltl live { <> over }
#endif

#define SLOT(d,i) mail[(d)*MOST+(i)]

/* A barrier of M workgroups; the last to arrive decides who stays. */
inline MEET() {
  atomic { arrived[d]++; number=round[d];
    if
    :: arrived[d]==M ->
       arrived[d]=0; round[d]++; completed++;
       if :: stop[d]==2 -> groups[d]=0
          :: else
       fi
    :: else
    fi
  };
  round[d]!=number;
  passed++;
  leaves=(groups[d]==0)
}

proctype Worker(byte d; byte id) {
  byte m, M, number, passed;
  bool leaves;
end_pool:
  do
  :: atomic { SLOT(d,id)!=0 -> m=SLOT(d,id); SLOT(d,id)=0; passed=0; leaves=false };
     M=groups[d];
     if
     :: m==JOIN -> passed=entry[d];
        assert(state[d]==completed && passed==completed) /* they begin with the last state */
     :: else -> assert(completed==0)
     fi;
     working[d]++;
     assert(working[1-d]==0); /* nobody works on the other device any more */
     do
     :: passed<R && !leaves ->
        /* it works on what all have done so far */
        atomic { data[d]++; done++; assert(data[d]==done) };
        MEET()
     :: else -> break
     od;
     working[d]--;
     if
     :: leaves ->
#ifdef UNKEPT
        out[d]--;
#endif
        if :: id==0 -> state[d]=passed; entry[d]=passed
           :: else
        fi;
#ifndef UNKEPT
        out[d]--
#endif
     :: else -> finished[d]++; out[d]--
     fi
  od
}

inline POST(message) {
  i=0;
  do
  :: i<WORKERS(d) -> assert(SLOT(d,i)==0); SLOT(d,i)=message; i++
  :: else -> break
  od
}

/* A megakernel: its scheduler, which sends its workers home when all is over. */
proctype Scheduler(byte d) {
  byte i;
  bool running;
end_idle:
  do
  :: atomic { launched[d] -> /* a run that is resumed is away, and is brought back */
       running=true; killed[d]=false; groups[d]=WORKERS(d); out[d]=WORKERS(d); arrived[d]=0; finished[d]=0; round[d]=0 };
     if
     :: resumed[d] && stop[d]==2 -> /* the next wish comes before */
        atomic { running=false; killed[d]=true; groups[d]=0; out[d]=0 }
     :: resumed[d] -> POST(JOIN)
     :: !resumed[d] -> POST(START)
     fi;
     do
     :: atomic { running && groups[d]>0 && finished[d]==groups[d] && out[d]==0 -> running=false; ended[d]=true }
#ifdef HASTY
     :: atomic { running && groups[d]==0 && stop[d]==2 -> running=false; killed[d]=true }
#elif defined(OVER)
     :: atomic { running && groups[d]==0 && out[d]==0 && stop[d]==2 -> running=false; ended[d]=true; killed[d]=true }
#else
     :: atomic { running && groups[d]==0 && out[d]==0 && stop[d]==2 -> running=false; killed[d]=true }
#endif
     :: atomic { !running && stop[d]!=0 -> break }
     od;
     launched[d]=false
  od
}

init {
  byte d, i, moves, kept_state, kept_entry, kept_data;
  atomic {
    do :: d<2 -> i=0;
          do :: i<WORKERS(d) -> run Worker(d,i); i++ :: else -> break od;
          run Scheduler(d); d++
       :: else -> break
    od;
    d=0; i=0; launched[0]=true
  };
  do
  :: moves<MOVES ->
     moves++;
     stop[d]=2; /* the wish: at any time */
#ifdef BLIND
     groups[d]==0 || !launched[d]; /* as soon as all are told to leave */
#else
     !launched[d];
#endif
     if
#ifdef TAKEN
     :: true -> skip
#else
     :: ended[d] -> break
     :: else
#endif
     fi;
     atomic { kept_state=state[d]; kept_entry=entry[d] };
     kept_data=data[d];
#ifdef FORGOTTEN
     if :: moves==1 -> kept_data=data[1-d] :: else fi;
#endif
     d=1-d;
     atomic { data[d]=kept_data; stop[d]=0; resumed[d]=true;
#ifndef UNCOPIED
       state[d]=kept_state; entry[d]=kept_entry;
#endif
       launched[d]=true }
  :: else -> break
  od;
  atomic { if :: stop[d]==0 -> stop[d]=1 :: else fi };
  !launched[d];
  assert(ended[d] && completed==R && data[d]==done); /* it ends where it is, and whole */
#ifdef LIVE
  over=true;
#endif
  i=0
}

/* Checks (README.md):
 *
 * check quick
 * check quick -DMORE
 * check full -DN=3 -DR=4 -DMOVES=3 -DMORE
 * bug quick -DUNKEPT: workgroup 0 counts itself as left before it has kept its state
 * bug quick -DHASTY: the scheduler ends the run as soon as nobody is to stay, while some are on their way to the pool
 * bug quick -DOVER: a run that was killed is told as one that has ended: it is never gone on with
 * bug quick -DBLIND: the host reads state and buffers as soon as nobody is to stay, and begins on the other device
 * bug quick -DTAKEN: the host takes a run that ended before the wish for one that was killed
 * bug quick -DUNCOPIED: the state is not copied
 * bug quick -DFORGOTTEN: a buffer is not copied
 * live quick -DR=2 -DMOVES=1
 * live full
 */
