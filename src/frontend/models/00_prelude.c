// The ground that every model stands on: Heddle's intrinsics, the error numbers of Linux, and the
// state that belongs to each thread. The model library is one translation unit: the files of this
// folder in name order. It uses no system header, since its types must follow -m32 and -m64.
//
// Rules that every model keeps:
//  - state of a synchronisation object is `_Atomic` and is touched only inside an atomic section;
//  - a section does nothing but read before it awaits, and every path out of a function leaves it;
//  - memory of the user that is not such an object (results, strings) is touched outside sections,
//    plainly, so that a race on it is seen;
//  - a model calls `heddle_` helpers, never another model, since a program may replace any model.

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ heddle_address;
typedef struct _IO_FILE FILE;

#define SYNC(NAME) __attribute__((annotate("heddle:sync=" #NAME)))
// The body only returns an arbitrary value: a call whose result is unused has no effect at all.
#define ANY_RESULT __attribute__((annotate("heddle:any_result")))

void __heddle_atomic_begin(void);
void __heddle_atomic_end(void);
void __heddle_await(int condition);         // exactly one memory read in the condition
void __heddle_await_holder(int condition);  // same; that word is 0 or the number + 1 of a thread
unsigned __heddle_choose(unsigned limit);   // any value in [0, limit)
int __heddle_self(void);                    // number + 1 of the running thread; main has 1
int __heddle_spawn(void (*routine)(void *), void *argument);  // number + 1 of the new thread
_Noreturn void __heddle_exit_thread(void);
_Noreturn void __heddle_exit_process(void);
_Noreturn void __heddle_abort(void);  // ends the process; what memory it leaves is no leak
void *__heddle_allocate(size_t size);  // memory of the models: never a leak
void *__heddle_malloc(size_t size);
void *__heddle_calloc(size_t size);
void __heddle_free(void *block);
size_t __heddle_object_size(const void *address);  // of the live object there, 0 where none is
void __heddle_clobber(void *object);
void __heddle_unsupported(const char *what);
void __heddle_fail(const char *kind);

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);

enum {
  HEDDLE_EPERM = 1,
  HEDDLE_EAGAIN = 11,
  HEDDLE_ENOMEM = 12,
  HEDDLE_EBUSY = 16,
  HEDDLE_EINVAL = 22,
  HEDDLE_ERANGE = 34,
  HEDDLE_EDEADLK = 35,
  HEDDLE_EOVERFLOW = 75,
  HEDDLE_ENOTSUP = 95,
  HEDDLE_ETIMEDOUT = 110
};

struct heddle_timespec {
  long seconds;
  long nanoseconds;
};

static _Thread_local int heddle_errno;

int *__errno_location(void) { return &heddle_errno; }

static int heddle_is_bad_time(const void *time) {
  long nanoseconds = ((const struct heddle_timespec *)time)->nanoseconds;
  return nanoseconds < 0 || nanoseconds >= 1000000000L;
}

// Slots of waiters are bits of a mask. 0 where all are taken.
static unsigned long long heddle_free_slot(unsigned long long taken) {
  return ~taken & (taken + 1);
}

static unsigned heddle_count_bits(unsigned long long mask) {
  unsigned count = 0;
  while (mask != 0) {
    mask = mask & (mask - 1);
    count = count + 1;
  }
  return count;
}

// Any one bit of a mask that has at least one.
static unsigned long long heddle_any_bit(unsigned long long mask) {
  unsigned skip = __heddle_choose(heddle_count_bits(mask));
  while (skip != 0) {
    mask = mask & (mask - 1);
    skip = skip - 1;
  }
  return mask & (0 - mask);
}
