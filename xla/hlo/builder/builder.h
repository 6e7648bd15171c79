// XlaBuilder collects the ops of one computation and then builds it. The
// functions that add ops (Add, Reshape, ...) are in ops/; clients include
// xla_builder.h for everything.
#ifndef XLA_HLO_BUILDER_BUILDER_H_
#define XLA_HLO_BUILDER_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/hlo/ir/module/hlo_input_output_alias_config.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloInstruction;
class HloModule;

// The first error of an op is kept until Build; ops after it are invalid. Rules
// of the builder itself: builder_c1 to builder_c8. Not thread safe.
class XlaBuilder {
 public:
  // The dimensions of CreateDefaultConvDimensionNumbers.
  static constexpr int64_t kConvBatchDimension = 0;
  static constexpr int64_t kConvFeatureDimension = 1;
  static constexpr int64_t kConvFirstSpatialDimension = 2;
  static constexpr int64_t kConvSecondSpatialDimension = 3;
  static constexpr int64_t kConvKernelOutputDimension = 0;
  static constexpr int64_t kConvKernelInputDimension = 1;
  static constexpr int64_t kConvKernelFirstSpatialDimension = 2;
  static constexpr int64_t kConvKernelSecondSpatialDimension = 3;

  // Returns batch, feature, spatial...; for the kernel output feature, input
  // feature, spatial....
  static ConvolutionDimensionNumbers CreateDefaultConvDimensionNumbers(
      int num_spatial_dims = 2);
  // Errors: convolution_dimension_numbers_c1 to _c3.
  static absl::Status Validate(const ConvolutionDimensionNumbers& dnum);

  explicit XlaBuilder(const std::string& computation_name);
  virtual ~XlaBuilder();
  XlaBuilder(const XlaBuilder&) = delete;
  XlaBuilder& operator=(const XlaBuilder&) = delete;

  const std::string& name() const { return name_; }

  // These set what each instruction added from now on carries. The one-shot
  // metadata goes to the next instruction only, in place of the other. A
  // sharding must fit the shape; of a tuple, one for all leaves does. A tuple
  // has the original values of its elements instead, and an element its part.
  void SetOpMetadata(OpMetadata metadata) { metadata_ = std::move(metadata); }
  void SetOneShotOpMetadata(OpMetadata metadata) {
    one_shot_metadata_ = std::move(metadata);
  }
  void ClearOpMetadata() { metadata_.Clear(); }
  OpMetadata SwapOpMetadata(OpMetadata metadata) {
    return std::exchange(metadata_, std::move(metadata));
  }
  const std::optional<OpSharding>& sharding() const { return sharding_; }
  void SetSharding(const OpSharding& sharding) { sharding_ = sharding; }
  void ClearSharding() { sharding_.reset(); }
  std::optional<OpSharding> SwapSharding(std::optional<OpSharding> sharding) {
    return std::exchange(sharding_, std::move(sharding));
  }
  const FrontendAttributes& frontend_attributes() const {
    return frontend_attributes_;
  }
  virtual void SetFrontendAttributes(const FrontendAttributes& attributes) {
    frontend_attributes_ = attributes;
  }
  void ClearFrontendAttributes() { frontend_attributes_.Clear(); }
  FrontendAttributes SwapFrontendAttributes(
      const FrontendAttributes& attributes) {
    return std::exchange(frontend_attributes_, attributes);
  }
  const std::optional<OriginalValueProto>& original_value() const {
    return original_value_;
  }
  void SetOriginalValue(const OriginalValueProto& original_value) {
    original_value_ = original_value;
  }
  void ClearOriginalValue() { original_value_.reset(); }

  // Aborts at an error instead of keeping it.
  void set_die_immediately_on_error(bool enabled) {
    die_immediately_on_error_ = enabled;
  }

