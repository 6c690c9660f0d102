// SHA-256 digests, which identify data, generated rows and splits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace driftless {

class Sha256 {
 public:
  Sha256();

  Sha256& add(std::string_view bytes);
  Sha256& add_word(std::uint64_t word);  // eight bytes in little-endian order on every machine
  Sha256& add_number(double value);      // its 64 bits as such a word
  Sha256& add_text(std::string_view text) { return add_word(text.size()).add(text); }  // with its length
  std::string hex();               // the final digest: nothing can be added afterwards
  std::string hex_so_far() const;  // the digest so far; more can be added

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  using Context = std::unique_ptr<evp_md_ctx_st, Free>;

  static std::string finished(evp_md_ctx_st* context);

  Context context_;
};

std::string sha256(std::string_view bytes);

std::string short_hash(std::string_view text);  // its first eight digits

}  // namespace driftless
