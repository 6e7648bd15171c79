// What the descriptions of library kernels consist of, for archives of thunks.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_KERNEL_FIELDS_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_KERNEL_FIELDS_H_

#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/kernels/fft.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, KernelTarget& target) {
  archive(target.vector_level, target.caches.l1_bytes, target.caches.l2_bytes,
          target.task_ns);
}

template <typename Archive>
void Fields(Archive& archive, DotScales& scales) {
  archive(scales.type, scales.group, scales.rounds_to_bf16);
}

template <typename Archive>
void Fields(Archive& archive, DotDesc& desc) {
  archive(desc.lhs, desc.rhs, desc.out, desc.batch, desc.m, desc.n, desc.k,
          desc.lhs_transposed, desc.rhs_transposed, desc.lhs_stride,
          desc.rhs_stride, desc.out_stride, desc.lhs_batch_stride,
          desc.rhs_batch_stride, desc.out_batch_stride, desc.lhs_shared,
          desc.rhs_inner_batch, desc.rhs_outer_stride, desc.rhs_packed,
          desc.rhs_computed, desc.rhs_step, desc.scales, desc.rhs_bits_packed,
          desc.column_step);
}

template <typename Archive>
void Fields(Archive& archive, ConvolutionDim& dim) {
  archive(dim.input, dim.kernel, dim.output, dim.stride, dim.padding_low,
          dim.base_dilation, dim.window_dilation, dim.reversed);
}

template <typename Archive>
void Fields(Archive& archive, ConvolutionDesc& desc) {
  archive(desc.input, desc.kernel, desc.out, desc.batch, desc.in_features,
          desc.out_features, desc.feature_groups, desc.batch_groups, desc.dims,
          desc.kernel_packed, desc.column_step);
}

template <typename Archive>
void Fields(Archive& archive, SortKey& key) {
  archive(key.operand, key.order, key.descending);
}

template <typename Archive>
void Fields(Archive& archive, SortDesc& desc) {
  archive(desc.outer, desc.length, desc.inner, desc.operands, desc.keys);
}

template <typename Archive>
void Fields(Archive& archive, TopKDesc& desc) {
  archive(desc.type, desc.order, desc.largest, desc.rows, desc.length, desc.k);
}

template <typename Archive>
void Fields(Archive& archive, FftDesc& desc) {
  archive(desc.type, desc.wide, desc.batch, desc.lengths);
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_KERNEL_FIELDS_H_
