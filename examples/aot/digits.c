/* Recognizes a handwritten digit without a heap: the network is compiled ahead
 * of time, and all memory is static. CMakeLists.txt beside it builds it. */
#include <stdio.h>

#include "digits.h"

_Alignas(DIGITS_ALIGNMENT) static char memory[DIGITS_LOAD_BYTES];
_Alignas(DIGITS_ALIGNMENT) static char arena[DIGITS_ARENA_BYTES];
_Alignas(DIGITS_ALIGNMENT) static float image[64];
_Alignas(DIGITS_ALIGNMENT) static int32_t digit;

static const char* const rows[] = {"   ***  ", "  ** ** ", "  ** ** ",
                                   "   **** ", "     ** ", "    **  ",
                                   "   **   ", "  **    "};

int main(void) {
  char message[200] = "";
  tessera_aot_options options = {.struct_size = sizeof(options),
                                 .memory = memory,
                                 .memory_bytes = sizeof(memory),
                                 .message = message,
                                 .message_bytes = sizeof(message)};
  tessera_aot_instance* instance;
  if (digits_load(&options, &instance) != TESSERA_AOT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  for (int i = 0; i < 64; ++i) {
    image[i] = rows[i / 8][i % 8] == '*' ? 1.0f : 0.0f;
    putchar(rows[i / 8][i % 8]);
    if (i % 8 == 7) putchar('\n');
  }
  if (digits(instance, image, &digit, arena) != TESSERA_AOT_OK) return 1;
  printf("is a %d; loading took %zu of %zu bytes\n", digit,
         tessera_aot_load_bytes(instance), sizeof(memory));
  tessera_aot_unload(instance);
  return 0;
}
