// The pass pipeline, to be read from top to bottom.
#include "xla/backends/cpu/pipeline.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"
#include "xla/hlo/transforms/buffers/all_gather_rematerialization.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/buffers/latency_hiding_scheduler.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/devices/collective_permute_expander.h"
#include "xla/hlo/transforms/dynamic/dynamic_dimension_inference.h"
#include "xla/hlo/transforms/dynamic/dynamic_padder.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/expand/batch_norm_expander.h"
#include "xla/hlo/transforms/expand/complex_order_expander.h"
#include "xla/hlo/transforms/expand/domain_remover.h"
#include "xla/hlo/transforms/expand/dynamic_index_splitter.h"
#include "xla/hlo/transforms/expand/known_call_expander.h"
#include "xla/hlo/transforms/expand/mulhi_expander.h"
#include "xla/hlo/transforms/expand/reducer_type_converter.h"
#include "xla/hlo/transforms/expand/reduction_widener.h"
#include "xla/hlo/transforms/expand/scan_expander.h"
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"
#include "xla/hlo/transforms/expand/stochastic_convert_decomposer.h"
#include "xla/hlo/transforms/expand/topk_decomposer.h"
#include "xla/hlo/transforms/fuse/attention_fusion.h"
#include "xla/hlo/transforms/fuse/epilogue_fusion.h"
#include "xla/hlo/transforms/fuse/fusion_inliner.h"
#include "xla/hlo/transforms/fuse/instruction_fusion.h"
#include "xla/hlo/transforms/fuse/reduction_splitter.h"
#include "xla/hlo/transforms/layout/bitcast_expander.h"
#include "xla/hlo/transforms/layout/layout_normalization.h"
#include "xla/hlo/transforms/layout/transpose_mover.h"
#include "xla/hlo/transforms/linear/attention_rematerialization.h"
#include "xla/hlo/transforms/linear/convolution_canonicalizer.h"
#include "xla/hlo/transforms/linear/dot_canonicalizer.h"
#include "xla/hlo/transforms/linear/dot_result_order.h"
#include "xla/hlo/transforms/linear/dot_transpose_folding.h"
#include "xla/hlo/transforms/linear/ragged_dot_expander.h"
#include "xla/hlo/transforms/linear/scaled_dot_expander.h"
#include "xla/hlo/transforms/linear/sparse_convolution_expander.h"
#include "xla/hlo/transforms/loops/induction_variable_simplifier.h"
#include "xla/hlo/transforms/loops/while_loop_dot_hoisting.h"
#include "xla/hlo/transforms/loops/while_loop_dot_sinking.h"
#include "xla/hlo/transforms/loops/while_loop_double_buffering.h"
#include "xla/hlo/transforms/loops/while_loop_invariant_code_motion.h"
#include "xla/hlo/transforms/loops/while_loop_unpack_sinking.h"
#include "xla/hlo/transforms/loops/while_loop_unroller.h"
#include "xla/hlo/transforms/loops/while_simplifier.h"
#include "xla/hlo/transforms/random/rng_bit_generator_expander.h"
#include "xla/hlo/transforms/random/rng_expander.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/conditional_simplifier.h"
#include "xla/hlo/transforms/simplify/constant_folding.h"
#include "xla/hlo/transforms/simplify/cse.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/simplify/erfc_raising.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/transforms/simplify/reduction_degenerate_dim_remover.h"
#include "xla/hlo/transforms/simplify/reshape_mover.h"
#include "xla/hlo/transforms/simplify/sort_simplifier.h"
#include "xla/hlo/transforms/simplify/tuple_simplifier.h"

