// The fast forms of the types that many instructions have; the others have the
// form of their protos, which is right for any type.
#include "xla/hlo/attrs/field_bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/core/comparison.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/message_bytes.h"

namespace xla {
namespace {

template <typename List>
void WriteNumbers(const List& numbers, ByteStream& out) {
  out.Number(uint64_t{numbers.size()});
  for (const auto number : numbers) out.Number(number);
}

void WriteLayout(const Layout& layout, ByteStream& out) {
  out.Number(layout.is_plain());
  if (!layout.is_plain()) return WriteBytes(layout.ToProto(), out);
  WriteNumbers(layout.minor_to_major(), out);
  out.Number(layout.element_size_in_bits());
  out.Number(layout.memory_space());
}

void WriteLiteral(const SharedLiteral& literal, ByteStream& out) {
  const Literal* value = literal.value.get();
  out.Number(value != nullptr);
  if (value == nullptr) return;
  const Shape& shape = value->shape();
  const bool plain =
      shape.IsArray() && shape.is_static() && value->untyped_data() != nullptr;
  out.Number(plain);
  if (!plain) return WriteBytes(value->ToProto(), out);
  WriteBytes(shape, out);
  out.Text({static_cast<const char*>(value->untyped_data()),
            static_cast<size_t>(value->size_bytes())});
}

template <typename T>
void WriteField(const T& value, ByteStream& out) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    out.Number(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.Text(value);
  } else if constexpr (std::is_same_v<T, SharedLiteral>) {
    WriteLiteral(value, out);
  } else if constexpr (requires { value.has_value(); }) {
    out.Number(value.has_value());
    if (value.has_value()) WriteField(*value, out);
  } else if constexpr (requires { value.begin(); }) {
    WriteNumbers(value, out);
  } else {
    WriteBytes(value, out);
  }
}

using WriteFunction = void (*)(const void* value, ByteStream& out);
using Writers = absl::flat_hash_map<const FieldCodecDef*, WriteFunction>;

template <typename... Types>
Writers* MakeWriters() {
  return new Writers{
      {&FieldCodec<Types>::kDef, [](const void* value, ByteStream& out) {
         WriteField(*static_cast<const Types*>(value), out);
       }}...};
}

const Writers& FastWriters() {
  static const Writers& writers =
      *MakeWriters<bool, int64_t, float, std::string, std::optional<int64_t>,
                   std::vector<int64_t>, SharedLiteral, FusionKind,
                   ComparisonDirection, std::optional<Comparison::Type>,
                   PaddingConfig, Window, PrecisionConfig, ResultAccuracy,
                   DotDimensionNumbers, GatherDimensionNumbers,
                   ScatterDimensionNumbers, ParameterReplication>();
  return writers;
}

}  // namespace

void WriteBytes(const google::protobuf::MessageLite& message, ByteStream& out) {
  if (message.ByteSizeLong() == 0) return out.Number(uint64_t{0});
  out.Text(DeterministicBytes(message));
}

void WriteBytes(const Shape& shape, ByteStream& out) {
  out.Number(shape.element_type_including_buffer());
  const Shape& in_buffer = shape.buffer_shape();
  if (&in_buffer != &shape) return WriteBytes(in_buffer, out);
  out.Number(uint64_t{shape.tuple_shapes().size()});
  for (const Shape& part : shape.tuple_shapes()) WriteBytes(part, out);
  // Only an array should have these, but whatever has them differs.
  WriteNumbers(shape.dimensions(), out);
  out.Number(shape.has_dynamic_dimensions());
  if (shape.has_dynamic_dimensions()) {
    WriteNumbers(shape.dynamic_dimensions(), out);
  }
  out.Number(shape.has_layout());
  if (shape.has_layout()) WriteLayout(shape.layout(), out);
}

void WriteBytes(const Attrs& attrs, ByteStream& out) {
  if (attrs.get() == nullptr) return;
  for (const FieldDef& field : attrs.def()->fields()) {
    const void* value = field.Get(attrs.get());
    const auto writer = FastWriters().find(field.codec);
    if (writer != FastWriters().end()) {
      writer->second(value, out);
    } else if (field.proto_name == "-") {
      std::string text;
      field.codec->print(field.name, value, /*always=*/true, &text);
      out.Text(text);
    } else {
      HloInstructionProto proto;
      field.codec->to_proto(field.proto_name, value, &proto);
      WriteBytes(proto, out);
    }
  }
}

}  // namespace xla
