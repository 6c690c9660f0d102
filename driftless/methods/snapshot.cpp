#include "driftless/methods/snapshot.hpp"

#include "driftless/core/check.hpp"

namespace driftless {
namespace {

template <class T>
const T& found(const std::map<std::string, const T*>& variables, const std::string& name) {
  const auto variable = variables.find(name);
  DRIFTLESS_ASSERT(variable != variables.end(), "the method has no variable of the name its theorem uses");
  return *variable->second;
}

}  // namespace

Snapshot::Snapshot(Method& method, Federation& fed, const ClientObjectives& hosted, const Vector& x)
    : fed_(fed), hosted_(hosted), x_(x) {
  struct Collector final : StateVisitor {
    explicit Collector(Snapshot& snapshot) : to(snapshot) {}
    void vector(std::string_view name, Vector& v) override { to.vectors_[std::string(name)] = &v; }
    void per_client(std::string_view name, PerClient<Vector>& v) override {
      to.per_client_[std::string(name)] = &v.hosted();
    }
    void number(std::string_view, double&) override {}
    void count(std::string_view, std::uint64_t&) override {}
    void per_client(std::string_view, PerClient<double>&) override {}
    void per_client(std::string_view, PerClient<std::uint64_t>&) override {}
    Snapshot& to;
  } collector(*this);
  method.visit_state(collector);
}

const Vector& Snapshot::vector(const std::string& name) const { return found(vectors_, name); }

const std::vector<Vector>& Snapshot::per_client(const std::string& name) const { return found(per_client_, name); }

const Measurement& Snapshot::measured() const {
  if (!measured_) measured_ = fed_.measure(x_);
  return *measured_;
}

}  // namespace driftless
