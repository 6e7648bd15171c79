// HloCostAnalysis: XLA's counts of the arithmetic and the memory traffic of a
// computation, for programs written against XLA.
#ifndef XLA_HLO_ANALYSIS_COST_HLO_COST_ANALYSIS_H_
#define XLA_HLO_ANALYSIS_COST_HLO_COST_ANALYSIS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/analysis/cost/hlo_cost_properties.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/instruction/dfs_hlo_visitor.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Lets every op but the element-wise ones cost what Preprocess assumes.
class HloAssumedCosts : public ConstDfsHloVisitor {
 public:
#define XLA_HANDLER_(op, name)                                    \
  absl::Status Handle##name(const HloInstruction* hlo) override { \
    return absl::OkStatus();                                      \
  }
  XLA_FOR_EACH_OTHER_OP(XLA_HANDLER_)
  XLA_HANDLER_(Copy, Copy)
#undef XLA_HANDLER_
};

// A visitor: computation->Accept(&analysis) counts all that the computation
// does, once. The numbers are those that XLA gives, by its rules:
// - an op reads all of its operands and writes its result; slices, gathers and
//   updates touch what they move, fusions what they read of operands and write
//   of results; constants, parameters, bitcasts and elements of tuples nothing;
// - element-wise ops do an operation, or a transcendental one, for each element
//   of the result, dots and convolutions two for each product outside padding;
//   reductions, windows and scatters those of their computation each time;
// - a while loop counts as one iteration, a conditional property by property as
//   the largest of its branches, a custom call as -1, which is unknown.
// CostAnalysis in cost_analysis.h has more exact rules, for decisions of the
// compiler and reports on runs.
//
// Subclasses override handlers, which change current_properties_ from what
// Preprocess assumes. Counts that would overflow saturate. The module must have
// passed the verifier. Errors of a visit: InvalidArgument for sizes without a
// bound, ResourceExhausted for calls nested more than kMaxNesting deep, and
// those of handlers. Not thread safe.
class HloCostAnalysis : public HloAssumedCosts {
 public:
  using Properties = HloCostProperties;
  static constexpr absl::string_view kFlopsKey = Properties::kFlopsKey;
  static constexpr absl::string_view kTranscendentalsKey =
      Properties::kTranscendentalsKey;
  static constexpr absl::string_view kBytesAccessedKey =
      Properties::kBytesAccessedKey;
  static constexpr absl::string_view kOptimalSecondsKey =
      Properties::kOptimalSecondsKey;
  static constexpr absl::string_view kUtilizationKey =
      Properties::kUtilizationKey;
  static constexpr absl::string_view kReserved0Key = Properties::kReserved0Key;

  using Options = HloCostOptions;
  using ShapeSizeFunction = Options::ShapeSizeFunction;
  static constexpr int64_t kDefaultPointerSize = Options::kDefaultPointerSize;
  static int64_t DefaultShapeSize(const Shape& shape) {
    return Options::DefaultShapeSize(shape);
  }

  static constexpr int kMaxNesting = 256;

  explicit HloCostAnalysis(const Options& options);
  explicit HloCostAnalysis(ShapeSizeFunction shape_size = DefaultShapeSize,
                           const Properties& per_second_rates = {},
                           const Properties& min_latency_seconds = {});
  HloCostAnalysis(const HloCostAnalysis&) = delete;
  HloCostAnalysis& operator=(const HloCostAnalysis&) = delete;

  // Handlers of element-wise ops; all of them call HandleElementwiseOp.
  absl::Status HandleElementwiseUnary(const HloInstruction* hlo) final;
  absl::Status HandleElementwiseBinary(const HloInstruction* hlo) final;
  absl::Status HandleClamp(const HloInstruction* hlo) final;
  absl::Status HandleCompare(const HloInstruction* hlo) final;
  absl::Status HandleConvert(const HloInstruction* hlo) final;
  absl::Status HandleSelect(const HloInstruction* hlo) final;
  absl::Status HandleReducePrecision(const HloInstruction* hlo) override;
  virtual absl::Status HandleElementwiseOp(const HloInstruction* hlo);

