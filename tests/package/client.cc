// Includes XLA's own path and Tessera's, and calls into libtessera.
#include <cstdio>

#include "xla/proto/xla_data.pb.h"
#include "xla/shape_util.h"

int main() {
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {2, 3});
  std::puts(xla::ShapeUtil::HumanString(shape).c_str());
  return xla::ShapeUtil::ElementsIn(shape) == 6 ? 0 : 1;
}
