#include "apps/live/live_server.hpp"

#include "driftless/report/page.hpp"
#include "driftless/report/page_data.hpp"

#include "apps/live/loopback_http.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>

namespace driftless::app {
namespace {

using Clock = std::chrono::steady_clock;

// A page sends a request every second; without one for this long it counts as closed.
constexpr auto page_is_open = std::chrono::seconds(3);
constexpr auto longest_wait = std::chrono::seconds(3);

}  // namespace

struct LiveServer::State {
  std::mutex mutex;
  std::condition_variable answered;
  std::filesystem::path directory;  // empty: the run has not begun
  std::optional<Clock::time_point> last_answer;
  bool finished = false;         // the run has written all results
  bool finish_was_read = false;  // and a page has read them since

  // The present state of the run.
  static std::string data(const std::filesystem::path& from) {
    std::vector<RunFiles> runs;
    if (!from.empty()) runs.push_back(read_run(from));
    return page_data(runs, PageKind::live);
  }

  static HttpAnswer content(const std::filesystem::path& from, bool page) {
    try {
      if (page) return {.type = "text/html; charset=utf-8", .body = page_around(data(from))};
      return {.type = "application/json", .body = data(from)};
    } catch (const std::exception& error) { return {.status = 503, .body = error.what()}; }
  }

  HttpAnswer answer(const std::string& path) {
    if (path != "/" && path != "/data.json") return {.status = 404};
    std::unique_lock lock(mutex);
    const std::filesystem::path from = directory;
    const bool after_the_end = finished;
    lock.unlock();
    HttpAnswer given = content(from, path == "/");
    lock.lock();
    last_answer = Clock::now();
    finish_was_read = finish_was_read || after_the_end;
    answered.notify_all();
    return given;
  }

  std::optional<LoopbackHttp> server;  // last: its thread uses the rest
};

LiveServer::LiveServer(int port) : state_(std::make_unique<State>()) {
  try {
    state_->server.emplace(port, [state = state_.get()](const std::string& path) { return state->answer(path); });
  } catch (const std::system_error& error) {
    throw ConfigError({.what = "the page of the run cannot be served there",
                       .seen = "--live=" + std::to_string(port) + ": " + error.code().message(),
                       .advice = "give a port that is free, or --live alone for any free one"});
  }
}

LiveServer::~LiveServer() = default;

std::string LiveServer::address() const { return "http://127.0.0.1:" + std::to_string(state_->server->port()) + "/"; }

void LiveServer::follow(const std::filesystem::path& directory) {
  const std::lock_guard lock(state_->mutex);
  state_->directory = directory;
}

void LiveServer::finish() {
  std::unique_lock lock(state_->mutex);
  state_->finished = true;
  if (!state_->last_answer || Clock::now() - *state_->last_answer > page_is_open) return;
  state_->answered.wait_for(lock, longest_wait, [&] { return state_->finish_was_read; });
}

}  // namespace driftless::app