  // Values and what moves them.
  absl::Status HandleAddDependency(const HloInstruction* hlo) override;
  absl::Status HandleAfterAll(const HloInstruction* hlo) override;
  absl::Status HandleBitcast(const HloInstruction* hlo) override;
  absl::Status HandleBroadcast(const HloInstruction* hlo) override;
  absl::Status HandleConstant(const HloInstruction* hlo) override;
  absl::Status HandleDomain(const HloInstruction* hlo) override;
  absl::Status HandleDynamicSlice(const HloInstruction* hlo) override;
  absl::Status HandleDynamicUpdateSlice(const HloInstruction* hlo) override;
  absl::Status HandleGather(const HloInstruction* hlo) override;
  absl::Status HandleGetTupleElement(const HloInstruction* hlo) override;
  absl::Status HandleParameter(const HloInstruction* hlo) override;
  absl::Status HandleScatter(const HloInstruction* hlo) override;
  absl::Status HandleSlice(const HloInstruction* hlo) override;
  absl::Status HandleTranspose(const HloInstruction* hlo) override;
  absl::Status HandleTuple(const HloInstruction* hlo) override;
  // Arithmetic.
  absl::Status HandleCholesky(const HloInstruction* hlo) override;
  absl::Status HandleConvolution(const HloInstruction* hlo) override;
  absl::Status HandleDot(const HloInstruction* hlo) override;
  absl::Status HandleFft(const HloInstruction* hlo) override;
  absl::Status HandleRaggedDot(const HloInstruction* hlo) override;
  absl::Status HandleReduce(const HloInstruction* hlo) override;
  absl::Status HandleReduceWindow(const HloInstruction* hlo) override;
  absl::Status HandleRng(const HloInstruction* hlo) override;
  absl::Status HandleRngBitGenerator(const HloInstruction* hlo) override;
  absl::Status HandleScaledDot(const HloInstruction* hlo) override;
  absl::Status HandleScan(const HloInstruction* hlo) override;
  absl::Status HandleSelectAndScatter(const HloInstruction* hlo) override;
  absl::Status HandleSort(const HloInstruction* hlo) override;
  absl::Status HandleTriangularSolve(const HloInstruction* hlo) override;
  // Calls.
  absl::Status HandleAsyncStart(const HloInstruction* hlo) override;
  absl::Status HandleCall(const HloInstruction* hlo) override;
  absl::Status HandleConditional(const HloInstruction* hlo) override;
  absl::Status HandleCustomCall(const HloInstruction* hlo) override;
  absl::Status HandleFusion(const HloInstruction* hlo) override;
  absl::Status HandleMap(const HloInstruction* hlo) override;
  absl::Status HandleWhile(const HloInstruction* hlo) override;
  // Devices. The start of a pair counts as the op itself.
  absl::Status HandleAllGatherStart(const HloInstruction* hlo) override;
  absl::Status HandleAllReduce(const HloInstruction* hlo) override;
  absl::Status HandleAllReduceStart(const HloInstruction* hlo) override;
  absl::Status HandleInfeed(const HloInstruction* hlo) override;
  absl::Status HandleOutfeed(const HloInstruction* hlo) override;

  // Assume that an op reads its operands, writes its result and does nothing
  // else; add what the handler made of that to the sums.
  absl::Status Preprocess(const HloInstruction* hlo) override;
  absl::Status Postprocess(const HloInstruction* hlo) override;
  absl::Status FinishVisit(const HloInstruction* root) override;

  // Take what an instruction costs out of the sums; replace it after a change.
  absl::Status RemoveInstruction(const HloInstruction* instruction);
  absl::Status RevisitInstruction(const HloInstruction* instruction);

  // Returns 0 for shapes without layout, as shape_size does for all others.
  int64_t GetShapeSize(const Shape& shape) const;

  // The sums over the visited computation.
  float flop_count() const { return property(kFlopsKey); }
  float transcendental_count() const { return property(kTranscendentalsKey); }
  float bytes_accessed() const { return property(kBytesAccessedKey); }
  float optimal_seconds() const { return property(kOptimalSecondsKey); }
  float property(absl::string_view key) const { return properties_sum_[key]; }
  const Properties& properties() const { return properties_sum_; }

  // The numbers of one instruction, which may be one of a called computation;
  // 0 where it was not visited. A utilization is the share of the operand that
  // is used if all of the result is.
  Properties properties(const HloInstruction& hlo) const;
  int64_t flop_count(const HloInstruction& hlo) const;
  int64_t transcendental_count(const HloInstruction& hlo) const;
  int64_t bytes_accessed(const HloInstruction& hlo) const;
  int64_t operand_bytes_accessed(const HloInstruction& hlo, int64_t operand_num,
                                 const ShapeIndex& index = {}) const;
  float operand_utilization(const HloInstruction& hlo, int64_t operand_num,
                            ShapeIndex index = {}) const;
  int64_t output_bytes_accessed(const HloInstruction& hlo,
                                ShapeIndex index = {}) const;
  float optimal_seconds(const HloInstruction& hlo) const;
  // The bytes of all leaves of the operands and of the result, or of those
  // whose layout is in this memory space.
  int64_t GetBytesRead(
      const HloInstruction& hlo,
      std::optional<int64_t> memory_space = std::nullopt) const;
  int64_t GetBytesWritten(
      const HloInstruction& hlo,
      std::optional<int64_t> memory_space = std::nullopt) const;

