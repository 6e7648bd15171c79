// Joins names and stack frames, within limits: calls nest, and copies are many.
#include "xla/hlo/transforms/simplify/call_origins.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace xla {
namespace {

// A longer name is left as it is.
constexpr size_t kMaxOpNameBytes = 1024;
// The most frames that are looked up or added; later ones stay as they are.
constexpr size_t kMaxJoinedFrames = size_t{1} << 20;

// Whether what it calls belongs to it alone, as a part of the function.
bool HasBodies(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kWhile ||
         hlo.opcode() == HloOpcode::kConditional;
}

// Whether the name begins as that of the call does, which is the name of the
// program: then it was given outside of functions, or joined before.
bool IsJoined(absl::string_view name, absl::string_view call) {
  const absl::string_view program = call.substr(0, call.find('/'));
  return absl::ConsumePrefix(&name, program) &&
         (name.empty() || name[0] == '/');
}

}  // namespace

void CallOrigins::Join(const HloInstruction& call, HloInstruction& copy) {
  const OpMetadata& metadata = call.metadata();
  if (metadata.op_name().empty()) return;
  std::vector<HloInstruction*> pending = {&copy};
  while (!pending.empty()) {
    HloInstruction* hlo = pending.back();
    pending.pop_back();
    JoinOne(metadata, *hlo);
    if (!HasBodies(*hlo)) continue;
    for (HloComputation* body : hlo->called_computations()) {
      if (!computations_.insert(body).second) continue;
      const auto instructions = body->instructions();
      pending.insert(pending.end(), instructions.begin(), instructions.end());
    }
  }
}

void CallOrigins::JoinOne(const OpMetadata& call, HloInstruction& copy) {
  const std::string& name = copy.metadata().op_name();
  const std::string& prefix = call.op_name();
  if (name.empty() || IsJoined(name, prefix) ||
      prefix.size() + name.size() >= kMaxOpNameBytes) {
    return;
  }
  OpMetadata& metadata = copy.mutable_metadata();
  metadata.set_op_name(absl::StrCat(prefix, "/", name));
  if (const int32_t caller = call.stack_frame_id(); caller != 0) {
    metadata.set_stack_frame_id(FrameBelow(metadata.stack_frame_id(), caller));
  }
}

CallOrigins::~CallOrigins() {
  if (has_index_) module_.set_stack_frame_index(std::move(index_));
}

int32_t CallOrigins::FrameBelow(int32_t frame, int32_t caller) {
  if (!has_index_) {
    if (!module_.stack_frame_index().has_value()) return frame;
    has_index_ = true;
    index_ = *module_.stack_frame_index();
    for (int32_t i = 0; i < index_.stack_frames_size(); ++i) {
      const auto& known = index_.stack_frames(i);
      frames_.emplace(
          std::pair(known.file_location_id(), known.parent_frame_id()), i + 1);
    }
  }
  // The frames up to one whose result is known, the innermost first.
  std::vector<int32_t> chain;
  int32_t result = caller;
  while (frame > 0 && frame <= index_.stack_frames_size()) {
    const auto known = joined_.find({frame, caller});
    if (known != joined_.end()) {
      result = known->second;
      break;
    }
    chain.push_back(frame);
    // Tables that were read may have a frame that calls itself.
    if (joined_.size() + chain.size() > kMaxJoinedFrames ||
        chain.size() > static_cast<size_t>(index_.stack_frames_size())) {
      return chain.front();
    }
    frame = index_.stack_frames(frame - 1).parent_frame_id();
  }
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    result =
        FindOrAddFrame(index_.stack_frames(*it - 1).file_location_id(), result);
    joined_[{*it, caller}] = result;
  }
  return result;
}

int32_t CallOrigins::FindOrAddFrame(int32_t location, int32_t caller) {
  const auto [it, is_new] = frames_.emplace(std::pair(location, caller),
                                            index_.stack_frames_size() + 1);
  if (is_new) {
    auto* frame = index_.add_stack_frames();
    frame->set_file_location_id(location);
    frame->set_parent_frame_id(caller);
  }
  return it->second;
}

}  // namespace xla
