// Each phase finds the distances of nodes from the source, and then fills paths
// along which the distance grows until the sink is cut off on these.
#include "xla/base/min_cut.h"

#include <algorithm>

namespace xla {

int MinCut::AddNode() {
  edges_of_.emplace_back();
  return static_cast<int>(edges_of_.size()) - 1;
}

void MinCut::AddEdge(int from, int to, int64_t capacity) {
  edges_of_[from].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({to, capacity});
  edges_of_[to].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({from, 0});
}

// Returns whether the sink can be reached.
bool MinCut::FindLevels() {
  level_.assign(edges_of_.size(), -1);
  level_[kSource] = 0;
  std::vector<int> queue = {kSource};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (int e : edges_of_[queue[i]]) {
      const int to = edges_[e].to;
      if (edges_[e].left == 0 || level_[to] != -1) continue;
      level_[to] = level_[queue[i]] + 1;
      queue.push_back(to);
    }
  }
  return level_[kSink] != -1;
}

// Lets as much as possible flow along the edges of a path.
void MinCut::Push(const std::vector<int>& path) {
  int64_t amount = kNever;
  for (int e : path) amount = std::min(amount, edges_[e].left);
  for (int e : path) {
    edges_[e].left -= amount;
    edges_[e ^ 1].left += amount;
  }
}

void MinCut::SaturatePaths() {
  std::vector<size_t> next(edges_of_.size(), 0);  // the edge to try at a node
  std::vector<int> path;
  int node = kSource;
  while (true) {
    if (node == kSink) {
      Push(path);
      // Goes back to before the first edge that is full.
      size_t full = 0;
      while (edges_[path[full]].left > 0) ++full;
      node = edges_[path[full] ^ 1].to;
      path.resize(full);
      continue;
    }
    if (next[node] == edges_of_[node].size()) {
      if (path.empty()) return;
      node = edges_[path.back() ^ 1].to;
      path.pop_back();
      ++next[node];
      continue;
    }
    const int e = edges_of_[node][next[node]];
    if (edges_[e].left > 0 && level_[edges_[e].to] == level_[node] + 1) {
      path.push_back(e);
      node = edges_[e].to;
    } else {
      ++next[node];
    }
  }
}

std::vector<bool> MinCut::Solve() {
  while (FindLevels()) SaturatePaths();
  std::vector<bool> reaches_sink(edges_of_.size(), false);
  reaches_sink[kSink] = true;
  std::vector<int> queue = {kSink};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (int e : edges_of_[queue[i]]) {
      const int from = edges_[e].to;
      if (edges_[e ^ 1].left == 0 || reaches_sink[from]) continue;
      reaches_sink[from] = true;
      queue.push_back(from);
    }
  }
  return reaches_sink;
}

}  // namespace xla
