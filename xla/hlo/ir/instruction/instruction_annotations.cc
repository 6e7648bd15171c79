// What few instructions have; a struct of it is made when it is first set.
#include "xla/hlo/ir/instruction/instruction_annotations.h"

#include <memory>
#include <utility>

#include "absl/base/call_once.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/hlo/attrs/backend_config_text.h"
#include "xla/hlo/ir/debug/hlo_original_value_util.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A sharding as it was read, and the HloSharding that is made of it on the
// first use, since most are only handed on. Instructions share it; thread safe.
struct InstructionAnnotations::Sharding {
  explicit Sharding(OpSharding proto) : proto(std::move(proto)) {}
  explicit Sharding(std::shared_ptr<const HloSharding> parsed)
      : proto(parsed->ToProto()), parsed(std::move(parsed)) {}

  const std::shared_ptr<const HloSharding>& Parsed(absl::string_view holder) {
    absl::call_once(parse_once, [&] {
      if (parsed != nullptr) return;
      absl::StatusOr<HloSharding> sharding = HloSharding::FromProto(proto);
      CHECK_OK(sharding.status()) << holder;
      parsed = std::make_shared<const HloSharding>(*std::move(sharding));
    });
    return parsed;
  }

  const OpSharding proto;
  absl::once_flag parse_once;
  std::shared_ptr<const HloSharding> parsed;
};

struct InstructionAnnotations::Annotations {
  OpMetadata metadata;
  std::shared_ptr<Sharding> sharding;
  FrontendAttributes frontend_attributes;
  std::string backend_config;
  StatisticsViz statistics;
  bool is_composite = false;
};

InstructionAnnotations::InstructionAnnotations() = default;
InstructionAnnotations::~InstructionAnnotations() = default;

const HloInstruction& InstructionAnnotations::self() const {
  return static_cast<const HloInstruction&>(*this);
}
HloInstruction& InstructionAnnotations::self() {
  return static_cast<HloInstruction&>(*this);
}
InstructionAnnotations::Annotations&
InstructionAnnotations::mutable_annotations() {
  if (annotations_ == nullptr) annotations_ = std::make_unique<Annotations>();
  return *annotations_;
}

const OpMetadata& InstructionAnnotations::metadata() const {
  return annotations_ ? annotations_->metadata : OpMetadata::default_instance();
}
OpMetadata& InstructionAnnotations::mutable_metadata() {
  return mutable_annotations().metadata;
}
void InstructionAnnotations::set_metadata(OpMetadata metadata) {
  mutable_annotations().metadata = std::move(metadata);
}

// Shardings ------------------------------------------------------------------

bool InstructionAnnotations::has_sharding() const {
  return annotations_ && annotations_->sharding != nullptr;
}
const OpSharding& InstructionAnnotations::sharding_proto() const {
  return has_sharding() ? annotations_->sharding->proto
                        : OpSharding::default_instance();
}
std::shared_ptr<const HloSharding> InstructionAnnotations::sharding_ptr()
    const {
  return has_sharding() ? annotations_->sharding->Parsed(self().name())
                        : nullptr;
}
const HloSharding& InstructionAnnotations::sharding() const {
  CHECK(has_sharding()) << self().name() << " has no sharding";
  return *annotations_->sharding->Parsed(self().name());
}
void InstructionAnnotations::set_sharding(OpSharding sharding) {
  mutable_annotations().sharding =
      std::make_shared<Sharding>(std::move(sharding));
}
void InstructionAnnotations::set_sharding(
    std::shared_ptr<const HloSharding> sharding) {
  if (sharding == nullptr) {
    clear_sharding();
  } else {
    mutable_annotations().sharding =
        std::make_shared<Sharding>(std::move(sharding));
  }
}
void InstructionAnnotations::clear_sharding() {
  if (annotations_) annotations_->sharding.reset();
}
void InstructionAnnotations::copy_sharding(const HloInstruction* hlo) {
  const InstructionAnnotations& source = *hlo;
  if (hlo->has_sharding()) {
    mutable_annotations().sharding = source.annotations_->sharding;
  } else {
    clear_sharding();
  }
}
const HloSharding& InstructionAnnotations::sharding_or_default(
    const HloSharding& default_sharding) const {
  return has_sharding() ? sharding() : default_sharding;
}
void InstructionAnnotations::set_single_sharding(const HloSharding& sharding) {
  CHECK(!sharding.IsTuple()) << sharding.ToString();
  set_sharding(HloSharding::Single(self().shape(), sharding));
}
std::optional<int64_t> InstructionAnnotations::sharding_unique_device() const {
  if (!has_sharding()) return std::nullopt;
  return sharding().UniqueDevice();
}
bool InstructionAnnotations::has_compatible_sharding(
    const HloInstruction* other) const {
  if (!has_sharding() || !other->has_sharding()) {
    return has_sharding() == other->has_sharding();
  }
  return sharding() == other->sharding();
}

