// A runtime of another language: graphs come as lists of names, numbers and
// bytes, values as binaries.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/cpu_client_options.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/primitive_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

using Numbers = std::vector<int64_t>;

// An operation of a program that another language sends.
struct Node {
  std::string name;
  Numbers operands;  // nodes before this one
  Numbers numbers;   // dimensions, axes, ...
  std::string type;  // of parameters and conversions
};

class Decoder {
 public:
  explicit Decoder(const std::string& name) : builder_(name) {}

  absl::StatusOr<xla::XlaComputation> Decode(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      const auto found = kDecoders().find(node.name);
      if (found == kDecoders().end()) {
        return absl::UnimplementedError(absl::StrCat("no op ", node.name));
      }
      TF_ASSIGN_OR_RETURN(const xla::XlaOp op, found->second(*this, node));
      ops_.push_back(op);
    }
    return builder_.Build(ops_.back());
  }

 private:
  using Function =
      std::function<absl::StatusOr<xla::XlaOp>(Decoder&, const Node&)>;

  xla::XlaOp Operand(const Node& node, int i) const {
    return ops_.at(node.operands.at(i));
  }
  static absl::StatusOr<xla::PrimitiveType> Type(const Node& node) {
    return xla::primitive_util::StringToPrimitiveType(node.type);
  }

  static const std::map<std::string, Function>& kDecoders() {
    static const auto* const map = new std::map<std::string, Function>{
        {"parameter",
         [](Decoder& d, const Node& node) -> absl::StatusOr<xla::XlaOp> {
           TF_ASSIGN_OR_RETURN(const xla::PrimitiveType type, Type(node));
           const int64_t number = d.parameters_++;
           return xla::Parameter(&d.builder_, number,
                                 xla::ShapeUtil::MakeShape(type, node.numbers),
                                 absl::StrCat("arg", number));
         }},
        {"as_type",
         [](Decoder& d, const Node& node) -> absl::StatusOr<xla::XlaOp> {
           TF_ASSIGN_OR_RETURN(const xla::PrimitiveType type, Type(node));
           return xla::ConvertElementType(d.Operand(node, 0), type);
         }},
        {"transpose",
         [](Decoder& d, const Node& node) -> absl::StatusOr<xla::XlaOp> {
           return xla::Transpose(d.Operand(node, 0), node.numbers);
         }},
        {"dot",
         [](Decoder& d, const Node& node) -> absl::StatusOr<xla::XlaOp> {
           xla::DotDimensionNumbers dims;
           dims.add_lhs_contracting_dimensions(node.numbers[0]);
           dims.add_rhs_contracting_dimensions(node.numbers[1]);
           return xla::DotGeneral(d.Operand(node, 0), d.Operand(node, 1), dims);
         }},
        {"sum",
         [](Decoder& d, const Node& node) -> absl::StatusOr<xla::XlaOp> {
           TF_ASSIGN_OR_RETURN(const xla::Shape shape,
                               d.builder_.GetShape(d.Operand(node, 0)));
           const xla::PrimitiveType type = shape.element_type();
           return xla::Reduce(
               d.Operand(node, 0), xla::Zero(&d.builder_, type),
               xla::CreateScalarAddComputation(type, &d.builder_),
               node.numbers);
         }},
    };
    return *map;
  }

  xla::XlaBuilder builder_;
  std::vector<xla::XlaOp> ops_;
  int64_t parameters_ = 0;
};

absl::Status Run() {
  // sum(transpose(x) . as_type(y, f32), axis 1)
  const std::vector<Node> program = {
      {"parameter", {}, {2, 3}, "f32"}, {"parameter", {}, {2, 2}, "u8"},
      {"transpose", {0}, {1, 0}, ""},   {"as_type", {1}, {}, "f32"},
      {"dot", {2, 3}, {1, 0}, ""},      {"sum", {4}, {1}, ""},
  };
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation computation,
                      Decoder("graph").Decode(program));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtClient> client,
                      xla::GetXlaPjrtCpuClient(xla::CpuClientOptions()));
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<xla::PjRtLoadedExecutable> executable,
      client->CompileAndLoad(computation, xla::CompileOptions()));
  TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                      client->addressable_devices()[0]->default_memory_space());

  // Binaries stay the caller's until the buffers are gone.
  const float x[6] = {1, 2, 3, 4, 5, 6};
  const uint8_t y[4] = {1, 0, 2, 1};
  int released = 0;
  {
    const auto buffer = [&](const void* data, xla::PrimitiveType type,
                            const Numbers& dims) {
      return client->BufferFromHostBuffer(
          data, type, dims, /*byte_strides=*/std::nullopt,
          xla::PjRtClient::HostBufferSemantics::
              kImmutableUntilTransferCompletes,
          [&released] { ++released; }, memory, /*device_layout=*/nullptr);
    };
    TF_ASSIGN_OR_RETURN(auto a, buffer(x, xla::F32, {2, 3}));
    TF_ASSIGN_OR_RETURN(auto b, buffer(y, xla::U8, {2, 2}));
    TF_ASSIGN_OR_RETURN(
        auto results,
        executable->Execute({{a.get(), b.get()}}, xla::ExecuteOptions()));
    xla::PjRtBuffer& result = *results[0][0];
    TF_ASSIGN_OR_RETURN(const size_t bytes, result.GetOnDeviceSizeInBytes());
    std::string binary(bytes, '\0');
    TF_RETURN_IF_ERROR(result.CopyRawToHost(binary.data(), 0, bytes).Await());
    float sums[3];
    if (bytes != sizeof(sums)) return absl::InternalError("size");
    std::memcpy(sums, binary.data(), bytes);
    // x^T y = [[9, 4], [12, 5], [15, 6]]
    if (sums[0] != 13 || sums[1] != 17 || sums[2] != 21) {
      return absl::InternalError(
          absl::StrCat("got ", sums[0], " ", sums[1], " ", sums[2]));
    }
  }
  if (released != 2) return absl::InternalError("memory was not released");
  const auto unknown = Decoder("wrong").Decode({{"fly", {}, {}, ""}});
  if (!absl::IsUnimplemented(unknown.status())) {
    return absl::InternalError("an unknown op was accepted");
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
