// The life of programs and arrays in the C API: what each function does when
// nothing goes wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

// Two parameters, the first of which is a tuple and donated to the result.
static const char kProgram[] =
    "HloModule sums, input_output_alias={ {1}: (0, {1}, may-alias) }\n"
    "ENTRY e {\n"
    "  state = (f32[4], f32[4]) parameter(0)\n"
    "  x = f32[4] parameter(1)\n"
    "  a = f32[4] get-tuple-element(state), index=0\n"
    "  b = f32[4] get-tuple-element(state), index=1\n"
    "  s = f32[4] add(a, x)\n"
    "  t = f32[4] add(b, x)\n"
    "  ROOT r = (f32[4], f32[4]) tuple(s, t)\n"
    "}\n";
static const char kSquare[] =
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.multiply %x, %x : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";
static const float kOnes[4] = {1, 1, 1, 1};
static const float kNumbers[4] = {1, 2, 3, 4};
static const float kSquares[4] = {1, 4, 9, 16};

static void versions(void) {
  CHECK(tessera_api_version() == TESSERA_API_MAJOR * 1000 + TESSERA_API_MINOR);
  size_t size = 0;
  const char* version = tessera_version(&size);
  CHECK(size > 0 && strlen(version) == size);
}

static void types(void) {
  CHECK(tessera_type_size(TESSERA_F32) == 4);
  CHECK(tessera_type_size(TESSERA_C128) == 16);
  CHECK(tessera_type_size(TESSERA_S4) == 1);
  CHECK(tessera_type_size(TESSERA_TOKEN) == 0);
  CHECK(tessera_type_size(0) == 0 && tessera_type_size(-5) == 0 &&
        tessera_type_size(1000) == 0);
  size_t size = 0;
  CHECK(strcmp(tessera_type_name(TESSERA_BF16, &size), "bf16") == 0);
  CHECK(size == 4);
  CHECK(strcmp(tessera_type_name(TESSERA_TOKEN, NULL), "token") == 0);
  CHECK(tessera_type_name(13, &size) == NULL && size == 0);  // a tuple
  CHECK(tessera_type_name(-1, NULL) == NULL);
}

static void backends(void) {
  static const char* const names[] = {"cpu", "evaluator"};
  for (size_t i = 0; i < 2; ++i) {
    tessera_client_options options = TESSERA_INIT(tessera_client_options);
    options.backend = names[i];
    options.backend_size = strlen(names[i]);
    options.num_threads = 1;
    options.synchronous = true;
    options.memory_limit_bytes = 1 << 20;
    tessera_client* client = NULL;
    OK(tessera_client_create(&options, &client));
    size_t size = 0;
    const char* text = tessera_client_description(client, &size);
    CHECK(strlen(text) == size && strstr(text, names[i]) != NULL);
    tessera_device_memory memory = TESSERA_INIT(tessera_device_memory);
    OK(tessera_client_device_memory(client, 0, &memory));
    CHECK(memory.bytes_limit == 1 << 20 && memory.bytes_in_use == 0);
    tessera_executable* square = compile_text(client, kSquare);
    tessera_buffer* x = vector_of(client, kNumbers, 4);
    OK(tessera_client_device_memory(client, 0, &memory));
    CHECK(memory.bytes_in_use >= 16 && memory.num_allocations >= 1 &&
          memory.peak_bytes_in_use >= 16);
    tessera_buffer* y = NULL;
    OK(tessera_execute(square, &x, 1, NULL, &y, 1));
    expect_vector(y, kSquares, 4);
    tessera_buffer_destroy(x);
    tessera_executable_destroy(square);
    tessera_client_destroy(client);
  }
}