// Frontend attributes --------------------------------------------------------

const FrontendAttributes& InstructionAnnotations::frontend_attributes() const {
  return annotations_ ? annotations_->frontend_attributes
                      : FrontendAttributes::default_instance();
}
void InstructionAnnotations::set_frontend_attributes(
    FrontendAttributes attributes) {
  mutable_annotations().frontend_attributes = std::move(attributes);
}
bool InstructionAnnotations::has_frontend_attributes() const {
  return !frontend_attributes().map().empty();
}
std::optional<std::string> InstructionAnnotations::get_frontend_attribute(
    absl::string_view key) const {
  const auto& map = frontend_attributes().map();
  const auto it = map.find(std::string(key));
  if (it == map.end()) return std::nullopt;
  return it->second;
}
void InstructionAnnotations::set_frontend_attribute(absl::string_view key,
                                                    absl::string_view value) {
  (*mutable_annotations().frontend_attributes.mutable_map())[std::string(key)] =
      std::string(value);
}
void InstructionAnnotations::add_frontend_attributes(
    const FrontendAttributes& attributes) {
  for (const auto& [key, value] : attributes.map()) {
    add_frontend_attribute(key, value);
  }
}
bool InstructionAnnotations::add_frontend_attribute(const std::string& key,
                                                    const std::string& value) {
  if (get_frontend_attribute(key).has_value()) return false;
  set_frontend_attribute(key, value);
  return true;
}
size_t InstructionAnnotations::erase_frontend_attribute(absl::string_view key) {
  if (annotations_ == nullptr) return 0;
  return annotations_->frontend_attributes.mutable_map()->erase(
      std::string(key));
}

// Backend config -------------------------------------------------------------

absl::Status InstructionAnnotations::GetBackendConfigInternal(
    google::protobuf::Message* proto) const {
  proto->Clear();
  const std::string& text = raw_backend_config_string();
  if (text.empty()) return absl::OkStatus();
  return AddStatus(BackendConfigFromRawString(text, proto), self().name());
}
absl::Status InstructionAnnotations::set_backend_config(
    const google::protobuf::Message& proto) {
  absl::StatusOr<std::string> text = BackendConfigToRawString(proto);
  if (!text.ok()) return AddStatus(text.status(), self().name());
  set_raw_backend_config_string(*text == "{}" ? "" : *std::move(text));
  return absl::OkStatus();
}
void InstructionAnnotations::clear_backend_config() {
  if (annotations_) annotations_->backend_config.clear();
}
void InstructionAnnotations::CopyBackendConfigFrom(
    const HloInstruction* other) {
  set_raw_backend_config_string(other->raw_backend_config_string());
}
const std::string& InstructionAnnotations::raw_backend_config_string() const {
  static const auto* const kNone = new std::string();
  return annotations_ ? annotations_->backend_config : *kNone;
}
void InstructionAnnotations::set_raw_backend_config_string(std::string config) {
  mutable_annotations().backend_config = std::move(config);
}

// Statistics -----------------------------------------------------------------

const StatisticsViz& InstructionAnnotations::statistics_viz() const {
  return annotations_ ? annotations_->statistics
                      : StatisticsViz::default_instance();
}
void InstructionAnnotations::set_statistics_viz(StatisticsViz statistics) {
  mutable_annotations().statistics = std::move(statistics);
}
void InstructionAnnotations::add_single_statistic(Statistic statistic) {
  *mutable_annotations().statistics.add_statistics() = std::move(statistic);
}
void InstructionAnnotations::set_stat_index_to_visualize(int64_t index) {
  mutable_annotations().statistics.set_stat_index_to_visualize(index);
}
const Statistic& InstructionAnnotations::statistic_to_visualize() const {
  const int64_t index = statistics_viz().stat_index_to_visualize();
  CHECK(index >= 0 && index < statistics_viz().statistics_size())
      << self().name() << " has no statistic " << index;
  return statistics_viz().statistics(index);
}

bool InstructionAnnotations::is_composite() const {
  return annotations_ && annotations_->is_composite;
}
void InstructionAnnotations::set_is_composite(bool is_composite) {
  mutable_annotations().is_composite = is_composite;
}

void InstructionAnnotations::CopyAnnotationsFrom(const HloInstruction& other) {
  CopyOriginalValue(&other, &self(), /*clone=*/true, /*issue_warning=*/false);
  const InstructionAnnotations& source = other;
  if (source.annotations_ == nullptr) return;
  const Annotations& from = *source.annotations_;
  Annotations& to = mutable_annotations();
  to.metadata = from.metadata;
  if (from.sharding) to.sharding = from.sharding;
  to.frontend_attributes = from.frontend_attributes;
  to.backend_config = from.backend_config;
  to.statistics = from.statistics;
  to.is_composite = from.is_composite;
}

}  // namespace xla
