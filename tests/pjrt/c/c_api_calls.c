// Shared by the C test programs: loads the plugin, reports cases.
#include "tests/pjrt/c/c_api_calls.h"

#include <dlfcn.h>

const PJRT_Api* api;
int failures = 0;
bool called[256];

int end_case(const char* name) {
  static int all_failures = 0;
  const int failed = failures;
  printf("%s %s\n", failed ? "FAIL" : "PASS", name);
  fflush(stdout);
  all_failures += failed;
  failures = 0;
  return all_failures;
}

const PJRT_Api* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return NULL;
  }
  // Works around C's rule against converting void* to a function pointer.
  const PJRT_Api* (*get_api)(void) = NULL;
  *(void**)(&get_api) = dlsym(library, "GetPjrtApi");
  return get_api == NULL ? NULL : get_api();
}

PJRT_Error_Code take_error(PJRT_Error* error, int print) {
  if (error == NULL) return PJRT_Error_Code_OK;
  PJRT_Error_GetCode_Args code = {.struct_size =
                                      PJRT_Error_GetCode_Args_STRUCT_SIZE};
  code.error = error;
  PJRT_Error* inner = api->PJRT_Error_GetCode(&code);
  PJRT_Error_Message_Args message = {.struct_size =
                                         PJRT_Error_Message_Args_STRUCT_SIZE};
  message.error = error;
  api->PJRT_Error_Message(&message);
  if (inner != NULL || message.message == NULL) ++failures;
  if (print) {
    printf("error %d: %.*s\n", (int)code.code, (int)message.message_size,
           message.message);
  }
  PJRT_Error_Destroy_Args destroy = {.struct_size =
                                         PJRT_Error_Destroy_Args_STRUCT_SIZE};
  destroy.error = error;
  api->PJRT_Error_Destroy(&destroy);
  called[PJRT_SLOT(PJRT_Error_Message)] = true;
  called[PJRT_SLOT(PJRT_Error_Destroy)] = true;
  return code.code;
}
