// The C API with threads: runs that go on while their handles are destroyed,
// events, callbacks, loops on the host's threads, and many threads at once.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

// A program with a loop of so many iterations.
#define LOOP_OF(name, iterations)                                     \
  "HloModule " name                                                   \
  "\n"                                                                \
  "body { s = (s32[], f32[64]) parameter(0)\n"                        \
  "  i = s32[] get-tuple-element(s), index=0\n"                       \
  "  x = f32[64] get-tuple-element(s), index=1\n"                     \
  "  one = s32[] constant(1) next = s32[] add(i, one)\n"              \
  "  y = f32[64] sine(x)\n"                                           \
  "  ROOT t = (s32[], f32[64]) tuple(next, y) }\n"                    \
  "condition { s = (s32[], f32[64]) parameter(0)\n"                   \
  "  i = s32[] get-tuple-element(s), index=0\n"                       \
  "  n = s32[] constant(" #iterations                                 \
  ") ROOT less = pred[] compare(i, n), direction=LT }\n"              \
  "ENTRY e { x = f32[64] parameter(0) zero = s32[] constant(0)\n"     \
  "  s = (s32[], f32[64]) tuple(zero, x)\n"                           \
  "  w = (s32[], f32[64]) while(s), condition=condition, body=body\n" \
  "  ROOT y = f32[64] get-tuple-element(w), index=1 }\n"

// Takes some milliseconds: longer than the calling thread would run it.
static const char kLong[] = LOOP_OF("long", 50000);
// Takes a minute or more.
static const char kHours[] = LOOP_OF("hours", 2000000000);
static const char kTwice[] =
    "HloModule twice\n"
    "ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] add(x, x) }\n";
static const float kNumbers[64] = {1, 2, 3, 4};
static const float kDoubled[4] = {2, 4, 6, 8};

static void events(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kLong);
  tessera_buffer* x = vector_of(client, kNumbers, 64);
  tessera_buffer* y = NULL;
  tessera_event* done = NULL;
  OK(tessera_execute_async(program, &x, 1, NULL, &y, 1, &done));
  tessera_event* ready = NULL;
  OK(tessera_buffer_ready(y, &ready));
  tessera_event_wait_for(done, 0);  // whether or not it has ended
  while (!tessera_event_wait_for(done, 1000 * 1000)) {
  }
  CHECK(tessera_event_is_ready(done));
  OK(tessera_event_await(done));
  OK(tessera_event_await(ready));
  CHECK(tessera_event_wait_for(ready, INT64_MAX));
  tessera_event_destroy(done);
  tessera_event_destroy(ready);
  tessera_buffer_destroy(x);
  tessera_buffer_destroy(y);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void* cancel(void* cancellation) {
  tessera_cancellation_cancel(cancellation);
  return NULL;
}

// Runs end when they are cancelled, and their client goes on.
static void cancelled_runs(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kHours);
  tessera_buffer* x = vector_of(client, kNumbers, 64);
  tessera_cancellation* stop = NULL;
  OK(tessera_cancellation_create(&stop));
  tessera_execute_options options = TESSERA_INIT(tessera_execute_options);
  options.cancellation = stop;
  // Two runs with one cancellation, whose handle does not outlive them.
  tessera_buffer* results[2];
  tessera_event* done[2];
  for (int i = 0; i < 2; ++i) {
    OK(tessera_execute_async(program, &x, 1, &options, &results[i], 1,
                             &done[i]));
    CHECK(!tessera_event_is_ready(done[i]));
  }
  tessera_cancellation_cancel(stop);
  tessera_cancellation_destroy(stop);
  for (int i = 0; i < 2; ++i) {
    FAILS(tessera_event_await(done[i]), TESSERA_CANCELLED, "run of hours");
    float none[64];
    FAILS(tessera_buffer_to_host(results[i], none, sizeof(none), NULL, NULL),
          TESSERA_CANCELLED, "run of hours");
    tessera_event_destroy(done[i]);
    tessera_buffer_destroy(results[i]);
  }
  // A thread ends the run that another waits for; it may do so early.
  OK(tessera_cancellation_create(&stop));
  options.cancellation = stop;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, cancel, stop) == 0);
  FAILS(tessera_execute(program, &x, 1, &options, results, 1),
        TESSERA_CANCELLED, "run of hours");
  CHECK(results[0] == NULL);
  CHECK(pthread_join(thread, NULL) == 0);
  // Once cancelled, it is so for all that comes later.
  FAILS(tessera_execute(program, &x, 1, &options, results, 1),
        TESSERA_CANCELLED, "run of hours");
  tessera_compile_options compile = TESSERA_INIT(tessera_compile_options);
  compile.cancellation = stop;
  tessera_executable* none = NULL;
  FAILS(tessera_compile(client, kTwice, strlen(kTwice), &compile, &none),
        TESSERA_CANCELLED, "twice");
  CHECK(none == NULL);
  tessera_cancellation_destroy(stop);
  // Work without it is as before.
  tessera_executable* twice = compile_text(client, kTwice);
  tessera_buffer* y = vector_of(client, kNumbers, 4);
  OK(tessera_execute(twice, &y, 1, NULL, results, 1));
  expect_vector(results[0], kDoubled, 4);
  tessera_buffer_destroy(x);
  tessera_buffer_destroy(y);
  tessera_executable_destroy(twice);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

