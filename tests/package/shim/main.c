// A C program that knows only the shim.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "xla_shim.h"

int main(void) {
  shim_builder* builder = xla_shim_builder_new("shim");
  shim_op* x = xla_shim_parameter(builder, 0, 2);
  shim_op* y = xla_shim_parameter(builder, 1, 2);
  shim_op* sum = xla_shim_add(x, y);
  shim_op* root = xla_shim_exp(sum);
  shim_program* program = xla_shim_compile(builder, root);
  if (program == NULL) {
    puts(xla_shim_error());
    return 1;
  }
  const float a[2] = {0, 1}, b[2] = {0, -1};
  const float* const arguments[2] = {a, b};
  float result[2] = {0, 0};
  if (xla_shim_run(program, arguments, 2, 2, result) != 0) {
    puts(xla_shim_error());
    return 1;
  }
  if (fabsf(result[0] - 1) > 1e-6f || fabsf(result[1] - 1) > 1e-6f) {
    printf("got %f, %f\n", result[0], result[1]);
    return 1;
  }
  // Errors are texts: an argument is missing.
  if (xla_shim_run(program, arguments, 1, 2, result) == 0 ||
      strstr(xla_shim_error(), "arguments") == NULL) {
    printf("no error: %s\n", xla_shim_error());
    return 1;
  }
  xla_shim_program_free(program);
  xla_shim_op_free(root);
  xla_shim_op_free(sum);
  xla_shim_op_free(y);
  xla_shim_op_free(x);
  xla_shim_builder_free(builder);
  puts("all checks passed");
  return 0;
}
