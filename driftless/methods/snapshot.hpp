// A method after a round, as theorem checks see it. Reading it is never counted.
#pragma once

#include "driftless/methods/method.hpp"

#include <map>
#include <optional>
#include <string>

namespace driftless {

class Snapshot {
 public:
  // `hosted` are the objectives the federation was made of: calls to them are not counted.
  Snapshot(Method& method, Federation& fed, const ClientObjectives& hosted, const Vector& x);

  std::uint64_t round() const { return fed_.ledger().rounds; }        // 0: before the first
  double iterations() const { return double(fed_.busiest().steps); }  // local ones so far
  std::size_t hosted() const { return hosted_.size(); }
  const Vector& x() const { return x_; }
  double value() const { return measured().value; }                               // f(x)
  double squared_gradient() const { return measured().gradient.squaredNorm(); }   // ‖∇f(x)‖²
  Measurement measure(const Vector& point) const { return fed_.measure(point); }  // elsewhere
  const Vector& vector(const std::string& name) const;                            // a variable of the method
  const std::vector<Vector>& per_client(const std::string& name) const;           // one of the clients hosted here

  // (1/n) Σ_i body(f_i, slot of i)
  template <class Body>
  double mean(Body&& body) const {
    return fed_.tell_server(fed_.everyone(), 1,
                            [&](Client& i, VecOut value) { value[0] = body(*hosted_[i.slot()], i.slot()); })[0];
  }

 private:
  const Measurement& measured() const;

  Federation& fed_;
  const ClientObjectives& hosted_;
  const Vector& x_;
  std::map<std::string, const Vector*> vectors_;
  std::map<std::string, const std::vector<Vector>*> per_client_;
  mutable std::optional<Measurement> measured_;  // at x, on first use
};

}  // namespace driftless
