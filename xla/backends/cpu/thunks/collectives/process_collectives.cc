// Implements each collective for groups whose members belong to several
// processes: what it needs of the others, and the vectors that it combines.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/backends/cpu/thunks/collectives/process_exchange.h"
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"
#include "xla/backends/cpu/thunks/collectives/row_copies.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/distributed/schedule/reduce_schedules.h"

namespace xla::cpu {
namespace {

using Part = ProcessExchange::Part;
using distributed::kSegmentAlignment;

bool MayOverwriteOperands(const CollectiveSite& site) {
  for (const Slice& operand : site.operands) {
    for (const Slice& result : site.results) {
      if (operand.Overlaps(result)) return true;
    }
  }
  return false;
}

// Rows `first` to `first + n` of operand `operand`.
Part RowsOf(const RowLayout& layout, size_t operand, int64_t first, int64_t n) {
  return {operand, first * layout.row_bytes, n * layout.row_bytes,
          layout.size * layout.row_bytes, layout.count};
}

// The operands of a member, or their parts for one member, one after the other
// in a vector.
class PackedVector {
 public:
  struct Field {
    PrimitiveType type;
    int64_t begin;  // in bytes, a multiple of kSegmentAlignment
    int64_t bytes;
  };

  void Add(PrimitiveType type, int64_t bytes) {
    fields_.push_back({type, bytes_, bytes});
    bytes_ += RoundUpTo(bytes, kSegmentAlignment);
  }
  const std::vector<Field>& fields() const { return fields_; }
  // The bytes that count; the padding of a single field does not.
  int64_t bytes() const {
    return fields_.size() == 1 ? fields_[0].bytes : bytes_;
  }
  int64_t padded_bytes() const { return bytes_; }

  // Combines the elements in the range of sources that have it.
  void Fold(const Reducer& reducer, int64_t begin, int64_t bytes,
            absl::Span<const char* const> sources, char* to) const {
    std::vector<const char*> at(sources.size());
    for (const Field& field : fields_) {
      const int64_t from = std::max(begin, field.begin);
      const int64_t until = std::min(begin + bytes, field.begin + field.bytes);
      if (from >= until) continue;
      for (size_t s = 0; s < sources.size(); ++s) {
        at[s] = sources[s] + (from - begin);
      }
      reducer.Reduce(field.type, at, to + (from - begin),
                     (until - from) / LiteralElementBytes(field.type));
    }
  }
  // Whether sums may be passed on in the type of the elements.
  bool MayChain(const Reducer& reducer) const {
    return std::all_of(fields_.begin(), fields_.end(), [&](const Field& field) {
      return field.type == reducer.type();
    });
  }

