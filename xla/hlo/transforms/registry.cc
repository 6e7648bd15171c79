// The table of passes.
#include "xla/hlo/transforms/registry.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"
#include "xla/hlo/transforms/buffers/all_gather_rematerialization.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/buffers/latency_hiding_scheduler.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/devices/all_reduce_combiner.h"
#include "xla/hlo/transforms/devices/all_reduce_reassociate.h"
#include "xla/hlo/transforms/devices/collective_permute_expander.h"
#include "xla/hlo/transforms/devices/reduce_scatter_creator.h"
#include "xla/hlo/transforms/devices/windowed_einsum.h"
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
#include "xla/hlo/transforms/loops/while_loop_all_reduce_code_motion.h"
#include "xla/hlo/transforms/loops/while_loop_dot_hoisting.h"
#include "xla/hlo/transforms/loops/while_loop_dot_sinking.h"
#include "xla/hlo/transforms/loops/while_loop_double_buffering.h"
#include "xla/hlo/transforms/loops/while_loop_invariant_code_motion.h"
#include "xla/hlo/transforms/loops/while_loop_trip_count_annotator.h"
#include "xla/hlo/transforms/loops/while_loop_unpack_sinking.h"
#include "xla/hlo/transforms/loops/while_loop_unroller.h"
#include "xla/hlo/transforms/loops/while_simplifier.h"
#include "xla/hlo/transforms/random/rng_bit_generator_expander.h"
#include "xla/hlo/transforms/random/rng_expander.h"
#include "xla/hlo/transforms/sharding/sharding_propagation.h"
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
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"
#include "xla/hlo/transforms/verify.h"

