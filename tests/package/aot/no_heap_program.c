/* Runs a program on three threads of its own and counts what it allocates. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static int allocations;

static void count(void) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_SEQ_CST);
}
void* malloc(size_t n) {
  count();
  return __libc_malloc(n);
}
void* calloc(size_t n, size_t size) {
  count();
  return __libc_calloc(n, size);
}
void* realloc(void* p, size_t n) {
  count();
  return __libc_realloc(p, n);
}
void* aligned_alloc(size_t alignment, size_t n) {
  count();
  return __libc_memalign(alignment, n);
}
int posix_memalign(void** p, size_t alignment, size_t n) {
  count();
  *p = __libc_memalign(alignment, n);
  return 0;
}

enum { kThreads = 3 };

/* A loop for which the threads wait at barriers. */
static pthread_barrier_t begin, end;
static struct {
  int64_t count, next;
  void (*body)(void*, int64_t);
  void* context;
} loop;
static _Thread_local int inside;

static void help(void) {
  inside = 1;
  for (;;) {
    const int64_t i = __atomic_fetch_add(&loop.next, 1, __ATOMIC_SEQ_CST);
    if (i >= loop.count) break;
    loop.body(loop.context, i);
  }
  inside = 0;
}

static void* work(void* unused) {
  for (;;) {
    pthread_barrier_wait(&begin);
    if (loop.body == NULL) return unused;
    help();
    pthread_barrier_wait(&end);
  }
}

static void parallel_for(void* pool, int64_t n,
                         void (*body)(void* context, int64_t i),
                         void* context) {
  (void)pool;
  if (inside) {
    for (int64_t i = 0; i < n; ++i) body(context, i);
    return;
  }
  loop.count = n;
  loop.next = 0;
  loop.body = body;
  loop.context = context;
  pthread_barrier_wait(&begin);
  help();
  pthread_barrier_wait(&end);
}

_Alignas(64) static char arena[NET_ARENA_BYTES];
_Alignas(64) static char memory[NET_LOAD_BYTES];
_Alignas(64) static float x[64 * 96], w[96 * 128], alone[64 * 128],
    together[64 * 128];

int main(void) {
  for (int i = 0; i < 64 * 96; ++i) x[i] = (float)(i % 17) / 16 - 0.5f;
  for (int i = 0; i < 96 * 128; ++i) w[i] = (float)(i % 13) / 12 - 0.5f;
  char message[300] = "";
  tessera_aot_options options = {.struct_size = sizeof(options),
                                 .memory = memory,
                                 .memory_bytes = sizeof(memory),
                                 .message = message,
                                 .message_bytes = sizeof(message)};
  tessera_aot_instance* instance;
  int before = allocations;
  if (net_load(&options, &instance) != TESSERA_AOT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  if (net(instance, x, w, alone, arena) != TESSERA_AOT_OK) return 1;
  if (net(instance, x, w, alone, arena) != TESSERA_AOT_OK) return 1;
  tessera_aot_unload(instance);
  const int on_one = allocations - before;

  pthread_t threads[kThreads];
  pthread_barrier_init(&begin, NULL, kThreads);
  pthread_barrier_init(&end, NULL, kThreads);
  for (int i = 1; i < kThreads; ++i) {
    pthread_create(&threads[i], NULL, work, NULL);
  }
  const tessera_aot_threads pool = {.struct_size = sizeof(pool),
                                    .num_threads = kThreads,
                                    .parallel_for = parallel_for};
  options.threads = &pool;
  before = allocations;
  if (net_load(&options, &instance) != TESSERA_AOT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  if (tessera_aot_arena_bytes(instance) > sizeof(arena)) return 1;
  if (net(instance, x, w, together, arena) != TESSERA_AOT_OK) return 1;
  tessera_aot_unload(instance);
  const int on_three = allocations - before;
  loop.body = NULL;
  pthread_barrier_wait(&begin);
  for (int i = 1; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("allocations: %d, %d; results are %s\n", on_one, on_three,
         memcmp(alone, together, sizeof(alone)) == 0 ? "equal" : "different");
  return 0;
}
