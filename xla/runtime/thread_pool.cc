// Workers, and how many of them there may be.
#include "xla/runtime/thread_pool.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"

namespace xla {
namespace {

thread_local ThreadPool* current_pool = nullptr;

// CPUs that the quota of the cgroup pays for; 0 without one.
int QuotaCpus() {
  double quota = 0, period = 0;
  std::string word;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max");
      file >> word && absl::SimpleAtod(word, &quota) && file >> period) {
    return period > 0 ? static_cast<int>((quota + period - 1) / period) : 0;
  }
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0) {
    return static_cast<int>((quota + period - 1) / period);
  }
  return 0;
}

int AffinityCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

ThreadPool::ThreadPool(int num_threads)
    : num_threads_(std::clamp(num_threads, 1, kMaxThreads)) {}

ThreadPool::~ThreadPool() {
  std::unique_lock<std::mutex> lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  // The last tasks may still start threads.
  while (!threads_.empty()) {
    const pthread_t thread = threads_.front();
    threads_.pop_front();
    lock.unlock();
    pthread_join(thread, nullptr);
    lock.lock();
  }
}

void ThreadPool::Schedule(Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    StartIfNeeded();
    if (!threads_.empty()) {
      changed_.notify_one();
      return;
    }
    task = std::move(tasks_.back());
    tasks_.pop_back();
  }
  std::move(task)();
}

int ThreadPool::started_threads() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return threads_.size();
}

ThreadPool* ThreadPool::Current() { return current_pool; }

bool ThreadPool::StartThread() {
  if (threads_.size() >= kMaxThreads) return false;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, ThreadMain, this);
  pthread_attr_destroy(&attributes);
  if (error != 0) return false;
  threads_.push_back(thread);
  ++idle_;
  return true;
}

void ThreadPool::StartIfNeeded() {
  const auto wanted = [this] {
    return std::min<int64_t>(tasks_.size(), num_threads_ - running_);
  };
  while (wanted() > idle_ && StartThread()) {
  }
}

void* ThreadPool::ThreadMain(void* pool) {
  current_pool = static_cast<ThreadPool*>(pool);
  current_pool->WorkerLoop();
  return nullptr;
}

void ThreadPool::WorkerLoop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    while (tasks_.empty() || running_ >= num_threads_) {
      if (stopping_ && tasks_.empty()) {
        --idle_;
        return;
      }
      changed_.wait(lock);
    }
    --idle_;
    ++running_;
    {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      std::move(task)();
    }  // what the task holds is dropped without the lock
    lock.lock();
    --running_;
    ++idle_;
    // A worker that this one kept from starting.
    if (!tasks_.empty() || stopping_) changed_.notify_all();
  }
}

void ThreadPool::EnterBlocking() {
  std::lock_guard<std::mutex> lock(mutex_);
  --running_;
  StartIfNeeded();
  if (!tasks_.empty()) changed_.notify_one();
}

void ThreadPool::LeaveBlocking() {
  // Not until there is room: who waits here may hold what the others need.
  std::lock_guard<std::mutex> lock(mutex_);
  ++running_;
}

int DefaultThreadCount() {
  int count = 0;
  const char* set = std::getenv("TESSERA_NUM_THREADS");
  if (set != nullptr && absl::SimpleAtoi(set, &count) && count > 0) {
    return std::min(count, ThreadPool::kMaxThreads);
  }
  count = AffinityCpus();
  const int quota = QuotaCpus();
  if (quota > 0) count = std::min(count, quota);
  return std::max(count, 1);
}

}  // namespace xla
