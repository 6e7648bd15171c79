// MinCut: divides the nodes of a directed graph between a source and a sink so
// that the edges from the source's side to the sink's are worth least.
#ifndef XLA_BASE_MIN_CUT_H_
#define XLA_BASE_MIN_CUT_H_

#include <cstdint>
#include <vector>

namespace xla {

// Finds a maximal flow by Dinic's algorithm (E. A. Dinic 1970), which takes
// O(V^2 E) steps at worst and far fewer on sparse graphs of few levels. Does
// not recurse.
class MinCut {
 public:
  static constexpr int kSource = 0;
  static constexpr int kSink = 1;
  // The capacity of an edge that is never cut. Other capacities must add up to
  // less.
  static constexpr int64_t kNever = int64_t{1} << 61;

  MinCut() : edges_of_(2) {}

  // Returns the number of a new node.
  int AddNode();
  // Adds an edge that costs `capacity`, at least 0, if `from` is on the side of
  // the source and `to` on the sink's.
  void AddEdge(int from, int to, int64_t capacity);

  // Returns for each node whether it is on the sink's side; of all best
  // divisions the one with the fewest nodes there. To be called once.
  std::vector<bool> Solve();

 private:
  struct Edge {
    int to;
    int64_t left;  // what more can flow; edge e ^ 1 leads back
  };

  bool FindLevels();
  void SaturatePaths();
  void Push(const std::vector<int>& path);

  std::vector<Edge> edges_;
  std::vector<std::vector<int>> edges_of_;
  std::vector<int> level_;  // distance from the source, -1 if not reachable
};

}  // namespace xla

#endif  // XLA_BASE_MIN_CUT_H_
