// Places, and the workers that take them. State that one thread writes for
// another to find (places, queued tasks, open loops, sleepers) is written and
// read sequentially consistently: a thread that makes work possible either sees
// a thread that will look for it, or wakes one.
#include "xla/runtime/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "xla/runtime/cpu_count.h"

namespace xla {
namespace {

// How long an idle worker spins: a program's next loop or task, if any, usually
// comes within this time.
constexpr std::chrono::microseconds kSpinForWork{40};
// Pieces of a loop per thread, so that all threads end at about the same time.
constexpr int64_t kPiecesPerThread = 8;
// Sleepers that one thread wakes; those wake others in turn.
constexpr int64_t kWakesEach = 2;

thread_local ThreadPool* current_pool = nullptr;
// The pool that this thread holds a place of.
thread_local ThreadPool* place_in = nullptr;

}  // namespace

// While one lives, this thread holds a place of `pool`, or none if null.
class ThreadPool::Counted {
 public:
  explicit Counted(ThreadPool* pool) : before_(std::exchange(place_in, pool)) {}
  ~Counted() { place_in = before_; }

 private:
  ThreadPool* const before_;
};

ThreadPool::ThreadPool(int num_threads)
    : num_threads_(std::clamp(num_threads, 1, kMaxThreads)),
      spins_(UsableCpus() > 1),
      loops_(num_threads_) {}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  work_.Wake(INT_MAX);
  std::unique_lock<std::mutex> lock(mutex_);
  // The last tasks may still start threads.
  while (!threads_.empty()) {
    const pthread_t thread = threads_.front();
    threads_.pop_front();
    lock.unlock();
    pthread_join(thread, nullptr);
    lock.lock();
  }
}

int ThreadPool::started_threads() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return threads_.size();
}

ThreadPool* ThreadPool::Current() { return current_pool; }

// ---- Places.

bool ThreadPool::TryTakePlace() {
  int running = running_.load();
  while (running < num_threads_) {
    if (running_.compare_exchange_weak(running, running + 1)) return true;
  }
  return false;
}

void ThreadPool::TakePlace() {
  if (TryTakePlace()) return;
  ++callers_;
  for (;;) {
    const uint32_t ticket = places_.Prepare();
    if (TryTakePlace()) {
      places_.Cancel();
      break;
    }
    places_.Sleep(ticket);
  }
  --callers_;
  // Workers took no places while a caller waited.
  WakeForWork();
}

void ThreadPool::ReturnPlace() {
  --running_;
  places_.Wake(1);
}

// ---- Waking threads for work.

bool ThreadPool::HasWork() const {
  return (queued_.load() > 0 || loops_.any_open()) &&
         running_.load() < num_threads_ && callers_.load() == 0;
}

// Called by threads that will not look for work themselves.
void ThreadPool::WakeForWork() {
  if (queued_.load() > 0) {
    std::lock_guard<std::mutex> lock(mutex_);
    StartForTasks();
  }
  if (HasWork()) work_.Wake(1);
}

void ThreadPool::Schedule(Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    ++queued_;
    StartForTasks();
    if (threads_.empty()) {
      task = std::move(tasks_.back());
      tasks_.pop_back();
      --queued_;
    }
  }
  if (task) return std::move(task)();
  if (spinning_.load() == 0 && running_.load() < num_threads_) work_.Wake(1);
}

void ThreadPool::CallHelpers(int64_t wanted) {
  wanted = std::min<int64_t>(wanted, num_threads_ - running_.load());
  if (wanted <= 0) return;
  if (idle_.load() < wanted) StartFor(wanted);
  work_.Wake(std::min<int64_t>(wanted - spinning_.load(), kWakesEach));
}

void ThreadPool::ParallelFor(int64_t count,
                             absl::FunctionRef<void(int64_t)> fn) {
  if (count <= 1) {
    if (count == 1) fn(0);
    return;
  }
  if (place_in == nullptr) {
    TakePlace();
    {
      Counted counted(this);
      ParallelFor(count, fn);
    }
    ReturnPlace();
    WakeForWork();
    return;
  }
  const int64_t grain =
      std::max<int64_t>(count / (kPiecesPerThread * num_threads_), 1);
  // A thread at work for another pool runs the loop alone: pools that call each
  // other could otherwise wait in a circle.
  const int loop =
      num_threads_ > 1 && place_in == this ? loops_.Open(count, grain, fn) : -1;
  if (loop < 0) {
    for (int64_t i = 0; i < count; ++i) fn(i);
    return;
  }
  CallHelpers((count - 1) / grain);
  loops_.Work(loop);
  loops_.Finish(loop, spins_);
}

// ---- Workers.

bool ThreadPool::StartThread() {
  const int working = static_cast<int>(threads_.size()) - blocked_.load();
  if (working >= num_threads_ || threads_.size() >= kMaxThreads) return false;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, ThreadMain, this);
  pthread_attr_destroy(&attributes);
  refused_ = error != 0;
  if (error != 0) return false;
  threads_.push_back(thread);
  ++idle_;
  return true;
}

