// Calls every function of the table incorrectly: without a struct, with one
// that is too small, with null handles, with memory that is not a handle. None
// may crash, and all that can fail must.
#include "tests/pjrt/c/api_functions.h"
#include "tests/pjrt/c/c_api_calls.h"

typedef PJRT_Error* (*Function)(void* args);

typedef struct {
  const char* name;
  size_t struct_size;
} Entry;

// PJRT_Compile names its struct by the same rule as all other functions.
#define ENTRY(name) {#name, name##_Args_STRUCT_SIZE},
static const Entry entries[] = {PJRT_FUNCTIONS(ENTRY)};
#undef ENTRY
enum { kCount = sizeof(entries) / sizeof(entries[0]) };

// More than any struct; an array of words, so that it is aligned.
static size_t memory[64];
static size_t no_handle[512];

static Function function_at(size_t slot) {
  Function function;
  const char* table = (const char*)&api->PJRT_Error_Destroy;
  memcpy(&function, table + slot * sizeof(function), sizeof(function));
  return function;
}

static int is_one_of(const char* name, const char* const* names) {
  for (; *names != NULL; ++names) {
    if (strcmp(name, *names) == 0) return 1;
  }
  return 0;
}

static int ends_with(const char* text, const char* end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// These return nothing.
static const char* const kVoid[] = {"PJRT_Error_Destroy", "PJRT_Error_Message",
                                    NULL};
// These require nothing that could be null.
static const char* const kNeedNothing[] = {"PJRT_Plugin_Initialize",
                                           "PJRT_Plugin_Attributes",
                                           "PJRT_Event_Create",
                                           "PJRT_ExecuteContext_Create",
                                           "PJRT_Client_Create",
                                           "PJRT_TopologyDescription_Create",
                                           NULL};
// These begin with a string instead of a handle.
static const char* const kString[] = {"PJRT_TopologyDescription_Deserialize",
                                      NULL};

static void call(const Entry* entry, Function function, void* args,
                 int must_fail, const char* how) {
  if (is_one_of(entry->name, kVoid)) {
    // Its result would be garbage.
    void (*no_result)(void*);
    memcpy(&no_result, &function, sizeof(function));
    no_result(args);
    return;
  }
  const PJRT_Error_Code code = take_error(function(args), 0);
  if (must_fail && code != PJRT_Error_Code_INVALID_ARGUMENT) {
    printf("%s %s: code %d\n", entry->name, how, (int)code);
    ++failures;
  }
}

static void reset(const Entry* entry) {
  memset(memory, 0, sizeof(memory));
  memory[0] = entry->struct_size;
}

int main(int argc, char** argv) {
  if (argc != 2 || (api = load(argv[1])) == NULL) return 1;
  EXPECT(api->struct_size == PJRT_Api_STRUCT_SIZE);
  EXPECT(PJRT_Api_STRUCT_SIZE ==
         offsetof(PJRT_Api, PJRT_Error_Destroy) + kCount * sizeof(void*));
  for (size_t i = 0; i < kCount; ++i) EXPECT(function_at(i) != NULL);
  if (end_case("table") != 0) return 1;
  for (size_t i = 0; i < kCount; ++i) {
    const Entry* entry = &entries[i];
    const Function function = function_at(i);
    const int needs = !is_one_of(entry->name, kNeedNothing);
    call(entry, function, NULL, 1, "without a struct");
    reset(entry);
    memory[0] = 0;
    call(entry, function, memory, 1, "with struct_size 0");
    memory[0] = 8;
    call(entry, function, memory, 1, "with struct_size 8");
    if (!needs) continue;
    reset(entry);
    const int may_be_null = ends_with(entry->name, "_Destroy");
    call(entry, function, memory, !may_be_null, "with null handles");
    if (is_one_of(entry->name, kString)) continue;
    reset(entry);
    memory[2] = (size_t)no_handle;
    call(entry, function, memory, 1, "with memory that is no handle");
  }
  return end_case("wrong_calls") != 0;
}
