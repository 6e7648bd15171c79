/* The one function of Fortran's runtime that the wheel's LAPACK calls. */
#include <stddef.h>
#include <string.h>

/* Writes a // b to `result`, cut or filled with blanks to `size` bytes. Thread
 * safe. */
void _gfortran_concat_string(size_t size, char* result, size_t a_size,
                             const char* a, size_t b_size, const char* b) {
  if (a_size > size) a_size = size;
  memcpy(result, a, a_size);
  if (b_size > size - a_size) b_size = size - a_size;
  memcpy(result + a_size, b, b_size);
  memset(result + a_size + b_size, ' ', size - a_size - b_size);
}
