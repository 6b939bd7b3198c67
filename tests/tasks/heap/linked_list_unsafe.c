// Two threads push onto a linked list; without the lock one node can be lost.
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Node {
  struct Node *next;
};

struct Node *head;

void *push(void *arg) {
  struct Node *node = malloc(sizeof(struct Node));
  node->next = head;
  head = node;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, push, 0);
  pthread_create(&second, 0, push, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int length = 0;
  while (head) {
    struct Node *next = head->next;
    free(head);
    head = next;
    length++;
  }
  check(length == 2);
  return 0;
}
