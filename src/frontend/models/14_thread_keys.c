// Thread-specific data. Keys are numbered in the order of their creation and never reused, so that
// a new key reads null in every thread without anybody having to reset it.

enum { HEDDLE_KEYS = 32, HEDDLE_DESTRUCTOR_ROUNDS = 4 };

static _Atomic unsigned heddle_key_count;
static _Atomic int heddle_key_live[HEDDLE_KEYS];                    // 0 or 1
static void (*_Atomic heddle_key_destructor[HEDDLE_KEYS])(void *);  // null where the key has none
static _Thread_local void *heddle_specific[HEDDLE_KEYS];

static void heddle_run_destructors(void) {
  for (int round = 0; round < HEDDLE_DESTRUCTOR_ROUNDS; round = round + 1) {
    int called = 0;
    for (unsigned key = 0; key < HEDDLE_KEYS; key = key + 1) {
      void *value = heddle_specific[key];
      if (value != 0) {
        __heddle_atomic_begin();
        void (*destructor)(void *) = heddle_key_destructor[key];
        int live = heddle_key_live[key];
        __heddle_atomic_end();
        if (live != 0 && destructor != 0) {
          heddle_specific[key] = 0;
          destructor(value);
          called = 1;
        }
      }
    }
    if (called == 0) return;
  }
}

static void heddle_key_create(unsigned *key, void (*destructor)(void *)) {
  __heddle_atomic_begin();
  unsigned fresh = heddle_key_count;
  if (fresh >= HEDDLE_KEYS) {
    __heddle_unsupported("more than 32 keys of thread-specific data");
    __heddle_exit_process();
  }
  heddle_key_count = fresh + 1;
  heddle_key_live[fresh] = 1;
  heddle_key_destructor[fresh] = destructor;
  __heddle_atomic_end();
  *key = fresh;
}

static int heddle_key_is_live(unsigned key) {
  if (key >= HEDDLE_KEYS) return 0;
  return heddle_key_live[key];
}

static int heddle_key_delete(unsigned key) {
  if (key >= HEDDLE_KEYS) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  int live = heddle_key_live[key];
  heddle_key_live[key] = 0;
  __heddle_atomic_end();
  return live != 0 ? 0 : HEDDLE_EINVAL;
}

static int heddle_set_specific(unsigned key, const void *value) {
  if (heddle_key_is_live(key) == 0) return HEDDLE_EINVAL;
  heddle_specific[key] = (void *)value;
  heddle_exit_hook = heddle_run_destructors;
  return 0;
}

static void *heddle_get_specific(unsigned key) {
  if (heddle_key_is_live(key) == 0) return 0;
  return heddle_specific[key];
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  heddle_key_create(key, destructor);
  return 0;
}

int pthread_key_delete(unsigned key) { return heddle_key_delete(key); }

int pthread_setspecific(unsigned key, const void *value) {
  return heddle_set_specific(key, value);
}

void *pthread_getspecific(unsigned key) { return heddle_get_specific(key); }
