// What the C programs that test the C API share: checks that name the place,
// and the calls that all of them make.
#ifndef TESTS_CAPI_CHECKS_H_
#define TESTS_CAPI_CHECKS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

// Ends the program with a message unless the condition holds.
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
// The call must succeed.
#define OK(call) check_ok((call), #call, __FILE__, __LINE__)
// The call must fail with this code, and with a message that has this text.
#define FAILS(call, code, text) \
  check_fails((call), (code), (text), #call, __FILE__, __LINE__)

void check(bool condition, const char* text, const char* file, int line);
void check_ok(tessera_status* status, const char* call, const char* file,
              int line);
void check_fails(tessera_status* status, tessera_code code, const char* text,
                 const char* call, const char* file, int line);

typedef struct {
  const char* name;
  void (*run)(void);
} test_case;
// Runs the cases whose name holds `filter`, or all if it is NULL.
int run_cases(const test_case* cases, size_t count, const char* filter);

// A client of two threads.
tessera_client* make_client(int32_t num_devices);
// Compiles a text that ends in a zero byte, with default options.
tessera_executable* compile_text(tessera_client* client, const char* program);
// A buffer of f32 numbers on device 0.
tessera_buffer* vector_of(tessera_client* client, const float* values,
                          int64_t size);
// Checks the f32 numbers of a buffer, and destroys it.
void expect_vector(tessera_buffer* buffer, const float* values, int64_t size);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_CAPI_CHECKS_H_
