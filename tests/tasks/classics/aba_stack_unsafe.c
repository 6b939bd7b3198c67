// A lock-free stack of two nodes: between a pop's look and its swap the top may go and come
// back. A version in the same word tells the difference.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

// Node 1 lies on node 2, node 2 on nothing (0). The low byte of top names the top node.
atomic_int next[3] = {0, 2, 0};
atomic_int top = 1;

#define VERSION 0

static int pop(void) {
  int seen = atomic_load(&top), node, wanted;
  do {
    node = seen & 255;
    if (node == 0) return 0;
    wanted = (seen - node + VERSION) | atomic_load(&next[node]);
  } while (!atomic_compare_exchange_strong(&top, &seen, wanted));
  return node;
}

static void push(int node) {
  int seen = atomic_load(&top);
  do {
    atomic_store(&next[node], seen & 255);
  } while (
      !atomic_compare_exchange_strong(&top, &seen, (seen - (seen & 255) + VERSION) | node));
}

int mine;

void *worker(void *arg) {
  mine = pop();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int first = pop();
  int second = pop();
  if (first) push(first);
  pthread_join(thread, 0);
  int left = pop();
  // Both nodes are somewhere, and none is in two places.
  check(second == 0 || second != left);
  check(mine == 0 || (mine != second && mine != left));
  return 0;
}
