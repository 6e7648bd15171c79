// Errors of the C API: null and wrong handles, bad programs, options and
// arrays, and runs with arguments that do not fit.
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static const char kAdd[] =
    "HloModule add\n"
    "ENTRY e { x = f32[4] parameter(0) y = f32[4] parameter(1)\n"
    "  ROOT s = f32[4] add(x, y) }\n";
static const float kNumbers[4] = {1, 2, 3, 4};

static void null_handles(void) {
  // Nothing happens.
  tessera_status_destroy(NULL);
  tessera_bytes_destroy(NULL);
  tessera_client_destroy(NULL);
  tessera_executable_destroy(NULL);
  tessera_buffer_destroy(NULL);
  tessera_event_destroy(NULL);
  tessera_cancellation_cancel(NULL);
  tessera_cancellation_destroy(NULL);
  // These have no status to return.
  size_t size = 1;
  int64_t line = 1;
  int64_t column = 1;
  CHECK(tessera_status_code(NULL) == TESSERA_OK);
  CHECK(tessera_status_message(NULL, &size)[0] == 0 && size == 0);
  CHECK(!tessera_status_place(NULL, &line, &column));
  CHECK(line == 0 && column == 0);
  size = 1;
  CHECK(tessera_bytes_data(NULL, &size) == NULL && size == 0);
  CHECK(tessera_client_description(NULL, NULL) == NULL);
  CHECK(tessera_client_num_devices(NULL) == 0);
  CHECK(tessera_executable_name(NULL, NULL) == NULL);
  CHECK(tessera_executable_fingerprint(NULL, NULL) == NULL);
  CHECK(tessera_buffer_device(NULL) == -1);
  CHECK(tessera_buffer_is_deleted(NULL));
  CHECK(tessera_event_is_ready(NULL) && tessera_event_wait_for(NULL, 1));

  tessera_client* client = NULL;
  tessera_executable* program = NULL;
  tessera_buffer* buffer = NULL;
  tessera_event* event = NULL;
  tessera_bytes* bytes = NULL;
  const void* data = NULL;
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  tessera_device_memory memory = TESSERA_INIT(tessera_device_memory);
  tessera_array_info array = TESSERA_INIT(tessera_array_info);
  tessera_executable_info info = TESSERA_INIT(tessera_executable_info);
  tessera_costs costs = TESSERA_INIT(tessera_costs);
  tessera_program_memory needs = TESSERA_INIT(tessera_program_memory);
  tessera_host_array host = TESSERA_INIT(tessera_host_array);
  FAILS(tessera_client_create(NULL, NULL), code,
        "tessera_client_create: out is NULL");
  FAILS(tessera_cancellation_create(NULL), code,
        "tessera_cancellation_create: out is NULL");
  FAILS(tessera_client_device_memory(NULL, 0, &memory), code, "client is NULL");
  FAILS(tessera_compile(NULL, "", 0, NULL, &program), code, "client is NULL");
  FAILS(tessera_deserialize(NULL, "", 0, NULL, &program), code,
        "client is NULL");
  FAILS(tessera_executable_serialize(NULL, &bytes), code, "executable is NULL");
  FAILS(tessera_executable_hlo_text(NULL, &bytes), code, "executable is NULL");
  FAILS(tessera_executable_get_info(NULL, &info), code, "executable is NULL");
  FAILS(tessera_executable_parameter(NULL, 0, &array), code,
        "executable is NULL");
  FAILS(tessera_executable_result(NULL, 0, &array), code, "executable is NULL");
  FAILS(tessera_executable_get_costs(NULL, &costs), code, "executable is NULL");
  FAILS(tessera_executable_get_memory(NULL, &needs), code,
        "executable is NULL");
  FAILS(tessera_buffer_from_host(NULL, &host, &buffer), code, "client is NULL");
  FAILS(tessera_buffer_get_info(NULL, &array), code, "buffer is NULL");
  FAILS(tessera_buffer_get_dimensions(NULL, NULL, 0), code, "buffer is NULL");
  FAILS(tessera_buffer_delete(NULL), code, "buffer is NULL");
  FAILS(tessera_buffer_ready(NULL, &event), code, "buffer is NULL");
  FAILS(tessera_buffer_copy_to_device(NULL, 0, &buffer), code,
        "buffer is NULL");
  FAILS(tessera_buffer_to_host(NULL, NULL, 0, NULL, NULL), code,
        "buffer is NULL");
  FAILS(tessera_buffer_map(NULL, &data, NULL), code, "buffer is NULL");
  FAILS(tessera_buffer_unmap(NULL), code, "buffer is NULL");
  FAILS(tessera_execute(NULL, NULL, 0, NULL, NULL, 0), code,
        "tessera_execute: executable is NULL");
  FAILS(tessera_execute_async(NULL, NULL, 0, NULL, NULL, 0, &event), code,
        "tessera_execute_async: executable is NULL");
  FAILS(tessera_event_await(NULL), code, "event is NULL");
  FAILS(tessera_event_on_ready(NULL, NULL, NULL), code, "event is NULL");
  CHECK(client == NULL && program == NULL && buffer == NULL);
}