namespace xla {
namespace {

template <typename Pass>
std::unique_ptr<HloPassInterface> Make(const PassBackend&) {
  return std::make_unique<Pass>();
}

template <typename Pass>
std::unique_ptr<HloPassInterface> MakeFusing(const PassBackend& backend) {
  return std::make_unique<Pass>(backend.fusion);
}

template <typename Pass>
std::unique_ptr<HloPassInterface> MakeAliasing(const PassBackend& backend) {
  return std::make_unique<Pass>(backend.alias_info);
}

constexpr PassEntry kPasses[] = {
    {"algsimp", "Simplifies algebra: rules that keep every value.",
     &Make<AlgebraicSimplifier>},
    {"all-gather-rematerialization",
     "Gathers arrays again rather than keep them where memory is short.",
     &MakeAliasing<AllGatherRematerialization>},
    {"all-reduce-combiner",
     "Makes one all-reduce of several that do not depend on each other.",
     &Make<AllReduceCombiner>},
    {"all-reduce-reassociate", "Adds before all-reduces rather than after.",
     &Make<AllReduceReassociate>},
    {"async-to-sync", "Runs asynchronous ops where they start.",
     &Make<AsyncToSync>},
    {"attention-fusion",
     "Fuses two dots with what works on the rows between them.",
     &MakeFusing<AttentionFusion>},
    {"attention-rematerialization",
     "Computes attention's gradients in blocks, from scores computed again.",
     &Make<AttentionRematerialization>},
    {"batch-norm-expander",
     "Replaces batch normalization by reductions and element-wise ops.",
     &Make<BatchNormExpander>},
    {"bitcast-expander",
     "Says bitcasts that change the element type as bitcast-converts.",
     &Make<BitcastExpander>},
    {"call-inliner", "Puts called computations where they are called.",
     &Make<CallInliner>},
    {"collective-permute-expander",
     "Replaces permutations in place by slices, permutations and updates.",
     &Make<CollectivePermuteExpander>},
    {"complex-order-expander",
     "Says in real numbers how complex ones are ordered.",
     &Make<ComplexOrderExpander>},
    {"conditional-simplifier",
     "Removes conditionals, or what nobody reads of them.",
     &Make<ConditionalSimplifier>},
    {"constant-folding", "Computes what depends on constants alone.",
     &Make<ConstantFolding>},
    {"convolution-canonicalizer",
     "Brings convolutions into the order b01f_01io->b01f, or to dots.",
     &Make<ConvolutionCanonicalizer>},
    {"copy-insertion",
     "Adds the copies without which values would overwrite each other.",
     &MakeAliasing<CopyInsertion>},
    {"cse", "Keeps one of several instructions that compute the same value.",
     &Make<HloCSE>},
    {"dce", "Removes instructions and computations that nothing needs.",
     &Make<HloDCE>},
    {"domain-remover", "Removes the borders between shardings.",
     &Make<DomainRemover>},
    {"dot-canonicalizer",
     "Brings dots into products of matrices or batches of them.",
     &Make<DotCanonicalizer>},
    {"dot-in-place-fusion",
     "Reads operands of dots of few rows in place, without transposes.",
     &MakeFusing<DotInPlaceFusion>},
    {"dot-result-order",
     "Computes dots in the order of dimensions in which they are read.",
     &Make<DotResultOrder>},
    {"dot-transpose-folding",
     "Multiplies batches in place of transposes around a dot.",
     &Make<DotTransposeFolding>},
    {"dynamic-dimension-inference",
     "Declares dimensions as dynamic wherever their sizes are data.",
     &Make<DynamicDimensionInference>},
    {"dynamic-index-splitter",
     "Gives dynamic slices one scalar index per dimension.",
     &Make<DynamicIndexSplitter>},
    {"dynamic-padder", "Replaces dynamic dimensions by static ones and sizes.",
     &Make<DynamicPadder>},
    {"epilogue-fusion",
     "Fuses dots and convolutions with what is computed of their elements, and "
     "dots with what computes or transposes a right operand.",
     &MakeFusing<EpilogueFusion>},
    {"erfc-expander",
     "Replaces erfc by its expansion, for other readers of HLO.",
     &Make<ErfcExpander>},
    {"erfc-raising", "Recognizes the expansion of erfc.", &Make<ErfcRaising>},
    {"flatten-call-graph", "Gives each computation of control flow one caller.",
     &Make<FlattenCallGraph>},
    {"fusion-inliner", "Undoes the fusions that a program brings.",
     &Make<FusionInliner>},
    {"induction-variable-simplifier",
     "Replaces what the range of an induction variable decides; merges equal "
     "counters.",
     &Make<InductionVariableSimplifier>},
    {"instruction-fusion", "Fuses what the backend computes in one kernel.",
     &MakeFusing<InstructionFusion>},
    {"known-call-expander", "Replaces custom calls that backends know.",
     &Make<KnownCallExpander>},
    {"latency-hiding-scheduler",
     "Runs collectives between processes beside other work.",
     &MakeAliasing<LatencyHidingScheduler>},
    {"layout-normalization", "Gives every array the row-major layout.",
     &Make<LayoutNormalization>},
    {"mulhi-expander", "Replaces upper halves of products by wider products.",
     &Make<MulhiExpander>},
    {"ragged-dot-expander", "Replaces ragged-dot by dot and masks.",
     &Make<RaggedDotExpander>},
    {"reduce-scatter-creator",
     "Makes a reduce-scatter of an all-reduce and a slice.",
     &Make<ReduceScatterCreator>},
    {"reducer-type-converter",
     "Converts where a computation has other types than what it is applied to.",
     &Make<ReducerTypeConverter>},
    {"reduction-degenerate-dim-remover",
     "Computes reductions of the same rows without dimensions of size 1.",
     &Make<ReductionDegenerateDimRemover>},
    {"reduction-splitter", "Cuts long reductions with few results into two.",
     &MakeFusing<ReductionSplitter>},
    {"reduction-widener", "Computes reductions of small floats in f32.",
     &Make<ReductionWidener>},
    {"reshape-mover",
     "Moves reshapes, transposes and broadcasts behind element-wise ops.",
     &Make<ReshapeMover>},
    {"rng-bit-generator-expander",
     "Replaces rng-bit-generator by integer ops on counters.",
     &Make<RngBitGeneratorExpander>},
    {"rng-expander", "Replaces rng by Philox under a fresh key.",
     &Make<RngExpander>},
    {"scaled-dot-expander", "Replaces scaled-dot by products and a dot.",
     &Make<ScaledDotExpander>},
    {"scan-expander", "Replaces scan by a while loop.", &Make<ScanExpander>},
    {"schedule", "Orders instructions so that they need little memory.",
     &MakeAliasing<Schedule>},
    {"select-and-scatter-expander",
     "Replaces select-and-scatter by reduce-window and scatter.",
     &Make<SelectAndScatterExpander>},
    {"sharding-propagation",
     "Decides how arrays are divided among devices, from those that say it.",
     &Make<ShardingPropagation>},
    {"sort-simplifier", "Drops operands of sorts that nobody reads.",
     &Make<SortSimplifier>},
    {"sparse-convolution-expander",
     "Gives convolutions with sparse kernels the zeros of these.",
     &Make<SparseConvolutionExpander>},
    {"spmd-partitioner",
     "Makes the program that each device runs on its parts of the arrays.",
     &Make<SpmdPartitioner>},
    {"stochastic-convert-decomposer",
     "Replaces stochastic-convert by element-wise ops.",
     &Make<StochasticConvertDecomposer>},
    {"topk-decomposer", "Replaces topk by a stable sort and slices.",
     &Make<TopKDecomposer>},
    {"transpose-mover",
     "Computes arrays in other orders of dimensions where that saves bytes of "
     "transposes.",
     &Make<TransposeMover>},
    {"tuple-simplifier", "Takes values past the tuples that hold them.",
     &Make<TupleSimplifier>},
    {"verify", "Checks that the module is well formed; changes nothing.",
     &Make<VerifyPass>},
    {"while-loop-all-reduce-code-motion",
     "Moves all-reduces out of loops that only add their results.",
     &Make<WhileLoopAllReduceCodeMotion>},
    {"while-loop-dot-hoisting",
     "Does products of slices, one each iteration, in one before the loop.",
     &Make<WhileLoopDotHoisting>},
    {"while-loop-dot-sinking",
     "Sums products, one each iteration, in one product behind the loop.",
     &Make<WhileLoopDotSinking>},
    {"while-loop-double-buffering",
     "Does two iterations of loops in one where that saves a copy.",
     &MakeAliasing<WhileLoopDoubleBuffering>},
    {"while-loop-invariant-code-motion",
     "Moves what does not change out of loops.",
     &Make<WhileLoopInvariantCodeMotion>},
    {"while-loop-trip-count-annotator",
     "Notes how often loops run, where that is known.",
     &Make<WhileLoopTripCountAnnotator>},
    {"while-loop-unpack-sinking",
     "Unpacks bits inside the loops that read them.",
     &Make<WhileLoopUnpackSinking>},
    {"while-loop-unroller",
     "Puts the iterations of short loops one after another.",
     &Make<WhileLoopUnroller>},
    {"while-simplifier",
     "Removes loops that run once or never, and dead or invariant carries.",
     &Make<WhileSimplifier>},
    {"windowed-einsum",
     "Multiplies a gathered operand of over a gigabyte block by block.",
     &Make<WindowedEinsum>},
};

}  // namespace

absl::Span<const PassEntry> RegisteredPasses() { return kPasses; }

bool IsRegisteredPass(absl::string_view name) {
  return absl::c_any_of(
      kPasses, [&](const PassEntry& entry) { return entry.name == name; });
}

absl::StatusOr<std::unique_ptr<HloPassInterface>> MakePass(
    absl::string_view name, const PassBackend& backend) {
  for (const PassEntry& entry : kPasses) {
    if (entry.name == name) return entry.make(backend);
  }
  return absl::NotFoundError(absl::StrCat(
      "no pass '", name, "'; there are ",
      absl::StrJoin(kPasses, ", ", [](std::string* out, const PassEntry& e) {
        absl::StrAppend(out, e.name);
      })));
}

}  // namespace xla
