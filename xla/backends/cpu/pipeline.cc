// The pipeline, to be read from top to bottom.
#include "xla/backends/cpu/pipeline.h"

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/expand/batch_norm_expander.h"
#include "xla/hlo/transforms/expand/convolution_canonicalizer.h"
#include "xla/hlo/transforms/expand/domain_remover.h"
#include "xla/hlo/transforms/expand/dot_canonicalizer.h"
#include "xla/hlo/transforms/expand/dynamic_index_splitter.h"
#include "xla/hlo/transforms/expand/fusion_inliner.h"
#include "xla/hlo/transforms/expand/mulhi_expander.h"
#include "xla/hlo/transforms/expand/ragged_dot_expander.h"
#include "xla/hlo/transforms/expand/rng_bit_generator_expander.h"
#include "xla/hlo/transforms/expand/rng_expander.h"
#include "xla/hlo/transforms/expand/scaled_dot_expander.h"
#include "xla/hlo/transforms/expand/scan_expander.h"
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"
#include "xla/hlo/transforms/expand/stochastic_convert_decomposer.h"
#include "xla/hlo/transforms/expand/topk_decomposer.h"
#include "xla/hlo/transforms/layout/layout_normalization.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/conditional_simplifier.h"
#include "xla/hlo/transforms/simplify/constant_folding.h"
#include "xla/hlo/transforms/simplify/cse.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/transforms/simplify/sort_simplifier.h"
#include "xla/hlo/transforms/simplify/tuple_simplifier.h"

namespace xla::cpu {

absl::Status RunPasses(HloModule* module,
                       const HloPassPipeline::Observer& observer) {
  HloPassPipeline pipeline("cpu", observer);

  // One way to say each thing: no calls, no fusions that others chose, no
  // asynchronous forms, rows before columns.
  pipeline.AddPass<FusionInliner>();
  pipeline.AddPass<AsyncToSync>();
  pipeline.AddPass<DomainRemover>();
  pipeline.AddPass<CallInliner>();
  pipeline.AddPass<LayoutNormalization>();
  pipeline.AddPass<DynamicIndexSplitter>();

  // Ops that others say better.
  pipeline.AddPass<BatchNormExpander>();
  pipeline.AddPass<RngExpander>();
  pipeline.AddPass<RngBitGeneratorExpander>();
  pipeline.AddPass<StochasticConvertDecomposer>();
  pipeline.AddPass<ScaledDotExpander>();
  pipeline.AddPass<RaggedDotExpander>();
  pipeline.AddPass<TopKDecomposer>();
  pipeline.AddPass<ScanExpander>();
  pipeline.AddPass<SelectAndScatterExpander>();
  pipeline.AddPass<MulhiExpander>();

  // Less to do.
  pipeline.AddPass<TupleSimplifier>();
  pipeline.AddPass<HloDCE>();
  pipeline.AddPass<AlgebraicSimplifier>();
  pipeline.AddPass<ConditionalSimplifier>();
  pipeline.AddPass<SortSimplifier>();
  pipeline.AddPass<ConstantFolding>();
  pipeline.AddPass<HloCSE>();
  pipeline.AddPass<HloDCE>();

  // Contractions in the form that kernels take; cancels what that adds.
  pipeline.AddPass<ConvolutionCanonicalizer>();
  pipeline.AddPass<DotCanonicalizer>();
  pipeline.AddPass<AlgebraicSimplifier>();
  pipeline.AddPass<HloCSE>();
  pipeline.AddPass<HloDCE>();

  // Memory: each loop body has one caller, then an order, then copies where
  // two values cannot share.
  pipeline.AddPass<FlattenCallGraph>();
  pipeline.AddPass<Schedule>();
  pipeline.AddPass<CopyInsertion>();
  return pipeline.Run(module).status();
}

}  // namespace xla::cpu