static void wrong_handles(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = compile_text(client, kAdd);
  tessera_buffer* buffer = vector_of(client, kNumbers, 4);
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  tessera_bytes* bytes = NULL;
  FAILS(tessera_executable_serialize((tessera_executable*)buffer, &bytes), code,
        "executable is no live handle of its kind");
  FAILS(tessera_buffer_delete((tessera_buffer*)program), code,
        "buffer is no live handle of its kind");
  FAILS(tessera_event_await((tessera_event*)client), code,
        "event is no live handle of its kind");
  tessera_buffer* arguments[2] = {buffer, (tessera_buffer*)client};
  tessera_buffer* result = NULL;
  FAILS(tessera_execute(program, arguments, 2, NULL, &result, 1), code,
        "arguments[1] is no live handle of its kind");
  tessera_execute_options run = TESSERA_INIT(tessera_execute_options);
  run.cancellation = (tessera_cancellation*)client;
  FAILS(tessera_execute(program, arguments, 2, &run, &result, 1), code,
        "options.cancellation is no live handle of its kind");
  tessera_compile_options compile = TESSERA_INIT(tessera_compile_options);
  compile.cancellation = (tessera_cancellation*)buffer;
  tessera_executable* none = NULL;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &compile, &none), code,
        "options.cancellation is no live handle of its kind");
  tessera_cancellation_cancel((tessera_cancellation*)client);
  tessera_cancellation_destroy((tessera_cancellation*)client);
  // Destructors leave them alone.
  tessera_buffer_destroy((tessera_buffer*)program);
  tessera_executable_destroy((tessera_executable*)client);
  tessera_client_destroy((tessera_client*)buffer);
  tessera_status_destroy((tessera_status*)buffer);
  CHECK(tessera_status_code((tessera_status*)buffer) == TESSERA_UNKNOWN);
  tessera_buffer_destroy(buffer);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void client_options(void) {
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  tessera_client* client = NULL;
  tessera_client_options options = {0};
  FAILS(tessera_client_create(&options, &client), code,
        "options.struct_size is 0; it must be sizeof(the struct)");
  options.struct_size = sizeof(options);
  options.backend = "gpu";
  options.backend_size = 3;
  FAILS(tessera_client_create(&options, &client), code, "gpu");
  options.backend = NULL;
  FAILS(tessera_client_create(&options, &client), code,
        "options.backend is NULL");
  options.backend_size = 0;
  options.num_devices = -1;
  FAILS(tessera_client_create(&options, &client), code,
        "options.num_devices is -1");
  options.num_devices = 1 << 30;
  FAILS(tessera_client_create(&options, &client), code, "devices");
  options.num_devices = 1;
  options.num_threads = -1;
  FAILS(tessera_client_create(&options, &client), code, "num_threads is -1");
  options.num_threads = 1;
  options.memory_limit_bytes = -1;
  FAILS(tessera_client_create(&options, &client), code,
        "memory_limit_bytes is -1");
  options.memory_limit_bytes = 0;
  options.parallel_for_threads = 1;
  FAILS(tessera_client_create(&options, &client), code,
        "options.parallel_for is NULL");
  options.parallel_for_threads = 0;
  options.cache_folder = "somewhere";
  options.cache_folder_size = 9;
  options.cache_max_bytes = -1;
  FAILS(tessera_client_create(&options, &client), code, "-1");
  CHECK(client == NULL);
}

