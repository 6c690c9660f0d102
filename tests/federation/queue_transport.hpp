// A toy transport: the peers are threads, and messages travel in queues. It shows what a new transport takes: a class
// like this one, and an instantiation of the contract suite.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/federation/transport.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace driftless::test {

// The queues between rank 0 and each of the other peers.
class QueueNetwork {
 public:
  struct Message {
    std::vector<TreeRange> nodes = {};  // of a sum
    std::vector<double> values = {};
    StopSignal signal = StopSignal::none;
  };
  using Queue = std::deque<Message>;

  explicit QueueNetwork(std::size_t peers) : up(peers), down(peers) {}

  void push(Queue& queue, Message message) {
    const std::scoped_lock lock(mutex_);
    queue.push_back(std::move(message));
    changed_.notify_all();
  }
  Message pop(Queue& queue) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !queue.empty() || !abort_reason_.empty(); });
    if (queue.empty()) throw TransportError({.what = "a peer aborted the run", .seen = abort_reason_, .advice = ""});
    Message message = std::move(queue.front());
    queue.pop_front();
    return message;
  }
  void abort(std::string_view reason) {
    const std::scoped_lock lock(mutex_);
    abort_reason_ = reason;
    changed_.notify_all();
  }

  std::vector<Queue> up;    // by rank, to rank 0
  std::vector<Queue> down;  // by rank, from rank 0

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string abort_reason_;
};

class QueueTransport final : public Transport {
 public:
  // Client i is hosted by rank i modulo the number of peers.
  QueueTransport(QueueNetwork& network, std::size_t clients, std::size_t rank) : network_(network) {
    layout_ = {.clients = clients, .peers = network.up.size(), .rank = rank, .hosted = {}};
    for (ClientId id = rank; id < clients; id += layout_.peers) layout_.hosted.push_back(id);
  }

  const Layout& layout() const override { return layout_; }
  const Agreement& agreement() const override { return agreement_; }
  void broadcast(StopSignal signal) override { signal_ = signal; }
  void abort(std::string_view reason) noexcept override { network_.abort(reason); }

 private:
  void sum_as(ExchangeId, std::span<const ClientId>, std::span<const Node> mine, std::span<double> total) override {
    QueueNetwork::Message own;
    for (const Node& node : mine) {
      own.nodes.push_back(node.clients);
      own.values.insert(own.values.end(), node.sum.begin(), node.sum.end());
    }
    exchange(std::move(own), total, [&](std::span<const QueueNetwork::Message> from_peers) {
      std::vector<Node> nodes;
      for (const QueueNetwork::Message& message : from_peers)
        for (std::size_t k = 0; k < message.nodes.size(); ++k)
          nodes.push_back({message.nodes[k], std::span(message.values).subspan(k * total.size(), total.size())});
      std::ranges::sort(nodes, {}, [](const Node& node) { return node.clients.first; });
      adder_.add_nodes({0, layout_.clients}, nodes, total);
    });
  }

  void add_integers_as(ExchangeId, std::span<const double> mine, std::span<double> total, Integers) override {
    exchange({.values = {mine.begin(), mine.end()}}, total, [&](std::span<const QueueNetwork::Message> from_peers) {
      std::ranges::copy(from_peers.front().values, total.begin());
      for (const QueueNetwork::Message& message : from_peers.subspan(1))
        add_row(message.values, total, Addition::modular);
    });
  }

  void share_as(ExchangeId, std::size_t width, std::span<const double> mine, std::span<double> all,
                const RowCheck&) override {
    exchange({.values = {mine.begin(), mine.end()}}, all, [&](std::span<const QueueNetwork::Message> from_peers) {
      for (ClientId id = 0; id < layout_.clients; ++id) {
        const std::span<const double> rows = from_peers[id % layout_.peers].values;
        std::ranges::copy(rows.subspan(id / layout_.peers * width, width), all.subspan(id * width).begin());
      }
    });
  }

  // Rank 0 combines the messages of all peers into the result, and sends it to them with the stop signal.
  template <class Combine>
  void exchange(QueueNetwork::Message own, std::span<double> result, const Combine& combine) {
    own.signal = abandoned_here();
    if (layout_.rank != 0) {
      network_.push(network_.up[layout_.rank], std::move(own));
      const QueueNetwork::Message answer = network_.pop(network_.down[layout_.rank]);
      std::ranges::copy(answer.values, result.begin());
      agreement_.signal = answer.signal;
      return;
    }
    std::vector<QueueNetwork::Message> messages{std::move(own)};
    for (std::size_t rank = 1; rank < layout_.peers; ++rank) messages.push_back(network_.pop(network_.up[rank]));
    combine(messages);
    agreement_.signal = signal_;
    for (const QueueNetwork::Message& message : messages)
      if (abandons_round(message.signal)) agreement_.signal = message.signal;
    for (std::size_t rank = 1; rank < layout_.peers; ++rank)
      network_.push(network_.down[rank], {.values = {result.begin(), result.end()}, .signal = agreement_.signal});
  }

  QueueNetwork& network_;
  Layout layout_;
  Agreement agreement_;
  StopSignal signal_ = StopSignal::none;  // of rank 0
  TreeAdder adder_;
};

}  // namespace driftless::test
