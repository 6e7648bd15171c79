// The C interface of programs that `tessera compile` made (docs/
// ahead-of-time.md). It needs neither the compiler nor C++.
//
//   #include "net.h"
//
//   _Alignas(NET_ALIGNMENT) static char arena[NET_ARENA_BYTES];
//   tessera_aot_instance* instance;
//   if (net_load(NULL, &instance) == TESSERA_AOT_OK) {
//     net(instance, x, y, arena);
//     tessera_aot_unload(instance);
//   }
//
// Arrays are dense, row-major unless the program's entry computation layout
// says otherwise, one byte or more an element: PRED, and types below 8 bits,
// take a byte, whose other bits are 0. Tuples of arguments and results are
// flattened.
#ifndef TESSERA_AOT_H_
#define TESSERA_AOT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(TESSERA_AOT_BUILD)
#define TESSERA_AOT_API __attribute__((visibility("default"), used, retain))
#else
#define TESSERA_AOT_API
#endif

/* The version of this interface: 1000 * major + minor. A later minor version
 * only adds to it; programs run with a runtime whose major version is theirs
 * and whose minor version is theirs or later. */
#define TESSERA_AOT_VERSION 1000

/* Memory that programs write, the arena and results, and the constants begin at
 * multiples of this number of bytes; so do arguments. */
#define TESSERA_AOT_ALIGNMENT 64

/* The numbers are those of absl::StatusCode. */
typedef enum tessera_aot_status {
  TESSERA_AOT_OK = 0,
  /* A null pointer, memory that is not aligned or too small, wrong constants.
   */
  TESSERA_AOT_INVALID_ARGUMENT = 3,
  /* Memory is exhausted. */
  TESSERA_AOT_RESOURCE_EXHAUSTED = 8,
  /* The processor lacks instructions that the program needs, or the runtime is
   * older than the program. */
  TESSERA_AOT_FAILED_PRECONDITION = 9,
  /* A feature that this runtime does not have. */
  TESSERA_AOT_UNIMPLEMENTED = 12,
  /* The object is damaged. */
  TESSERA_AOT_INTERNAL = 13
} tessera_aot_status;

/* A program as its object file has it. Immutable. */
typedef struct tessera_aot_program tessera_aot_program;
/* A program that is ready to run: its constants, packed for this processor, and
 * its plan. Immutable, so threads may run it at the same time, each with an
 * arena of its own. */
typedef struct tessera_aot_instance tessera_aot_instance;

/* The threads of the caller, which run the loops of a program. */
typedef struct tessera_aot_threads {
  size_t struct_size; /* sizeof(tessera_aot_threads) */
  void* pool;         /* passed to parallel_for */
  /* The most threads that run bodies at a time, at least one. Results do not
   * depend on it. */
  int32_t num_threads;
  /* Calls body(context, i) once for each i in [0, count), in any order and on
   * any threads, the calling one among them, and returns when all calls have
   * returned. Bodies may call it again; it may then run all on their thread. */
  void (*parallel_for)(void* pool, int64_t count,
                       void (*body)(void* context, int64_t i), void* context);
} tessera_aot_threads;

typedef struct tessera_aot_options {
  size_t struct_size; /* sizeof(tessera_aot_options) */
  /* Null: loops run on the calling thread. Copied. */
  const tessera_aot_threads* threads;
  /* The constants of a program whose constants are in a file of their own, for
   * example the memory of tessera_aot_map_file. Borrowed until the instance is
   * unloaded. */
  const void* constants;
  size_t constants_bytes;
  /* If not null, the instance lies in this memory, and loading calls no
   * malloc; NAME_LOAD_BYTES of a program's header suffice. Borrowed. */
  void* memory;
  size_t memory_bytes;
  /* If not null, an error's message is written here, with a zero at its end,
   * cut off if it is longer. */
  char* message;
  size_t message_bytes;
} tessera_aot_options;

/* Makes a program ready to run, with the code of the best instruction set that
 * this processor has. `options` may be null. Thread safe. Errors: those named
 * above; then *instance is null. */
TESSERA_AOT_API tessera_aot_status tessera_aot_load(
    const tessera_aot_program* program, const tessera_aot_options* options,
    tessera_aot_instance** instance);

/* Frees an instance, which may be null, and which nobody runs. */
TESSERA_AOT_API void tessera_aot_unload(tessera_aot_instance* instance);

/* Runs a program: reads arguments[i], of tessera_aot_argument(i)->bytes each,
 * and writes results[i]. A result may lie in the memory of the argument that
 * its `alias` names; apart from that memory does not overlap. `arena` has
 * tessera_aot_arena_bytes(instance) bytes, which need not be initialized and
 * hold nothing afterwards. Does not allocate. Thread safe. Errors:
 * INVALID_ARGUMENT, before anything is written. */
TESSERA_AOT_API tessera_aot_status tessera_aot_run(
    const tessera_aot_instance* instance, const void* const* arguments,
    void* const* results, void* arena);

TESSERA_AOT_API size_t
tessera_aot_arena_bytes(const tessera_aot_instance* instance);
/* The bytes that the instance takes, with all that loading allocated, if its
 * memory was given; else 0. */
TESSERA_AOT_API size_t
tessera_aot_load_bytes(const tessera_aot_instance* instance);
/* The instruction sets of the code that it runs, as LLVM names them, separated
 * by commas: "avx2,fma". Empty for the least of the architecture. */
TESSERA_AOT_API const char* tessera_aot_features(
    const tessera_aot_instance* instance);

/* An argument or a result. */
typedef struct tessera_aot_array {
  const char* name; /* of the parameter; "" for results */
  int32_t type;     /* the number in XLA's enum PrimitiveType: 11 is F32 */
  int32_t rank;
  const int64_t* dimensions; /* `rank` of them */
  size_t bytes;
  /* Of a result: the number of the argument in whose memory it may lie; -1 if
   * there is none. */
  int32_t alias;
  /* Whether the elements are in row-major order. */
  int32_t row_major;
} tessera_aot_array;

TESSERA_AOT_API const char* tessera_aot_name(const tessera_aot_program*);
TESSERA_AOT_API int32_t
tessera_aot_num_arguments(const tessera_aot_program* program);
TESSERA_AOT_API int32_t
tessera_aot_num_results(const tessera_aot_program* program);
/* Null if there is no array of this number. */
TESSERA_AOT_API const tessera_aot_array* tessera_aot_argument(
    const tessera_aot_program* program, int32_t number);
TESSERA_AOT_API const tessera_aot_array* tessera_aot_result(
    const tessera_aot_program* program, int32_t number);
/* The size of the file of constants; 0 if the program has none, or has them
 * itself. */
TESSERA_AOT_API size_t
tessera_aot_constants_bytes(const tessera_aot_program* program);

/* Maps a file into memory for reading. *data is null for an empty file, which
 * programs without constants have. Errors: INVALID_ARGUMENT if it is no file
 * that can be read; RESOURCE_EXHAUSTED. */
TESSERA_AOT_API tessera_aot_status tessera_aot_map_file(const char* path,
                                                        const void** data,
                                                        size_t* bytes);
TESSERA_AOT_API void tessera_aot_unmap_file(const void* data, size_t bytes);

/* TESSERA_AOT_VERSION of the runtime. */
TESSERA_AOT_API int32_t tessera_aot_version(void);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_AOT_H_ */