// Everything that a run uses is destroyed while it runs, its event last.
static void freed_while_running(void) {
  for (int i = 0; i < 4; ++i) {
    tessera_client* client = make_client(1);
    tessera_executable* program = compile_text(client, kLong);
    tessera_buffer* x = vector_of(client, kNumbers, 64);
    tessera_buffer* y = NULL;
    tessera_event* done = NULL;
    OK(tessera_execute_async(program, &x, 1, NULL, &y, 1, &done));
    tessera_executable_destroy(program);
    tessera_buffer_destroy(x);
    if (i % 2 == 0) tessera_client_destroy(client);
    float got[64];
    if (i < 2) OK(tessera_buffer_to_host(y, got, sizeof(got), NULL, NULL));
    tessera_buffer_destroy(y);
    if (i % 2 == 1) tessera_client_destroy(client);
    OK(tessera_event_await(done));
    tessera_event_destroy(done);
  }
}

// A result is an argument before it exists.
static void chains(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kLong);
  tessera_buffer* x = vector_of(client, kNumbers, 64);
  float expected[64];
  float got[64];
  for (int wait = 1; wait >= 0; --wait) {
    tessera_buffer* last = x;
    for (int i = 0; i < 3; ++i) {
      tessera_buffer* next = NULL;
      if (wait) {
        OK(tessera_execute(program, &last, 1, NULL, &next, 1));
      } else {
        OK(tessera_execute_async(program, &last, 1, NULL, &next, 1, NULL));
      }
      if (last != x) tessera_buffer_destroy(last);
      last = next;
    }
    tessera_event* done = NULL;
    OK(tessera_buffer_to_host(last, wait ? expected : got, sizeof(got), NULL,
                              &done));
    tessera_buffer_destroy(last);
    OK(tessera_event_await(done));
    tessera_event_destroy(done);
  }
  CHECK(memcmp(expected, got, sizeof(got)) == 0);
  tessera_buffer_destroy(x);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

typedef struct {
  tessera_client* client;
  tessera_buffer* result;
  atomic_int calls;
} last_handles;

// Destroys the last handles of a client on one of its own threads.
static void destroy_all(void* data, tessera_status* status) {
  last_handles* handles = data;
  CHECK(status == NULL);
  tessera_buffer_destroy(handles->result);
  tessera_client_destroy(handles->client);
  atomic_fetch_add(&handles->calls, 1);
}

static void callbacks(void) {
  last_handles handles = {make_client(1), NULL, 0};
  tessera_executable* program = compile_text(handles.client, kLong);
  tessera_buffer* x = vector_of(handles.client, kNumbers, 64);
  tessera_event* done = NULL;
  OK(tessera_execute_async(program, &x, 1, NULL, &handles.result, 1, &done));
  tessera_buffer_destroy(x);
  tessera_executable_destroy(program);
  OK(tessera_event_on_ready(done, destroy_all, &handles));
  OK(tessera_event_await(done));
  // It is called before or after the wait ends.
  while (atomic_load(&handles.calls) == 0) {
  }
  tessera_event_destroy(done);
}

