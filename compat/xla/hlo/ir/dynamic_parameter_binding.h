// DynamicParameterBinding: which parameters are the sizes of dynamic dimensions
// of others.
#ifndef COMPAT_XLA_HLO_IR_DYNAMIC_PARAMETER_BINDING_H_
#define COMPAT_XLA_HLO_IR_DYNAMIC_PARAMETER_BINDING_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class DynamicParameterBinding {
 public:
  // The part of a parameter that is a size, a scalar.
  struct DynamicSizeParameter {
    int64_t parameter_num;
    ShapeIndex parameter_index;
  };

  // A dimension of a part of a parameter.
  struct DynamicDimension {
    int64_t parameter_num;
    ShapeIndex parameter_index;
    int64_t dimension;

    friend bool operator==(const DynamicDimension& a,
                           const DynamicDimension& b) {
      return a.parameter_num == b.parameter_num &&
             a.parameter_index == b.parameter_index &&
             a.dimension == b.dimension;
    }
    friend bool operator<(const DynamicDimension& a,
                          const DynamicDimension& b) {
      return std::make_tuple(a.parameter_num, ShapeIndexView(a.parameter_index),
                             a.dimension) <
             std::make_tuple(b.parameter_num, ShapeIndexView(b.parameter_index),
                             b.dimension);
    }
    template <typename H>
    friend H AbslHashValue(H h, const DynamicDimension& d) {
      return H::combine(std::move(h), d.parameter_num, d.parameter_index,
                        d.dimension);
    }
  };

  // Errors: Internal for a dimension that has a size.
  absl::Status Bind(const DynamicSizeParameter& dynamic_parameter,
                    const DynamicDimension& dynamic_dimension) {
    TF_RET_CHECK(bindings_.emplace(dynamic_dimension, dynamic_parameter).second)
        << "dimension " << dynamic_dimension.dimension << " of parameter "
        << dynamic_dimension.parameter_num << " is bound";
    return absl::OkStatus();
  }

  std::optional<DynamicSizeParameter> GetBinding(
      const DynamicDimension& dynamic_dimension) const {
    const auto it = bindings_.find(dynamic_dimension);
    if (it == bindings_.end()) return std::nullopt;
    return it->second;
  }

  using BindingFn =
      std::function<absl::Status(const DynamicSizeParameter& dynamic_parameter,
                                 const DynamicDimension& dynamic_dimension)>;
  // Calls `fn` for the bindings in order, up to an error, which it returns.
  absl::Status ForEachBinding(BindingFn fn) const {
    for (const auto& [dimension, size] : bindings_) {
      TF_RETURN_IF_ERROR(fn(size, dimension));
    }
    return absl::OkStatus();
  }

  std::string ToString() const {
    std::string text = "DynamicParameterBinding: ";
    for (const auto& [dimension, size] : bindings_) {
      absl::StrAppend(
          &text, "\n -- Input param number ", dimension.parameter_num, " at ",
          dimension.parameter_index.ToString(), " has dim ",
          dimension.dimension,
          " as dynamic dimension, which is represented by param "
          "number ",
          size.parameter_num, " at ", size.parameter_index.ToString());
    }
    return text;
  }

  // Checks that the computation has these parameters, parts and dimensions.
  // Errors: Internal.
  absl::Status Verify(const HloComputation& computation) const {
    return ForEachBinding([&](const DynamicSizeParameter& size,
                              const DynamicDimension& dimension)
                              -> absl::Status {
      TF_RET_CHECK(
          HasPart(computation, size.parameter_num, size.parameter_index))
          << "no parameter " << size.parameter_num << " at "
          << size.parameter_index.ToString();
      TF_RET_CHECK(HasPart(computation, dimension.parameter_num,
                           dimension.parameter_index))
          << "no parameter " << dimension.parameter_num << " at "
          << dimension.parameter_index.ToString();
      const Shape& part = ShapeUtil::GetSubshape(
          computation.parameter_instruction(dimension.parameter_num)->shape(),
          dimension.parameter_index);
      TF_RET_CHECK(part.IsArray() && dimension.dimension >= 0 &&
                   dimension.dimension < part.rank())
          << "no dimension " << dimension.dimension;
      return absl::OkStatus();
    });
  }

  bool empty() const { return bindings_.empty(); }

 private:
  static bool HasPart(const HloComputation& computation, int64_t number,
                      const ShapeIndex& index) {
    return number >= 0 && number < computation.num_parameters() &&
           ShapeUtil::IndexIsValid(
               computation.parameter_instruction(number)->shape(), index);
  }

  absl::btree_map<DynamicDimension, DynamicSizeParameter> bindings_;
};

inline std::ostream& operator<<(std::ostream& out,
                                const DynamicParameterBinding& binding) {
  return out << binding.ToString();
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_DYNAMIC_PARAMETER_BINDING_H_
