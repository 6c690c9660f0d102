// SHA-256, by which data, generated rows and splits are recognised again.
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
  Sha256& add_word(std::uint64_t word);  // eight bytes, the low one first on every machine
  Sha256& add_number(double value);      // its 64 bits as a word
  Sha256& add_text(std::string_view text) { return add_word(text.size()).add(text); }  // with its length
  std::string hex();               // ends the stream: nothing can be added afterwards
  std::string hex_so_far() const;  // leaves the stream open

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
