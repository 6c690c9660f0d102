#include "apps/live_server.hpp"

#include "driftless/report/page.hpp"
#include "driftless/report/page_data.hpp"

#include <chrono>
#include <condition_variable>
#include <httplib.h>
#include <mutex>
#include <optional>
#include <thread>

namespace driftless::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* loopback = "127.0.0.1";
// A page asks every second; one that has not asked for this long is closed.
constexpr auto page_is_open = std::chrono::seconds(3);
constexpr auto longest_wait = std::chrono::seconds(3);

// A page of another site must not read the run by giving its own name to this address.
bool asked_by_own_name(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const std::string name = host.substr(0, host.find(':'));
  return name == loopback || name == "localhost";
}

}  // namespace

struct LiveServer::State {
  httplib::Server server;
  std::thread thread;
  int port = 0;
  std::mutex mutex;
  std::condition_variable answered;
  std::filesystem::path directory;  // empty: the run has not begun
  std::optional<Clock::time_point> last_answer;
  bool finished = false;         // the run has written all there is
  bool finish_was_told = false;  // and a page has read it since

  // What there is of the run at this moment.
  static std::string data(const std::filesystem::path& from) {
    std::vector<RunFiles> runs;
    if (!from.empty()) runs.push_back(read_run(from));
    return page_data(runs, PageKind::live);
  }

  void answer(httplib::Response& response, bool page) {
    std::unique_lock lock(mutex);
    const std::filesystem::path from = directory;
    const bool after_the_end = finished;
    lock.unlock();
    try {
      if (page) response.set_content(page_around(data(from)), "text/html; charset=utf-8");
      else response.set_content(data(from), "application/json");
      response.set_header("Cache-Control", "no-store");
    } catch (const Error& error) {
      response.status = 503;
      response.set_content(error.what(), "text/plain; charset=utf-8");
    }
    lock.lock();
    last_answer = Clock::now();
    finish_was_told = finish_was_told || after_the_end;
    answered.notify_all();
  }

  void serve() {
    server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (asked_by_own_name(request)) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/", [this](const httplib::Request&, httplib::Response& response) { answer(response, true); });
    server.Get("/data.json", [this](const httplib::Request&, httplib::Response& response) { answer(response, false); });
    thread = std::thread([this] { server.listen_after_bind(); });
  }
};

LiveServer::LiveServer(int port) : state_(std::make_unique<State>()) {
  // A page asks now and then; threads that wait for it would cost more than they give.
  state_->server.new_task_queue = [] { return new httplib::ThreadPool(2); };
  state_->server.set_keep_alive_timeout(1);
  // The library would let two programs share a port; here the second one is told that it is taken.
  state_->server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  state_->port = port;
  if (port == 0) state_->port = state_->server.bind_to_any_port(loopback);
  else if (!state_->server.bind_to_port(loopback, port)) state_->port = -1;
  if (state_->port <= 0)
    throw ConfigError({.what = "the page of the run cannot be served there",
                       .seen = "--live=" + std::to_string(port),
                       .advice = "give a port that is free, or --live alone for any free one"});
  state_->serve();
}

LiveServer::~LiveServer() {
  state_->server.stop();
  state_->thread.join();
}

std::string LiveServer::address() const {
  return std::string("http://") + loopback + ":" + std::to_string(state_->port) + "/";
}

void LiveServer::follow(const std::filesystem::path& directory) {
  const std::lock_guard lock(state_->mutex);
  state_->directory = directory;
}

void LiveServer::finish() {
  std::unique_lock lock(state_->mutex);
  state_->finished = true;
  if (!state_->last_answer || Clock::now() - *state_->last_answer > page_is_open) return;
  state_->answered.wait_for(lock, longest_wait, [&] { return state_->finish_was_told; });
}

}  // namespace driftless::app
