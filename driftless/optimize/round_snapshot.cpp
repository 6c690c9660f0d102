#include "driftless/optimize/round_snapshot.hpp"

namespace driftless {

class RoundSnapshot::Visitor final : public StateVisitor {
 public:
  Visitor(RoundSnapshot& snapshot, Direction direction) : all_(snapshot), direction_(direction) {
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
    if (direction_ == Direction::out_of_snapshot) value = values.kept[at];
    else if (at < values.kept.size()) values.kept[at] = value;
    else values.kept.push_back(value);
  }

  RoundSnapshot& all_;
  Direction direction_;
};

void RoundSnapshot::visit(Method& method, Federation& fed, Vector& x, Direction direction) {
  Visitor visitor(*this, direction);
  visitor.vector("x", x);
  fed.visit_state(visitor);
  method.visit_state(visitor);
}

}  // namespace driftless
