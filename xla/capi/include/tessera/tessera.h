// tessera.h: Tessera's C API, for programs in C and for bindings of other
// languages. It compiles tensor programs (HLO, StableHLO) and runs them.
//
// Conventions, which hold for every function unless it says otherwise:
//
// - A function that can fail returns a tessera_status*: NULL means success. The
//   caller frees it with tessera_status_destroy. After a failure the results
//   behind `out` pointers are NULL or 0.
// - Whatever a function returns behind an `out` pointer to a handle
//   (tessera_client** and so on) belongs to the caller, who frees it with the
//   handle's own ..._destroy function; these take NULL, too. The order does not
//   matter: executables and buffers keep what they need of their client alive.
// - `const` results (texts, dimensions) belong to the handle that was asked and
//   live as long as it does.
// - Texts are UTF-8 with a size in bytes. Those that the library returns end in
//   a zero byte, which the size does not count; a `size` pointer may be NULL.
//   Those that callers pass need no zero byte.
// - All functions are thread safe, also on one handle, except that a handle may
//   not be used while or after another thread destroys it. Runs and copies that
//   have started are not affected by the destruction of any handle.
// - A struct that begins with `struct_size` may get more members at its end.
//   Callers set all members to zero and `struct_size` to sizeof(the struct), as
//   TESSERA_INIT does; zero in each member means its default. The library reads
//   and writes no member beyond `struct_size`.
// - The library has no state beside its handles, except memory that it keeps
//   for reuse, its log on stderr, and the environment variables that
//   docs/settings.md lists.
//
// docs/c-api.md has an introduction and the promise of compatibility.
#ifndef TESSERA_TESSERA_H_
#define TESSERA_TESSERA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// May be defined before, for compilers and tools that need something else.
#ifndef TESSERA_EXPORT
#ifdef __GNUC__
#define TESSERA_EXPORT __attribute__((visibility("default")))
#else
#define TESSERA_EXPORT
#endif
#endif

// An initialized struct: tessera_compile_options o =
// TESSERA_INIT(tessera_compile_options);
#ifdef __cplusplus
#define TESSERA_INIT(type)          \
  ([] {                             \
    type made = type();             \
    made.struct_size = sizeof made; \
    return made;                    \
  }())