typedef struct {
  tessera_executable* program;
  tessera_buffer* argument;
} shared;

static void* run_often(void* data) {
  const shared* with = data;
  for (int i = 0; i < 200; ++i) {
    tessera_buffer* result = NULL;
    OK(tessera_execute(with->program, (tessera_buffer* const*)&with->argument,
                       1, NULL, &result, 1));
    expect_vector(result, kDoubled, 4);
    tessera_array_info info = TESSERA_INIT(tessera_array_info);
    OK(tessera_buffer_get_info(with->argument, &info));
    CHECK(info.dimensions[0] == 4);
  }
  return NULL;
}

static void many_threads(void) {
  tessera_client* client = make_client(1);
  const shared with = {compile_text(client, kTwice),
                       vector_of(client, kNumbers, 4)};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    CHECK(pthread_create(&threads[i], NULL, run_often, (void*)&with) == 0);
  }
  for (int i = 0; i < 4; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  tessera_buffer_destroy(with.argument);
  tessera_executable_destroy(with.program);
  tessera_client_destroy(client);
}

static void* use_own_client(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    tessera_client* client = make_client(1);
    tessera_executable* program = compile_text(client, kTwice);
    tessera_buffer* x = vector_of(client, kNumbers, 4);
    tessera_client_destroy(client);
    tessera_buffer* y = NULL;
    OK(tessera_execute(program, &x, 1, NULL, &y, 1));
    tessera_executable_destroy(program);
    expect_vector(y, kDoubled, 4);
    tessera_buffer_destroy(x);
  }
  return NULL;
}

static void many_clients(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    CHECK(pthread_create(&threads[i], NULL, use_own_client, NULL) == 0);
  }
  for (int i = 0; i < 3; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
}

typedef struct {
  atomic_int loops;
  tessera_task_fn run;
  void* task;
  int64_t begin;
  int64_t end;
} pool;

static void* run_half(void* data) {
  const pool* half = data;
  for (int64_t i = half->begin; i < half->end; ++i) half->run(half->task, i);
  return NULL;
}

// Runs half of a loop on another thread.
static void host_parallel_for(void* user_data, int64_t count,
                              tessera_task_fn run, void* task) {
  pool* const counted = user_data;
  atomic_fetch_add(&counted->loops, 1);
  pool half = {0, run, task, 0, count / 2};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run_half, &half) == 0);
  for (int64_t i = count / 2; i < count; ++i) run(task, i);
  CHECK(pthread_join(thread, NULL) == 0);
}

static void host_threads(void) {
  pool counted = {0, NULL, NULL, 0, 0};
  tessera_client_options options = TESSERA_INIT(tessera_client_options);
  options.num_threads = 1;
  options.parallel_for = host_parallel_for;
  options.parallel_for_data = &counted;
  options.parallel_for_threads = 2;
  tessera_client* client = NULL;
  OK(tessera_client_create(&options, &client));
  tessera_executable* program = compile_text(
      client,
      "HloModule product\n"
      "ENTRY e { x = f32[256,256] iota(), iota_dimension=0\n"
      "  y = f32[256,256] dot(x, x), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n"
      "  z = f32[256,256] sine(y)\n"
      "  ROOT w = f32[256,256] dot(z, z), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0} }\n");
  tessera_buffer* y = NULL;
  OK(tessera_execute(program, NULL, 0, NULL, &y, 1));
  CHECK(atomic_load(&counted.loops) > 0);
  tessera_buffer_destroy(y);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

int main(int argc, char** argv) {
  static const test_case cases[] = {
      {"events", events},
      {"cancelled_runs", cancelled_runs},
      {"freed_while_running", freed_while_running},
      {"chains", chains},
      {"callbacks", callbacks},
      {"many_threads", many_threads},
      {"many_clients", many_clients},
      {"host_threads", host_threads},
  };
  return run_cases(cases, sizeof(cases) / sizeof(cases[0]),
                   argc > 1 ? argv[1] : NULL);
}
