// The Custom_Partitioner extension of the PJRT C API: callbacks through which
// JAX controls how custom calls are sharded and partitioned.

#ifndef XLA_PJRT_C_PJRT_C_API_CUSTOM_PARTITIONER_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_CUSTOM_PARTITIONER_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PJRT_API_CUSTOM_PARTITIONER_EXTENSION_VERSION 0

// Bytes that their owner keeps alive during a call.
typedef struct JAX_CustomCallPartitioner_string {
  const char* data;
  size_t size;
} JAX_CustomCallPartitioner_string;

// Begins each argument struct. The caller checks the error first, and calls
// `cleanup_fn(data)` when it has read the results.
typedef struct JAX_CustomCallPartitioner_version_and_error {
  int64_t api_version;
  void* data;                                  // out
  void (*cleanup_fn)(void* data);              // out
  bool has_error;                              // out
  PJRT_Error_Code code;                        // out
  JAX_CustomCallPartitioner_string error_msg;  // out
} JAX_CustomCallPartitioner_version_and_error;

// A serialized ShapeProto and optionally a serialized OpSharding.
typedef struct JAX_CustomCallPartitioner_aval {
  JAX_CustomCallPartitioner_string shape;
  bool has_sharding;
  JAX_CustomCallPartitioner_string sharding;
} JAX_CustomCallPartitioner_aval;

// Asks for the module that one partition runs in place of the call.
typedef struct JAX_CustomCallPartitioner_Partition_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval* op_args;
  JAX_CustomCallPartitioner_aval op_result;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string mlir_module;      // out
  JAX_CustomCallPartitioner_string* args_sharding;   // out
  JAX_CustomCallPartitioner_string result_sharding;  // out
} JAX_CustomCallPartitioner_Partition_Args;

// Asks for the sharding of the result, given those of the operands.
typedef struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval* op_args;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string backend_config;
  bool has_result_sharding;                          // out
  JAX_CustomCallPartitioner_string result_sharding;  // out
} JAX_CustomCallPartitioner_InferShardingFromOperands_Args;

// Asks for the sharding of the operand, given what a user of the result
// requires.
typedef struct JAX_CustomCallPartitioner_PropagateUserSharding_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string result_sharding;  // in and out
} JAX_CustomCallPartitioner_PropagateUserSharding_Args;

// `dtor` frees the callbacks, which live as long as the process.
typedef struct JAX_CustomCallPartitioner_Callbacks
    JAX_CustomCallPartitioner_Callbacks;
struct JAX_CustomCallPartitioner_Callbacks {
  int64_t version;
  void* private_data;
  void (*dtor)(JAX_CustomCallPartitioner_Callbacks* data);
  void (*partition)(JAX_CustomCallPartitioner_Callbacks* data,
                    JAX_CustomCallPartitioner_Partition_Args* args);
  void (*infer_sharding)(
      JAX_CustomCallPartitioner_Callbacks* data,
      JAX_CustomCallPartitioner_InferShardingFromOperands_Args* args);
  void (*propagate_user_sharding)(
      JAX_CustomCallPartitioner_Callbacks* data,
      JAX_CustomCallPartitioner_PropagateUserSharding_Args* args);
  bool can_side_effecting_have_replicated_sharding;
};

struct PJRT_Register_Custom_Partitioner_Args {
  size_t struct_size;
  const char* name;
  size_t name_size;
  JAX_CustomCallPartitioner_Callbacks* callbacks;
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Register_Custom_Partitioner_Args, callbacks);
// Registers callbacks for custom calls of target `name` and takes ownership.
typedef PJRT_Error* PJRT_Register_Custom_Partitioner(
    PJRT_Register_Custom_Partitioner_Args* args);

struct PJRT_Register_Batch_Partitionable_Args {
  size_t struct_size;
  const char* name;
  size_t name_size;
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Register_Batch_Partitionable_Args, name_size);
// Declares that custom calls of target `name` treat all leading dimensions
// alike.
typedef PJRT_Error* PJRT_Register_Batch_Partitionable(
    PJRT_Register_Batch_Partitionable_Args* args);

struct PJRT_Custom_Partitioner_Extension {
  PJRT_Extension_Base base;
  PJRT_Register_Custom_Partitioner* register_custom_partitioner;
  PJRT_Register_Batch_Partitionable* register_batch_partitionable;
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Custom_Partitioner_Extension,
                          register_batch_partitionable);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_CUSTOM_PARTITIONER_EXTENSION_H_
