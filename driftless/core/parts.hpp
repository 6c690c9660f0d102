// Work inside one client, cut into parts whose number and content depend on the data alone. Idle threads of the pool
// that runs the client take some of them, so who computes a part is left open and what is computed is not.
#pragma once

#include <cstddef>
#include <functional>

namespace driftless {

using Part = std::function<void(std::size_t part)>;

// Whoever has threads to lend.
class Lender {
 public:
  virtual ~Lender() = default;
  virtual void run_parts(std::size_t count, const Part& run) = 0;
};

// Makes a lender known to the calling thread for as long as this lives.
class Lending {
 public:
  explicit Lending(Lender& lender);
  ~Lending();
  Lending(const Lending&) = delete;
  Lending& operator=(const Lending&) = delete;

 private:
  Lender* before_;
};

// Runs part 0 … count − 1, each once, and returns when all are done: with the help of this thread's lender, if it has
// one. Parts must not write what another part reads or writes.
void for_each_part(std::size_t count, const Part& run);

}  // namespace driftless