static void properties(void) {
  tessera_client* client = make_client(1);
  CHECK(tessera_client_num_devices(client) == 1);
  tessera_executable* program = compile_text(client, kProgram);
  size_t size = 0;
  CHECK(strcmp(tessera_executable_name(program, &size), "sums") == 0);
  CHECK(size == 4);
  tessera_executable* again = compile_text(client, kProgram);
  CHECK(strcmp(tessera_executable_fingerprint(program, &size),
               tessera_executable_fingerprint(again, NULL)) == 0);
  CHECK(size > 0);
  tessera_executable_destroy(again);

  tessera_executable_info info = TESSERA_INIT(tessera_executable_info);
  OK(tessera_executable_get_info(program, &info));
  CHECK(info.num_replicas == 1 && info.num_partitions == 1);
  CHECK(info.num_devices == 1 && info.devices[0] == 0);
  CHECK(info.num_parameters == 3 && info.num_results == 2);

  tessera_array_info array = TESSERA_INIT(tessera_array_info);
  OK(tessera_executable_parameter(program, 1, &array));
  CHECK(array.type == TESSERA_F32 && array.rank == 1);
  CHECK(array.dimensions[0] == 4 && !array.is_dynamic[0]);
  CHECK(array.minor_to_major[0] == 0);
  CHECK(strcmp(array.text, "f32[4]{0}") == 0 && array.text_size == 9);
  CHECK(array.device_bytes == 16 && array.host_bytes == 16);
  CHECK(strcmp(array.name, "state{1}") == 0 && array.name_size == 8);
  CHECK(array.donated && array.alias == 1);
  OK(tessera_executable_parameter(program, 2, &array));
  CHECK(strcmp(array.name, "x") == 0 && !array.donated && array.alias == -1);
  OK(tessera_executable_result(program, 1, &array));
  CHECK(array.alias == 1 && array.name_size == 0 && array.name[0] == 0);
  OK(tessera_executable_result(program, 0, &array));
  CHECK(array.alias == -1);

  tessera_costs costs = TESSERA_INIT(tessera_costs);
  OK(tessera_executable_get_costs(program, &costs));
  CHECK(costs.flops == 8 && costs.transcendentals == 0);
  CHECK(costs.bytes_accessed >= 5 * 16);
  tessera_program_memory memory = TESSERA_INIT(tessera_program_memory);
  OK(tessera_executable_get_memory(program, &memory));
  CHECK(memory.argument_bytes == 48 && memory.alias_bytes == 16);
  CHECK(memory.code_bytes > 0 && memory.peak_bytes >= 48);

  tessera_bytes* text = NULL;
  OK(tessera_executable_hlo_text(program, &text));
  const char* hlo = tessera_bytes_data(text, &size);
  CHECK(strlen(hlo) == size && strncmp(hlo, "HloModule sums", 14) == 0);
  tessera_bytes_destroy(text);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void donation(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kProgram);
  tessera_buffer* arguments[3] = {vector_of(client, kNumbers, 4),
                                  vector_of(client, kNumbers, 4),
                                  vector_of(client, kOnes, 4)};
  static const float sums[4] = {2, 3, 4, 5};
  tessera_buffer* results[2];
  // This run copies, and leaves the argument.
  static const int32_t kept = 1;
  tessera_execute_options options = TESSERA_INIT(tessera_execute_options);
  options.keep = &kept;
  options.num_keep = 1;
  OK(tessera_execute(program, arguments, 3, &options, results, 2));
  expect_vector(results[0], sums, 4);
  expect_vector(results[1], sums, 4);
  CHECK(!tessera_buffer_is_deleted(arguments[1]));
  // A run cannot take what it also reads, and leaves it then.
  tessera_buffer* const twice[3] = {arguments[0], arguments[1], arguments[1]};
  FAILS(tessera_execute(program, twice, 3, NULL, results, 2),
        TESSERA_INVALID_ARGUMENT, "donated");
  CHECK(!tessera_buffer_is_deleted(arguments[1]));

  OK(tessera_execute(program, arguments, 3, NULL, results, 2));
  expect_vector(results[0], sums, 4);
  expect_vector(results[1], sums, 4);
  CHECK(!tessera_buffer_is_deleted(arguments[0]));
  CHECK(tessera_buffer_is_deleted(arguments[1]));
  FAILS(tessera_execute(program, arguments, 3, NULL, results, 2),
        TESSERA_INVALID_ARGUMENT, "donated");
  CHECK(results[0] == NULL && results[1] == NULL);
  for (int i = 0; i < 3; ++i) tessera_buffer_destroy(arguments[i]);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void serialization(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kSquare);
  tessera_bytes* bytes = NULL;
  OK(tessera_executable_serialize(program, &bytes));
  size_t size = 0;
  const char* data = tessera_bytes_data(bytes, &size);
  tessera_deserialize_options options =
      TESSERA_INIT(tessera_deserialize_options);
  options.never_compile = true;
  tessera_executable* loaded = NULL;
  OK(tessera_deserialize(client, data, size, &options, &loaded));
  tessera_buffer* x = vector_of(client, kNumbers, 4);
  tessera_buffer* y = NULL;
  OK(tessera_execute(loaded, &x, 1, NULL, &y, 1));
  expect_vector(y, kSquares, 4);
  tessera_executable_destroy(loaded);
  FAILS(tessera_deserialize(client, data, size / 2, NULL, &loaded),
        TESSERA_INVALID_ARGUMENT, "serialized executable");
  CHECK(loaded == NULL);
  tessera_bytes_destroy(bytes);
  tessera_buffer_destroy(x);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void set_flag(void* flag) { *(int*)flag += 1; }

static void host_memory(void) {
  tessera_client* client = make_client(1);
  // Columns of a matrix in row-major order, from the last to the first one.
  const float numbers[6] = {1, 2, 3, 4, 5, 6};
  const int64_t dimensions[2] = {3, 2};
  const int64_t strides[2] = {-4, 12};
  const int64_t order[2] = {0, 1};
  int released = 0;
  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.data = numbers + 2;
  array.type = TESSERA_F32;
  array.rank = 2;
  array.dimensions = dimensions;
  array.byte_strides = strides;
  array.minor_to_major = order;
  array.release = set_flag;
  array.release_data = &released;
  tessera_buffer* buffer = NULL;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  CHECK(released == 1);  // copied
  tessera_array_info info = TESSERA_INIT(tessera_array_info);
  OK(tessera_buffer_get_info(buffer, &info));
  CHECK(strcmp(info.text, "f32[3,2]{0,1}") == 0 && info.alias == -1);
  CHECK(tessera_buffer_device(buffer) == 0);
  int64_t sizes[2] = {0, 0};
  OK(tessera_buffer_get_dimensions(buffer, sizes, 2));
  CHECK(sizes[0] == 3 && sizes[1] == 2);

  // The rows of {{3, 6}, {2, 5}, {1, 4}}: dense, by columns, with gaps, and at
  // odd addresses.
  const float rows[6] = {3, 6, 2, 5, 1, 4};
  const float columns[6] = {3, 2, 1, 6, 5, 4};
  float got[12] = {0};
  OK(tessera_buffer_to_host(buffer, got, 24, NULL, NULL));
  CHECK(memcmp(got, rows, 24) == 0);
  tessera_to_host_options options = TESSERA_INIT(tessera_to_host_options);
  const int64_t by_columns[2] = {4, 12};
  options.byte_strides = by_columns;
  OK(tessera_buffer_to_host(buffer, got, 24, &options, NULL));
  CHECK(memcmp(got, columns, 24) == 0);
  const int64_t with_gaps[2] = {16, 8};
  options.byte_strides = with_gaps;
  memset(got, 0, sizeof(got));
  tessera_event* done = NULL;
  OK(tessera_buffer_to_host(buffer, got, sizeof(got), &options, &done));
  OK(tessera_event_await(done));
  tessera_event_destroy(done);
  for (int i = 0; i < 3; ++i) {
    CHECK(got[4 * i] == rows[2 * i] && got[4 * i + 1] == 0);
    CHECK(got[4 * i + 2] == rows[2 * i + 1]);
  }
  char odd[31];
  const int64_t at_odd[2] = {10, 5};
  options.byte_strides = at_odd;
  OK(tessera_buffer_to_host(buffer, odd, sizeof(odd), &options, NULL));
  for (int i = 0; i < 6; ++i) CHECK(memcmp(odd + 5 * i, rows + i, 4) == 0);

  // Its memory in place.
  const void* data = NULL;
  size_t size = 0;
  OK(tessera_buffer_map(buffer, &data, &size));
  CHECK(size == 24 && memcmp(data, columns, 24) == 0);
  OK(tessera_buffer_delete(buffer));
  CHECK(tessera_buffer_is_deleted(buffer));
  CHECK(memcmp(data, columns, 24) == 0);
  OK(tessera_buffer_unmap(buffer));
  FAILS(tessera_buffer_unmap(buffer), TESSERA_FAILED_PRECONDITION, "");
  FAILS(tessera_buffer_map(buffer, &data, NULL), TESSERA_INVALID_ARGUMENT,
        "deleted");
  CHECK(data == NULL);
  tessera_buffer_destroy(buffer);
  tessera_client_destroy(client);
}

static void borrowed_memory(void) {
  tessera_client* client = make_client(1);
  float* memory = aligned_alloc(TESSERA_HOST_ALIGNMENT, 128);
  memcpy(memory, kNumbers, sizeof(kNumbers));
  memcpy(memory + 17, kNumbers, sizeof(kNumbers));
  const int64_t size = 4;
  int released = 0;
  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.data = memory;
  array.type = TESSERA_F32;
  array.rank = 1;
  array.dimensions = &size;
  array.memory = TESSERA_HOST_MEMORY_BORROW;
  array.release = set_flag;
  array.release_data = &released;
  tessera_buffer* buffer = NULL;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  const void* data = NULL;
  OK(tessera_buffer_map(buffer, &data, NULL));
  CHECK(data == memory && released == 0);
  OK(tessera_buffer_unmap(buffer));
  tessera_buffer_destroy(buffer);
  CHECK(released == 1);
  // What is not aligned is copied.
  array.data = memory + 17;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  CHECK(released == 2);
  tessera_buffer_destroy(buffer);
  // A donation writes to memory that may be written to.
  array.data = memory;
  array.memory = TESSERA_HOST_MEMORY_BORROW_MUTABLE;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  tessera_executable* twice = compile_text(
      client,
      "HloModule twice, input_output_alias={ {}: (0, {}, may-alias) }\n"
      "ENTRY e { x = f32[4] parameter(0) ROOT s = f32[4] add(x, x) }\n");
  tessera_buffer* result = NULL;
  OK(tessera_execute(twice, &buffer, 1, NULL, &result, 1));
  CHECK(released == 2 && memory[3] == 8);
  tessera_buffer_destroy(buffer);
  CHECK(released == 2);
  tessera_buffer_destroy(result);
  CHECK(released == 3);
  tessera_executable_destroy(twice);
  tessera_client_destroy(client);
  free(memory);
}

static void dynamic_dimensions(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program =
      compile_text(client,
                   "HloModule twice\n"
                   "ENTRY e { x = s32[<=4,2] parameter(0)\n"
                   "  ROOT y = s32[<=4,2] add(x, x) }\n");
  tessera_array_info info = TESSERA_INIT(tessera_array_info);
  OK(tessera_executable_parameter(program, 0, &info));
  CHECK(info.dimensions[0] == 4 && info.is_dynamic[0] && !info.is_dynamic[1]);
  CHECK(info.host_bytes == 32 && info.device_bytes > 32);
  const int32_t numbers[6] = {1, 2, 3, 4, 5, 6};
  const int32_t twice[6] = {2, 4, 6, 8, 10, 12};
  const int64_t dimensions[2] = {3, 2};
  const int64_t bounds[2] = {4, 0};
  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.data = numbers;
  array.type = TESSERA_S32;
  array.rank = 2;
  array.dimensions = dimensions;
  array.bounds = bounds;
  tessera_buffer* x = NULL;
  OK(tessera_buffer_from_host(client, &array, &x));
  tessera_buffer* y = NULL;
  OK(tessera_execute(program, &x, 1, NULL, &y, 1));
  int64_t sizes[2];
  OK(tessera_buffer_get_dimensions(y, sizes, 2));
  CHECK(sizes[0] == 3 && sizes[1] == 2);
  int32_t got[6];
  OK(tessera_buffer_to_host(y, got, sizeof(got), NULL, NULL));
  CHECK(memcmp(got, twice, sizeof(got)) == 0);
  FAILS(tessera_buffer_to_host(y, got, sizeof(got) - 1, NULL, NULL),
        TESSERA_INVALID_ARGUMENT, "size is 23, but the array needs 24 bytes");
  const int64_t too_many[2] = {5, 2};
  array.dimensions = too_many;
  tessera_buffer* none = NULL;
  FAILS(tessera_buffer_from_host(client, &array, &none),
        TESSERA_INVALID_ARGUMENT,
        "size 5 of dimension 0 is beyond its bound 4");
  tessera_buffer_destroy(x);
  tessera_buffer_destroy(y);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void devices(void) {
  tessera_client* client = make_client(4);
  static const char program[] =
      "HloModule sum\n"
      "add { a = f32[] parameter(0) b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b) }\n"
      "ENTRY e { x = f32[4] parameter(0)\n"
      "  ROOT y = f32[4] all-reduce(x), replica_groups={}, to_apply=add }\n";
  static const int32_t chosen[2] = {3, 1};
  tessera_compile_options options = TESSERA_INIT(tessera_compile_options);
  options.num_replicas = 2;
  options.devices = chosen;
  options.num_devices = 2;
  tessera_executable* sum = NULL;
  OK(tessera_compile(client, program, strlen(program), &options, &sum));
  tessera_executable_info info = TESSERA_INIT(tessera_executable_info);
  OK(tessera_executable_get_info(sum, &info));
  CHECK(info.num_replicas == 2 && info.num_devices == 2);
  CHECK(info.devices[0] == 3 && info.devices[1] == 1);
  tessera_buffer* x = vector_of(client, kNumbers, 4);
  tessera_buffer* arguments[2];
  for (int i = 0; i < 2; ++i) {
    OK(tessera_buffer_copy_to_device(x, chosen[i], &arguments[i]));
    CHECK(tessera_buffer_device(arguments[i]) == chosen[i]);
  }
  tessera_buffer* results[2];
  tessera_event* done = NULL;
  OK(tessera_execute_async(sum, arguments, 2, NULL, results, 2, &done));
  OK(tessera_event_await(done));
  tessera_event_destroy(done);
  static const float twice[4] = {2, 4, 6, 8};
  for (int i = 0; i < 2; ++i) {
    CHECK(tessera_buffer_device(results[i]) == chosen[i]);
    expect_vector(results[i], twice, 4);
  }
  // Arguments on the wrong devices, and too few.
  tessera_buffer* swapped[2] = {arguments[1], arguments[0]};
  FAILS(tessera_execute(sum, swapped, 2, NULL, results, 2),
        TESSERA_INVALID_ARGUMENT, "on TESSERA_CPU_1");
  FAILS(tessera_execute(sum, arguments, 1, NULL, results, 2),
        TESSERA_INVALID_ARGUMENT,
        "num_arguments is 1, but must be 2, 1 for each of 2 devices");
  for (int i = 0; i < 2; ++i) tessera_buffer_destroy(arguments[i]);
  tessera_executable_destroy(sum);

  // A program over whole arrays, divided by its shardings.
  static const char divided[] =
      "HloModule divided\n"
      "ENTRY e { x = f32[4] parameter(0), sharding={devices=[2]<=[2]}\n"
      "  ROOT y = f32[4] add(x, x), sharding={devices=[2]<=[2]} }\n";
  tessera_compile_options parts = TESSERA_INIT(tessera_compile_options);
  parts.num_partitions = 2;
  parts.use_spmd_partitioning = true;
  tessera_executable* half = NULL;
  OK(tessera_compile(client, divided, strlen(divided), &parts, &half));
  tessera_array_info array = TESSERA_INIT(tessera_array_info);
  OK(tessera_executable_parameter(half, 0, &array));
  CHECK(array.rank == 1 && array.dimensions[0] == 2);
  tessera_executable_destroy(half);
  tessera_buffer_destroy(x);
  tessera_client_destroy(client);
}

static void compile_options(void) {
  tessera_client* client = make_client(1);
  tessera_compile_options options = TESSERA_INIT(tessera_compile_options);
  static const char flags[] =
      "--xla_allow_excess_precision=false\n --xla_cpu_max_isa=SSE4_2";
  options.flags = flags;
  options.flags_size = strlen(flags);
  options.optimization_level = TESSERA_OPTIMIZATION_LEVEL(0);
  options.format = TESSERA_FORMAT_STABLEHLO_TEXT;
  tessera_executable* square = NULL;
  OK(tessera_compile(client, kSquare, strlen(kSquare), &options, &square));
  tessera_buffer* x = vector_of(client, kNumbers, 4);
  tessera_buffer* y = NULL;
  OK(tessera_execute(square, &x, 1, NULL, &y, 1));
  expect_vector(y, kSquares, 4);
  tessera_executable_destroy(square);
  options.format = TESSERA_FORMAT_HLO_TEXT;
  OK(tessera_compile(client, kProgram, strlen(kProgram), &options, &square));
  tessera_executable_destroy(square);
  tessera_buffer_destroy(x);
  tessera_client_destroy(client);
}

static void seeds(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program =
      compile_text(client,
                   "HloModule random\n"
                   "ENTRY e { a = f32[] constant(0) b = f32[] constant(1)\n"
                   "  ROOT r = f32[8] rng(a, b), distribution=rng_uniform }\n");
  float numbers[3][8];
  tessera_execute_options options = TESSERA_INIT(tessera_execute_options);
  for (int i = 0; i < 3; ++i) {
    options.seed = i < 2 ? 7 : 8;
    tessera_buffer* result = NULL;
    OK(tessera_execute(program, NULL, 0, &options, &result, 1));
    OK(tessera_buffer_to_host(result, numbers[i], 32, NULL, NULL));
    tessera_buffer_destroy(result);
  }
  CHECK(memcmp(numbers[0], numbers[1], 32) == 0);
  CHECK(memcmp(numbers[0], numbers[2], 32) != 0);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void empty_and_scalar_arrays(void) {
  tessera_client* client = make_client(1);
  const int64_t none[2] = {0, 3};
  tessera_host_array array = TESSERA_INIT(tessera_host_array);
  array.type = TESSERA_F64;
  array.rank = 2;
  array.dimensions = none;
  tessera_buffer* buffer = NULL;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  OK(tessera_buffer_to_host(buffer, NULL, 0, NULL, NULL));
  tessera_buffer_destroy(buffer);
  const double number = 2.5;
  double got = 0;
  tessera_host_array scalar = TESSERA_INIT(tessera_host_array);
  scalar.data = &number;
  scalar.type = TESSERA_F64;
  OK(tessera_buffer_from_host(client, &scalar, &buffer));
  OK(tessera_buffer_get_dimensions(buffer, NULL, 0));
  OK(tessera_buffer_to_host(buffer, &got, sizeof(got), NULL, NULL));
  CHECK(got == number);
  tessera_buffer_destroy(buffer);
  tessera_client_destroy(client);
}

int main(int argc, char** argv) {
  static const test_case cases[] = {
      {"versions", versions},
      {"types", types},
      {"backends", backends},
      {"properties", properties},
      {"donation", donation},
      {"serialization", serialization},
      {"host_memory", host_memory},
      {"borrowed_memory", borrowed_memory},
      {"dynamic_dimensions", dynamic_dimensions},
      {"devices", devices},
      {"compile_options", compile_options},
      {"seeds", seeds},
      {"empty_and_scalar_arrays", empty_and_scalar_arrays},
  };
  return run_cases(cases, sizeof(cases) / sizeof(cases[0]),
                   argc > 1 ? argv[1] : NULL);
}