extern "C" {
#else
#define TESSERA_INIT(type) {.struct_size = sizeof(type)}
#endif

// ---- Versions --------------------------------------------------------------

// The version of this API. A library serves all programs that were compiled
// with the same major and the same or a smaller minor version.
#define TESSERA_API_MAJOR 1
#define TESSERA_API_MINOR 1

// Returns major * 1000 + minor of the API that the library implements. A
// program that loads the library by itself compares it with the header's.
TESSERA_EXPORT int32_t tessera_api_version(void);
// Returns the version of the library, such as "0.1.0".
TESSERA_EXPORT const char* tessera_version(size_t* size);

// ---- Handles ---------------------------------------------------------------

typedef struct tessera_status tessera_status;  // an error
typedef struct tessera_bytes tessera_bytes;    // a text or other bytes
typedef struct tessera_client tessera_client;  // devices, threads, a compiler
typedef struct tessera_executable tessera_executable;  // a compiled program
typedef struct tessera_buffer tessera_buffer;          // an array on a device
typedef struct tessera_event tessera_event;  // something that ends later
typedef struct tessera_cancellation tessera_cancellation;  // ends what has it

// ---- Errors ----------------------------------------------------------------

// The codes are those of absl::Status and gRPC.
typedef int32_t tessera_code;
enum {
  TESSERA_OK = 0,
  TESSERA_CANCELLED = 1,
  TESSERA_UNKNOWN = 2,
  TESSERA_INVALID_ARGUMENT = 3,  // the caller's mistake
  TESSERA_DEADLINE_EXCEEDED = 4,
  TESSERA_NOT_FOUND = 5,
  TESSERA_ALREADY_EXISTS = 6,
  TESSERA_PERMISSION_DENIED = 7,
  TESSERA_RESOURCE_EXHAUSTED = 8,   // no memory
  TESSERA_FAILED_PRECONDITION = 9,  // not in this state
  TESSERA_ABORTED = 10,
  TESSERA_OUT_OF_RANGE = 11,
  TESSERA_UNIMPLEMENTED = 12,  // a program that needs what the library lacks
  TESSERA_INTERNAL = 13,       // a mistake in the library
  TESSERA_UNAVAILABLE = 14,
  TESSERA_DATA_LOSS = 15,
  TESSERA_UNAUTHENTICATED = 16
};

// Returns TESSERA_OK for NULL.
TESSERA_EXPORT tessera_code tessera_status_code(const tessera_status* status);
// Returns a text for people: what failed, where, by which rule. "" for NULL.
TESSERA_EXPORT const char* tessera_status_message(const tessera_status* status,
                                                  size_t* size);
// Returns true and the place in a program's text, both from 1, if the error is
// about one. Returns false and zeros otherwise. Either pointer may be NULL.
TESSERA_EXPORT bool tessera_status_place(const tessera_status* status,
                                         int64_t* line, int64_t* column);
TESSERA_EXPORT void tessera_status_destroy(tessera_status* status);

// ---- Bytes -----------------------------------------------------------------

// Returns the bytes, which may hold zeros, and a zero byte after them. NULL for
// NULL.
TESSERA_EXPORT const char* tessera_bytes_data(const tessera_bytes* bytes,
                                              size_t* size);
TESSERA_EXPORT void tessera_bytes_destroy(tessera_bytes* bytes);

// ---- Cancellation ----------------------------------------------------------

// A cancellation is given to compilations and runs by their options, to any
// number of them at a time, of any clients. Typically a program makes one for
// each request that it serves. It may be destroyed while they go on.
TESSERA_EXPORT tessera_status* tessera_cancellation_create(
    tessera_cancellation** out);
// Ends all work that has the cancellation, also that which begins later, with
// CANCELLED. Work looks for it between its steps (docs/interrupts.md), and ends
// well if it has no step left: this function does not wait. Any thread may call
// it, any number of times, and a signal handler. NULL does nothing.
TESSERA_EXPORT void tessera_cancellation_cancel(
    tessera_cancellation* cancellation);
TESSERA_EXPORT void tessera_cancellation_destroy(
    tessera_cancellation* cancellation);

// ---- Clients ---------------------------------------------------------------

// Runs one item of a loop; called with the `task` that came with it.
typedef void (*tessera_task_fn)(void* task, int64_t index);
// Calls run(task, index) for each index from 0 to count - 1, in any order, on
// the calling thread and others, and returns when all calls have returned. May
// be called by several threads at a time and from inside `run`.
typedef void (*tessera_parallel_for_fn)(void* user_data, int64_t count,
                                        tessera_task_fn run, void* task);

typedef struct tessera_client_options {
  size_t struct_size;
  // "cpu": native code; "evaluator": the reference evaluator, slow and exact.
  // NULL: TESSERA_BACKEND in the environment, else "cpu".
  const char* backend;
  size_t backend_size;
  // The number of devices, which are virtual: all of them use the machine's
  // processors and memory. 0: what XLA_FLAGS in the environment says, else 1.
  int32_t num_devices;
  // The number of threads that run programs and their loops. 0: one for each
  // processor that the process may use, or TESSERA_NUM_THREADS.
  int32_t num_threads;
  // If set, loops of programs run on the host's threads: `parallel_for` is
  // called with `parallel_for_data`, until the last handle of the client and of
  // what it made is destroyed and its runs have ended. `parallel_for_threads`,
  // at least 1: how many threads take part.
  tessera_parallel_for_fn parallel_for;
  void* parallel_for_data;
  int32_t parallel_for_threads;
  // If true, a run has ended when the call that starts it returns.
  bool synchronous;
  // The limit of each device's buffers in bytes. 0: the machine's memory.
  int64_t memory_limit_bytes;
  // The folder in which compiled programs are kept for other processes and
  // later (docs/compilation-cache.md); NULL: as TESSERA_CACHE_DIR in the
  // environment says; "" (not NULL, size 0): none. And its bound in bytes, 0
  // for the default.
  const char* cache_folder;
  size_t cache_folder_size;
  int64_t cache_max_bytes;
} tessera_client_options;

// `options` may be NULL. Errors: INVALID_ARGUMENT for options out of range.
TESSERA_EXPORT tessera_status* tessera_client_create(
    const tessera_client_options* options, tessera_client** out);
// If this is the last handle of the client and of what it made, waits for its
// runs; else that handle's destruction does.
TESSERA_EXPORT void tessera_client_destroy(tessera_client* client);
// Returns a text such as "tessera 0.1.0 (cpu)"; NULL for NULL.
TESSERA_EXPORT const char* tessera_client_description(
    const tessera_client* client, size_t* size);
// Devices have the numbers 0 to this - 1. Returns 0 for NULL.
TESSERA_EXPORT int32_t tessera_client_num_devices(const tessera_client* client);

// The buffers of a device, in bytes.
typedef struct tessera_device_memory {
  size_t struct_size;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  int64_t bytes_limit;
  int64_t num_allocations;  // since the client's creation
} tessera_device_memory;
TESSERA_EXPORT tessera_status* tessera_client_device_memory(
    const tessera_client* client, int32_t device, tessera_device_memory* out);

// ---- Arrays ----------------------------------------------------------------

// Element types, with XLA's numbers. In the host's memory types of less than 8
// bits take a byte each, and a complex number is two floating-point numbers.
typedef int32_t tessera_type;
enum {
  TESSERA_PRED = 1,  // bool: one byte, 0 or 1
  TESSERA_S8 = 2,
  TESSERA_S16 = 3,
  TESSERA_S32 = 4,
  TESSERA_S64 = 5,
  TESSERA_U8 = 6,
  TESSERA_U16 = 7,
  TESSERA_U32 = 8,
  TESSERA_U64 = 9,
  TESSERA_F16 = 10,
  TESSERA_F32 = 11,
  TESSERA_F64 = 12,
  TESSERA_C64 = 15,
  TESSERA_BF16 = 16,
  TESSERA_TOKEN = 17,  // orders side effects; has no data
  TESSERA_C128 = 18,
  TESSERA_F8E5M2 = 19,
  TESSERA_F8E4M3FN = 20,
  TESSERA_S4 = 21,
  TESSERA_U4 = 22,
  TESSERA_F8E4M3B11FNUZ = 23,
  TESSERA_F8E5M2FNUZ = 24,
  TESSERA_F8E4M3FNUZ = 25,
  TESSERA_S2 = 26,
  TESSERA_U2 = 27,
  TESSERA_F8E4M3 = 28,
  TESSERA_F8E3M4 = 29,
  TESSERA_S1 = 30,
  TESSERA_U1 = 31,
  TESSERA_F4E2M1FN = 32,
  TESSERA_F8E8M0FNU = 33,
  TESSERA_F6E3M2FN = 35,
  TESSERA_F6E2M3FN = 36
};
// Returns the bytes of an element in the host's memory: 4 for F32, 1 for S4. 0
// for tokens and for numbers that are no type.
TESSERA_EXPORT int64_t tessera_type_size(tessera_type type);
// Returns HLO's name, such as "f32"; NULL for numbers that are no type.
TESSERA_EXPORT const char* tessera_type_name(tessera_type type, size_t* size);

// What an array is. The pointers belong to the handle that was asked.
typedef struct tessera_array_info {
  size_t struct_size;
  tessera_type type;
  int32_t rank;               // the number of dimensions
  const int64_t* dimensions;  // sizes; bounds of dynamic dimensions
  const bool* is_dynamic;     // whether a dimension has its size at run time
  // The order of the elements in the device's memory: the dimension that varies
  // fastest, then the next one. Tiles, if there are any, are in the text.
  const int64_t* minor_to_major;
  const char* text;  // type, dimensions and layout in HLO, "f32[2,3]{1,0}"
  size_t text_size;
  int64_t device_bytes;  // the size of the device's memory
  int64_t host_bytes;    // that of a dense copy in the host's memory
  // Parameters: the name in the program, followed by the index in braces if the
  // parameter is a tuple, "state{0,1}". "" for results and buffers.
  const char* name;
  size_t name_size;
  // Parameters: true if runs take the argument's memory for a result, or for
  // intermediate values: the argument's buffer is used up (see
  // tessera_execute).
  bool donated;
  // Results: the number of the parameter whose memory it takes; else -1.
  // Parameters: the number of that result; else -1.
  int32_t alias;
} tessera_array_info;

// ---- Programs --------------------------------------------------------------

typedef int32_t tessera_format;
enum {
  TESSERA_FORMAT_DETECT = 0,    // by content
  TESSERA_FORMAT_HLO_TEXT = 1,  // "HloModule ..."
  // A serialized HloModuleProto, HloModuleProtoWithConfig, HloProto or
  // HloSnapshot.
  TESSERA_FORMAT_HLO_PROTO = 2,
  TESSERA_FORMAT_STABLEHLO_TEXT = 3,      // MLIR
  TESSERA_FORMAT_STABLEHLO_ARTIFACT = 4,  // MLIR bytecode of VHLO
};

typedef struct tessera_compile_options {
  size_t struct_size;
  tessera_format format;
  // How many devices the program runs on: replicas run the same program on
  // other arguments, partitions hold parts of its arrays. 0 means 1.
  int32_t num_replicas;
  int32_t num_partitions;
  // If true, the program is over whole arrays, and the compiler divides it
  // among the partitions as its shardings say (docs/sharding.md).
  bool use_spmd_partitioning;
  // The device of each: replica * num_partitions + partition. NULL, or their
  // product of numbers; by default the first devices in order.
  const int32_t* devices;
  size_t num_devices;
  // XLA's flags, "--xla_name=value" separated by white space: they change those
  // of XLA_FLAGS in the environment.
  const char* flags;
  size_t flags_size;
  // 1 to 4 set --xla_backend_optimization_level to 0 to 3, before `flags`; 0
  // leaves it, by default 3.
  int32_t optimization_level;
  // What ends the compilation early; NULL: nothing. Since version 1.1.
  const tessera_cancellation* cancellation;
} tessera_compile_options;
#define TESSERA_OPTIMIZATION_LEVEL(level) ((level) + 1)

// Compiles a program; `options` may be NULL. Errors: INVALID_ARGUMENT for a
// program that cannot be read (with its place, if it is text) or breaks a rule,
// and for options that are out of range, not known, or do not fit the client's
// devices; UNIMPLEMENTED for what the library cannot compile;
// RESOURCE_EXHAUSTED if there is no memory for the program; CANCELLED.
TESSERA_EXPORT tessera_status* tessera_compile(
    tessera_client* client, const char* program, size_t program_size,
    const tessera_compile_options* options, tessera_executable** out);

// Writes the executable, native code included, to bytes.
TESSERA_EXPORT tessera_status* tessera_executable_serialize(
    const tessera_executable* executable, tessera_bytes** out);

typedef struct tessera_deserialize_options {
  size_t struct_size;
  // If true, code that does not run here, because another processor or version
  // made it, is an error, and not compiled again.
  bool never_compile;
} tessera_deserialize_options;

// Reads an executable that the same version of the library wrote. The code runs
// as part of the process: load only bytes that you trust like a shared library.
// Errors: INVALID_ARGUMENT for damaged bytes or those of another version;
// FAILED_PRECONDITION as never_compile says.
TESSERA_EXPORT tessera_status* tessera_deserialize(
    tessera_client* client, const char* bytes, size_t size,
    const tessera_deserialize_options* options, tessera_executable** out);

// Runs that have started go on.
TESSERA_EXPORT void tessera_executable_destroy(tessera_executable* executable);

// The name of the program; NULL for NULL.
TESSERA_EXPORT const char* tessera_executable_name(
    const tessera_executable* executable, size_t* size);
// A text that is equal for equal programs and options of one version of the
// library, for use as a key; NULL for NULL.
TESSERA_EXPORT const char* tessera_executable_fingerprint(
    const tessera_executable* executable, size_t* size);

// The numbers of a program. Parameters and results are arrays: the elements of
// tuples count one by one, in order.
typedef struct tessera_executable_info {
  size_t struct_size;
  int32_t num_replicas;
  int32_t num_partitions;
  int32_t num_devices;  // their product
  int32_t num_parameters;
  int32_t num_results;
  const int32_t* devices;  // the device of each replica and partition
} tessera_executable_info;
TESSERA_EXPORT tessera_status* tessera_executable_get_info(
    const tessera_executable* executable, tessera_executable_info* out);
// Errors: OUT_OF_RANGE for an index that no parameter or result has.
TESSERA_EXPORT tessera_status* tessera_executable_parameter(
    const tessera_executable* executable, size_t index,
    tessera_array_info* out);
TESSERA_EXPORT tessera_status* tessera_executable_result(
    const tessera_executable* executable, size_t index,
    tessera_array_info* out);

// The compiled program as HLO text, after all passes.
TESSERA_EXPORT tessera_status* tessera_executable_hlo_text(
    const tessera_executable* executable, tessera_bytes** out);

// What one run does on each device; -1 for what is not known.
typedef struct tessera_costs {
  size_t struct_size;
  double flops;              // floating-point operations
  double transcendentals;    // calls of functions such as exp
  double bytes_accessed;     // read and written by all operations
  double predicted_seconds;  // on one thread
} tessera_costs;
TESSERA_EXPORT tessera_status* tessera_executable_get_costs(
    const tessera_executable* executable, tessera_costs* out);

// The memory that one run needs on each device, in bytes.
typedef struct tessera_program_memory {
  size_t struct_size;
  int64_t argument_bytes;
  int64_t result_bytes;
  int64_t alias_bytes;  // of results in the memory of arguments
  int64_t temporary_bytes;
  int64_t code_bytes;
  int64_t peak_bytes;
} tessera_program_memory;
TESSERA_EXPORT tessera_status* tessera_executable_get_memory(
    const tessera_executable* executable, tessera_program_memory* out);

// ---- Buffers ---------------------------------------------------------------

// How a buffer uses the host's memory.
typedef int32_t tessera_host_memory;
enum {
  // Copies it before the call returns.
  TESSERA_HOST_MEMORY_COPY = 0,
  // Uses it in place if it can, that is if it is aligned to
  // TESSERA_HOST_ALIGNMENT and dense in the order of the device's layout; else
  // copies it. It must not change until `release` is called.
  TESSERA_HOST_MEMORY_BORROW = 1,
  // The same, and a run to which the buffer is donated may write to it.
  TESSERA_HOST_MEMORY_BORROW_MUTABLE = 2
};
#define TESSERA_HOST_ALIGNMENT 64  // bytes

// An array in the host's memory.
typedef struct tessera_host_array {
  size_t struct_size;
  const void* data;  // the element whose indices are 0; NULL if there is none
  tessera_type type;
  int32_t rank;
  const int64_t* dimensions;
  // The distance in bytes between elements along each dimension: any sign or 0.
  // NULL: row-major order without gaps.
  const int64_t* byte_strides;
  // NULL, or the bound of each dynamic dimension, whose size in this array is
  // `dimensions`; 0 for static dimensions. The buffer can be the argument of a
  // parameter with these bounds. Such an array is copied in any case.
  const int64_t* bounds;
  // The order of elements on the device, as in tessera_array_info. NULL:
  // row-major.
  const int64_t* minor_to_major;
  int32_t device;
  tessera_host_memory memory;
  // If set, is called once, with `release_data`, when the data is not needed
  // any more: before tessera_buffer_from_host returns if it was copied,
  // otherwise when the memory of the buffer is freed, on any thread. It is not
  // called if tessera_buffer_from_host fails.
  void (*release)(void* release_data);
  void* release_data;
} tessera_host_array;

// Makes a buffer. Errors: INVALID_ARGUMENT for a description that is no array,
// or a device that is not there; RESOURCE_EXHAUSTED.
TESSERA_EXPORT tessera_status* tessera_buffer_from_host(
    tessera_client* client, const tessera_host_array* array,
    tessera_buffer** out);
// Frees the memory when the runs and copies that use it have ended.
TESSERA_EXPORT void tessera_buffer_destroy(tessera_buffer* buffer);

// What the buffer is; does not wait for its value.
TESSERA_EXPORT tessera_status* tessera_buffer_get_info(
    const tessera_buffer* buffer, tessera_array_info* out);
// Returns the number of its device; -1 for NULL.
TESSERA_EXPORT int32_t tessera_buffer_device(const tessera_buffer* buffer);
// Writes the `rank` sizes of the array to `dimensions`: the actual ones of
// dynamic dimensions, for which it waits until the buffer is ready.
TESSERA_EXPORT tessera_status* tessera_buffer_get_dimensions(
    tessera_buffer* buffer, int64_t* dimensions, size_t rank);
// Returns true if its memory was donated to a run, or freed by
// tessera_buffer_delete; and for NULL.
TESSERA_EXPORT bool tessera_buffer_is_deleted(const tessera_buffer* buffer);
// Frees the memory as tessera_buffer_destroy does. The handle remains.
TESSERA_EXPORT tessera_status* tessera_buffer_delete(tessera_buffer* buffer);
// An event that ends when the buffer has its value, with the run's error if
// that failed.
TESSERA_EXPORT tessera_status* tessera_buffer_ready(tessera_buffer* buffer,
                                                    tessera_event** out);
// Copies the buffer to a device of the same client.
TESSERA_EXPORT tessera_status* tessera_buffer_copy_to_device(
    tessera_buffer* buffer, int32_t device, tessera_buffer** out);

typedef struct tessera_to_host_options {
  size_t struct_size;
  // As in tessera_host_array. All elements must lie in the memory that is
  // given, and no two in the same place.
  const int64_t* byte_strides;
} tessera_to_host_options;

// Copies the elements to `data`, which has `size` bytes. Dynamic arrays have
// their actual sizes. If `done` is NULL, waits for the buffer and the copy;
// otherwise the memory must remain until the event ends, which has the errors
// of the run that makes the buffer. A dynamic array is waited for in any case.
// `options` may be NULL. Errors: INVALID_ARGUMENT for too small a size, strides
// that do not fit, and deleted buffers.
TESSERA_EXPORT tessera_status* tessera_buffer_to_host(
    tessera_buffer* buffer, void* data, size_t size,
    const tessera_to_host_options* options, tessera_event** done);

// Waits for the buffer and returns its own memory, laid out as its info says,
// for reading in place. It stays until tessera_buffer_unmap is called as often
// as this, or the buffer is destroyed; meanwhile a run does not write to it,
// even if the buffer is donated or deleted. `size` may be NULL.
TESSERA_EXPORT tessera_status* tessera_buffer_map(tessera_buffer* buffer,
                                                  const void** data,
                                                  size_t* size);
// Errors: FAILED_PRECONDITION if the buffer is not mapped.
TESSERA_EXPORT tessera_status* tessera_buffer_unmap(tessera_buffer* buffer);

// ---- Runs ------------------------------------------------------------------

typedef struct tessera_execute_options {
  size_t struct_size;
  // The seed of operations that get their random state from the run; 0: a new
  // one for each run.
  uint64_t seed;
  // Parameters whose arguments this run must not take, although the program
  // donates them: it copies instead.
  const int32_t* keep;
  size_t num_keep;
  // What ends the run early; NULL: nothing. Since version 1.1.
  const tessera_cancellation* cancellation;
} tessera_execute_options;

// Runs the program on all its devices and waits for the end. `arguments` are
// those of the first device in the order of the parameters, then those of the
// next device; `results` is filled in the same way. Their numbers are
// num_devices times num_parameters and num_results. `options` may be NULL.
//
// Arguments of donated parameters are used up, even if the run fails later: the
// handles remain, without a value. The others may be used again.
//
// Errors: INVALID_ARGUMENT for arguments whose number, types, dimensions,
// layouts, devices or client are not those of the parameters, that are used up,
// or donated twice; CANCELLED; those of the program and of the runs that made
// the arguments.
TESSERA_EXPORT tessera_status* tessera_execute(
    tessera_executable* executable, tessera_buffer* const* arguments,
    size_t num_arguments, const tessera_execute_options* options,
    tessera_buffer** results, size_t num_results);
// The same without waiting: errors of the program are in the event and in the
// results, which can be the arguments of other runs at once. `done` may be
// NULL.
TESSERA_EXPORT tessera_status* tessera_execute_async(
    tessera_executable* executable, tessera_buffer* const* arguments,
    size_t num_arguments, const tessera_execute_options* options,
    tessera_buffer** results, size_t num_results, tessera_event** done);

// ---- Events ----------------------------------------------------------------

// Waits for the end; returns the error with which the event ended.
TESSERA_EXPORT tessera_status* tessera_event_await(tessera_event* event);
// Returns true if the event ends within that time, for which it waits; at once
// if it has ended or the time is 0 or less. True for NULL.
TESSERA_EXPORT bool tessera_event_wait_for(tessera_event* event,
                                           int64_t nanoseconds);
// Returns true if the event has ended, well or not; and for NULL.
TESSERA_EXPORT bool tessera_event_is_ready(const tessera_event* event);
// Calls `callback` once, with the error, which it must destroy, or NULL: on
// this thread if the event has ended, else on the thread that ends it, which
// may not wait for other events. The event may be destroyed before that.
TESSERA_EXPORT tessera_status* tessera_event_on_ready(
    tessera_event* event, void (*callback)(void* data, tessera_status* status),
    void* data);
TESSERA_EXPORT void tessera_event_destroy(tessera_event* event);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TESSERA_TESSERA_H_