// Checks the error, and its place, of a program.
static void bad_program(tessera_client* client, const char* program,
                        tessera_format format, int64_t line, int64_t column,
                        const char* text) {
  tessera_compile_options options = TESSERA_INIT(tessera_compile_options);
  options.format = format;
  tessera_executable* executable = NULL;
  tessera_status* status =
      tessera_compile(client, program, strlen(program), &options, &executable);
  CHECK(executable == NULL);
  int64_t got_line = 0;
  int64_t got_column = 0;
  CHECK(tessera_status_place(status, &got_line, &got_column) == (line > 0));
  CHECK(got_line == line && got_column == column);
  CHECK(tessera_status_place(status, NULL, NULL) == (line > 0));
  FAILS(status, TESSERA_INVALID_ARGUMENT, text);
}

static void bad_programs(void) {
  tessera_client* client = make_client(1);
  bad_program(client, "HloModule m\nENTRY e {\n  ROOT x f32[] constant(1)\n}\n",
              TESSERA_FORMAT_DETECT, 3, 10, "expected");
  bad_program(client,
              "func.func @main() -> tensor<f32> {\n"
              "  %0 = stablehlo.negate %x : tensor<f32>\n"
              "  return %0 : tensor<f32>\n}\n",
              TESSERA_FORMAT_DETECT, 2, 25, "%x");
  bad_program(client, "func.func @main( {\n}\n", TESSERA_FORMAT_DETECT, 1, 18,
              "");
  // A rule, which is not about the text.
  bad_program(client,
              "HloModule m\nENTRY e { x = f32[4] parameter(0)\n"
              "  ROOT y = f32[5] negate(x) }\n",
              TESSERA_FORMAT_HLO_TEXT, 0, 0, "f32[5]");
  bad_program(client, "", TESSERA_FORMAT_DETECT, 1, 1, "");
  bad_program(client, "\x01\x02", TESSERA_FORMAT_DETECT, 0, 0, "neither");
  bad_program(client, kAdd, TESSERA_FORMAT_HLO_PROTO, 0, 0, "neither");
  bad_program(client, kAdd, TESSERA_FORMAT_STABLEHLO_ARTIFACT, 0, 0,
              "not a portable artifact");
  bad_program(client, "ML\xefR", TESSERA_FORMAT_STABLEHLO_TEXT, 0, 0,
              "a portable artifact instead");
  bad_program(client, kAdd, 99, 0, 0, "options.format 99 is not known");
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  tessera_executable* executable = NULL;
  FAILS(tessera_compile(client, NULL, 5, NULL, &executable), code,
        "program is NULL");
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), NULL, NULL), code,
        "out is NULL");
  FAILS(tessera_deserialize(client, "abc", 3, NULL, &executable), code,
        "serialized executable");
  FAILS(tessera_deserialize(client, NULL, 3, NULL, &executable), code,
        "bytes is NULL");
  CHECK(executable == NULL);
  tessera_client_destroy(client);
}

static void bad_compile_options(void) {
  tessera_client* client = make_client(2);
  tessera_executable* executable = NULL;
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  static const struct {
    const char* flags;
    const char* text;
  } flags[] = {
      {"--xla_no_such_option=1", "there is no option xla_no_such_option"},
      {"xla_cpu_max_isa=AVX", "--name=value"},
      {"--xla_backend_optimization_level=high", "a number"},
      {"--xla_allow_excess_precision=maybe", "true or false"},
  };
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    tessera_compile_options options = TESSERA_INIT(tessera_compile_options);
    options.flags = flags[i].flags;
    options.flags_size = strlen(flags[i].flags);
    FAILS(tessera_compile(client, kAdd, strlen(kAdd), &options, &executable),
          code, flags[i].text);
  }
  static const int32_t devices[3] = {0, 1, 7};
  tessera_compile_options options = TESSERA_INIT(tessera_compile_options);
  options.num_replicas = -1;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &options, &executable),
        code, "options.num_replicas is -1");
  options.num_replicas = 3;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &options, &executable),
        code, "3 replicas of 1 partitions do not fit on 2 devices");
  options.num_replicas = 2;
  options.devices = devices;
  options.num_devices = 3;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &options, &executable),
        code, "options.num_devices is 3 for 2 replicas of 1 partitions");
  options.devices = devices + 1;
  options.num_devices = 2;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &options, &executable),
        code, "7");
  tessera_compile_options level = TESSERA_INIT(tessera_compile_options);
  level.optimization_level = 5;
  FAILS(tessera_compile(client, kAdd, strlen(kAdd), &level, &executable), code,
        "options.optimization_level is 5");
  CHECK(executable == NULL);
  tessera_client_destroy(client);
}

static void never(void* data) {
  (void)data;
  abort();
}