void ThreadPool::StartForTasks() {
  const auto wanted = [this] {
    return std::min<int64_t>(tasks_.size(), num_threads_ - running_.load());
  };
  while (wanted() > idle_.load() && StartThread()) {
  }
}

void ThreadPool::StartFor(int64_t wanted) {
  // A loop can do without helpers, so it does not ask again after a refusal.
  if (refused_.load(std::memory_order_relaxed)) return;
  std::lock_guard<std::mutex> lock(mutex_);
  while (idle_.load() < wanted && StartThread()) {
  }
}

void* ThreadPool::ThreadMain(void* pool) {
  current_pool = static_cast<ThreadPool*>(pool);
  int number;
  {
    std::lock_guard<std::mutex> lock(current_pool->mutex_);
    number = current_pool->numbered_++;
  }
  current_pool->WorkerLoop(number);
  return nullptr;
}

void ThreadPool::WorkerLoop(int number) {
  int seat = number;
  for (;;) {
    if (RunTask() || HelpLoops(seat) || SpinForWork()) continue;
    const uint32_t ticket = work_.Prepare();
    if (stopping_.load()) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (tasks_.empty()) {
        work_.Cancel();
        --idle_;
        return;
      }
    }
    if (HasWork()) {
      work_.Cancel();
    } else {
      work_.Sleep(ticket);
    }
  }
}

bool ThreadPool::RunTask() {
  if (queued_.load() == 0 || callers_.load() > 0 || !TryTakePlace()) {
    return false;
  }
  {
    Counted counted(this);  // also while the task's captures are destroyed
    Task task;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
        --queued_;
        --idle_;
      }
    }
    if (!task) {
      ReturnPlace();
      return false;
    }
    // The thread that scheduled several tasks may have relied on this worker.
    if (spinning_.load() == 0 && HasWork()) work_.Wake(1);
    std::move(task)();
  }
  ++idle_;
  ReturnPlace();
  if (stopping_.load()) work_.Wake(INT_MAX);
  return true;
}

bool ThreadPool::HelpLoops(int& seat) {
  if (!loops_.any_open() || callers_.load() > 0 || !TryTakePlace()) {
    return false;
  }
  --idle_;
  bool ran;
  {
    Counted counted(this);
    ran = HelpWithPlace(seat, [] { return false; });
  }
  ++idle_;
  ReturnPlace();
  return ran;
}

// Helps with a loop until nothing is left, `leave` returns true, or another
// thread should have this one's place.
bool ThreadPool::HelpWithPlace(int& seat, absl::FunctionRef<bool()> leave) {
  return loops_.Help(
      seat,
      {.entered = [this](int64_t left) { CallHelpers(left - 1); },
       .leave =
           [&] {
             return running_.load(std::memory_order_relaxed) > num_threads_ ||
                    callers_.load(std::memory_order_relaxed) > 0 || leave();
           }});
}

bool ThreadPool::SpinAndHelp(absl::FunctionRef<bool()> done) {
  using Clock = std::chrono::steady_clock;
  const auto help = [&](int& seat) {
    if (place_in == this) return HelpWithPlace(seat, done);
    if (place_in != nullptr || !TryTakePlace()) return false;
    bool ran;
    {
      Counted counted(this);
      ran = HelpWithPlace(seat, done);
    }
    ReturnPlace();
    return ran;
  };
  if (!spins_) return done();
  int seat = 1;  // not the share of a loop's opener
  auto end = Clock::now() + kSpinForWork;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      if (queued_.load() > 0 || callers_.load() > 0) return false;
      if (loops_.any_open() && help(seat)) end = Clock::now() + kSpinForWork;
      Pause();
    }
  } while (Clock::now() < end);
  return done();
}

bool ThreadPool::SpinForWork() {
  if (!spins_ || stopping_.load()) return HasWork();
  ++spinning_;
  bool found = false;
  SpinUntil(kSpinForWork, [&] {
    found = HasWork();
    // A thread that looks for work must not keep a processor from one that has
    // some.
    return found || running_.load() + spinning_.load() > num_threads_;
  });
  --spinning_;
  return found;
}

BlockingSection::BlockingSection() : pool_(std::exchange(place_in, nullptr)) {
  if (pool_ == nullptr) return;
  if (current_pool == pool_) ++pool_->blocked_;
  pool_->ReturnPlace();
  pool_->WakeForWork();
}

BlockingSection::~BlockingSection() {
  if (pool_ == nullptr) return;
  // Waiting for a place here could deadlock: this thread may hold what the
  // others need.
  ++pool_->running_;
  if (current_pool == pool_) --pool_->blocked_;
  place_in = pool_;
}

int DefaultThreadCount() {
  int count = 0;
  const char* set = std::getenv("TESSERA_NUM_THREADS");
  if (set != nullptr && absl::SimpleAtoi(set, &count) && count > 0) {
    return std::min(count, ThreadPool::kMaxThreads);
  }
  return UsableCpus();
}

}  // namespace xla
