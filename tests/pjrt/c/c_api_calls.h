// Shared by the C test programs: loads the plugin, reports cases, and makes
// calls that must succeed.
#ifndef TESTS_PJRT_C_C_API_CALLS_H_
#define TESTS_PJRT_C_C_API_CALLS_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xla/pjrt/c/pjrt_c_api.h"

extern const PJRT_Api* api;
extern int failures;  // of the current case

// Which functions of the table were called, by slot.
#define PJRT_SLOT(name)                                                  \
  ((offsetof(PJRT_Api, name) - offsetof(PJRT_Api, PJRT_Error_Destroy)) / \
   sizeof(void*))
extern bool called[256];

// Records a failure; `end_case` ends the case to which it belongs.
#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) {                                                \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                      \
    }                                                                  \
  } while (0)

// Prints the line of the case `name`; returns the number of failures so far.
int end_case(const char* name);

// Returns the function table of a plugin, or null after printing a message.
const PJRT_Api* load(const char* path);

// Frees `error` and returns its code; OK for null. Prints it if requested.
PJRT_Error_Code take_error(PJRT_Error* error, int print);

// Declares `args`, zeroed, for a call of PJRT_<name>.
#define ARGS(name, args) \
  PJRT_##name##_Args args = {.struct_size = PJRT_##name##_Args_STRUCT_SIZE}
// Makes the call, which must succeed.
#define CALL(name, args)                                 \
  do {                                                   \
    called[PJRT_SLOT(PJRT_##name)] = true;               \
    PJRT_Error* error_ = api->PJRT_##name(&(args));      \
    if (error_ != NULL) printf("in %s: ", #name);        \
    EXPECT(take_error(error_, 1) == PJRT_Error_Code_OK); \
  } while (0)
// Makes the call, which must fail with the code.
#define CALL_FAILS(name, args, code)                          \
  do {                                                        \
    called[PJRT_SLOT(PJRT_##name)] = true;                    \
    EXPECT(take_error(api->PJRT_##name(&(args)), 0) == code); \
  } while (0)

#endif  // TESTS_PJRT_C_C_API_CALLS_H_
