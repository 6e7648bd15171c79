// Checks and common calls of the programs that test the C API.
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
  fflush(stdout);
  abort();
}

void check_ok(tessera_status* status, const char* call, const char* file,
              int line) {
  if (status == NULL) return;
  fprintf(stderr, "%s:%d: %s: code %d, %s\n", file, line, call,
          (int)tessera_status_code(status),
          tessera_status_message(status, NULL));
  abort();
}

void check_fails(tessera_status* status, tessera_code code, const char* text,
                 const char* call, const char* file, int line) {
  if (status != NULL && tessera_status_code(status) == code) {
    size_t size = 0;
    const char* message = tessera_status_message(status, &size);
    if (strlen(message) == size && strstr(message, text) != NULL) {
      tessera_status_destroy(status);
      return;
    }
  }
  fprintf(stderr, "%s:%d: %s: expected code %d with \"%s\", got %d: %s\n", file,
          line, call, (int)code, text, (int)tessera_status_code(status),
          tessera_status_message(status, NULL));
  abort();
}

int run_cases(const test_case* cases, size_t count, const char* filter) {
  for (size_t i = 0; i < count; ++i) {
    if (filter != NULL && strstr(cases[i].name, filter) == NULL) continue;
    printf("%s\n", cases[i].name);
    fflush(stdout);
    cases[i].run();
  }
  return 0;
}

tessera_client* make_client(int32_t num_devices) {
  tessera_client_options options = TESSERA_INIT(tessera_client_options);
  options.num_threads = 2;
  options.num_devices = num_devices;
  options.cache_folder = "";
  tessera_client* client = NULL;
  OK(tessera_client_create(&options, &client));
  return client;
}

tessera_executable* compile_text(tessera_client* client, const char* program) {
  tessera_executable* executable = NULL;
  OK(tessera_compile(client, program, strlen(program), NULL, &executable));
  return executable;
}

tessera_buffer* vector_of(tessera_client* client, const float* values,
                          int64_t size) {
  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.data = values;
  array.type = TESSERA_F32;
  array.rank = 1;
  array.dimensions = &size;
  tessera_buffer* buffer = NULL;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  return buffer;
}

void expect_vector(tessera_buffer* buffer, const float* values, int64_t size) {
  float got[64];
  CHECK(size <= 64);
  OK(tessera_buffer_to_host(buffer, got, (size_t)size * sizeof(float), NULL,
                            NULL));
  for (int64_t i = 0; i < size; ++i) CHECK(got[i] == values[i]);
  tessera_buffer_destroy(buffer);
}
