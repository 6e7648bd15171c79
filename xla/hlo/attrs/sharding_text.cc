// Text of shardings, tile assignments and tuples of them.
#include "xla/hlo/attrs/sharding_text.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/named_sharding_text.h"

namespace xla {
namespace {

using Ints = google::protobuf::RepeatedField<int64_t>;

std::string TypeWord(OpSharding::Type type) {
  return absl::AsciiStrToLower(OpSharding::Type_Name(type));
}

bool IsIdentity(const google::protobuf::RepeatedField<int32_t>& perm) {
  for (int i = 0; i < perm.size(); ++i) {
    if (perm[i] != i) return false;
  }
  return true;
}

// devices=[2,1]<=[2]T(0) last_tile_dims={manual, replicated}
void PrintTiles(const OpSharding& sharding, std::string* out) {
  out->append("devices=[");
  PrintInts(sharding.tile_assignment_dimensions(), out);
  out->push_back(']');
  if (sharding.iota_reshape_dims_size() > 0) {
    out->append("<=[");
    PrintInts(sharding.iota_reshape_dims(), out);
    out->push_back(']');
    if (!IsIdentity(sharding.iota_transpose_perm())) {
      out->append("T(");
      PrintInts(std::vector<int64_t>(sharding.iota_transpose_perm().begin(),
                                     sharding.iota_transpose_perm().end()),
                out);
      out->push_back(')');
    }
  } else {
    PrintInts(sharding.tile_assignment_devices(), out);
  }
  if (sharding.replicate_on_last_tile_dim()) {
    out->append(" last_tile_dim_replicate");
  }
  if (sharding.last_tile_dims_size() > 0) {
    absl::string_view separator = " last_tile_dims={";
    for (int type : sharding.last_tile_dims()) {
      absl::StrAppend(out, separator,
                      TypeWord(static_cast<OpSharding::Type>(type)));
      separator = ", ";
    }
    out->push_back('}');
  }
}

void PrintShardGroup(const OpSharding& sharding, std::string* out) {
  if (!sharding.is_shard_group()) return;
  absl::StrAppend(out,
                  sharding.shard_group_type() == OpSharding::LIKE
                      ? " shard_like "
                      : " shard_as ",
                  sharding.shard_group_id());
}

// Prints a sharding that is not a tuple.
void PrintSingle(const OpSharding& sharding, std::string* out) {
  if (sharding.has_named_sharding()) {
    PrintNamedSharding(sharding.named_sharding(), out);
    PrintShardGroup(sharding, out);
    return;
  }
  switch (sharding.type()) {
    case OpSharding::MAXIMAL:
      absl::StrAppend(out, "maximal device=",
                      sharding.tile_assignment_devices_size() > 0
                          ? sharding.tile_assignment_devices(0)
                          : 0);
      break;
    case OpSharding::OTHER:
      PrintTiles(sharding, out);
      break;
    default:
      out->append(TypeWord(sharding.type()));
  }
  PrintShardGroup(sharding, out);
  if (sharding.metadata_size() > 0) {
    out->append(" metadata=");
    PrintShardingMetadata(sharding.metadata(), /*always_list=*/false, out);
  }
}

// Reads one sharding that is not a tuple, behind its opening brace.
class SingleScanner {
 public:
  explicit SingleScanner(TextScanner& scanner)
      : scanner_(scanner), start_(scanner.position()) {}

  absl::StatusOr<OpSharding> Scan() {
    if (scanner_.NextIs("mesh[") || scanner_.NextIs("maximal_mesh[")) {
      TF_ASSIGN_OR_RETURN(*result_.mutable_named_sharding(),
                          ScanNamedSharding(scanner_));
      if (scanner_.TryConsumeWord("shard_as")) {
        TF_RETURN_IF_ERROR(ScanGroup(OpSharding::AS));
      } else if (scanner_.TryConsumeWord("shard_like")) {
        TF_RETURN_IF_ERROR(ScanGroup(OpSharding::LIKE));
      }
      TF_RETURN_IF_ERROR(scanner_.Consume("}"));
      return result_;
    }
    while (!scanner_.TryConsume("}")) {
      TF_RETURN_IF_ERROR(ScanPart());
    }
    TF_RETURN_IF_ERROR(Check());
    return result_;
  }