  float per_second_rate(absl::string_view key) const {
    return options_.per_second_rate(key);
  }
  float min_latency_seconds(absl::string_view key) const {
    return options_.min_latency_seconds(key);
  }

  static std::string GetOperandBytesAccessedKey(int64_t operand_num,
                                                const ShapeIndex& index = {});
  static std::string GetOperandUtilizationKey(int64_t operand_num,
                                              const ShapeIndex& index = {});
  static std::string GetOutputBytesAccessedKey(const ShapeIndex& index = {});

  // The operations of a convolution, with its own shapes or with others in
  // their place, and of a dot.
  virtual int64_t GetConvolutionFlops(const HloInstruction* convolution);
  static int64_t GetConvolutionFlops(const HloInstruction* convolution,
                                     const Shape& lhs_shape,
                                     const Shape& rhs_shape,
                                     const Shape& result_shape);
  static int64_t GetDotFlops(const Shape& lhs_shape, const Shape& result_shape,
                             const DotDimensionNumbers& dnums);

 protected:
  using HloToProperties =
      absl::flat_hash_map<const HloInstruction*, Properties>;
  static constexpr int64_t kFmaFlops = 2;

  // The parts of HandleFusion, in their order.
  virtual absl::Status FusionProcessOutputBytesAccessed(
      const HloInstruction* fusion);
  virtual absl::Status FusionCalculateUtilizations(
      const HloInstruction* fusion);
  virtual absl::Status FusionCountConstantsMemoryAccess(
      const HloInstruction* fusion);
  virtual absl::Status FusionProcessOperandBytesRead(
      const HloInstruction* fusion);
  // What the parts leave out.
  virtual bool ShouldFilterFusionInput(const HloInstruction* fusion,
                                       int64_t input_index) {
    return false;
  }
  virtual bool ShouldFilterFusionInstruction(
      const HloInstruction* fusion, const HloInstruction* instruction) {
    return false;
  }
  virtual bool ShouldFilterFusionOutputIndex(const HloInstruction* fusion,
                                             const ShapeIndex& output_index) {
    return false;
  }
  // Constants of a fusion with more elements are read from memory.
  virtual size_t immediate_constant_max_elements() const { return 1; }
  // Returns the bytes that a fusion reads of `hlo`, one of its parameters or an
  // element of one.
  virtual int64_t FusionParameterReadBytes(const HloInstruction* hlo) const;

  // Called computations: an analysis for one of them, its sums, and whether the
  // sum of this key counts for the caller too. Within one visit, analyses of
  // the same class find the same of a computation, so that most of those that
  // are made for one called from many places are not used.
  virtual std::unique_ptr<HloCostAnalysis> CreateNestedCostAnalysis();
  virtual absl::StatusOr<Properties> ProcessSubcomputation(
      HloComputation* computation);
  virtual bool KeyToCopyFromSubcomputation(absl::string_view key) const;

  static float GetPropertyForHlo(const HloInstruction& hlo,
                                 absl::string_view key,
                                 const HloToProperties& hlo_to_properties);

  // Of all instructions that were visited.
  HloToProperties hlo_properties_;
  Properties properties_sum_;
  // Of the one that is being visited; whether Postprocess computes its time
  // from the rates.
  Properties current_properties_;
  bool current_should_compute_bottleneck_time_ = false;
  Options options_;

 private:
  struct Callees;  // what was found of called computations

  // Makes the instruction do what a called computation does `count` times.
  void SetCalls(const Properties& called, int64_t count);
  // Change what Preprocess assumes: that the instruction costs nothing; that it
  // reads as much of operand 0 as it writes.
  void SetFree(const HloInstruction* hlo);
  void SetPartialRead(const HloInstruction* hlo);
  // Returns the bytes of `value` that a user which is no fusion reads; sets
  // `is_read` where all later users share that read.
  int64_t BytesReadBy(const HloInstruction& user, const HloInstruction& value,
                      bool& is_read) const;
  // FusionParameterReadBytes of a nested fusion's parameter, asked for by many.
  int64_t NestedReadBytes(const HloInstruction* parameter) const;

  void ForgetCallees();

  int nesting_ = 0;
  int height_ = 0;  // the levels of calls below
  // Of the visit that is going on, shared with nested analyses.
  std::shared_ptr<Callees> callees_;
  const HloComputation* visited_computation_ = nullptr;
  bool is_visiting_ = false;  // between Preprocess and Postprocess
  // While FusionParameterReadBytes runs.
  mutable absl::flat_hash_map<const HloInstruction*, int64_t>* nested_reads_ =
      nullptr;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_COST_HLO_COST_ANALYSIS_H_