static void bad_arrays(void) {
  tessera_client* client = make_client(1);
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  const int64_t dimensions[2] = {2, 2};
  const int64_t negative[2] = {2, -1};
  const int64_t huge[2] = {INT64_MAX, INT64_MAX};
  const int64_t order[2] = {0, 0};
  tessera_buffer* buffer = NULL;
  const tessera_host_array good = {.struct_size = sizeof(tessera_host_array),
                                   .data = kNumbers,
                                   .type = TESSERA_F32,
                                   .rank = 2,
                                   .dimensions = dimensions,
                                   .release = never};
  FAILS(tessera_buffer_from_host(client, NULL, &buffer), code, "array is NULL");
  FAILS(tessera_buffer_from_host(client, &good, NULL), code, "out is NULL");
  tessera_host_array array = good;
  array.type = 0;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "type");
  array.type = -7;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code,
        "array.type -7 is not known");
  array = good;
  array.rank = -1;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code,
        "array.rank is -1");
  array = good;
  array.dimensions = NULL;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code,
        "array.dimensions is NULL");
  array.dimensions = negative;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "-1");
  array.dimensions = huge;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "");
  array.bounds = huge;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "");
  array = good;
  array.data = NULL;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "null");
  array = good;
  array.minor_to_major = order;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code, "layout");
  array = good;
  array.device = 1;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code,
        "there is no device 1");
  array = good;
  array.memory = 3;
  FAILS(tessera_buffer_from_host(client, &array, &buffer), code,
        "array.memory 3 is not known");
  CHECK(buffer == NULL);

  // Copies to the host.
  array = good;
  array.release = NULL;
  OK(tessera_buffer_from_host(client, &array, &buffer));
  float got[8];
  FAILS(tessera_buffer_to_host(buffer, got, 15, NULL, NULL), code,
        "size is 15, but the array needs 16 bytes");
  FAILS(tessera_buffer_to_host(buffer, NULL, 16, NULL, NULL), code,
        "data is NULL");
  static const struct {
    int64_t strides[2];
    const char* text;
  } strides[] = {
      {{8, 0}, "the elements along dimension 1 overlap"},
      {{4, 4}, "overlap"},
      {{-8, 4}, "lie before data"},
      {{8, 6}, "the elements along dimension 0 overlap"},
      {{32, 4}, "size is 32, but the array needs 40 bytes"},
      {{INT64_MAX, 4}, "but the array needs"},
  };
  for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); ++i) {
    tessera_to_host_options options = TESSERA_INIT(tessera_to_host_options);
    options.byte_strides = strides[i].strides;
    FAILS(tessera_buffer_to_host(buffer, got, sizeof(got), &options, NULL),
          code, strides[i].text);
  }
  int64_t sizes[3];
  FAILS(tessera_buffer_get_dimensions(buffer, sizes, 3), code,
        "rank is 3, but the array has 2 dimensions");
  FAILS(tessera_buffer_get_dimensions(buffer, NULL, 2), code,
        "dimensions is NULL");
  FAILS(tessera_buffer_get_info(buffer, NULL), code, "out is NULL");
  tessera_buffer* copy = NULL;
  FAILS(tessera_buffer_copy_to_device(buffer, 1, &copy), code,
        "there is no device 1");
  FAILS(tessera_buffer_ready(buffer, NULL), code, "out is NULL");
  FAILS(tessera_buffer_map(buffer, NULL, NULL), code, "data is NULL");
  OK(tessera_buffer_delete(buffer));
  FAILS(tessera_buffer_to_host(buffer, got, 16, NULL, NULL), code, "deleted");
  tessera_buffer_destroy(buffer);
  tessera_client_destroy(client);
}

