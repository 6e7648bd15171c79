// Reads types and attributes from tokens into a module's arena.
#ifndef XLA_STABLEHLO_TEXT_ATTRIBUTE_READER_H_
#define XLA_STABLEHLO_TEXT_ATTRIBUTE_READER_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/ir/ir.h"
#include "xla/stablehlo/text/lexer.h"

namespace xla::stablehlo {

using AttributeOr = absl::StatusOr<const Attribute*>;
using TypeOr = absl::StatusOr<const Type*>;
using LocationOr = absl::StatusOr<const LocationAttr*>;

// The deepest nesting of regions, attributes and types: bounds the recursion.
inline constexpr int kMaxTextDepth = 200;
// The most types or attributes below an alias: bounds what aliases can stand
// for.
inline constexpr int64_t kMaxAliasNodes = 10000;

// Nodes point into the source where they can. Errors: InvalidArgument with line
// and column; Unimplemented for resources, which are outside of the text.
class AttributeReader {
 public:
  AttributeReader(Lexer& lexer, Arena& arena) : lexer_(lexer), arena_(arena) {}

  Lexer& lexer() { return lexer_; }
  Arena& arena() { return arena_; }

  // Counts a level of nesting while it lives, for this reader and that of ops.
  class Nesting {
   public:
    explicit Nesting(AttributeReader& reader) : depth_(reader.depth_) {
      ++depth_;
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };
  absl::Status CheckDepth() const;

  // type_reader.cc
  bool AtType() const;
  TypeOr ReadType();
  // Reads "T", "(T, U)" or "()".
  absl::StatusOr<std::vector<const Type*>> ReadTypeOrList();
  // Reads "T, U": one or more.
  absl::StatusOr<std::vector<const Type*>> ReadTypes();
  // Reads `!name = type`.
  absl::Status ReadTypeAlias();

  // attribute_reader.cc
  AttributeOr ReadAttribute();
  // Reads "{a = 1, b}" and appends it to `out`.
  absl::Status ReadDictionary(std::vector<NamedAttribute>* out);
  // Reads `#name = attribute`.
  absl::Status ReadAttributeAlias();
  absl::StatusOr<absl::string_view> ReadString();
  // Reads "@name" or "@"na me"", and returns it without the sign.
  absl::StatusOr<absl::string_view> ReadSymbol();

  // location_reader.cc
  // Reads "loc(...)", whose aliases must be defined. Never returns null.
  LocationOr ReadLocation();
  // "loc(...)" behind an op or argument, which may be an alias that is defined
  // later.
  struct TrailingLocation {
    const LocationAttr* location = nullptr;
    absl::string_view alias;  // "#loc3"
    size_t offset = 0;        // of the alias
    bool is_given() const { return location != nullptr || !alias.empty(); }
  };
  // Reads "loc(...)" if it is next.
  absl::Status ReadTrailingLocation(TrailingLocation* out);
  // Returns the location, null if there is none or if it is unknown. To be
  // called when all aliases were read. Errors: InvalidArgument for an alias
  // that is not defined or is no location.
  LocationOr ResolveLocation(const TrailingLocation& trailing) const;

  // dialect_attributes.cc: reads what follows `#stablehlo` in brackets.
  // Reads "<name X>" of an enumeration or "<name<...>>".
  AttributeOr ReadDialectAttribute(absl::string_view name);
  // Reads "<a = 1, b = [2]>" and adds missing lists of known structs.
  AttributeOr ReadStruct(absl::string_view name);
  // Reads the value after `key = ` in a struct or pretty form: a list of
  // integers or of enumerators, an integer, a string, an enumerator, any
  // attribute.
  AttributeOr ReadBareValue();
  // Reads "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" as fields of the
  // convolution.
  absl::Status ReadConvolutionDimensions(std::vector<NamedAttribute>* out);

  // sharding_attributes.cc
  // "<@mesh, [{"x"}, {?}], replicated={"y"}>"
  AttributeOr ReadSharding();
  // "[<@mesh, ...>, ...]"
  AttributeOr ReadShardings();
  // "{"x", "y"}"
  AttributeOr ReadManualAxes();
  // "<["x"=2, "y"=4], device_ids=[1, 0]>"
  AttributeOr ReadMesh();

