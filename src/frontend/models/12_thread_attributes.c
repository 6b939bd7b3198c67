// Attribute objects of threads. Only the detach state has an effect; the others are kept so that
// they can be read back.

struct heddle_attributes {
  _Atomic int detached;  // first, since the start of a thread reads it there
  _Atomic int scope;
  _Atomic int inherit;
  _Atomic int policy;
  _Atomic int priority;
  _Atomic size_t guard_size;
  _Atomic size_t stack_size;
};

_Static_assert(sizeof(struct heddle_attributes) <= (sizeof(void *) == 8 ? 56 : 36),
               "an attribute object fits into the user's pthread_attr_t");

int pthread_attr_init(void *object) {
  struct heddle_attributes *attributes = object;
  __heddle_atomic_begin();
  attributes->detached = 0;
  attributes->scope = 0;
  attributes->inherit = 0;
  attributes->policy = 0;
  attributes->priority = 0;
  attributes->guard_size = 4096;
  attributes->stack_size = 8388608;
  __heddle_atomic_end();
  return 0;
}

int pthread_attr_destroy(void *object) { return 0; }

int pthread_attr_setdetachstate(void *object, int state) {
  if (state != 0 && state != 1) return HEDDLE_EINVAL;
  ((struct heddle_attributes *)object)->detached = state;
  return 0;
}

int pthread_attr_getdetachstate(const void *object, int *state) {
  *state = ((const struct heddle_attributes *)object)->detached;
  return 0;
}

int pthread_attr_setscope(void *object, int scope) {
  if (scope == 1) return HEDDLE_ENOTSUP;
  if (scope != 0) return HEDDLE_EINVAL;
  ((struct heddle_attributes *)object)->scope = scope;
  return 0;
}

int pthread_attr_getscope(const void *object, int *scope) {
  *scope = ((const struct heddle_attributes *)object)->scope;
  return 0;
}

int pthread_attr_setinheritsched(void *object, int inherit) {
  if (inherit != 0 && inherit != 1) return HEDDLE_EINVAL;
  ((struct heddle_attributes *)object)->inherit = inherit;
  return 0;
}

int pthread_attr_getinheritsched(const void *object, int *inherit) {
  *inherit = ((const struct heddle_attributes *)object)->inherit;
  return 0;
}

int pthread_attr_setschedpolicy(void *object, int policy) {
  if (policy < 0 || policy > 2) return HEDDLE_EINVAL;
  ((struct heddle_attributes *)object)->policy = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const void *object, int *policy) {
  *policy = ((const struct heddle_attributes *)object)->policy;
  return 0;
}

// A struct sched_param holds the priority and nothing else.
int pthread_attr_setschedparam(void *object, const int *priority) {
  ((struct heddle_attributes *)object)->priority = *priority;
  return 0;
}

int pthread_attr_getschedparam(const void *object, int *priority) {
  *priority = ((const struct heddle_attributes *)object)->priority;
  return 0;
}

int pthread_attr_setguardsize(void *object, size_t size) {
  ((struct heddle_attributes *)object)->guard_size = size;
  return 0;
}

int pthread_attr_getguardsize(const void *object, size_t *size) {
  *size = ((const struct heddle_attributes *)object)->guard_size;
  return 0;
}

int pthread_attr_setstacksize(void *object, size_t size) {
  if (size < 16384) return HEDDLE_EINVAL;
  ((struct heddle_attributes *)object)->stack_size = size;
  return 0;
}

int pthread_attr_getstacksize(const void *object, size_t *size) {
  *size = ((const struct heddle_attributes *)object)->stack_size;
  return 0;
}

int pthread_attr_setstack(void *object, void *address, size_t size) {
  return size < 16384 ? HEDDLE_EINVAL : 0;
}

int pthread_attr_setstackaddr(void *object, void *address) { return 0; }

int pthread_attr_setaffinity_np(void *object, size_t size, const void *set) { return 0; }
