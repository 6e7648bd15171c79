// TraceEvent: what a thread did for a while. TracedProgram describes the
// operations that events of a program's runs are about.
#ifndef XLA_RUNTIME_TRACING_TRACE_EVENT_H_
#define XLA_RUNTIME_TRACING_TRACE_EVENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace xla {

struct TraceEvent {
  enum class Kind : uint8_t {
    kRun,      // a run of a program, on the thread that waits for it
    kThunk,    // an execution of operation `op`
    kTask,     // `count` indices of a parallel loop of operation `op`
    kCompile,  // a phase of a compilation, named by `context`
    kEnqueue,  // handing over a run, on the thread that asked for it
  };

  // Times of TraceNow() while it is recorded; in a RecordedTrace, nanoseconds
  // since the Unix epoch.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  // The number of a run (TraceSession::AddRun) or of a name (AddName).
  uint32_t context = 0;
  int32_t op = -1;
  uint32_t count = 1;
  Kind kind = Kind::kThunk;
};

// One operation of a program, as traces show it. Costs are those of one
// execution, which may be a whole loop.
struct TracedOp {
  std::string hlo;  // the instruction; the last one if there are several
  std::string computation;  // in which the instruction is
  std::string opcode;
  std::string category;   // as XProf groups operations: "loop fusion"
  std::string kind;       // of the thunk: "kernel", "dot"
  std::string algorithm;  // empty if the kind has only one
  std::string text;       // the instruction as HLO text
  std::string op_name;    // these two are empty if the program lacks them
  std::string source;     // "train.py:17"
  double flops = 0;
  double transcendentals = 0;
  double bytes = 0;  // read and written, cached or not
};

// A compiled program, for the readers of a trace. A trace keeps it alive, so it
// owns what it returns and outlives the executable. Thread safe.
class TracedProgram {
 public:
  virtual ~TracedProgram() = default;
  virtual const std::string& name() const = 0;
  // Differs between the programs of a process.
  virtual int64_t id() const = 0;
  // Returns the operations by their numbers. May take milliseconds.
  virtual std::vector<TracedOp> Ops() const = 0;
  // Returns a serialized HloProto; empty if there is none.
  virtual std::string SerializedHlo() const = 0;
};

// One run of a program on one device.
struct TracedRun {
  // Null for a kEnqueue event, at which it is not known yet.
  std::shared_ptr<const TracedProgram> program;
  int64_t run_id = 0;
  int64_t device = 0;
};

// All that a session recorded.
struct RecordedTrace {
  struct Thread {
    int64_t id = 0;  // the system's
    // std::hash of its std::thread::id, by which jaxlib's profiler knows it.
    int64_t hash = 0;
    std::string name;
    // By their begins; an event comes before those that lie inside it.
    std::vector<TraceEvent> events;
  };
  // When recording began and ended, in nanoseconds since the Unix epoch.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  std::vector<Thread> threads;
  std::vector<TracedRun> runs;
  std::vector<std::string> names;
  // Events for which there was no memory left.
  int64_t dropped_events = 0;
};

}  // namespace xla

#endif  // XLA_RUNTIME_TRACING_TRACE_EVENT_H_
