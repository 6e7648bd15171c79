// A C interface to XlaBuilder and the local client, as bindings for other
// languages have it. Where a function fails, xla_shim_error says why.
#ifndef TESTS_PACKAGE_SHIM_XLA_SHIM_H_
#define TESTS_PACKAGE_SHIM_XLA_SHIM_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XLA_SHIM __attribute__((visibility("default")))

typedef struct shim_builder shim_builder;
typedef struct shim_op shim_op;
typedef struct shim_program shim_program;

XLA_SHIM const char* xla_shim_error(void);
XLA_SHIM shim_builder* xla_shim_builder_new(const char* name);
XLA_SHIM void xla_shim_builder_free(shim_builder* builder);
// Operations on float vectors; the caller frees them.
XLA_SHIM shim_op* xla_shim_parameter(shim_builder* builder, int64_t number,
                                     int64_t size);
XLA_SHIM shim_op* xla_shim_add(shim_op* a, shim_op* b);
XLA_SHIM shim_op* xla_shim_exp(shim_op* a);
XLA_SHIM void xla_shim_op_free(shim_op* op);
// Null if it fails.
XLA_SHIM shim_program* xla_shim_compile(shim_builder* builder, shim_op* root);
XLA_SHIM void xla_shim_program_free(shim_program* program);
// Runs on vectors of `size` floats and writes as many; returns 0, or -1.
XLA_SHIM int xla_shim_run(shim_program* program, const float* const* arguments,
                          size_t count, int64_t size, float* result);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_PACKAGE_SHIM_XLA_SHIM_H_
