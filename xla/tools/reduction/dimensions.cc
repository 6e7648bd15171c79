// The steps that keep the instructions and make numbers in them smaller.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/tools/reduction/moves.h"
#include "xla/tools/reduction/shapes.h"

namespace xla::tools {
namespace {

// Largest first: they are most of the work.
std::set<int64_t, std::greater<>> SizesIn(const HloModule& module) {
  std::set<int64_t, std::greater<>> sizes;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      ShapeUtil::ForEachSubshape(
          hlo->shape(), [&](const Shape& shape, const ShapeIndex&) {
            if (!shape.IsArray()) return;
            for (const int64_t size : shape.dimensions()) {
              if (size > 1) sizes.insert(size);
            }
          });
    }
  }
  return sizes;
}

bool TrySize(Trials& trials, int64_t from, int64_t to) {
  if (to < 1 || to >= from) return false;
  ReducibleProgram copy = trials.Copy();
  return ReshapeProgram(copy, from, to).ok() && trials.Try(std::move(copy));
}

// Makes a size as small as bisection finds it.
bool ShrinkSize(Trials& trials, int64_t size) {
  bool changed = false;
  for (const int64_t small : {1, 2, 3, 4}) {
    if (TrySize(trials, size, small)) return true;
  }
  for (int64_t step = size / 2; step > 0 && !trials.exhausted();) {
    if (TrySize(trials, size, size - step)) {
      changed = true;
      size -= step;
      step = std::min(step, size / 2);
    } else {
      step /= 2;
    }
  }
  return changed;
}

absl::StatusOr<bool> ReplaceConstant(const HloModule& module,
                                     const std::string& name, Literal literal) {
  HloInstruction* hlo = FindInstruction(module, name);
  if (hlo == nullptr) return false;
  HloInstruction* constant = hlo->parent()->AddInstruction(
      HloInstruction::CreateConstant(std::move(literal)));
  *constant->mutable_shape() = hlo->shape();
  TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
  TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(constant));
  return true;
}

bool IsNonzeroConstant(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kConstant && hlo.shape().IsArray() &&
         !hlo.literal().IsAll(0);
}

bool IsLargeInteger(const HloInstruction& hlo) {
  return IsNonzeroConstant(hlo) && hlo.shape().dimensions().empty() &&
         primitive_util::IsIntegralType(hlo.shape().element_type()) &&
         hlo.literal().GetFirstInteger().value_or(0) > 1;
}

// The next round tries the new constant, which has a name of its own.
bool ShrinkInteger(Trials& trials, const std::string& name) {
  const HloInstruction* hlo = FindInstruction(*trials.best().module, name);
  if (hlo == nullptr || !IsLargeInteger(*hlo)) return false;
  const int64_t value = *hlo->literal().GetFirstInteger();
  for (const int64_t smaller : {int64_t{1}, int64_t{2}, value / 2}) {
    if (smaller < 1 || smaller >= value) continue;
    absl::StatusOr<Literal> literal =
        LiteralUtil::CreateR0<int64_t>(smaller).Convert(
            hlo->shape().element_type());
    ReducibleProgram copy = trials.Copy();
    if (literal.ok() &&
        ReplaceConstant(*copy.module, name, *std::move(literal)).ok() &&
        trials.Try(std::move(copy))) {
      return true;
    }
  }
  return false;
}

void SimplifyWindow(Window& window) {
  for (WindowDimension& dimension : *window.mutable_dimensions()) {
    dimension.set_stride(1);
    dimension.set_padding_low(0);
    dimension.set_padding_high(0);
    dimension.set_window_dilation(1);
    dimension.set_base_dilation(1);
    dimension.set_window_reversal(false);
  }
}

bool HasSimplerAttributes(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kConvolution ||
         hlo.opcode() == HloOpcode::kReduceWindow ||
         hlo.opcode() == HloOpcode::kPad;
}

void SimplifyInstruction(HloInstruction* hlo) {
  switch (hlo->opcode()) {
    case HloOpcode::kConvolution: {
      auto& attrs = hlo->mutable_attrs<ConvolutionAttrs>();
      SimplifyWindow(attrs.window);
      attrs.precision_config.Clear();
      return;
    }
    case HloOpcode::kReduceWindow:
      return SimplifyWindow(hlo->mutable_attrs<ReduceWindowAttrs>().window);
    case HloOpcode::kPad:
      for (auto& dimension :
           *hlo->mutable_attrs<PadAttrs>().padding.mutable_dimensions()) {
        dimension.set_interior_padding(0);
      }
      return;
    default:
      return;
  }
}

}  // namespace

bool ShrinkDimensions(Trials& trials) {
  bool changed = false;
  for (const int64_t size : SizesIn(*trials.best().module)) {
    changed |= ShrinkSize(trials, size);
  }
  return changed;
}

bool SimplifyConstants(Trials& trials) {
  bool changed = trials.TryChunks(
      NamesOf(*trials.best().module, IsNonzeroConstant),
      [](ReducibleProgram& program,
         absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
        bool edited = false;
        for (const std::string& name : chunk) {
          const HloInstruction* hlo = FindInstruction(*program.module, name);
          if (hlo == nullptr) continue;
          TF_ASSIGN_OR_RETURN(
              const bool replaced,
              ReplaceConstant(*program.module, name,
                              Literal::CreateFromShape(hlo->shape())));
          edited |= replaced;
        }
        return edited;
      });
  for (const std::string& name :
       NamesOf(*trials.best().module, IsLargeInteger)) {
    changed |= ShrinkInteger(trials, name);
  }
  return changed;
}

bool SimplifyAttributes(Trials& trials) {
  return trials.TryChunks(
      NamesOf(*trials.best().module, HasSimplerAttributes),
      [](ReducibleProgram& program,
         absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
        for (const std::string& name : chunk) {
          HloInstruction* hlo = FindInstruction(*program.module, name);
          if (hlo != nullptr) SimplifyInstruction(hlo);
        }
        TF_RETURN_IF_ERROR(ReshapeProgram(program, /*from=*/1, /*to=*/1));
        return true;
      });
}

}  // namespace xla::tools
