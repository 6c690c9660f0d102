// The mean of vectors v_i that clients send in code: a compressor C and a memory of its error.
//
//   none            ḡ = mean C(v_i)
//   error-feedback  c_i = α C(e_i + v_i),  e_i ← e_i + v_i − c_i,   ḡ = mean c_i                             (EF14)
//   difference      c_i = C(v_i − s_i),    s_i ← s_i + α c_i,       ḡ = s̄ + mean c_i,   s̄ ← s̄ + α mean c_i
//
// α = 1/(1 + ω) for an unbiased C and 1 for a contractive one, so that α C is contractive; with unscaled rand-k, error
// feedback would diverge.
//
// With 'none' the error of C is as large as the v_i, which do not vanish at x* where clients differ: a method then
// stops at an error floor. 'difference' sends the change of v_i, which vanishes: DIANA for an unbiased C (Mishchenko,
// Gorbunov, Takáč, Richtárik 2019), EF21 for a contractive one (Richtárik, Sokolov, Fatkhullin, NeurIPS 2021). Error
// feedback (Seide, Fu, Droppo, Li, Yu, Interspeech 2014) has a floor that shrinks with the step.
//
// Where a cohort S of s clients sends, s̄ ← s̄ + (s/n) α mean_S c_i, so that s̄ = (1/n) Σ s_i always; ḡ estimates the mean
// over everyone: s̄ + mean_S c_i for an unbiased C, the new s̄ for a contractive one.
//
// The identity compressor gives the mean of the v_i with the bits that it has without a compressor.
#pragma once

#include "driftless/components/compression/compressor.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"

namespace driftless {

enum class CodeMemory { none, error_feedback, difference };
template <>
struct EnumNames<CodeMemory> {
  static constexpr std::array<std::string_view, 3> value{"none", "error-feedback", "difference"};
};

struct CodeOptions {
  CompressorOptions compressor = {};
  CodeMemory memory = CodeMemory::difference;

  static Fields fields() {
    using S = CodeOptions;
    return {nested(&S::compressor),
            field("memory", &S::memory, anything, "how the error of the compressor is compensated")};
  }
};

class CompressedMean {
 public:
  explicit CompressedMean(const CodeOptions& options = {}) : compressor_(options.compressor), memory_(options.memory) {}

  bool codes() const { return !compressor_.is_identity(); }

  void start(const Federation& fed) {
    if (!remembers()) return;
    memory_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
    s_ = Vector::Zero(fed.dim());
  }

  // ḡ of the rows v_i that body(Client&, VecOut row) writes; one exchange.
  template <class Body>
  Vector mean(Federation& fed, const Parties& parties, Body&& body) {
    if (!codes()) return fed.mean(parties, body);
    Parties coded = parties;
    coded.bytes_up = parties.from.size() * compressor_.bytes(fed.dim());
    const Vector c = fed.mean(coded, [&](Client& i, VecOut row) {
      body(i, row);
      encode(i, row);
    });
    if (memory_ != CodeMemory::difference) return c;
    const double share = static_cast<double>(parties.from.size()) / static_cast<double>(fed.clients());
    const Vector before = s_;
    s_ += share * alpha(fed.dim()) * c;
    return compressor_.unbiased() ? Vector(before + c) : s_;
  }

  // For the state of the method that uses this.
  void visit_state(StateVisitor& visit) {
    if (!remembers()) return;
    if (memory_ == CodeMemory::difference) visit.vector("s", s_);
    visit.per_client(memory_ == CodeMemory::difference ? "s_i" : "e_i", memory_i_);
  }

 private:
  bool remembers() const { return codes() && memory_ != CodeMemory::none; }
  double alpha(Index d) const { return compressor_.unbiased() ? compressor_.alpha(d) : 1.0; }

  // v_i → c_i
  void encode(Client& i, VecOut row) {
    switch (memory_) {
      case CodeMemory::none: compressor_.apply(Vector(row), row, i.chance()); return;
      case CodeMemory::error_feedback:
        memory_i_[i] += row;
        compressor_.apply(memory_i_[i], row, i.chance());
        row *= alpha(row.size());
        memory_i_[i] -= row;
        return;
      case CodeMemory::difference:
        compressor_.apply(Vector(row - memory_i_[i]), row, i.chance());
        memory_i_[i] += alpha(row.size()) * row;
        return;
    }
  }

  Compressor compressor_;
  CodeMemory memory_;
  PerClient<Vector> memory_i_;  // e_i or s_i
  Vector s_;                    // s̄
};

}  // namespace driftless
