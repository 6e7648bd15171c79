// Example 10: the C API, as programs in C and bindings for other languages use
// it. Compiles StableHLO text, runs it on one array, and prints the result.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

// Prints an error and ends the program; NULL is success.
static void Check(tessera_status* status) {
  if (status == NULL) return;
  fprintf(stderr, "%s\n", tessera_status_message(status, NULL));
  tessera_status_destroy(status);
  exit(1);
}

int main(void) {
  static const char program[] =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.multiply %x, %x : tensor<4xf32>\n"
      "  %1 = stablehlo.add %0, %x : tensor<4xf32>\n"
      "  return %1 : tensor<4xf32>\n"
      "}\n";
  const float x[4] = {1, 2, 3, 4};
  float y[4] = {0};
  const int64_t size = 4;

  tessera_client* client = NULL;
  Check(tessera_client_create(NULL, &client));
  tessera_executable* executable = NULL;
  Check(tessera_compile(client, program, strlen(program), NULL, &executable));

  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.data = x;
  array.type = TESSERA_F32;
  array.rank = 1;
  array.dimensions = &size;
  tessera_buffer* argument = NULL;
  Check(tessera_buffer_from_host(client, &array, &argument));

  tessera_buffer* result = NULL;
  Check(tessera_execute(executable, &argument, 1, NULL, &result, 1));
  Check(tessera_buffer_to_host(result, y, sizeof(y), NULL, NULL));
  printf("x * x + x = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

  // In any order: handles keep what they need alive.
  tessera_client_destroy(client);
  tessera_executable_destroy(executable);
  tessera_buffer_destroy(argument);
  tessera_buffer_destroy(result);
  return y[0] == 2 && y[1] == 6 && y[2] == 12 && y[3] == 20 ? 0 : 1;
}
