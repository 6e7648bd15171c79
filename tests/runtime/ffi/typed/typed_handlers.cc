// Handlers written with jaxlib's FFI headers; typed_handler_test.py compiles
// this into a library of its own that knows nothing of Tessera.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

// y = x * scale + the mean of `offsets`, as `name` and a nested dictionary say.
static ffi::Error Affine(float scale, ffi::Span<const int64_t> offsets,
                         std::string_view name, ffi::Dictionary options,
                         ffi::Buffer<ffi::F32> x,
                         ffi::ResultBuffer<ffi::F32> y) {
  if (name != "affine") return ffi::Error::InvalidArgument("wrong name");
  ffi::ErrorOr<bool> negate = options.get<bool>("negate");
  if (!negate.has_value()) return negate.error();
  float mean = 0;
  for (int64_t offset : offsets) mean += static_cast<float>(offset);
  mean /= static_cast<float>(offsets.size());
  for (size_t i = 0; i < x.element_count(); ++i) {
    const float value = x.typed_data()[i] * scale + mean;
    y->typed_data()[i] = *negate ? -value : value;
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(affine, Affine,
                              ffi::Ffi::Bind()
                                  .Attr<float>("scale")
                                  .Attr<ffi::Span<const int64_t>>("offsets")
                                  .Attr<std::string_view>("name")
                                  .Attr<ffi::Dictionary>("options")
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());

static ffi::Error Count(ffi::RemainingArgs args, ffi::RemainingRets rets) {
  ffi::ErrorOr<ffi::Result<ffi::Buffer<ffi::S32>>> out =
      rets.get<ffi::Buffer<ffi::S32>>(0);
  if (!out.has_value()) return out.error();
  *(*out)->typed_data() = static_cast<int32_t>(args.size() * 10 + rets.size());
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(count, Count,
                              ffi::Ffi::Bind().RemainingArgs().RemainingRets());

// Work in the thread pool, completed by a future.
static ffi::Future Later(ffi::ThreadPool pool, ffi::Buffer<ffi::F32> x,
                         ffi::ResultBuffer<ffi::F32> y) {
  ffi::Promise promise;
  ffi::Future future(promise);
  pool.Schedule(
      [x, y,
       promise = std::make_shared<ffi::Promise>(std::move(promise))]() mutable {
        for (size_t i = 0; i < x.element_count(); ++i) {
          y->typed_data()[i] = std::sqrt(x.typed_data()[i]);
        }
        promise->SetAvailable();
      });
  return future;
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(later, Later,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());

static ffi::Error Fail(ffi::ScratchAllocator scratch) {
  if (!scratch.Allocate(100).has_value()) {
    return ffi::Error::Internal("no scratch memory");
  }
  return ffi::Error(ffi::ErrorCode::kUnavailable, "come back tomorrow");
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(fail, Fail,
                              ffi::Ffi::Bind().Ctx<ffi::ScratchAllocator>());
