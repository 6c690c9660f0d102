// A sparse matrix as lists of places, made for summing: out_t += scale · Σ_k a_tk source_k over the list of each target
// t. Rows as lists of columns give A x, columns as lists of rows give A'y, and neither writes what another list reads.
//
// Eight lists of about one length stand side by side, so that eight sums are under way at once; places take 8, 16 or 32
// bits, whichever holds them; where all entries are equal only their common value is kept. Long lists may be cut into
// pieces. Everything is plain scalar arithmetic in a fixed order, so every machine gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace driftless {

// One list per target, as compressed rows. No values: every entry is one.
struct ListsOfPlaces {
  std::size_t sources = 0;                 // places are below
  std::vector<std::uint64_t> start = {0};  // targets + 1 offsets
  std::vector<std::uint32_t> place;
  std::vector<double> value;

  std::size_t targets() const { return start.size() - 1; }
  std::size_t entries() const { return place.size(); }
  ListsOfPlaces transposed() const;
};

// The value that all entries have, if they have one.
std::optional<double> common_value(std::span<const double> values);

enum class EntryPrecision { float64, float32 };

class IndexLists {
 public:
  struct Options {
    EntryPrecision precision = EntryPrecision::float64;
    std::size_t longest = SIZE_MAX;  // longer lists are cut
  };
  IndexLists() = default;
  IndexLists(const ListsOfPlaces& lists, const Options& options);

  std::size_t sources() const { return sources_; }
  std::size_t targets() const { return targets_; }
  std::size_t entries() const { return entries_; }
  std::size_t bytes() const;
  int place_bits() const;

  // out_t += scale Σ_k a_tk source_k. Lists of unlike length are filled up with a place after the last: source has
  // sources() + 1 numbers, the last of them 0, and out has targets() + 1, the last of them of no meaning.
  void add_sums(const double* source, double scale, double* out) const;
  // The transposed product: out_k += scale Σ_t a_tk source_t, with sources and targets exchanged.
  void scatter_sums(const double* source, double scale, double* out) const;

  // visit(place, value) for the entries of one list, which must not have been cut.
  template <class Visit>
  void for_each_entry(std::size_t target, const Visit& visit) const;

 private:
  static constexpr std::size_t lanes = 8;

  // Slices of eight lists that have the same length once they are filled up.
  struct Group {
    std::uint32_t length;
    std::uint32_t slices;
  };
  struct List {
    std::uint32_t first = 0;  // its entries stand at first, first + 8, …
    std::uint32_t length = 0;
  };
  struct NoValues {};
  using Places = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;
  using Values = std::variant<NoValues, std::vector<double>, std::vector<float>>;

  struct Piece;
  static std::vector<Piece> pieces_of(const ListsOfPlaces& lists, std::size_t longest);
  template <class Place>
  void fill(const ListsOfPlaces& lists, std::span<const Piece> pieces, std::size_t slots, std::vector<Place>& places);

  std::size_t sources_ = 0;
  std::size_t targets_ = 0;
  std::size_t entries_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> target_;  // of every lane of every slice
  Places places_;
  Values values_;
  std::vector<List> list_;  // where a target's list stands; empty if lists were cut
};

template <class Visit>
void IndexLists::for_each_entry(std::size_t target, const Visit& visit) const {
  const List list = list_[target];
  std::visit(
      [&](const auto& places, const auto& values) {
        std::size_t at = list.first;
        for (std::uint32_t e = 0; e < list.length; ++e, at += lanes) {
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, NoValues>)
            visit(static_cast<std::size_t>(places[at]), 1.0);
          else visit(static_cast<std::size_t>(places[at]), static_cast<double>(values[at]));
        }
      },
      places_, values_);
}

}  // namespace driftless
