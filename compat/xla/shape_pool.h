// ShapePool: one shared copy of each shape that is in use.
#ifndef COMPAT_XLA_SHAPE_POOL_H_
#define COMPAT_XLA_SHAPE_POOL_H_

#include <cstddef>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "xla/core/shape.h"
#include "xla/shape.h"  // IWYU pragma: export

namespace xla {

// Thread safe. Shapes that nobody else refers to stay in the pool until
// GarbageCollect, which also runs now and then.
class ShapePool {
 public:
  static ShapePool* Default() {
    static ShapePool* const pool = new ShapePool;
    return pool;
  }

  // Returns a shape equal to `shape`, layout included: the same object as long
  // as one is in use. The second form adds the one that it gets.
  std::shared_ptr<Shape> GetCanonicalShape(const Shape& shape) {
    const absl::MutexLock lock(&mutex_);
    if (++calls_ % kCallsPerCollection == 0) Collect();
    std::weak_ptr<Shape>& entry = shapes_[shape];
    std::shared_ptr<Shape> canonical = entry.lock();
    if (canonical == nullptr) {
      canonical = std::make_shared<Shape>(shape);
      entry = canonical;
    }
    return canonical;
  }
  std::shared_ptr<Shape> GetCanonicalShape(std::shared_ptr<Shape> shape) {
    const absl::MutexLock lock(&mutex_);
    if (++calls_ % kCallsPerCollection == 0) Collect();
    std::weak_ptr<Shape>& entry = shapes_[*shape];
    if (std::shared_ptr<Shape> canonical = entry.lock()) return canonical;
    entry = shape;
    return shape;
  }

  // Drops the shapes that nobody refers to and returns their number.
  size_t GarbageCollect() {
    const absl::MutexLock lock(&mutex_);
    return Collect();
  }

 private:
  static constexpr size_t kCallsPerCollection = 1024;

  size_t Collect() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return absl::erase_if(
        shapes_, [](const auto& entry) { return entry.second.expired(); });
  }

  absl::Mutex mutex_;
  size_t calls_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<Shape, std::weak_ptr<Shape>> shapes_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace xla

#endif  // COMPAT_XLA_SHAPE_POOL_H_