 private:
  std::vector<Field> fields_;
  int64_t bytes_ = 0;
};

// The result of the first local member if the sum may be made there: if there
// is one array, and no local operand, which the others need, has memory in
// common with it. Null otherwise.
char* ResultApart(const ProcessExchange& across, size_t arrays, int64_t bytes) {
  if (arrays != 1) return nullptr;
  const auto& members = across.exchange().members;
  char* const result = members[across.local_members()[0]].results[0];
  for (const int m : across.local_members()) {
    const char* const operand = members[m].operands[0];
    if (operand < result + bytes && result < operand + bytes) return nullptr;
  }
  return result;
}

}  // namespace

bool CollectiveThunk::SpansProcesses(
    const DeviceRun& run, const std::vector<int64_t>& members) const {
  const distributed::ProcessRun* processes = run.options().processes;
  return processes != nullptr && processes->Spans(members);
}

std::vector<int64_t> CollectiveThunk::LocalMembers(
    const DeviceRun& run, const std::vector<int64_t>& members) {
  std::vector<int64_t> local;
  absl::c_copy_if(members, std::back_inserter(local), [&](int64_t device) {
    return run.options().processes->is_local(device);
  });
  return local;
}

absl::Status CollectiveThunk::ExchangeAcross(
    DeviceRun& run, Participants participants,
    const std::vector<int64_t>& members) const {
  Exchange exchange{.members = {}, .runner = run.runner()};
  for (const int64_t device : members) {
    Member& member = exchange.members.emplace_back();
    member.device = device;
    member.thunk = this;
    member.operands.resize(site_.operands.size());
    member.results.resize(site_.results.size());
  }
  for (const RunGroup::Participant& participant : participants) {
    if (participant.thunk != this) {
      return absl::UnimplementedError(absl::StrCat(
          name(), " and ", participant.thunk->name(),
          " share a channel, and a group with devices of other processes: all ",
          "of its devices in a process must be at the same instruction"));
    }
    Member& member = *std::find_if(
        exchange.members.begin(), exchange.members.end(),
        [&](const Member& m) { return m.device == participant.run->number(); });
    for (size_t i = 0; i < site_.operands.size(); ++i) {
      member.operands[i] = participant.run->At(site_.operands[i]);
    }
    for (size_t i = 0; i < site_.results.size(); ++i) {
      member.results[i] = participant.run->At(site_.results[i]);
    }
  }
  ProcessExchange across(*run.options().processes, run.group().scheduler(),
                         site_, exchange);
  return ProduceAcross(across);
}

absl::Status CollectiveThunk::TransferLocal(ProcessExchange& across) const {
  if (MayOverwriteOperands(site_)) TF_RETURN_IF_ERROR(across.SaveOperands());
  Exchange& exchange = across.exchange();
  exchange.receiver_count = 1;
  for (const int me : across.local_members()) {
    exchange.first_receiver = me;
    TF_RETURN_IF_ERROR(Transfer(exchange));
  }
  return absl::OkStatus();
}

absl::Status AllGatherThunk::ProduceAcross(ProcessExchange& across) const {
  TF_RETURN_IF_ERROR(across.GatherOperands(0, site().operands.size()));
  return TransferLocal(across);
}

absl::Status CollectiveBroadcastThunk::ProduceAcross(
    ProcessExchange& across) const {
  TF_RETURN_IF_ERROR(across.BroadcastOperands());
  return TransferLocal(across);
}

absl::Status AllToAllThunk::ProduceAcross(ProcessExchange& across) const {
  const int64_t size = across.exchange().size();
  if (dimension_ < 0) {
    TF_RETURN_IF_ERROR(
        CheckPart(static_cast<int64_t>(site().operands.size()), 1, size));
    TF_RETURN_IF_ERROR(across.ExchangeParts([&](int64_t from, int64_t to,
                                                std::vector<Part>* parts) {
      parts->push_back({static_cast<size_t>(to), 0, site().operands[to].size});
    }));
    return TransferLocal(across);
  }
  const RowLayout whole(site().shapes[0], dimension_);
  const int64_t n = whole.size / size;
  TF_RETURN_IF_ERROR(CheckPart(whole.size, n, size));
  TF_RETURN_IF_ERROR(across.ExchangeParts(
      [&](int64_t from, int64_t to, std::vector<Part>* parts) {
        parts->push_back(RowsOf(whole, 0, to * n, n));
      }));
  return TransferLocal(across);
}

absl::Status CollectivePermuteThunk::ProduceAcross(
    ProcessExchange& across) const {
  const auto& members = across.exchange().members;
  TF_RETURN_IF_ERROR(across.ExchangeParts(
      [&](int64_t from, int64_t to, std::vector<Part>* parts) {
        if (source_of_device_[members[to].device] != members[from].device) {
          return;
        }
        for (size_t i = 0; i < site().operands.size(); ++i) {
          parts->push_back({i, 0, site().operands[i].size});
        }
      }));
  return TransferLocal(across);
}

absl::Status RaggedAllToAllThunk::ProduceAcross(ProcessExchange& across) const {
  // Every process learns all offsets and sizes, then gets the rows it needs.
  TF_RETURN_IF_ERROR(across.GatherOperands(2, site().operands.size()));
  const auto& members = across.exchange().members;
  const RowLayout input(site().shapes[0], 0);
  const int64_t slices = ShapeUtil::ElementsIn(site().shapes[2]);
  const int64_t per_device = slices / across.exchange().size();
  TF_RETURN_IF_ERROR(CheckPart(slices, per_device, across.exchange().size()));
  const auto numbers = [&](int64_t member, size_t operand) {
    const Shape& shape = site().shapes[operand];
    std::vector<int64_t> values(ShapeUtil::ElementsIn(shape));
    ConvertElements(shape.element_type(), members[member].operands[operand],
                    S64, values.data(), static_cast<int64_t>(values.size()));
    return values;
  };
  TF_RETURN_IF_ERROR(across.ExchangeParts(
      [&](int64_t from, int64_t to, std::vector<Part>* parts) {
        const std::vector<int64_t> offsets = numbers(from, 2);
        const std::vector<int64_t> sizes = numbers(from, 3);
        for (int64_t i = to * per_device; i < (to + 1) * per_device; ++i) {
          if (offsets[i] < 0 || offsets[i] > input.size) continue;
          const int64_t n = std::min(sizes[i], input.size - offsets[i]);
          if (n > 0) parts->push_back(RowsOf(input, 0, offsets[i], n));
        }
      }));
  return TransferLocal(across);
}

absl::Status AllReduceThunk::ProduceAcross(ProcessExchange& across) const {
  PackedVector vector;
  for (const Shape& shape : site().shapes) {
    vector.Add(shape.element_type(),
               ShapeUtil::ElementsIn(shape) *
                   LiteralElementBytes(shape.element_type()));
  }
  if (vector.bytes() == 0) return absl::OkStatus();
  const auto& members = across.exchange().members;
  const auto algorithm = distributed::ChooseAllReduce(
      across.group(), vector.bytes(), vector.MayChain(reducer_));
  distributed::Schedule schedule = distributed::AllReduceSchedule(
      across.group(), across.self(), vector.bytes(), algorithm);
  char* const in_place =
      algorithm == distributed::ReduceAlgorithm::kGather
          ? nullptr
          : ResultApart(across, vector.fields().size(), vector.bytes());
  if (in_place != nullptr) {
    schedule.MoveHead(RoundUpTo(vector.bytes(), kSegmentAlignment),
                      static_cast<int32_t>(across.local_members().size()) + 1);
  }
  TF_ASSIGN_OR_RETURN(char* const work, across.Allocate(schedule.work_bytes));
  std::vector<char*> spaces = {work};
  for (const int m : across.local_members()) {
    if (vector.fields().size() == 1) {
      spaces.push_back(const_cast<char*>(members[m].operands[0]));
      continue;
    }
    TF_ASSIGN_OR_RETURN(char* const packed, across.Allocate(vector.bytes()));
    for (size_t i = 0; i < vector.fields().size(); ++i) {
      const PackedVector::Field& field = vector.fields()[i];
      if (field.bytes == 0) continue;
      std::memcpy(packed + field.begin, members[m].operands[i], field.bytes);
    }
    spaces.push_back(packed);
  }
  if (in_place != nullptr) spaces.push_back(in_place);
  TF_RETURN_IF_ERROR(across.Run(
      schedule, spaces,
      [&](int64_t begin, int64_t bytes, absl::Span<const char* const> sources,
          char* to) { vector.Fold(reducer_, begin, bytes, sources, to); }));
  for (size_t local = 0; local < across.local_members().size(); ++local) {
    const Member& member = members[across.local_members()[local]];
    for (size_t i = 0; i < vector.fields().size(); ++i) {
      const PackedVector::Field& field = vector.fields()[i];
      if (field.bytes == 0) continue;
      const char* const sum =
          in_place != nullptr ? in_place : work + schedule.results[local];
      if (member.results[i] == sum) continue;
      std::memcpy(member.results[i], sum + field.begin, field.bytes);
    }
  }
  return absl::OkStatus();
}

absl::Status ReduceScatterThunk::ProduceAcross(ProcessExchange& across) const {
  const int64_t size = across.exchange().size();
  PackedVector part;
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const RowLayout whole(site().shapes[i], dimension_);
    const RowLayout rows(result_shapes_[i], dimension_);
    TF_RETURN_IF_ERROR(CheckPart(whole.size, rows.size, size));
    part.Add(site().shapes[i].element_type(),
             rows.count * rows.size * rows.row_bytes);
  }
  const int64_t part_bytes = part.padded_bytes();
  if (part_bytes == 0) return absl::OkStatus();
  const auto& members = across.exchange().members;
  const auto algorithm = distributed::ChooseReduceScatter(
      across.group(), part_bytes, part.MayChain(reducer_));
  const distributed::Schedule schedule = distributed::ReduceScatterSchedule(
      across.group(), across.self(), part_bytes, algorithm);
  TF_ASSIGN_OR_RETURN(char* const work, across.Allocate(schedule.work_bytes));
  std::vector<char*> spaces = {work};
  for (const int m : across.local_members()) {
    TF_ASSIGN_OR_RETURN(char* const packed, across.Allocate(part_bytes * size));
    for (size_t i = 0; i < part.fields().size(); ++i) {
      const RowLayout whole(site().shapes[i], dimension_);
      const RowLayout rows(result_shapes_[i], dimension_);
      for (int64_t to = 0; to < size; ++to) {
        char* const at = packed + to * part_bytes + part.fields()[i].begin;
        RowCopies copies;
        copies.Add(CopyOfRows(whole, members[m].operands[i], to * rows.size,
                              rows, {&at, 1}, 0, rows.size));
        copies.Run(across.exchange().runner);
      }
    }
    spaces.push_back(packed);
  }
  TF_RETURN_IF_ERROR(
      across.Run(schedule, spaces,
                 [&](int64_t begin, int64_t bytes,
                     absl::Span<const char* const> sources, char* to) {
                   // Folds stay within a part.
                   part.Fold(reducer_, begin % part_bytes, bytes, sources, to);
                 }));
  for (size_t local = 0; local < across.local_members().size(); ++local) {
    const Member& member = members[across.local_members()[local]];
    for (size_t i = 0; i < part.fields().size(); ++i) {
      const PackedVector::Field& field = part.fields()[i];
      if (field.bytes == 0) continue;
      std::memcpy(member.results[i],
                  work + schedule.results[local] + field.begin, field.bytes);
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
