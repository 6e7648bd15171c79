// The pipeline, to be read from top to bottom.
#include "xla/backends/cpu/pipeline.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/lowering/library_ops.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/dynamic/dynamic_dimension_expander.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/expand/batch_norm_expander.h"
#include "xla/hlo/transforms/expand/domain_remover.h"
#include "xla/hlo/transforms/expand/dynamic_index_splitter.h"
#include "xla/hlo/transforms/expand/fusion_inliner.h"
#include "xla/hlo/transforms/expand/known_call_expander.h"
#include "xla/hlo/transforms/expand/mulhi_expander.h"
#include "xla/hlo/transforms/expand/reduction_widener.h"
#include "xla/hlo/transforms/expand/scan_expander.h"
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"
#include "xla/hlo/transforms/expand/stochastic_convert_decomposer.h"
#include "xla/hlo/transforms/expand/topk_decomposer.h"
#include "xla/hlo/transforms/fuse/cpu_fusion.h"
#include "xla/hlo/transforms/fuse/reduction_splitter.h"
#include "xla/hlo/transforms/fuse/row_block_fusion.h"
#include "xla/hlo/transforms/layout/bitcast_expander.h"
#include "xla/hlo/transforms/layout/layout_normalization.h"
#include "xla/hlo/transforms/linear/convolution_canonicalizer.h"
#include "xla/hlo/transforms/linear/dot_canonicalizer.h"
#include "xla/hlo/transforms/linear/ragged_dot_expander.h"
#include "xla/hlo/transforms/linear/scaled_dot_expander.h"
#include "xla/hlo/transforms/linear/sparse_convolution_expander.h"
#include "xla/hlo/transforms/loops/counter_simplifier.h"
#include "xla/hlo/transforms/loops/dot_hoisting.h"
#include "xla/hlo/transforms/loops/dot_sinking.h"
#include "xla/hlo/transforms/loops/double_buffering.h"
#include "xla/hlo/transforms/loops/invariant_code_motion.h"
#include "xla/hlo/transforms/loops/while_loop_unroller.h"
#include "xla/hlo/transforms/loops/while_simplifier.h"
#include "xla/hlo/transforms/random/rng_bit_generator_expander.h"
#include "xla/hlo/transforms/random/rng_expander.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/conditional_simplifier.h"
#include "xla/hlo/transforms/simplify/constant_folding.h"
#include "xla/hlo/transforms/simplify/cse.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/transforms/simplify/reshape_mover.h"
#include "xla/hlo/transforms/simplify/sort_simplifier.h"
#include "xla/hlo/transforms/simplify/tuple_simplifier.h"

namespace xla::cpu {
namespace {

// Deeper control flow is an error of buffer assignment; passes that look into
// bodies would be long on the way there. Calls and fusions do not count,
// they are inlined.
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

}  // namespace

absl::Status RunPasses(HloModule* module,
                       const HloPassPipeline::Observer& observer) {
  TF_RETURN_IF_ERROR(CheckNesting(*module));
  HloPassPipeline pipeline("cpu", observer);

  // One way to say each thing: no calls, no fusions that others chose, no
  // asynchronous forms, rows before columns, static shapes.
  pipeline.AddPass<KnownCallExpander>();
  pipeline.AddPass<LayoutNormalization>();
  pipeline.AddPass<BitcastExpander>();
  pipeline.AddPass<DomainRemover>();
  pipeline.AddPass<AsyncToSync>();
  pipeline.AddPass<FusionInliner>();
  pipeline.AddPass<CallInliner>();
  pipeline.AddPass<TupleSimplifier>();
  pipeline.AddPass<ConditionalSimplifier>();
  pipeline.AddPass<SparseConvolutionExpander>();
  pipeline.AddPass<DynamicDimensionExpander>();

  // Ops that others say better.
  pipeline.AddPass<BatchNormExpander>();
  pipeline.AddPass<TopKDecomposer>(HasTopKKernel);
  pipeline.AddPass<RaggedDotExpander>();
  pipeline.AddPass<ScaledDotExpander>();
  pipeline.AddPass<SelectAndScatterExpander>();
  pipeline.AddPass<StochasticConvertDecomposer>();
  pipeline.AddPass<ScanExpander>();
  pipeline.AddPass<MulhiExpander>();
  pipeline.AddPass<ReductionWidener>();
  pipeline.AddPass<DynamicIndexSplitter>();
  pipeline.AddPass<RngBitGeneratorExpander>();
  pipeline.AddPass<RngExpander>();

  // Less to do.
  pipeline.AddPass<WhileLoopUnroller>();
  pipeline.AddPass<AlgebraicSimplifier>();
  pipeline.AddPass<TupleSimplifier>();
  pipeline.AddPass<ConstantFolding>();
  pipeline.AddPass<WhileLoopCounterSimplifier>();
  pipeline.AddPass<WhileSimplifier>();
  pipeline.AddPass<WhileLoopInvariantCodeMotion>();
  pipeline.AddPass<SortSimplifier>();
  pipeline.AddPass<HloCSE>();
  pipeline.AddPass<HloDCE>();

  // Contractions in the form that kernels take, and then what that lets
  // cancel.
  pipeline.AddPass<ConvolutionCanonicalizer>();
  pipeline.AddPass<DotCanonicalizer>();
  pipeline.AddPass<ReshapeMover>();
  pipeline.AddPass<AlgebraicSimplifier>();
  pipeline.AddPass<ConstantFolding>();
  pipeline.AddPass<WhileLoopDotHoisting>();
  pipeline.AddPass<WhileLoopDotSinking>();
  pipeline.AddPass<WhileSimplifier>();
  pipeline.AddPass<TupleSimplifier>();
  pipeline.AddPass<HloCSE>();
  pipeline.AddPass<HloDCE>();

  // What becomes one kernel.
  pipeline.AddPass<ReductionSplitter>();
  pipeline.AddPass<HloCSE>();
  pipeline.AddPass<CpuFusion>();
  pipeline.AddPass<RowBlockFusion>();
  pipeline.AddPass<HloDCE>();

  // Memory: each loop body has one caller, then an order, then copies where
  // two values cannot share.
  pipeline.AddPass<FlattenCallGraph>();
  pipeline.AddPass<WhileLoopDoubleBuffering>();
  pipeline.AddPass<Schedule>();
  pipeline.AddPass<CopyInsertion>();
  return pipeline.Run(module).status();
}

}  // namespace xla::cpu
