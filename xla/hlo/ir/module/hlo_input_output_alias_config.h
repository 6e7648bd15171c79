// HloInputOutputAliasConfig and HloBufferDonorConfig: which results of a module
// may take over the memory of parameters.
#ifndef XLA_HLO_IR_MODULE_HLO_INPUT_OUTPUT_ALIAS_CONFIG_H_
#define XLA_HLO_IR_MODULE_HLO_INPUT_OUTPUT_ALIAS_CONFIG_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;

// Pairs leaves of the result with leaves of parameters. Holds the proto, which
// a reader may fill with pairs that do not exist; the verifier reports those.
// A lookup reads all pairs. Not thread safe.
class HloInputOutputAliasConfig {
 public:
  enum AliasKind {
    kMayAlias,   // if the caller donates the buffer
    kMustAlias,  // the caller has to donate it
  };
  struct Alias {
    Alias(int64_t parameter_number, ShapeIndex parameter_index,
          AliasKind kind = kMayAlias)
        : parameter_number(parameter_number),
          parameter_index(std::move(parameter_index)),
          kind(kind) {}

    bool must_alias() const { return kind == kMustAlias; }
    // "(0, {1}, may-alias)".
    std::string ToString() const;
    friend bool operator==(const Alias& a, const Alias& b) {
      return a.parameter_number == b.parameter_number &&
             a.parameter_index == b.parameter_index && a.kind == b.kind;
    }
    friend bool operator!=(const Alias& a, const Alias& b) { return !(a == b); }

    int64_t parameter_number;
    ShapeIndex parameter_index;
    AliasKind kind;
  };
  using AliasFn = absl::FunctionRef<void(const ShapeIndex&, const Alias&)>;
  using AliasFnWithStatus =
      absl::FunctionRef<absl::Status(const ShapeIndex&, const Alias&)>;

  HloInputOutputAliasConfig() = default;
  explicit HloInputOutputAliasConfig(Shape output_shape)
      : shape_(std::move(output_shape)) {}

  // Errors: Internal if the result has no such leaf, a negative parameter
  // number, or an output that has a parameter already.
  absl::Status SetUpAlias(const ShapeIndex& output_index, int64_t param_number,
                          const ShapeIndex& param_index,
                          AliasKind must_alias = kMayAlias);

  bool ParameterHasAlias(int64_t param_number,
                         const ShapeIndex& param_index) const {
    return GetAliasedOutput(param_number, param_index).has_value();
  }
  bool ParameterMustAlias(int64_t param_number,
                          const ShapeIndex& param_index) const;
  bool OutputHasAlias(const ShapeIndex& output_index) const {
    return GetAliasedParameter(output_index).has_value();
  }
  std::optional<ShapeIndex> GetAliasedOutput(
      int64_t param_number, const ShapeIndex& param_index) const;
  std::optional<Alias> GetAliasedParameter(
      const ShapeIndex& output_index) const;

  // In the order of the outputs' indices.
  void ForEachAlias(AliasFn fn) const;
  absl::Status ForEachAliasWithStatus(AliasFnWithStatus fn) const;

  const HloInputOutputAliasProto& proto() const { return proto_; }
  HloInputOutputAliasProto& mutable_proto() { return proto_; }
  HloInputOutputAliasProto ToProto() const { return proto_; }
  // Errors: those of SetUpAlias.
  static absl::StatusOr<HloInputOutputAliasConfig> CreateFromProto(
      Shape output_shape, const HloInputOutputAliasProto& proto);

  // Checks that both sides exist in the module, that they have the same size
  // and that no parameter is used twice. Errors: Internal.
  absl::Status Verify(const HloModule& module,
                      absl::FunctionRef<int64_t(const Shape&)> size_func) const;

  // The shape of the result.
  const Shape& shape() const { return shape_; }
  void set_shape(Shape shape) { shape_ = std::move(shape); }
  // A line for each pair; the attribute of HLO text.
  std::string ToString() const;
  std::string ToShortString() const;

 private:
  Shape shape_;
  HloInputOutputAliasProto proto_;
};

// Leaves of parameters whose memory any result of the same size may take over.
// Not thread safe.
class HloBufferDonorConfig {
 public:
  struct BufferDonor {
    BufferDonor(int64_t param_number, ShapeIndex param_index)
        : param_number(param_number), param_index(std::move(param_index)) {}

    bool operator==(const BufferDonor& other) const {
      return Key() == other.Key();
    }
    bool operator<(const BufferDonor& other) const {
      return Key() < other.Key();
    }
    bool operator>(const BufferDonor& other) const { return other < *this; }
    bool operator<=(const BufferDonor& other) const { return !(other < *this); }
    bool operator>=(const BufferDonor& other) const { return !(*this < other); }
    template <typename H>
    friend H AbslHashValue(H h, const BufferDonor& donor) {
      return H::combine(std::move(h), donor.param_number, donor.param_index);
    }

    int64_t param_number;
    ShapeIndex param_index;

   private:
    std::tuple<const int64_t&, const ShapeIndex&> Key() const {
      return std::tie(param_number, param_index);
    }
  };

  HloBufferDonorConfig() = default;

  // Errors: Internal for a negative parameter number.
  absl::Status AddBufferDonor(int64_t param_number,
                              const ShapeIndex& param_index);
  absl::Status RemoveBufferDonor(int64_t param_number,
                                 const ShapeIndex& param_index);
  bool ParameterIsBufferDonor(int64_t param_number,
                              const ShapeIndex& param_index) const;
  absl::btree_set<BufferDonor> buffer_donor() const;

  const HloBufferDonorProto& proto() const { return proto_; }
  HloBufferDonorProto& mutable_proto() { return proto_; }
  HloBufferDonorProto ToProto() const { return proto_; }
  static absl::StatusOr<HloBufferDonorConfig> CreateFromProto(
      const HloBufferDonorProto& proto);

  // Checks that the leaves exist and share memory with no result by the
  // module's HloInputOutputAliasConfig. Errors: Internal.
  absl::Status Verify(const HloModule& module) const;

  std::string ToString() const;
  std::string ToShortString() const;

 private:
  HloBufferDonorProto proto_;
};

std::ostream& operator<<(std::ostream& out,
                         const HloInputOutputAliasConfig& config);
std::ostream& operator<<(std::ostream& out, const HloBufferDonorConfig& config);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_HLO_INPUT_OUTPUT_ALIAS_CONFIG_H_
