// Uses every name of xla/shape_pool.h.
#include "xla/shape_pool.h"

#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(ShapePoolNamesTest, OneCopyOfEachShape) {
  ShapePool pool;
  const Shape shape(F32, {2, 3});
  std::shared_ptr<Shape> first = pool.GetCanonicalShape(shape);
  EXPECT_EQ(*first, shape);
  EXPECT_NE(first.get(), &shape);
  EXPECT_EQ(pool.GetCanonicalShape(Shape(F32, {2, 3})), first);
  EXPECT_NE(pool.GetCanonicalShape(Shape(F32, {3, 2})), first);
  EXPECT_EQ(pool.GetCanonicalShape(std::make_shared<Shape>(shape)), first);
  // A shape that is not there yet is the one that stays.
  auto tuple = std::make_shared<Shape>(std::vector<Shape>{shape});
  EXPECT_EQ(pool.GetCanonicalShape(tuple), tuple);
  EXPECT_EQ(pool.GetCanonicalShape(*tuple), tuple);
}

TEST(ShapePoolNamesTest, DropsWhatNobodyUses) {
  ShapePool pool;
  std::shared_ptr<Shape> kept = pool.GetCanonicalShape(Shape(F32, {2}));
  pool.GetCanonicalShape(Shape(F32, {3}));
  pool.GetCanonicalShape(Shape(F32, {4}));
  EXPECT_EQ(pool.GarbageCollect(), 2u);
  EXPECT_EQ(pool.GarbageCollect(), 0u);
  kept.reset();
  EXPECT_EQ(pool.GarbageCollect(), 1u);
}

TEST(ShapePoolNamesTest, TheDefaultPoolIsOne) {
  ShapePool* const pool = ShapePool::Default();
  EXPECT_EQ(pool, ShapePool::Default());
  const std::shared_ptr<Shape> shape = pool->GetCanonicalShape(Shape(TOKEN));
  EXPECT_EQ(ShapePool::Default()->GetCanonicalShape(Shape(TOKEN)), shape);
}

}  // namespace
}  // namespace xla