  // Returns a builder for a computation that ops of this one will call. This
  // one must outlive it.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(
      const std::string& computation_name);
  // Moves the computation of a builder from CreateSubBuilder into its parent.
  absl::StatusOr<XlaComputationId> BuildSubComputation(
      std::optional<XlaOp> root = std::nullopt,
      bool remove_dynamic_dimensions = false);
  // Adds a built computation. An error is kept and gives an invalid id.
  XlaComputationId AddSubComputation(const XlaComputation& computation);

  // Returns the computation of the ops so far, which leave the builder; its
  // root is the last op unless one is given. remove_dynamic_dimensions makes
  // all shapes static at their bounds. Errors: the first error of an op;
  // builder_c3 to builder_c6.
  absl::StatusOr<XlaComputation> Build(bool remove_dynamic_dimensions = false);
  absl::StatusOr<XlaComputation> Build(XlaOp root,
                                       bool remove_dynamic_dimensions = false);
  // Returns a program whose entry is a computation added before. Ops stay here.
  absl::StatusOr<XlaComputation> Build(XlaComputationId entry_id);
  // Like Build, for a builder from CreateSubBuilder; keeps errors in the
  // parent.
  XlaComputation BuildAndNoteError();
  // Returns the program without parameters that computes `root`, which must be
  // constant (builder_c8). Sizes of dimensions are replaced by their bounds,
  // dynamic ones by -1 if `dynamic_dimension_is_minus_one`.
  absl::StatusOr<XlaComputation> BuildConstantSubGraph(
      XlaOp root, bool dynamic_dimension_is_minus_one = false);

  absl::Status first_error() const { return first_error_; }
  absl::Status GetCurrentStatus() const { return first_error_; }
  // Keeps the error if it is the first, with the place in the client's program
  // that the metadata names; returns an invalid op of this builder.
  XlaOp ReportError(const absl::Status& error);
  XlaOp ReportErrorOrReturn(const absl::StatusOr<XlaOp>& op);
  XlaOp ReportErrorOrReturn(
      absl::FunctionRef<absl::StatusOr<XlaOp>()> op_creator);

  // Errors: the first error; builder_c1, builder_c2. The pointer is valid until
  // Build.
  absl::StatusOr<Shape> GetShape(XlaOp op) const;
  virtual absl::StatusOr<const Shape*> GetShapePtr(XlaOp op) const;
  absl::StatusOr<std::vector<Shape>> GetOperandShapes(
      absl::Span<const XlaOp> operands) const;
  absl::StatusOr<std::optional<OpSharding>> GetOpSharding(XlaOp op) const;
  // Returns the signature with the last op, or `root`, as the result.
  absl::StatusOr<ProgramShape> GetProgramShape() const;
  absl::StatusOr<ProgramShape> GetProgramShape(XlaOp root) const;
  // Returns true if the value depends on no parameter, device or state. Sizes
  // of dimensions count as constant.
  absl::StatusOr<bool> IsConstant(XlaOp operand) const;
  // Returns the op as HLO text, or the text of an error.
  std::string OpToString(XlaOp op) const;

  // Lets an output take over the buffer of a parameter. Build checks it
  // (builder_c6, builder_c7).
  struct InputOutputAlias {
    ShapeIndex output_index;
    int64_t param_number;
    ShapeIndex param_index;
    HloInputOutputAliasConfig::AliasKind kind;
  };
  void SetUpAlias(const ShapeIndex& output_index, int64_t param_number,
                  const ShapeIndex& param_index,
                  HloInputOutputAliasConfig::AliasKind kind =
                      HloInputOutputAliasConfig::AliasKind::kMayAlias) {
    aliases_.push_back({output_index, param_number, param_index, kind});
  }
  // Lets any output use the buffer of a parameter.
  void AddBufferDonor(int64_t param_number, const ShapeIndex& param_index) {
    donors_.push_back({param_number, param_index});
  }

  absl::Status SetInstructionFrontendAttribute(XlaOp op, std::string attribute,
                                               std::string value);
  // Errors: also if the sharding does not fit the shape.
  absl::Status SetInstructionSharding(
      XlaOp op, const std::optional<OpSharding>& sharding);

  // The tokens of the last Infeed and Outfeed without a token, after which the
  // next ones run; not valid if there is none.
  XlaOp infeed_token() const { return infeed_token_; }
  void set_infeed_token(XlaOp token) { infeed_token_ = token; }
  XlaOp outfeed_token() const { return outfeed_token_; }
  void set_outfeed_token(XlaOp token) { outfeed_token_ = token; }

  // Adds any op, for the functions in ops/ and similar libraries. The op's own
  // rules give its shape; `declared` is the shape of ops that declare one.
  absl::StatusOr<XlaOp> AddOp(
      HloOpcode opcode, absl::Span<const XlaOp> operands, Attrs attrs = {},
      absl::Span<const CalledComputation> computations = {},
      const Shape* declared = nullptr);
  // Parameters may be added in any order. Errors: builder_c3, parameter_c*.
  absl::StatusOr<XlaOp> AddParameter(int64_t number, const Shape& shape,
                                     const std::string& name,
                                     const std::vector<bool>& replicated);
  // Returns the instruction behind an op, for annotation; valid until Build.
  absl::StatusOr<HloInstruction*> LookUp(XlaOp op) const;
  // Returns the computation behind an argument, in the builder's module.
  absl::StatusOr<HloComputation*> FindComputation(
      const CalledComputation& called);

 private:
  absl::StatusOr<XlaOp> Append(std::unique_ptr<HloInstruction> instruction);
  absl::Status Annotate(HloInstruction& instruction);
  absl::Status AnnotateOrigin(HloInstruction& instruction);
  XlaComputationId Register(HloComputation* computation);
  absl::Status CheckParameters() const;
  absl::StatusOr<HloInstruction*> RootOr(std::optional<XlaOp> root) const;
  absl::Status Finish(std::optional<XlaOp> root, bool remove_dynamic);
  absl::Status AddAliases(const ProgramShape& signature);
  ProgramShape Signature(const HloInstruction& root) const;
  // Numbers the proto as XLA's builder does, so that equal builds are equal.
  static XlaComputation AsComputation(HloModuleProto proto);
  void Reset();

  std::string name_;
  XlaBuilder* parent_ = nullptr;
  std::unique_ptr<HloModule> module_;
  HloComputation* computation_ = nullptr;  // in module_
  std::vector<HloInstruction*> ops_;       // ops_[h - first_handle_]
  int64_t first_handle_ = 1;               // a Build took those below
  int64_t last_number_ = 0;                // in names such as "add.3"
  // Names as the client gave them; nullopt where a later parameter came first
  // and a placeholder stands in the computation.
  std::vector<std::optional<std::string>> parameters_;
  // The added computations by handle of their ids, and those ids by content.
  absl::flat_hash_map<int64_t, HloComputation*> computations_;
  absl::flat_hash_map<int64_t, XlaComputationId> by_content_;

  OpMetadata metadata_;
  std::optional<OpMetadata> one_shot_metadata_;
  std::optional<OpSharding> sharding_;
  FrontendAttributes frontend_attributes_;
  std::optional<OriginalValueProto> original_value_;
  std::vector<InputOutputAlias> aliases_;
  std::vector<std::pair<int64_t, ShapeIndex>> donors_;
  XlaOp infeed_token_;
  XlaOp outfeed_token_;
  absl::Status first_error_;
  bool die_immediately_on_error_ = false;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_BUILDER_H_
