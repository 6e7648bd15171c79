// FFI handlers as a user of JAX writes them, with jaxlib's headers: one with an
// attribute, one with state.
#include <memory>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error ScaleImpl(ffi::Buffer<ffi::F32> x, float factor,
                            ffi::ResultBuffer<ffi::F32> y) {
  if (factor == 0) return ffi::Error::InvalidArgument("the factor is zero");
  for (size_t i = 0; i < x.element_count(); ++i) {
    y->typed_data()[i] = x.typed_data()[i] * factor;
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(Scale, ScaleImpl,
                              ffi::Ffi::Bind()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Attr<float>("factor")
                                  .Ret<ffi::Buffer<ffi::F32>>());

// Counts the runs of one program.
struct Counter {
  static ffi::TypeId id;
  int runs = 0;
};
ffi::TypeId Counter::id = {};
extern "C" void* CounterTypeId() { return &Counter::id; }

#if XLA_FFI_API_MINOR >= 2
extern "C" void* CounterTypeInfo() {
  static ffi::TypeInfo info = ffi::MakeTypeInfo<Counter>();
  return &info;
}
#endif

static ffi::ErrorOr<std::unique_ptr<Counter>> NewCounter() {
  return std::make_unique<Counter>();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(CounterNew, NewCounter,
                              ffi::Ffi::BindInstantiate());

static ffi::Error Count(Counter* counter, ffi::ResultBuffer<ffi::S32> runs) {
  runs->typed_data()[0] = ++counter->runs;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    CounterRun, Count,
    ffi::Ffi::Bind().Ctx<ffi::State<Counter>>().Ret<ffi::Buffer<ffi::S32>>());
