#include "driftless/optimize/round_snapshot.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace driftless {
namespace {

// Entries that one thread copies at a time; fewer are not worth the wait for another thread.
constexpr Index entries_of_a_piece = Index{1} << 17;

struct Copy {
  const Vector* from;
  Vector* to;
};

// The vectors of `to` keep their memory where they have the right size.
void copy_all(std::span<const Copy> copies, ThreadPool& pool) {
  Index entries = 0;
  for (const Copy& copy : copies) entries += copy.from->size();
  if (entries <= entries_of_a_piece) {
    for (const Copy& copy : copies) *copy.to = *copy.from;
    return;
  }
  std::vector<std::pair<Copy, Index>> pieces;  // with the first entry of each
  for (const Copy& copy : copies) {
    copy.to->resize(copy.from->size());
    for (Index first = 0; first < copy.from->size(); first += entries_of_a_piece) pieces.emplace_back(copy, first);
  }
  pool.for_each(pieces.size(), [&](std::size_t piece, std::size_t) {
    const auto& [copy, first] = pieces[piece];
    const Index size = std::min(entries_of_a_piece, copy.from->size() - first);
    copy.to->segment(first, size) = copy.from->segment(first, size);
  });
}

}  // namespace

class RoundSnapshot::Visitor final : public StateVisitor {
 public:
  Visitor(RoundSnapshot& snapshot, Direction direction, ThreadPool& pool)
      : all_(snapshot), direction_(direction), pool_(pool) {
    all_.vectors_.next = all_.numbers_.next = all_.counts_.next = 0;
    all_.client_vectors_.next = all_.client_numbers_.next = all_.client_counts_.next = 0;
  }

  void vector(std::string_view /*name*/, Vector& v) override { move(all_.vectors_, v); }
  void number(std::string_view /*name*/, double& v) override { move(all_.numbers_, v); }
  void count(std::string_view /*name*/, std::uint64_t& v) override { move(all_.counts_, v); }
  void per_client(std::string_view /*name*/, PerClient<Vector>& v) override { move(all_.client_vectors_, v); }
  void per_client(std::string_view /*name*/, PerClient<double>& v) override { move(all_.client_numbers_, v); }
  void per_client(std::string_view /*name*/, PerClient<std::uint64_t>& v) override { move(all_.client_counts_, v); }

 private:
  template <class T>
  void move(Values<T>& values, T& value) const {
    const std::size_t at = values.next++;
    if (at == values.kept.size()) values.kept.emplace_back();
    if (direction_ == Direction::out_of_snapshot) assign(values.kept[at], value);
    else assign(value, values.kept[at]);
  }

  template <class T>
  void assign(const T& from, T& to) const {
    to = from;
  }
  void assign(const Vector& from, Vector& to) const { copy_all(std::array{Copy{&from, &to}}, pool_); }
  void assign(const PerClient<Vector>& from, PerClient<Vector>& to) const {
    to.hosted().resize(from.hosted().size());
    std::vector<Copy> copies;
    for (std::size_t slot = 0; slot < to.hosted().size(); ++slot)
      copies.push_back({&from.hosted()[slot], &to.hosted()[slot]});
    copy_all(copies, pool_);
  }

  RoundSnapshot& all_;
  Direction direction_;
  ThreadPool& pool_;
};

void RoundSnapshot::visit(Method& method, Federation& fed, Vector& x, Direction direction) {
  Visitor visitor(*this, direction, fed.pool());
  visitor.vector("x", x);
  fed.visit_work(visitor);
  method.visit_state(visitor);
}

}  // namespace driftless
