#include "driftless/federation/thread_pool.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace driftless {
namespace {

TEST(ThreadPool, RunsEveryTaskOnceForAnyNumberOfThreads) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 100U}) {
      std::vector<int> runs(count, 0);
      pool.for_each(count, [&](std::size_t task, std::size_t worker) {
        EXPECT_LT(worker, threads);
        ++runs[task];
      });
      EXPECT_EQ(runs, std::vector<int>(count, 1));
    }
  }
}

TEST(ThreadPool, ManyShortJobsFollowEachOther) {
  ThreadPool pool(2);
  std::vector<std::size_t> sums(3, 0);
  for (int job = 0; job < 20000; ++job) pool.for_each(3, [&](std::size_t task, std::size_t) { sums[task] += task; });
  EXPECT_EQ(sums, (std::vector<std::size_t>{0, 20000, 40000}));
}

TEST(ThreadPool, TasksMayBeSplitIntoChunks) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<std::vector<int>> runs(3, std::vector<int>(9, 0));
      pool.for_each(runs.size(), [&](std::size_t task, std::size_t) {
        for_each_chunk(9, [&](std::size_t chunk) { ++runs[task][chunk]; });
        EXPECT_EQ(runs[task], std::vector<int>(9, 1));  // all done on return
      });
    }
  }
}

TEST(ThreadPool, AChunkMayBeSplitAgain) {
  ThreadPool pool(3);
  std::vector<int> runs(8, 0);
  pool.for_each(1, [&](std::size_t, std::size_t) {
    for_each_chunk(2, [&](std::size_t a) { for_each_chunk(4, [&](std::size_t b) { ++runs[4 * a + b]; }); });
  });
  EXPECT_EQ(runs, std::vector<int>(8, 1));
}

TEST(ThreadPool, IdleThreadsRunChunks) {
  ThreadPool pool(2);
  std::atomic<int> here = 0;
  pool.for_each(1, [&](std::size_t, std::size_t) {
    for_each_chunk(2, [&](std::size_t) {  // each waits for the other: one thread alone would wait for ever
      ++here;
      while (here < 2) std::this_thread::yield();
    });
  });
  EXPECT_EQ(here, 2);
}

TEST(ThreadPool, ExceptionsOfTasksAndChunksReachTheCaller) {
  for (const std::size_t threads : {1U, 4U}) {
    ThreadPool pool(threads);
    const auto fails = [](std::size_t task, std::size_t) {
      if (task == 3) throw std::runtime_error("task");
    };
    EXPECT_THROW(pool.for_each(50, fails), std::runtime_error);
    EXPECT_THROW(pool.for_each(2,
                               [](std::size_t, std::size_t) {
                                 for_each_chunk(5, [](std::size_t) { throw std::runtime_error("chunk"); });
                               }),
                 std::runtime_error);
    pool.for_each(5, [](std::size_t, std::size_t) {});  // still usable
  }
}

TEST(Chunks, RunOneAfterTheOtherWithoutAPool) {
  std::vector<std::size_t> order;
  for_each_chunk(4, [&](std::size_t chunk) { order.push_back(chunk); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace driftless
