// The Custom_Partitioner extension: stores what JAX registers. Nothing calls
// the partitioners: programs of several partitions compute values whole on each
// device unless the program says otherwise.
#include <mutex>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_custom_partitioner_extension.h"

namespace xla::pjrt {
namespace {

struct Registry {
  std::mutex mutex;  // guards all members
  absl::flat_hash_map<std::string, JAX_CustomCallPartitioner_Callbacks*>
      partitioners;
  absl::flat_hash_set<std::string> batch_partitionable;
};

Registry& GlobalRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

absl::Status Register(PJRT_Register_Custom_Partitioner_Args& args) {
  TF_ASSIGN_OR_RETURN(absl::string_view name,
                      StringArgument(args.name, args.name_size, "name"));
  TF_RETURN_IF_ERROR(CheckPointer(args.callbacks, "callbacks"));
  JAX_CustomCallPartitioner_Callbacks* old = args.callbacks;
  {
    Registry& registry = GlobalRegistry();
    std::lock_guard<std::mutex> lock(registry.mutex);
    const auto [it, inserted] = registry.partitioners.try_emplace(name, old);
    if (inserted) return absl::OkStatus();
    std::swap(it->second, old);
  }
  if (old != args.callbacks && old->dtor != nullptr) old->dtor(old);
  return absl::OkStatus();
}

absl::Status RegisterBatch(PJRT_Register_Batch_Partitionable_Args& args) {
  TF_ASSIGN_OR_RETURN(absl::string_view name,
                      StringArgument(args.name, args.name_size, "name"));
  Registry& registry = GlobalRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.batch_partitionable.emplace(name);
  return absl::OkStatus();
}

}  // namespace

PJRT_Extension_Base* CustomPartitionerExtension(PJRT_Extension_Base* next) {
  static PJRT_Custom_Partitioner_Extension extension = {
      {PJRT_Custom_Partitioner_Extension_STRUCT_SIZE,
       PJRT_Extension_Type_Custom_Partitioner, nullptr},
      Function<"PJRT_Register_Custom_Partitioner",
               PJRT_Register_Custom_Partitioner_Args_STRUCT_SIZE,
               Register>::Call,
      Function<"PJRT_Register_Batch_Partitionable",
               PJRT_Register_Batch_Partitionable_Args_STRUCT_SIZE,
               RegisterBatch>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
