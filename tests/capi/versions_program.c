// What the promise of compatibility rests on: the layouts of structs and the
// numbers of constants as version 1.0 of the API had them, and structs of other
// versions than the library's. A released number never changes here.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "checks.h"

// Structs on 64-bit machines, and the offsets of their last members.
#define LAYOUT(type, size, last, offset)                                 \
  _Static_assert(sizeof(void*) != 8 || sizeof(type) >= (size), #type);   \
  _Static_assert(sizeof(void*) != 8 || offsetof(type, last) == (offset), \
                 #type "." #last);                                       \
  _Static_assert(offsetof(type, struct_size) == 0, #type)

LAYOUT(tessera_client_options, 88, cache_max_bytes, 80);
LAYOUT(tessera_client_options, 88, parallel_for_threads, 48);
LAYOUT(tessera_client_options, 88, synchronous, 52);
LAYOUT(tessera_device_memory, 40, num_allocations, 32);
LAYOUT(tessera_array_info, 96, alias, 92);
LAYOUT(tessera_array_info, 96, minor_to_major, 32);
LAYOUT(tessera_array_info, 96, donated, 88);
LAYOUT(tessera_compile_options, 64, optimization_level, 56);
LAYOUT(tessera_compile_options, 64, use_spmd_partitioning, 20);
LAYOUT(tessera_deserialize_options, 16, never_compile, 8);
LAYOUT(tessera_executable_info, 40, devices, 32);
LAYOUT(tessera_costs, 40, predicted_seconds, 32);
LAYOUT(tessera_program_memory, 56, peak_bytes, 48);
LAYOUT(tessera_host_array, 80, release_data, 72);
LAYOUT(tessera_host_array, 80, memory, 60);
LAYOUT(tessera_to_host_options, 16, byte_strides, 8);
LAYOUT(tessera_execute_options, 32, num_keep, 24);
// Of version 1.1.
LAYOUT(tessera_compile_options, 72, cancellation, 64);
LAYOUT(tessera_execute_options, 40, cancellation, 32);

_Static_assert(sizeof(tessera_code) == 4 && sizeof(tessera_type) == 4 &&
                   sizeof(tessera_format) == 4 &&
                   sizeof(tessera_host_memory) == 4,
               "numbers are int32_t");
_Static_assert(TESSERA_OK == 0 && TESSERA_CANCELLED == 1 &&
                   TESSERA_INVALID_ARGUMENT == 3 &&
                   TESSERA_RESOURCE_EXHAUSTED == 8 &&
                   TESSERA_UNAUTHENTICATED == 16,
               "codes");
_Static_assert(TESSERA_PRED == 1 && TESSERA_F32 == 11 && TESSERA_C64 == 15 &&
                   TESSERA_BF16 == 16 && TESSERA_TOKEN == 17 &&
                   TESSERA_F8E4M3FN == 20 && TESSERA_U1 == 31 &&
                   TESSERA_F6E2M3FN == 36,
               "types");
_Static_assert(TESSERA_FORMAT_HLO_TEXT == 1 && TESSERA_FORMAT_HLO_PROTO == 2 &&
                   TESSERA_FORMAT_STABLEHLO_TEXT == 3 &&
                   TESSERA_FORMAT_STABLEHLO_ARTIFACT == 4,
               "formats");
_Static_assert(TESSERA_HOST_MEMORY_BORROW == 1 &&
                   TESSERA_HOST_MEMORY_BORROW_MUTABLE == 2 &&
                   TESSERA_HOST_ALIGNMENT == 64 &&
                   TESSERA_OPTIMIZATION_LEVEL(3) == 4,
               "other numbers");

static const char kTwice[] =
    "HloModule twice\n"
    "ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] add(x, x) }\n";

// A program of a version whose struct ends earlier: what lies behind it is not
// read.
static void older_options(void) {
  tessera_client_options options;
  memset(&options, 0xff, sizeof(options));
  memset(&options, 0, offsetof(tessera_client_options, num_threads));
  options.struct_size = offsetof(tessera_client_options, num_threads);
  options.num_devices = 2;
  tessera_client* client = NULL;
  OK(tessera_client_create(&options, &client));
  CHECK(tessera_client_num_devices(client) == 2);

  tessera_compile_options compile;
  memset(&compile, 0xff, sizeof(compile));
  memset(&compile, 0, offsetof(tessera_compile_options, devices));
  compile.struct_size = offsetof(tessera_compile_options, devices);
  compile.num_replicas = 2;
  tessera_executable* twice = NULL;
  OK(tessera_compile(client, kTwice, strlen(kTwice), &compile, &twice));

  // And what lies behind one that the library fills in is not written.
  tessera_executable_info info;
  memset(&info, 0x55, sizeof(info));
  info.struct_size = offsetof(tessera_executable_info, num_devices);
  OK(tessera_executable_get_info(twice, &info));
  CHECK(info.struct_size == offsetof(tessera_executable_info, num_devices));
  CHECK(info.num_replicas == 2 && info.num_partitions == 1);
  CHECK(info.num_devices == 0x55555555);
  tessera_executable_destroy(twice);
  tessera_client_destroy(client);
}

// A program of a later version than the library.
typedef struct {
  tessera_compile_options known;
  int64_t added;
} later_options;
typedef struct {
  tessera_costs known;
  double added;
} later_costs;

static void later_structs(void) {
  tessera_client* client = make_client(1);
  later_options options;
  memset(&options, 0, sizeof(options));
  options.known.struct_size = sizeof(options);
  tessera_executable* twice = NULL;
  OK(tessera_compile(client, kTwice, strlen(kTwice), &options.known, &twice));
  later_costs costs;
  memset(&costs, 0x55, sizeof(costs));
  costs.known.struct_size = sizeof(costs);
  OK(tessera_executable_get_costs(twice, &costs.known));
  CHECK(costs.known.flops == 4 && costs.added == 0);
  tessera_executable_destroy(twice);
  // The library does not know what the member means: it must not ignore it.
  options.added = 1;
  FAILS(tessera_compile(client, kTwice, strlen(kTwice), &options.known, &twice),
        TESSERA_INVALID_ARGUMENT, "it is older than the program");
  CHECK(twice == NULL);
  tessera_client_destroy(client);
}

static void sizes_that_are_none(void) {
  tessera_client* client = make_client(1);
  tessera_executable* twice = compile_text(client, kTwice);
  static const size_t sizes[] = {0, 4, SIZE_MAX};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    tessera_compile_options options = {.struct_size = sizes[i]};
    tessera_executable* none = NULL;
    FAILS(tessera_compile(client, kTwice, strlen(kTwice), &options, &none),
          TESSERA_INVALID_ARGUMENT, "options.struct_size is ");
    tessera_costs costs = {.struct_size = sizes[i]};
    FAILS(tessera_executable_get_costs(twice, &costs), TESSERA_INVALID_ARGUMENT,
          "out.struct_size is ");
    tessera_host_array array = {.struct_size = sizes[i]};
    tessera_buffer* buffer = NULL;
    FAILS(tessera_buffer_from_host(client, &array, &buffer),
          TESSERA_INVALID_ARGUMENT, "array.struct_size is ");
  }
  tessera_executable_destroy(twice);
  tessera_client_destroy(client);
}

int main(int argc, char** argv) {
  static const test_case cases[] = {
      {"older_options", older_options},
      {"later_structs", later_structs},
      {"sizes_that_are_none", sizes_that_are_none},
  };
  return run_cases(cases, sizeof(cases) / sizeof(cases[0]),
                   argc > 1 ? argv[1] : NULL);
}