namespace xla::cpu {
namespace {

// Refuses control flow that is nested too deep for buffer assignment, before
// passes that look into bodies take long over it. Calls and fusions do not
// count, since they are inlined.
absl::Status CheckNesting(const HloModule& module) {
  absl::flat_hash_map<const HloComputation*, int> depths;
  const std::vector<HloComputation*> order = module.MakeComputationPostOrder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    for (const auto& hlo : (*it)->instructions()) {
      const bool inlined = hlo->opcode() == HloOpcode::kCall ||
                           hlo->opcode() == HloOpcode::kFusion;
      const int depth = depths[*it] + (inlined ? 0 : 1);
      for (const HloComputation* called : hlo->called_computations()) {
        if (depth >= HloDataflow::kMaxDepth) {
          return absl::UnimplementedError(absl::StrCat(
              hlo->name(), " calls ", called->name(), " more than ",
              HloDataflow::kMaxDepth, " levels below the entry"));
        }
        depths[called] = std::max(depths[called], depth);
      }
    }
  }
  return absl::OkStatus();
}

bool HasTiledResult(const HloModule& module) {
  if (!module.config().has_entry_computation_layout()) return false;
  bool tiled = false;
  ShapeUtil::ForEachSubshape(module.entry_computation_layout().result_shape(),
                             [&](const Shape& shape, const ShapeIndex&) {
                               tiled |= shape.IsArray() && HasOwnBuffer(shape);
                             });
  return tiled;
}

// Whether collectives in one process become asynchronous too, wherever anything
// can run beside them, as tests want it:
// xla_backend_extra_options=xla_tessera_hide_all_latency.
bool HidesAllLatency(const DebugOptions& options) {
  return options.xla_backend_extra_options().count(
             "xla_tessera_hide_all_latency") > 0;
}

// Adds passes that only make programs faster, unless the debug options leave
// them out.
class OptionalPasses {
 public:
  OptionalPasses(const DebugOptions& options, HloPassPipeline& pipeline)
      : all_(options.xla_disable_all_hlo_passes()),
        disabled_(options.xla_disable_hlo_passes().begin(),
                  options.xla_disable_hlo_passes().end()),
        pipeline_(pipeline) {}

  template <typename Pass, typename... Args>
  void Add(const Args&... args) {
    AddIf<Pass>(true, args...);
  }
  // For a pass that has nothing to do in other programs.
  template <typename Pass, typename... Args>
  void AddIf(bool wanted, const Args&... args) {
    auto pass = std::make_unique<Pass>(args...);
    names_.insert(std::string(pass->name()));
    if (!wanted || all_ || disabled_.contains(pass->name())) return;
    pipeline_.AddPass(std::move(pass));
  }

  // Errors: InvalidArgument for a name that no pass has, or for a pass that is
  // required.
  absl::Status CheckNames() const {
    for (const std::string& name : disabled_) {
      if (names_.contains(name)) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "xla_disable_hlo_passes: ",
          IsRegisteredPass(name) ? "code is made of what pass "
                                 : "there is no pass ",
          name,
          IsRegisteredPass(name) ? " gives, so it cannot be left out" : "",
          "; these can be left out: ", absl::StrJoin(names_, ", ")));
    }
    return absl::OkStatus();
  }

 private:
  const bool all_;
  const std::set<std::string, std::less<>> disabled_;
  std::set<std::string, std::less<>> names_;
  HloPassPipeline& pipeline_;
};

}  // namespace

absl::Status RunPasses(HloModule* module,
                       const HloPassPipeline::Observer& observer,
                       const TargetInfo& target) {
  TF_RETURN_IF_ERROR(CheckNesting(*module));
  const CpuFusionBackend fusion(target);
  const CpuAliasInfo alias_info;
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloPassPipeline> pipeline,
                      MakePipeline(*module, {&fusion, &alias_info}, observer));
  return pipeline->Run(module).status();
}

