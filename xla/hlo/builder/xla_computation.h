// XlaComputation: what XlaBuilder::Build returns, a program in proto form.
#ifndef XLA_HLO_BUILDER_XLA_COMPUTATION_H_
#define XLA_HLO_BUILDER_XLA_COMPUTATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// A value; copies copy the proto. Thread safe for readers.
class XlaComputation {
 public:
  // Holds no program.
  XlaComputation() = default;
  XlaComputation(HloModuleProto proto);  // NOLINT
  XlaComputation(const XlaComputation&) = default;
  XlaComputation& operator=(const XlaComputation&) = default;
  XlaComputation(XlaComputation&& other) noexcept { *this = std::move(other); }
  XlaComputation& operator=(XlaComputation&& other) noexcept {
    unique_id_ = std::exchange(other.unique_id_, -1);
    content_id_ = std::exchange(other.content_id_, 0);
    proto_ = std::exchange(other.proto_, HloModuleProto());
    return *this;
  }

  // Errors: InvalidArgument if there is no program, or it is malformed.
  absl::StatusOr<ProgramShape> GetProgramShape() const;

  const std::string& name() const { return proto_.name(); }
  const HloModuleProto& proto() const { return proto_; }
  HloModuleProto* mutable_proto() {
    content_id_ = 0;
    return &proto_;
  }

  // Returns a snapshot with only the program. Errors: as GetProgramShape.
  absl::StatusOr<std::unique_ptr<HloSnapshot>> Snapshot() const;

  bool IsNull() const { return unique_id_ == -1; }
  // Return the id of the proto.
  int64_t unique_id() const { return unique_id_; }
  int64_t UniqueId() const { return unique_id_; }

  // Equal ids other than 0 mean equal programs, so a builder need not read a
  // program twice.
  int64_t content_id() const { return content_id_; }

 private:
  int64_t unique_id_ = -1;
  int64_t content_id_ = 0;
  HloModuleProto proto_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_XLA_COMPUTATION_H_
