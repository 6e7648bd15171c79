// Reads ops in one pass from the first byte to the last.
#include "xla/stablehlo/bytecode/ir_reader.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/bytecode/normal_form.h"
#include "xla/stablehlo/ir/struct_attributes.h"

namespace xla::stablehlo {
namespace {

// The deepest nesting of regions: bounds the recursion.
constexpr int kMaxRegionDepth = 200;

absl::Status CutOff() {
  return absl::InvalidArgumentError("cut off or malformed");
}

}  // namespace

IrReader::IrReader(const BytecodeFile& file, Module& module)
    : file_(file),
      module_(module),
      pool_(file, module.arena),
      locations_(file, pool_),
      kinds_(file.op_names.size()),
      properties_(file.properties.size()),
      // Values count twice: where their region begins, and one by one.
      count_budget_(2 * file.ir.size() + 64),
      field_budget_(4 * module.source.size() + 4096) {}

absl::StatusOr<size_t> IrReader::ReadCount(ByteCursor& in, const char* what) {
  const uint64_t count = in.Varint();
  if (!in.ok() || count > in.remaining() || count > count_budget_) {
    return InvalidArgumentStrCat(what, " count of ", count,
                                 " is more than there are bytes");
  }
  count_budget_ -= count;
  return count;
}

absl::Status IrReader::Run() {
  ByteCursor in(file_.ir);
  Scope scope;
  Block top;
  TF_RETURN_IF_ERROR(ReadBlock(in, scope, top));
  if (top.ops.size() != 1 || top.ops[0]->name != "builtin.module" ||
      top.ops[0]->Body() == nullptr) {
    return absl::InvalidArgumentError(
        "an artifact is one builtin.module of one block");
  }
  module_.root = top.ops[0];
  return absl::OkStatus();
}

absl::StatusOr<const IrReader::OpKind*> IrReader::KindOf(uint64_t name) {
  if (name >= kinds_.size()) {
    return InvalidArgumentStrCat("op name ", name, " of ", kinds_.size(),
                                 " does not exist");
  }
  OpKind& kind = kinds_[name];
  if (kind.row != nullptr) return &kind;
  const BytecodeFile::OpName& op = file_.op_names[name];
  const absl::string_view dialect = file_.dialects[op.dialect];
  const OpRow* row = FindOpRow(dialect, op.name);
  if (row == nullptr || !op.registered) {
    return InvalidArgumentStrCat("unknown op ", dialect, ".", op.name);
  }
  kind.is_cast = row->name == "builtin.unrealized_conversion_cast";
  kind.row = row;
  return &kind;
}

absl::StatusOr<const Op*> IrReader::ReadOp(ByteCursor& in, Scope& scope) {
  Location location;
  location.op_index = op_index_++;
  location.byte_offset = in.position() - file_.begin;
  absl::StatusOr<const OpKind*> kind = KindOf(in.Varint());
  if (!kind.ok()) return AddStatus(kind.status(), location.ToString());
  const OpRow& row = *(*kind)->row;
  Op* op = module_.arena.New<Op>();
  const auto at_op = [&](const absl::Status& status) {
    const std::string line = op->loc == nullptr ? "" : op->loc->LineToString();
    return AddStatus(status, absl::StrCat(location.ToString(), " (", row.name,
                                          line.empty() ? "" : ", ", line, ")"));
  };
  op->name = row.name;
  op->location = location;
  const uint8_t mask = in.Byte();
  const uint64_t loc = in.Varint();
  if (!in.ok()) return at_op(CutOff());
  absl::StatusOr<const LocationAttr*> loc_or = locations_.At(loc);
  if (!loc_or.ok()) return at_op(loc_or.status());
  op->loc = *loc_or;
  absl::Status status = ReadAttributes(in, mask, row, *op);
  if (status.ok() && mask & kHasResults) status = ReadResultTypes(in, *op);
  if (status.ok() && mask & kHasOperands) {
    status = ReadOperands(in, scope, *op);
  }
  if (status.ok() && mask & kHasSuccessors) {
    status = absl::InvalidArgumentError("branches to blocks are not read");
  }
  if (status.ok() && mask & kHasUseListOrders) {
    SkipUseListOrders(in, op->results.size());
  }
  if (status.ok() && !in.ok()) status = CutOff();
  if (!status.ok()) return at_op(status);
  // Results have the next numbers, but the op's regions do not see them.
  const size_t first = scope.next;
  scope.next += op->results.size();
  if (mask & kHasRegions) {
    status = ReadRegions(in, scope, *op);
    // The error of a nested op already names its place.
    if (absl::StartsWith(status.message(), "op ")) return status;
    if (!status.ok()) return at_op(status);
  }
  if ((*kind)->is_cast && op->operands.size() != op->results.size()) {
    return at_op(absl::InvalidArgumentError(
        "a cast must have as many results as operands"));
  }
  for (size_t i = 0; i < op->results.size(); ++i) {
    status = Define(scope, first + i,
                    (*kind)->is_cast ? op->operands[i] : &op->results[i]);
    if (!status.ok()) return at_op(status);
  }
  return (*kind)->is_cast ? nullptr : op;
}

absl::Status IrReader::ReadAttributes(ByteCursor& in, uint8_t mask,
                                      const OpRow& row, Op& op) {
  absl::Span<const NamedAttribute> discardable, inherent;
  if (mask & kHasAttributes) {
    const Attribute* dictionary = pool_.AttributeAt(in.Varint());
    if (dictionary == nullptr) return pool_.status();
    if (dictionary->kind != Attribute::Kind::kDictionary) {
      return absl::InvalidArgumentError("its attributes are not a dictionary");
    }
    discardable = dictionary->fields;
  }
  if (file_.version < BytecodeFile::kProperties) {
    if (mask & kHasProperties) return CutOff();
    TF_ASSIGN_OR_RETURN(op.attributes, InherentAttributes(discardable, row));
    return absl::OkStatus();
  }
  if (mask & kHasProperties) {
    TF_ASSIGN_OR_RETURN(inherent, ReadProperties(in.Varint(), row));
  } else if (!row.properties.empty()) {
    return InvalidArgumentStrCat("property ", row.properties[0].name,
                                 " is missing");
  }
  TF_ASSIGN_OR_RETURN(op.attributes, Joined(inherent, discardable));
  if (row.is_plain && !inherent.empty()) {
    std::vector<NamedAttribute> flat(op.attributes.begin(),
                                     op.attributes.end());
    FlattenAttributes(row.name, module_.arena, &flat);
    if (flat.size() > field_budget_) {
      return absl::InvalidArgumentError("too many attributes");
    }
    field_budget_ -= flat.size();
    op.attributes = module_.arena.Copy(flat);
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const NamedAttribute>> IrReader::ReadProperties(
    uint64_t index, const OpRow& row) {
  if (index >= properties_.size()) {
    return InvalidArgumentStrCat("properties ", index, " of ",
                                 properties_.size(), " do not exist");
  }
  Properties& known = properties_[index];
  if (known.row == &row) return known.attributes;
  ByteCursor in(file_.properties[index]);
  absl::Span<NamedAttribute> attributes =
      module_.arena.NewArray<NamedAttribute>(row.properties.size());
  size_t count = 0;
  for (const PropertyRow& property : row.properties) {
    const Attribute* value = nullptr;
    if (!property.added) {
      uint64_t number = in.Varint();
      if (!in.ok()) {
        return InvalidArgumentStrCat("property ", property.name, " is missing");
      }
      const bool present = !property.optional || (number & 1);
      if (property.optional) number >>= 1;
      if (present) value = pool_.AttributeAt(number);
      if (present && value == nullptr) return pool_.status();
    }
    TF_ASSIGN_OR_RETURN(value, NormalProperty(property, value, module_.arena));
    if (value != nullptr) attributes[count++] = {property.name, value};
  }
  if (in.remaining() > 0) {
    return InvalidArgumentStrCat("there are ", in.remaining(),
                                 " bytes of unknown properties");
  }
  known = {&row, attributes.first(count)};
  return known.attributes;
}

absl::StatusOr<absl::Span<const NamedAttribute>> IrReader::InherentAttributes(
    absl::Span<const NamedAttribute> attributes, const OpRow& row) {
  if (attributes.size() + row.properties.size() > field_budget_) {
    return absl::InvalidArgumentError("too many attributes");
  }
  field_budget_ -= attributes.size() + row.properties.size();
  std::vector<NamedAttribute> fields;
  for (const PropertyRow& property : row.properties) {
    const auto has_name = [&](const NamedAttribute& attribute) {
      return attribute.name == property.name;
    };
    auto it = std::find_if(attributes.begin(), attributes.end(), has_name);
    const Attribute* value = it == attributes.end() ? nullptr : it->value;
    if (value == nullptr && !property.optional && !property.added) {
      return InvalidArgumentStrCat("attribute ", property.name, " is missing");
    }
    TF_ASSIGN_OR_RETURN(value, NormalProperty(property, value, module_.arena));
    if (value != nullptr) fields.push_back({property.name, value});
  }
  for (const NamedAttribute& attribute : attributes) {
    const auto has_name = [&](const PropertyRow& property) {
      return attribute.name == property.name;
    };
    if (std::none_of(row.properties.begin(), row.properties.end(), has_name)) {
      fields.push_back(attribute);
    }
  }
  return module_.arena.Copy(fields);
}

absl::StatusOr<absl::Span<const NamedAttribute>> IrReader::Joined(
    absl::Span<const NamedAttribute> a, absl::Span<const NamedAttribute> b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const size_t size = a.size() + b.size();
  if (size > field_budget_) {
    return absl::InvalidArgumentError("too many attributes");
  }
  field_budget_ -= size;
  absl::Span<NamedAttribute> joined =
      module_.arena.NewArray<NamedAttribute>(size);
  std::copy(a.begin(), a.end(), joined.begin());
  std::copy(b.begin(), b.end(), joined.begin() + a.size());
  return joined;
}

absl::Status IrReader::ReadResultTypes(ByteCursor& in, Op& op) {
  TF_ASSIGN_OR_RETURN(size_t count, ReadCount(in, "result"));
  op.results = module_.arena.NewArray<Value>(count);
  for (Value& result : op.results) {
    result.type = pool_.TypeAt(in.Varint());
    if (result.type == nullptr) return in.ok() ? pool_.status() : CutOff();
    result.id = module_.num_values++;
  }
  return absl::OkStatus();
}

absl::Status IrReader::ReadOperands(ByteCursor& in, const Scope& scope,
                                    Op& op) {
  TF_ASSIGN_OR_RETURN(size_t count, ReadCount(in, "operand"));
  absl::Span<const Value*> operands =
      module_.arena.NewArray<const Value*>(count);
  for (const Value*& operand : operands) {
    const uint64_t number = in.Varint();
    operand = number < scope.values.size() ? scope.values[number] : nullptr;
    if (operand == nullptr) {
      return InvalidArgumentStrCat("operand ", &operand - operands.data(),
                                   " is value ", number,
                                   ", which is not defined before");
    }
  }
  op.operands = operands;
  return absl::OkStatus();
}

void IrReader::SkipUseListOrders(ByteCursor& in, size_t value_count) {
  const size_t count = value_count > 1 ? in.Count() : 1;
  for (size_t i = 0; i < count && in.ok(); ++i) {
    if (value_count > 1) in.Varint();  // number of the value
    const size_t numbers = in.Varint() >> 1;
    for (size_t j = 0; j < numbers && in.ok(); ++j) in.Varint();
  }
}

absl::Status IrReader::ReadRegions(ByteCursor& in, Scope& scope, Op& op) {
  const uint64_t count_and_flag = in.Varint();
  const bool isolated = count_and_flag & 1;
  const uint64_t count = count_and_flag >> 1;
  if (!in.ok() || count > in.remaining() || count > count_budget_) {
    return CutOff();
  }
  count_budget_ -= count;
  if (++depth_ > kMaxRegionDepth) {
    return InvalidArgumentStrCat("regions are nested more than ",
                                 kMaxRegionDepth, " deep");
  }
  absl::Span<Region> regions = module_.arena.NewArray<Region>(count);
  op.regions = regions;
  Scope own;
  ByteCursor section;
  ByteCursor* from = &in;
  if (isolated && file_.version >= BytecodeFile::kLazyLoading) {
    const BytecodeSection nested = ReadBytecodeSection(in, file_.begin);
    if (!in.ok() || nested.id != BytecodeFile::kIrSection) return CutOff();
    section = ByteCursor(nested.content);
    from = &section;
  }
  for (Region& region : regions) {
    TF_RETURN_IF_ERROR(ReadRegion(*from, isolated ? own : scope, region));
  }
  --depth_;
  return absl::OkStatus();
}

absl::Status IrReader::ReadRegion(ByteCursor& in, Scope& scope,
                                  Region& region) {
  TF_ASSIGN_OR_RETURN(size_t block_count, ReadCount(in, "block"));
  if (block_count == 0) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(size_t value_count, ReadCount(in, "value"));
  const size_t outer_next = scope.next;
  const size_t outer_size = scope.values.size();
  scope.next = outer_size;
  scope.values.resize(outer_size + value_count, nullptr);
  absl::Span<Block*> blocks = module_.arena.NewArray<Block*>(block_count);
  for (Block*& block : blocks) {
    block = module_.arena.New<Block>();
    TF_RETURN_IF_ERROR(ReadBlock(in, scope, *block));
  }
  region.blocks = blocks;
  scope.values.resize(outer_size);
  scope.next = outer_next;
  return absl::OkStatus();
}

absl::Status IrReader::ReadBlock(ByteCursor& in, Scope& scope, Block& block) {
  const uint64_t count_and_flag = in.Varint();
  const uint64_t op_count = count_and_flag >> 1;
  if (!in.ok() || op_count > in.remaining() || op_count > count_budget_) {
    return InvalidArgumentStrCat("a block of ", op_count, " ops at byte ",
                                 in.position() - file_.begin,
                                 " is cut off or malformed");
  }
  count_budget_ -= op_count;
  if (count_and_flag & 1) TF_RETURN_IF_ERROR(ReadArguments(in, scope, block));
  absl::Span<Op*> ops = module_.arena.NewArray<Op*>(op_count);
  size_t count = 0;
  for (uint64_t i = 0; i < op_count; ++i) {
    TF_ASSIGN_OR_RETURN(const Op* op, ReadOp(in, scope));
    if (op != nullptr) ops[count++] = const_cast<Op*>(op);
  }
  block.ops = ops.first(count);
  return absl::OkStatus();
}

absl::Status IrReader::ReadArguments(ByteCursor& in, Scope& scope,
                                     Block& block) {
  TF_ASSIGN_OR_RETURN(size_t count, ReadCount(in, "block argument"));
  block.arguments = module_.arena.NewArray<Value>(count);
  absl::Span<const LocationAttr*> locations =
      module_.arena.NewArray<const LocationAttr*>(count);
  block.argument_locations = locations;
  for (Value& argument : block.arguments) {
    uint64_t type = in.Varint();
    bool has_location = true;
    if (file_.version >= BytecodeFile::kBlockArgumentLocation) {
      has_location = type & 1;
      type >>= 1;
    }
    const uint64_t location = has_location ? in.Varint() : 0;
    if (!in.ok()) return CutOff();
    if (has_location) {
      TF_ASSIGN_OR_RETURN(locations[&argument - block.arguments.data()],
                          locations_.At(location));
    }
    argument.type = pool_.TypeAt(type);
    if (argument.type == nullptr) return pool_.status();
    argument.id = module_.num_values++;
    TF_RETURN_IF_ERROR(Define(scope, scope.next++, &argument));
  }
  if (file_.version >= BytecodeFile::kUseListOrder && in.Byte() != 0) {
    SkipUseListOrders(in, count);
  }
  return in.ok() ? absl::OkStatus() : CutOff();
}

absl::Status IrReader::Define(Scope& scope, size_t number, const Value* value) {
  if (number >= scope.values.size()) {
    return InvalidArgumentStrCat("it defines more than the ",
                                 scope.values.size(), " values of its region");
  }
  scope.values[number] = value;
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