static void bad_runs(void) {
  tessera_client* client = make_client(1);
  tessera_client* other = make_client(1);
  tessera_executable* add = compile_text(client, kAdd);
  tessera_buffer* x = vector_of(client, kNumbers, 4);
  tessera_buffer* three = vector_of(client, kNumbers, 3);
  tessera_buffer* foreign = vector_of(other, kNumbers, 4);
  const tessera_code code = TESSERA_INVALID_ARGUMENT;
  tessera_buffer* arguments[2] = {x, x};
  tessera_buffer* results[2] = {x, x};
  FAILS(tessera_execute(add, arguments, 1, NULL, results, 1), code,
        "num_arguments is 1, but must be 2");
  FAILS(tessera_execute(add, arguments, 2, NULL, results, 2), code,
        "num_results is 2, but must be 1");
  CHECK(results[0] == NULL && results[1] == NULL);
  FAILS(tessera_execute(add, NULL, 2, NULL, results, 1), code,
        "arguments is NULL");
  FAILS(tessera_execute(add, arguments, 2, NULL, NULL, 1), code,
        "results is NULL");
  arguments[1] = NULL;
  FAILS(tessera_execute(add, arguments, 2, NULL, results, 1), code,
        "arguments[1] is NULL");
  arguments[1] = three;
  FAILS(tessera_execute(add, arguments, 2, NULL, results, 1), code,
        "argument 1 of program add is f32[3]");
  arguments[1] = foreign;
  FAILS(tessera_execute(add, arguments, 2, NULL, results, 1), code,
        "arguments[1] belongs to another client");
  arguments[1] = x;
  static const int32_t kept[1] = {2};
  tessera_execute_options options = TESSERA_INIT(tessera_execute_options);
  options.keep = kept;
  options.num_keep = 1;
  FAILS(tessera_execute(add, arguments, 2, &options, results, 1), code,
        "there is no parameter 2: the program has 2");
  tessera_array_info info = TESSERA_INIT(tessera_array_info);
  FAILS(tessera_executable_parameter(add, 2, &info), TESSERA_OUT_OF_RANGE,
        "there is no parameter 2: the program has 2");
  FAILS(tessera_executable_result(add, SIZE_MAX, &info), TESSERA_OUT_OF_RANGE,
        "there is no result");
  tessera_buffer_destroy(x);
  tessera_buffer_destroy(three);
  tessera_buffer_destroy(foreign);
  tessera_executable_destroy(add);
  tessera_client_destroy(client);
  tessera_client_destroy(other);
}

static void memory_limit(void) {
  tessera_client_options options = TESSERA_INIT(tessera_client_options);
  options.memory_limit_bytes = 1000;
  tessera_client* client = NULL;
  OK(tessera_client_create(&options, &client));
  tessera_executable* program =
      compile_text(client,
                   "HloModule large\nENTRY e { ROOT x = f32[1024] iota(), "
                   "iota_dimension=0 }\n");
  tessera_buffer* result = NULL;
  FAILS(tessera_execute(program, NULL, 0, NULL, &result, 1),
        TESSERA_RESOURCE_EXHAUSTED, "");
  CHECK(result == NULL);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

static void take_status(void* data, tessera_status* status) {
  *(tessera_status**)data = status;
}

// A custom call that nobody registered: the run fails, or the compilation.
static void errors_of_runs(void) {
  tessera_client* client = make_client(1);
  tessera_executable* program = NULL;
  static const char text[] =
      "HloModule calls\nENTRY e { x = f32[4] parameter(0)\n"
      "  ROOT y = f32[4] custom-call(x), custom_call_target=\"nobody\" }\n";
  tessera_status* status =
      tessera_compile(client, text, strlen(text), NULL, &program);
  if (status == NULL) {
    tessera_buffer* x = vector_of(client, kNumbers, 4);
    tessera_buffer* y = NULL;
    tessera_event* done = NULL;
    status = tessera_execute_async(program, &x, 1, NULL, &y, 1, &done);
    if (status == NULL) {
      status = tessera_event_await(done);
      tessera_status* seen = NULL;
      OK(tessera_event_on_ready(done, take_status, &seen));
      CHECK(tessera_status_code(seen) == tessera_status_code(status));
      tessera_status_destroy(seen);
    }
    tessera_event_destroy(done);
    tessera_buffer_destroy(x);
    tessera_buffer_destroy(y);
  }
  CHECK(status != NULL);
  CHECK(strstr(tessera_status_message(status, NULL), "nobody") != NULL);
  tessera_status_destroy(status);
  tessera_executable_destroy(program);
  tessera_client_destroy(client);
}

int main(int argc, char** argv) {
  static const test_case cases[] = {
      {"null_handles", null_handles},
      {"wrong_handles", wrong_handles},
      {"client_options", client_options},
      {"bad_programs", bad_programs},
      {"bad_compile_options", bad_compile_options},
      {"bad_arrays", bad_arrays},
      {"bad_runs", bad_runs},
      {"memory_limit", memory_limit},
      {"errors_of_runs", errors_of_runs},
  };
  return run_cases(cases, sizeof(cases) / sizeof(cases[0]),
                   argc > 1 ? argv[1] : NULL);
}
