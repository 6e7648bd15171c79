// The Custom_Partitioner extension: makes JAX's callbacks CustomPartitioners,
// which sharding propagation and the partitioner call.
#include "xla/hlo/transforms/sharding/custom_partitioner.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/extensions/inspect_sharding.h"
#include "xla/pjrt/c/pjrt_c_api_custom_partitioner_extension.h"
#include "xla/program/program_bytes.h"

namespace xla::pjrt {
namespace {

using JaxString = JAX_CustomCallPartitioner_string;

JaxString Borrow(absl::string_view text) { return {text.data(), text.size()}; }

absl::string_view View(const JaxString& text) {
  return text.data == nullptr ? absl::string_view()
                              : absl::string_view(text.data, text.size);
}

absl::StatusOr<OpSharding> ReadSharding(const JaxString& bytes) {
  OpSharding sharding;
  if (sharding.ParseFromString(std::string(View(bytes)))) return sharding;
  return absl::InvalidArgumentError(
      "the partitioner's sharding is no serialized OpSharding");
}

// The shape and sharding of an array, and the bytes to which an `aval` points.
class Aval {
 public:
  Aval(const Shape& shape, const OpSharding& sharding)
      : shape_(shape.ToProto().SerializeAsString()),
        sharding_(sharding.SerializeAsString()) {}

  JAX_CustomCallPartitioner_aval Get() const {
    return {Borrow(shape_), /*has_sharding=*/true, Borrow(sharding_)};
  }

 private:
  std::string shape_;
  std::string sharding_;
};

struct Avals {
  std::vector<Aval> owners;
  std::vector<JAX_CustomCallPartitioner_aval> list;
};

Avals AvalsOf(const HloInstruction& call,
              absl::Span<const OpSharding> shardings) {
  Avals avals;
  avals.owners.reserve(shardings.size());  // Short strings move with these.
  for (size_t i = 0; i < shardings.size(); ++i) {
    avals.owners.emplace_back(call.operand(i)->shape(), shardings[i]);
    avals.list.push_back(avals.owners.back().Get());
  }
  return avals;
}

// Frees the results of a callback at the end of its scope.
template <typename Args>
class CallbackScope {
 public:
  explicit CallbackScope(Args& args) : header_(args.header) {}
  ~CallbackScope() {
    if (header_.cleanup_fn != nullptr) header_.cleanup_fn(header_.data);
  }
  absl::Status status() const {
    if (!header_.has_error) return absl::OkStatus();
    const auto code = static_cast<absl::StatusCode>(header_.code);
    return absl::Status(
        code == absl::StatusCode::kOk ? absl::StatusCode::kInternal : code,
        View(header_.error_msg));
  }

 private:
  JAX_CustomCallPartitioner_version_and_error& header_;
};

class JaxPartitioner final : public CustomPartitioner {
 public:
  explicit JaxPartitioner(JAX_CustomCallPartitioner_Callbacks* callbacks)
      : callbacks_(callbacks) {}
  JaxPartitioner(const JaxPartitioner&) = delete;
  JaxPartitioner& operator=(const JaxPartitioner&) = delete;
  ~JaxPartitioner() override {
    if (callbacks_->dtor != nullptr) callbacks_->dtor(callbacks_);
  }

  absl::StatusOr<Division> Divide(const HloInstruction& call,
                                  absl::Span<const OpSharding> operands,
                                  const OpSharding& result) const override {
    if (callbacks_->partition == nullptr) return Missing("partition");
    Avals avals = AvalsOf(call, operands);
    const Aval result_aval(call.shape(), result);
    JAX_CustomCallPartitioner_Partition_Args args = {};
    args.num_args = avals.list.size();
    args.op_args = avals.list.data();
    args.op_result = result_aval.Get();
    args.backend_config = Borrow(call.raw_backend_config_string());
    const CallbackScope scope(args);
    callbacks_->partition(callbacks_, &args);
    TF_RETURN_IF_ERROR(scope.status());
    if (args.args_sharding == nullptr && !operands.empty()) {
      return absl::InvalidArgumentError(
          "the partitioner gives its operands no shardings");
    }
    Division division;
    TF_ASSIGN_OR_RETURN(division.program,
                        ParseProgramBytes(View(args.mlir_module)));
    for (size_t i = 0; i < operands.size(); ++i) {
      TF_ASSIGN_OR_RETURN(division.operands.emplace_back(),
                          ReadSharding(args.args_sharding[i]));
    }
    TF_ASSIGN_OR_RETURN(division.result, ReadSharding(args.result_sharding));
    return division;
  }

  absl::StatusOr<std::optional<OpSharding>> InferResult(
      const HloInstruction& call,
      absl::Span<const OpSharding> operands) const override {
    if (callbacks_->infer_sharding == nullptr) return Missing("infer_sharding");
    Avals avals = AvalsOf(call, operands);
    const std::string shape = call.shape().ToProto().SerializeAsString();
    JAX_CustomCallPartitioner_InferShardingFromOperands_Args args = {};
    args.num_args = avals.list.size();
    args.op_args = avals.list.data();
    args.result_shape = Borrow(shape);
    args.backend_config = Borrow(call.raw_backend_config_string());
    const CallbackScope scope(args);
    callbacks_->infer_sharding(callbacks_, &args);
    TF_RETURN_IF_ERROR(scope.status());
    if (!args.has_result_sharding) return std::nullopt;
    return ReadSharding(args.result_sharding);
  }

 private:
  static absl::Status Missing(absl::string_view callback) {
    return absl::InvalidArgumentError(
        absl::StrCat("the partitioner has no callback ", callback));
  }

  JAX_CustomCallPartitioner_Callbacks* const callbacks_;
};

// Returns the owner of the callbacks, whose destructor is called once, however
// often they are registered.
std::shared_ptr<const CustomPartitioner> OwnerOf(
    JAX_CustomCallPartitioner_Callbacks* callbacks) {
  struct Owners {
    std::mutex mutex;  // guards all members
    absl::flat_hash_map<JAX_CustomCallPartitioner_Callbacks*,
                        std::weak_ptr<const JaxPartitioner>>
        by_callbacks;
  };
  static auto* const owners = new Owners;
  std::lock_guard<std::mutex> lock(owners->mutex);
  std::weak_ptr<const JaxPartitioner>& known = owners->by_callbacks[callbacks];
  std::shared_ptr<const JaxPartitioner> owner = known.lock();
  if (owner == nullptr) {
    owner = std::make_shared<const JaxPartitioner>(callbacks);
    known = owner;
  }
  return owner;
}

absl::Status Register(PJRT_Register_Custom_Partitioner_Args& args) {
  TF_ASSIGN_OR_RETURN(absl::string_view name,
                      StringArgument(args.name, args.name_size, "name"));
  TF_RETURN_IF_ERROR(CheckPointer(args.callbacks, "callbacks"));
  if (args.callbacks->version != 0) {
    return absl::UnimplementedError(
        absl::StrCat("callbacks of version ", args.callbacks->version));
  }
  RegisterCustomPartitioner(name, OwnerOf(args.callbacks));
  return absl::OkStatus();
}

// There is nothing to keep: a call says how many leading dimensions are a batch
// (num_batch_dims, or a sharding rule), whatever its target.
absl::Status RegisterBatch(PJRT_Register_Batch_Partitionable_Args& args) {
  return StringArgument(args.name, args.name_size, "name").status();
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
  SetShardingInspector(CallInspector);
  return &extension.base;
}

}  // namespace xla::pjrt
