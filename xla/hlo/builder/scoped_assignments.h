// Builder settings that last for a scope.
#ifndef XLA_HLO_BUILDER_SCOPED_ASSIGNMENTS_H_
#define XLA_HLO_BUILDER_SCOPED_ASSIGNMENTS_H_

#include <optional>
#include <utility>

#include "xla/hlo/builder/builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Each sets a value on construction and restores the previous one on
// destruction. The builder must outlive it.
class XlaScopedShardingAssignment {
 public:
  XlaScopedShardingAssignment(XlaBuilder* builder,
                              std::optional<OpSharding> sharding)
      : builder_(builder), saved_(builder->SwapSharding(std::move(sharding))) {}
  ~XlaScopedShardingAssignment() { builder_->SwapSharding(std::move(saved_)); }
  XlaScopedShardingAssignment(const XlaScopedShardingAssignment&) = delete;
  XlaScopedShardingAssignment& operator=(const XlaScopedShardingAssignment&) =
      delete;

 private:
  XlaBuilder* const builder_;
  std::optional<OpSharding> saved_;
};

class XlaScopedFrontendAttributesAssignment {
 public:
  XlaScopedFrontendAttributesAssignment(XlaBuilder* builder,
                                        FrontendAttributes attributes)
      : builder_(builder),
        saved_(builder->SwapFrontendAttributes(attributes)) {}
  ~XlaScopedFrontendAttributesAssignment() {
    builder_->SetFrontendAttributes(saved_);
  }
  XlaScopedFrontendAttributesAssignment(
      const XlaScopedFrontendAttributesAssignment&) = delete;
  XlaScopedFrontendAttributesAssignment& operator=(
      const XlaScopedFrontendAttributesAssignment&) = delete;

 private:
  XlaBuilder* const builder_;
  FrontendAttributes saved_;
};

class XlaScopedOpMetadataAssignment {
 public:
  XlaScopedOpMetadataAssignment(XlaBuilder* builder, OpMetadata metadata)
      : builder_(builder),
        saved_(builder->SwapOpMetadata(std::move(metadata))) {}
  ~XlaScopedOpMetadataAssignment() {
    builder_->SwapOpMetadata(std::move(saved_));
  }
  XlaScopedOpMetadataAssignment(const XlaScopedOpMetadataAssignment&) = delete;
  XlaScopedOpMetadataAssignment& operator=(
      const XlaScopedOpMetadataAssignment&) = delete;

 private:
  XlaBuilder* const builder_;
  OpMetadata saved_;
};

class XlaScopedOriginalValueAssignment {
 public:
  XlaScopedOriginalValueAssignment(
      XlaBuilder* builder, const std::optional<OriginalValueProto>& value)
      : builder_(builder), saved_(builder->original_value()) {
    Set(value);
  }
  ~XlaScopedOriginalValueAssignment() { Set(saved_); }
  XlaScopedOriginalValueAssignment(const XlaScopedOriginalValueAssignment&) =
      delete;
  XlaScopedOriginalValueAssignment& operator=(
      const XlaScopedOriginalValueAssignment&) = delete;

 private:
  void Set(const std::optional<OriginalValueProto>& value) {
    if (value.has_value()) {
      builder_->SetOriginalValue(*value);
    } else {
      builder_->ClearOriginalValue();
    }
  }

  XlaBuilder* const builder_;
  std::optional<OriginalValueProto> saved_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_SCOPED_ASSIGNMENTS_H_