  // dense_reader.cc: reads what follows `dense`.
  AttributeOr ReadDense();

  // These make nodes.
  const Attribute* Integer(int64_t value, PrimitiveType type = S64);
  const Attribute* Bool(bool value);
  const Attribute* Text(Attribute::Kind kind, absl::string_view text);
  const Attribute* Integers(absl::Span<const int64_t> values);
  const Attribute* Array(absl::Span<const Attribute* const> elements);
  const Attribute* Dictionary(absl::Span<const NamedAttribute> fields);
  const Attribute* TypeAttribute(const Type* type);
  // Makes dense<...> : tensor<sizes x i64>.
  const Attribute* Int64Elements(absl::Span<const int64_t> values,
                                 absl::Span<const int64_t> sizes);
  const Type* Scalar(PrimitiveType type);
  const Type* Tensor(PrimitiveType element, absl::Span<const int64_t> sizes);

 private:
  TypeOr ReadTensorType(size_t start);
  absl::Status ReadDimensions(std::vector<int64_t>* sizes);
  absl::Status ReadEncoding(Type* type);
  TypeOr ReadDialectType();
  absl::StatusOr<const QuantizedType*> ReadQuantizedType();
  absl::Status ReadStorage(QuantizedType* type);
  absl::Status ReadBlocks(std::vector<int64_t>* axes,
                          std::vector<int64_t>* sizes);
  absl::Status ReadScales(std::vector<double>* scales,
                          std::vector<int64_t>* zero_points);
  TypeOr ReadFunctionType();
  TypeOr ReadBracketedTypes(Type::Kind kind);
  // Keeps a type as text, from `start` through the next brackets.
  TypeOr ReadUnknownType(size_t start);

  LocationOr ReadLocationBody();
  LocationOr ReadNameOrLine();
  LocationOr ReadLocationHash();
  absl::StatusOr<int32_t> ReadLineNumber();
  AttributeOr ReadNumber();
  AttributeOr ReadWordAttribute();
  AttributeOr ReadHashAttribute();
  AttributeOr ReadArray();
  AttributeOr ReadTypedArray();
  AttributeOr ReadSymbolAttribute();
  AttributeOr ReadUnknownAttribute(size_t start);
  AttributeOr ReadUnknownAt(size_t start);
  AttributeOr ReadSdyAttribute(absl::string_view mnemonic, size_t start);
  AttributeOr ReadBareList();
  AttributeOr ReadEnumerator();
  absl::Status AddDefaults(absl::string_view name,
                           std::vector<NamedAttribute>* fields);
  absl::StatusOr<std::vector<int64_t>> ReadSpatial(char first, char second,
                                                   int64_t* first_at,
                                                   int64_t* second_at);
  AttributeOr ReadAxis();
  absl::Status ReadSubAxis(std::vector<NamedAttribute>* out);
  AttributeOr ReadAxes(char open, char close);
  AttributeOr ReadDimensionSharding();

  Lexer& lexer_;
  Arena& arena_;
  int depth_ = 0;
  // Aliases with the number of nodes below them, which is limited, since
  // aliases of aliases could stand for trees of any size.
  template <typename T>
  struct Alias {
    const T* node = nullptr;
    int64_t nodes = 0;
  };
  absl::flat_hash_map<absl::string_view, Alias<Type>> type_aliases_;
  absl::flat_hash_map<absl::string_view, Alias<Attribute>> attribute_aliases_;
  absl::flat_hash_map<absl::string_view, const LocationAttr*> location_aliases_;
  int64_t nodes_ = 0;  // so far, those of aliases once per use
  // Tensor types by their text, which programs often repeat.
  absl::flat_hash_map<absl::string_view, const Type*> tensor_types_;
};

// Returns the type of "f32", "i1", "ui8", "f8E4M3FN", but not "complex<...>";
// PRIMITIVE_TYPE_INVALID for other names.
PrimitiveType ElementTypeOfName(absl::string_view name);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_ATTRIBUTE_READER_H_
