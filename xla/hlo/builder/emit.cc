// Adds ops and keeps errors in the builder.
#include "xla/hlo/builder/emit.h"

#include <utility>

#include "xla/base/status_macros.h"

namespace xla {
namespace builder_internal {

XlaBuilder* BuilderOf(absl::Span<const XlaOp> ops) {
  for (const XlaOp& op : ops) {
    if (!op.IsUninitialized()) return op.builder();
  }
  return nullptr;
}

XlaOp Emit(XlaBuilder* builder,
           absl::FunctionRef<absl::StatusOr<XlaOp>(XlaBuilder&)> make) {
  if (builder == nullptr) return XlaOp();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_RETURN_IF_ERROR(builder->first_error());
    return make(*builder);
  });
}

XlaOp EmitOp(HloOpcode opcode, absl::Span<const XlaOp> operands, Attrs attrs,
             absl::Span<const CalledComputation> computations,
             const Shape* declared) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& builder) {
    return builder.AddOp(opcode, operands, std::move(attrs), computations,
                         declared);
  });
}

absl::StatusOr<XlaOp> Done(const XlaBuilder& builder, XlaOp op) {
  TF_RETURN_IF_ERROR(builder.first_error());
  return op;
}

std::vector<XlaOp> Joined(
    std::initializer_list<absl::Span<const XlaOp>> operands) {
  std::vector<XlaOp> joined;
  for (absl::Span<const XlaOp> part : operands) {
    joined.insert(joined.end(), part.begin(), part.end());
  }
  return joined;
}

}  // namespace builder_internal
}  // namespace xla
