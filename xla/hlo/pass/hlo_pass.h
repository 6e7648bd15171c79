// HloPassInterface, a pass over HLO modules, and HloPassPipeline, which runs
// several in order.
#ifndef XLA_HLO_PASS_HLO_PASS_H_
#define XLA_HLO_PASS_HLO_PASS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

class HloPassInterface {
 public:
  virtual ~HloPassInterface() = default;

  // The name that --passes takes: "dce".
  virtual absl::string_view name() const = 0;

  using ExecutionThreads = absl::flat_hash_set<absl::string_view>;

  // Changes computations of the given threads (none: of all); returns true only
  // if it did. After an error the module is still safe to read and destroy, but
  // may be half changed. Passes override one of the RunImpl; those written for
  // older versions of XLA override Run.
  virtual absl::StatusOr<bool> Run(HloModule* module,
                                   const ExecutionThreads& execution_threads) {
    return RunImpl(module, execution_threads);
  }
  absl::StatusOr<bool> Run(HloModule* module) { return Run(module, {}); }

  virtual bool IsPassPipeline() const { return false; }

  // Notes a number about the pass that runs in the module's metadata; one that
  // runs outside of pipelines has none there, which is logged.
  static void SetKVMetric(HloModule* module, const std::string& key,
                          int64_t value);

 protected:
  // For passes that know threads.
  virtual absl::StatusOr<bool> RunImpl(
      HloModule* module, const ExecutionThreads& execution_threads);
  // For passes that change all computations: Run returns Unimplemented if the
  // module has some of other threads than those it is given.
  virtual absl::StatusOr<bool> RunImpl(HloModule* module);
};

// Runs passes in order, and records each in the module's metadata, after a pass
// "pipeline-start" that does nothing; one that fails never ends there.
// `after_each`, if set, runs after each pass with its name (to verify, dump or
// time); its error ends the pipeline. Between passes it tells the thread's
// Activity what it does, and ends with Cancelled, naming the module and the
// next pass, once the thread's token (CancellationToken::Current) is cancelled.
class HloPassPipeline : public HloPassInterface {
 public:
  using Observer = std::function<absl::Status(
      const HloModule& module, absl::string_view pass, bool changed)>;

  explicit HloPassPipeline(std::string name, Observer after_each = nullptr)
      : name_(std::move(name)), after_each_(std::move(after_each)) {}

  absl::string_view name() const override { return name_; }
  template <typename Pass, typename... Args>
  Pass& AddPass(Args&&... args) {
    auto pass = std::make_unique<Pass>(std::forward<Args>(args)...);
    Pass& added = *pass;
    passes_.push_back(std::move(pass));
    return added;
  }
  void AddPass(std::unique_ptr<HloPassInterface> pass) {
    passes_.push_back(std::move(pass));
  }
  // Runs before the first pass and after each that changed the module; must not
  // change it itself (Internal).
  template <typename Pass, typename... Args>
  Pass& AddInvariantChecker(Args&&... args) {
    auto checker = std::make_unique<Pass>(std::forward<Args>(args)...);
    Pass& added = *checker;
    checkers_.push_back(std::move(checker));
    return added;
  }
  // The same, unless NDEBUG is defined where it is called.
  template <typename Pass, typename... Args>
  void AddInvariantCheckerDebug(Args&&... args) {
#ifndef NDEBUG
    AddInvariantChecker<Pass>(std::forward<Args>(args)...);
#endif
  }

  bool IsPassPipeline() const override { return true; }
  int PassesSize() const { return static_cast<int>(passes_.size()); }
  HloPassInterface& GetPass(int index) { return *passes_[index]; }

 protected:
  // Errors carry the name of the pass.
  absl::StatusOr<bool> RunImpl(
      HloModule* module, const ExecutionThreads& execution_threads) override;

 private:
  std::string name_;
  Observer after_each_;
  absl::Status Check(HloModule* module, absl::string_view after,
                     const ExecutionThreads& execution_threads);

  std::vector<std::unique_ptr<HloPassInterface>> passes_;
  std::vector<std::unique_ptr<HloPassInterface>> checkers_;
};

}  // namespace xla

#endif  // XLA_HLO_PASS_HLO_PASS_H_