absl::StatusOr<std::unique_ptr<HloPassPipeline>> MakePipeline(
    const HloModule& module, const PassBackend& backend,
    const HloPassPipeline::Observer& observer) {
  auto made = std::make_unique<HloPassPipeline>("cpu", observer);
  HloPassPipeline& pipeline = *made;
  OptionalPasses optional(module.config().debug_options(), pipeline);

  // These passes normalize the module: they leave no calls, no fusions that
  // others chose, no asynchronous forms, row-major layouts, computations of the
  // types that they are applied to, no constants or selects of tuples, no
  // conditionals in the computations of reductions, static shapes.
  pipeline.AddPass<KnownCallExpander>();
  // Puts zeros beyond the sizes of a result that is declared static, while the
  // result is still an array and not the vector of its memory.
  if (HasTiledResult(module)) pipeline.AddPass<DynamicDimensionInference>();
  pipeline.AddPass<LayoutNormalization>();
  pipeline.AddPass<BitcastExpander>();
  pipeline.AddPass<DomainRemover>();
  pipeline.AddPass<AsyncToSync>();
  pipeline.AddPass<FusionInliner>();
  pipeline.AddPass<CallInliner>();
  pipeline.AddPass<DynamicDimensionInference>();
  pipeline.AddPass<ReducerTypeConverter>();
  pipeline.AddPass<TupleSimplifier>();
  pipeline.AddPass<ConditionalSimplifier>();
  pipeline.AddPass<SparseConvolutionExpander>();
  pipeline.AddPass<DynamicPadder>();

  // Replaces ops by simpler ones.
  pipeline.AddPass<CollectivePermuteExpander>();
  pipeline.AddPass<BatchNormExpander>();
  pipeline.AddPass<ComplexOrderExpander>();
  pipeline.AddPass<TopKDecomposer>(HasTopKKernel);
  pipeline.AddPass<RaggedDotExpander>();
  pipeline.AddPass<ScaledDotExpander>();
  pipeline.AddPass<StochasticConvertDecomposer>();
  pipeline.AddPass<ScanExpander>();
  pipeline.AddPass<MulhiExpander>();
  pipeline.AddPass<ReductionWidener>();
  pipeline.AddPass<DynamicIndexSplitter>();
  pipeline.AddPass<RngBitGeneratorExpander>();
  pipeline.AddPass<RngExpander>();

  // Removes work.
  optional.Add<ErfcRaising>();
  optional.Add<WhileLoopUnroller>();
  optional.Add<WhileLoopUnpackSinking>();
  optional.Add<AlgebraicSimplifier>();
  optional.Add<TupleSimplifier>();
  optional.Add<ConstantFolding>();
  optional.Add<InductionVariableSimplifier>();
  optional.Add<WhileSimplifier>();
  optional.Add<WhileLoopInvariantCodeMotion>();
  optional.Add<SortSimplifier>();
  optional.Add<HloCSE>();
  optional.Add<HloDCE>();

  // Computes large intermediate results in blocks.
  optional.Add<AttentionRematerialization>();

  // Brings contractions into the form that kernels take, and then simplifies
  // the result.
  pipeline.AddPass<ConvolutionCanonicalizer>();
  optional.Add<DotResultOrder>();
  pipeline.AddPass<DotCanonicalizer>();
  optional.Add<TransposeMover>();
  pipeline.AddPass<SelectAndScatterExpander>();
  optional.Add<ReductionDegenerateDimRemover>();
  optional.Add<ReshapeMover>();
  optional.Add<AlgebraicSimplifier>();
  optional.Add<ConstantFolding>();
  optional.Add<WhileLoopDotHoisting>();
  optional.Add<WhileLoopDotSinking>();
  optional.Add<WhileSimplifier>();
  optional.Add<TupleSimplifier>();
  optional.Add<HloCSE>();
  optional.Add<HloDCE>();
  optional.Add<DotTransposeFolding>();

  // Decides what becomes one kernel.
  optional.Add<ReductionSplitter>(backend.fusion);
  optional.Add<HloCSE>();
  const bool explain = Explains(module.config().debug_options());
  optional.Add<InstructionFusion>(backend.fusion, explain);
  optional.Add<AttentionFusion>(backend.fusion, explain);
  optional.Add<DotInPlaceFusion>(backend.fusion);
  optional.Add<EpilogueFusion>(backend.fusion, explain);
  optional.Add<HloDCE>();

  // Prepares for buffers: gives each loop body one caller, chooses an order,
  // repeats collectives where that saves memory, lets others run beside work
  // where devices belong to several processes, and adds copies where two values
  // cannot share memory.
  pipeline.AddPass<FlattenCallGraph>();
  optional.Add<WhileLoopDoubleBuffering>(backend.alias_info);
  pipeline.AddPass<Schedule>(backend.alias_info);
  optional.Add<AllGatherRematerialization>(backend.alias_info);
  const bool hides_all = HidesAllLatency(module.config().debug_options());
  optional.AddIf<LatencyHidingScheduler>(
      hides_all || !module.config().process_of_device().empty(),
      backend.alias_info,
      hides_all ? 0 : LatencyHidingScheduler::kLeastOverlap);
  pipeline.AddPass<CopyInsertion>(backend.alias_info);
  TF_RETURN_IF_ERROR(optional.CheckNames());
  return made;
}

bool Explains(const DebugOptions& options) {
  return options.xla_backend_extra_options().count("xla_tessera_explain") > 0;
}

}  // namespace xla::cpu