 private:
  absl::Status ScanPart();
  absl::Status SetType(OpSharding::Type type);
  absl::Status ScanTiles();
  absl::Status ScanIota();
  absl::Status ScanLastTileDims();
  absl::Status ScanGroup(OpSharding::ShardGroupType type);
  absl::Status ScanInts(absl::string_view close, Ints* values);
  absl::Status Check();
  absl::Status CheckTiles();

  TextScanner& scanner_;
  const size_t start_;
  bool has_type_ = false;
  OpSharding result_;
};

absl::Status SingleScanner::SetType(OpSharding::Type type) {
  if (has_type_) {
    return scanner_.ErrorAt(start_, "a sharding has one kind only");
  }
  has_type_ = true;
  result_.set_type(type);
  return absl::OkStatus();
}

absl::Status SingleScanner::ScanInts(absl::string_view close, Ints* values) {
  while (true) {
    TF_ASSIGN_OR_RETURN(int64_t value, scanner_.Int64());
    values->Add(value);
    if (scanner_.TryConsume(",")) continue;
    return close.empty() ? absl::OkStatus() : scanner_.Consume(close);
  }
}

absl::Status SingleScanner::ScanIota() {
  TF_RETURN_IF_ERROR(scanner_.Consume("["));
  TF_RETURN_IF_ERROR(ScanInts("]", result_.mutable_iota_reshape_dims()));
  const int rank = result_.iota_reshape_dims_size();
  if (!scanner_.TryConsume("T")) {
    for (int i = 0; i < rank; ++i) result_.add_iota_transpose_perm(i);
    return absl::OkStatus();
  }
  const size_t start = scanner_.position();
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  Ints perm;
  TF_RETURN_IF_ERROR(ScanInts(")", &perm));
  std::vector<bool> seen(rank);
  for (int64_t p : perm) {
    if (perm.size() != rank || p < 0 || p >= rank || seen[p]) {
      return scanner_.ErrorAt(
          start, "expected a permutation of the iota's dimensions");
    }
    seen[p] = true;
    result_.add_iota_transpose_perm(p);
  }
  return absl::OkStatus();
}

absl::Status SingleScanner::ScanTiles() {
  TF_RETURN_IF_ERROR(SetType(OpSharding::OTHER));
  TF_RETURN_IF_ERROR(scanner_.Consume("="));
  TF_RETURN_IF_ERROR(scanner_.Consume("["));
  TF_RETURN_IF_ERROR(
      ScanInts("]", result_.mutable_tile_assignment_dimensions()));
  if (scanner_.TryConsume("<=")) return ScanIota();
  return ScanInts("", result_.mutable_tile_assignment_devices());
}

absl::Status SingleScanner::ScanLastTileDims() {
  TF_RETURN_IF_ERROR(scanner_.Consume("="));
  return ScanBraced(scanner_, [&]() -> absl::Status {
    const size_t start = scanner_.position();
    TF_ASSIGN_OR_RETURN(absl::string_view word, scanner_.Name());
    OpSharding::Type type;
    if (!OpSharding::Type_Parse(absl::AsciiStrToUpper(word), &type) ||
        (type != OpSharding::MANUAL && type != OpSharding::REPLICATED &&
         type != OpSharding::UNREDUCED)) {
      return scanner_.ErrorAt(start,
                              "expected manual, replicated or unreduced");
    }
    result_.add_last_tile_dims(type);
    return absl::OkStatus();
  });
}

absl::Status SingleScanner::ScanGroup(OpSharding::ShardGroupType type) {
  TF_ASSIGN_OR_RETURN(int64_t id, scanner_.Int64());
  result_.set_is_shard_group(true);
  result_.set_shard_group_id(id);
  result_.set_shard_group_type(type);
  return absl::OkStatus();
}

absl::Status SingleScanner::ScanPart() {
  const size_t start = scanner_.position();
  TF_ASSIGN_OR_RETURN(absl::string_view word, scanner_.Name());
  if (word == "devices") return ScanTiles();
  if (word == "maximal") return SetType(OpSharding::MAXIMAL);
  if (word == "replicated") return SetType(OpSharding::REPLICATED);
  if (word == "manual") return SetType(OpSharding::MANUAL);
  if (word == "unknown") return SetType(OpSharding::UNKNOWN);
  if (word == "unreduced") return SetType(OpSharding::UNREDUCED);
  if (word == "last_tile_dims") return ScanLastTileDims();
  if (word == "shard_as") return ScanGroup(OpSharding::AS);
  if (word == "shard_like") return ScanGroup(OpSharding::LIKE);
  if (word == "last_tile_dim_replicate") {
    result_.set_replicate_on_last_tile_dim(true);
    return absl::OkStatus();
  }
  if (word == "device") {
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    TF_ASSIGN_OR_RETURN(int64_t device, scanner_.Int64());
    result_.add_tile_assignment_devices(device);
    return absl::OkStatus();
  }
  if (word == "metadata") {
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    return ScanShardingMetadata(scanner_, result_.mutable_metadata());
  }
  return scanner_.ErrorAt(
      start, absl::StrCat("unknown word '", word, "' in a sharding"));
}

absl::Status SingleScanner::CheckTiles() {
  int64_t tiles = 1;
  for (int64_t d : result_.tile_assignment_dimensions()) {
    auto product = CheckedMultiply(tiles, d);
    if (d <= 0 || !product.has_value()) {
      return scanner_.ErrorAt(start_, "the numbers of tiles are not valid");
    }
    tiles = *product;
  }
  int64_t devices = result_.tile_assignment_devices_size();
  if (result_.iota_reshape_dims_size() > 0) {
    devices = 1;
    for (int64_t d : result_.iota_reshape_dims()) {
      auto product = CheckedMultiply(devices, d);
      if (d <= 0 || !product.has_value()) {
        return scanner_.ErrorAt(start_, "the iota has no valid size");
      }
      devices = *product;
    }
  }
  if (tiles != devices) {
    return scanner_.ErrorAt(
        start_, absl::StrCat("the sharding has ", tiles, " tiles but ", devices,
                             " devices"));
  }
  const int last = result_.last_tile_dims_size() +
                   (result_.replicate_on_last_tile_dim() ? 1 : 0);
  if (last > result_.tile_assignment_dimensions_size()) {
    return scanner_.ErrorAt(start_, "the sharding has too many last_tile_dims");
  }
  return absl::OkStatus();
}

absl::Status SingleScanner::Check() {
  if (!has_type_) {
    return scanner_.ErrorAt(start_, "the sharding does not say its kind");
  }
  if (result_.type() == OpSharding::OTHER) {
    // Protos have an older form for a single, replicated last dimension.
    if (result_.last_tile_dims_size() == 1 &&
        result_.last_tile_dims(0) == OpSharding::REPLICATED) {
      result_.clear_last_tile_dims();
      result_.set_replicate_on_last_tile_dim(true);
    }
    return CheckTiles();
  }
  const int devices = result_.type() == OpSharding::MAXIMAL ? 1 : 0;
  if (result_.tile_assignment_devices_size() != devices ||
      result_.last_tile_dims_size() > 0 ||
      result_.replicate_on_last_tile_dim()) {
    return scanner_.ErrorAt(
        start_, absl::StrCat("a ", TypeWord(result_.type()), " sharding has ",
                             devices, " devices"));
  }
  return absl::OkStatus();
}

}  // namespace

void PrintSharding(const OpSharding& sharding, std::string* out) {
  out->push_back('{');
  if (sharding.type() == OpSharding::TUPLE) {
    for (int i = 0; i < sharding.tuple_shardings_size(); ++i) {
      out->append(i > 0 ? ", {" : "{");
      PrintSingle(sharding.tuple_shardings(i), out);
      out->push_back('}');
    }
  } else {
    PrintSingle(sharding, out);
  }
  out->push_back('}');
}

absl::StatusOr<OpSharding> ScanSharding(TextScanner& scanner) {
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  const char next = scanner.Peek();
  if (next != '{' && next != '}') return SingleScanner(scanner).Scan();
  OpSharding tuple;
  tuple.set_type(OpSharding::TUPLE);
  if (scanner.TryConsume("}")) return tuple;
  do {
    TF_RETURN_IF_ERROR(scanner.Consume("{"));
    TF_ASSIGN_OR_RETURN(*tuple.add_tuple_shardings(),
                        SingleScanner(scanner).Scan());
  } while (scanner.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return tuple;
}

}  // namespace xla
