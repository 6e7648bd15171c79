// The tables of stages, one for each VectorLevel.
#include "xla/backends/cpu/kernels/fft_stages.h"

#include "xla/backends/cpu/kernels/vector/transposing.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

// Declares that iterations of the next loop are independent.
#if defined(__clang__)
#define XLA_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define XLA_IVDEP _Pragma("GCC ivdep")
#endif

namespace xla::cpu {
namespace {

// Cosine and sine of 2 pi k / kRadix.
template <int kRadix>
struct OddRoots {
  double cos[kRadix], sin[kRadix];
};
template <int kRadix>
inline constexpr OddRoots<kRadix> kOddRoots = {};
template <>
inline constexpr OddRoots<3> kOddRoots<3> = {
    {1, -0.5, -0.5}, {0, 0.86602540378443859659, -0.86602540378443859659}};
template <>
inline constexpr OddRoots<5> kOddRoots<5> = {
    {1, 0.30901699437494745126, -0.80901699437494745126,
     -0.80901699437494745126, 0.30901699437494745126},
    {0, 0.95105651629515353118, 0.5877852522924731371, -0.5877852522924731371,
     -0.95105651629515353118}};
template <>
inline constexpr OddRoots<7> kOddRoots<7> = {
    {1, 0.62348980185873348336, -0.22252093395631439288, -0.900968867902419146,
     -0.900968867902419146, -0.22252093395631439288, 0.62348980185873348336},
    {0, 0.78183148246802980363, 0.97492791218182361934, 0.4338837391175581204,
     -0.4338837391175581204, -0.97492791218182361934, -0.78183148246802980363}};
template <>
inline constexpr OddRoots<11> kOddRoots<11> = {
    {1, 0.84125353283118120551, 0.41541501300188643508, -0.14231483827328514358,
     -0.65486073394528510061, -0.95949297361449736865, -0.95949297361449736865,
     -0.65486073394528510061, -0.14231483827328514358, 0.41541501300188643508,
     0.84125353283118120551},
    {0, 0.54064081745559755543, 0.90963199535451833011, 0.98982144188093268422,
     0.7557495743542582689, 0.28173255684142967104, -0.28173255684142967104,
     -0.7557495743542582689, -0.98982144188093268422, -0.90963199535451833011,
     -0.54064081745559755543}};
template <>
inline constexpr OddRoots<13> kOddRoots<13> = {
    {1, 0.88545602565320991051, 0.56806474673115581187, 0.12053668025532304764,
     -0.35460488704253562142, -0.74851074817110108128, -0.9709418174260520118,
     -0.9709418174260520118, -0.74851074817110108128, -0.35460488704253562142,
     0.12053668025532304764, 0.56806474673115581187, 0.88545602565320991051},
    {0, 0.46472317204376856203, 0.82298386589365635224, 0.99270887409805397272,
     0.93501624268541483342, 0.66312265824079519305, 0.23931566428755776665,
     -0.23931566428755776665, -0.66312265824079519305, -0.93501624268541483342,
     -0.99270887409805397272, -0.82298386589365635224,
     -0.46472317204376856203}};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/fft_stages.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

}  // namespace

template <typename T>
const FftStages<T>& FftStagesOf() {
  return TableOf(baseline::kFftStages<T>, avx2::kFftStages<T>,
                 avx512::kFftStages<T>);
}

template const FftStages<float>& FftStagesOf<float>();
template const FftStages<double>& FftStagesOf<double>();

}  // namespace xla::cpu
