// ProgramShape: the parameters and the result of a computation, as shapes.
#ifndef XLA_CORE_SHAPE_PROGRAM_SHAPE_H_
#define XLA_CORE_SHAPE_PROGRAM_SHAPE_H_

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The names are those of the parameters; fewer names than parameters leave the
// last ones without.
class ProgramShape {
 public:
  ProgramShape() = default;
  ProgramShape(std::vector<Shape> parameters, Shape result,
               std::vector<std::string> parameter_names)
      : parameters_(std::move(parameters)),
        parameter_names_(std::move(parameter_names)),
        result_(std::move(result)) {}

  // Errors: as Shape::FromProto; more names than parameters.
  static absl::StatusOr<ProgramShape> FromProto(const ProgramShapeProto& proto);
  ProgramShapeProto ToProto() const;
  void ToProto(ProgramShapeProto& proto) const;
  // "(x: f32[2], y: s32[]) -> f32[2]".
  std::string ToString() const;
  void Print(Printer* printer) const;

  int parameters_size() const { return parameters_.size(); }
  const Shape& parameters(int i) const { return parameters_[i]; }
  Shape* mutable_parameters(int i) { return &parameters_[i]; }
  Shape* add_parameters() { return &parameters_.emplace_back(); }
  void AddParameter(Shape shape, std::string name);
  void clear_parameters();
  const std::vector<Shape>& parameters() const { return parameters_; }
  std::vector<Shape>* mutable_parameters() { return &parameters_; }

  const Shape& result() const { return result_; }
  Shape* mutable_result() { return &result_; }
  void clear_result() { result_.Clear(); }

  int parameter_names_size() const { return parameter_names_.size(); }
  const std::string& parameter_names(int i) const {
    return parameter_names_[i];
  }
  void set_parameter_names(int i, const std::string& name) {
    parameter_names_[i] = name;
  }
  std::string* mutable_parameter_names(int i) { return &parameter_names_[i]; }
  void add_parameter_names(const std::string& name) {
    parameter_names_.push_back(name);
  }
  // Leaves each parameter without a name.
  void clear_parameter_names() {
    parameter_names_.assign(parameters_.size(), "");
  }
  const std::vector<std::string>& parameter_names() const {
    return parameter_names_;
  }
  std::vector<std::string>* mutable_parameter_names() {
    return &parameter_names_;
  }

  std::string ShortDebugString() const { return ToProto().ShortDebugString(); }
  std::string DebugString() const { return ToProto().DebugString(); }

  bool operator==(const ProgramShape& other) const {
    return parameters_ == other.parameters_ && result_ == other.result_ &&
           parameter_names_ == other.parameter_names_;
  }
  bool operator!=(const ProgramShape& other) const { return !(*this == other); }

  template <typename H>
  friend H AbslHashValue(H h, const ProgramShape& p) {
    return H::combine(std::move(h), p.parameters_, p.result_,
                      p.parameter_names_);
  }

 private:
  std::vector<Shape> parameters_;
  std::vector<std::string> parameter_names_;
  Shape result_;
};

// Ends the line.
std::ostream& operator<<(std::ostream& out, const ProgramShape& program_shape);

}  // namespace xla

#endif  // XLA_CORE_SHAPE_PROGRAM_SHAPE_H_
