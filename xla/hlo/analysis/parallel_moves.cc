// Uses Kahn's algorithm; the remaining moves form cycles.
#include "xla/hlo/analysis/parallel_moves.h"

#include <functional>
#include <queue>

namespace xla {

MoveOrder OrderMoves(absl::Span<const int> reads) {
  const int n = reads.size();
  auto reads_other = [&](int m) { return reads[m] >= 0 && reads[m] != m; };
  std::vector<int> pending(n, 0);    // readers of the place not yet moved
  std::vector<int> a_reader(n, -1);  // the one reader of a place in a cycle
  for (int m = 0; m < n; ++m) {
    if (reads_other(m)) ++pending[reads[m]];
  }
  MoveOrder result;
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  std::vector<bool> done(n, false), saved(n, false);
  auto drain = [&] {
    while (!ready.empty()) {
      const int m = ready.top();
      ready.pop();
      done[m] = true;
      result.order.push_back(m);
      if (reads_other(m) && !saved[m] && --pending[reads[m]] == 0) {
        ready.push(reads[m]);
      }
    }
  };
  for (int m = 0; m < n; ++m) {
    if (pending[m] == 0) ready.push(m);
  }
  drain();
  for (int m = 0; m < n; ++m) {
    if (!done[m]) a_reader[reads[m]] = m;
  }
  for (int m = 0; m < n; ++m) {
    if (done[m]) continue;
    saved[a_reader[m]] = true;
    result.saved.push_back(a_reader[m]);
    pending[m] = 0;
    ready.push(m);
    drain();
  }
  return result;
}

}  // namespace xla
