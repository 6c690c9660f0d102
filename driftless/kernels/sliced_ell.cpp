#include "driftless/kernels/sliced_ell.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace driftless {
namespace {

// Eight places, one after the other, out of words of eight bytes: that takes fewer loads than places one by one, and
// loads are what limits here. Compilers that see through it load the same word again for every place, so they are not
// let.
template <class Place>
class EightPlaces {
 public:
  explicit EightPlaces(const Place* from) : from_(from) {}
  template <std::size_t lane>
  std::size_t next() {
    constexpr std::size_t per_word = sizeof(word_) / sizeof(Place);
    if constexpr (lane % per_word == 0) std::memcpy(&word_, from_ + lane, sizeof(word_));
    else word_ >>= 8 * sizeof(Place);
    asm("" : "+r"(word_));
    return static_cast<Place>(word_);
  }

 private:
  const Place* from_;
  std::uint64_t word_ = 0;
};

struct Ones {
  double operator()(std::size_t, double x) const { return x; }
  void next() {}
};

template <class Value>
struct Times {
  const Value* value;
  double operator()(std::size_t lane, double x) const { return static_cast<double>(value[lane]) * x; }
  void next() { value += 8; }
};

Ones factors(const auto&) { return {}; }
template <class Value>
Times<Value> factors(const std::vector<Value>& values) {
  return {values.data()};
}

// sums_l += Σ over `length` steps of factor · source at the place of lane l.
template <class Place, class Factors>
void sum_slice(const Place*& places, Factors& factor, std::uint32_t length, const double* source, double* sums) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0, g = 0.0, h = 0.0;
  for (std::uint32_t step = 0; step < length; ++step, places += 8, factor.next()) {
    EightPlaces<Place> at(places);
    a += factor(0, source[at.template next<0>()]);
    b += factor(1, source[at.template next<1>()]);
    c += factor(2, source[at.template next<2>()]);
    d += factor(3, source[at.template next<3>()]);
    e += factor(4, source[at.template next<4>()]);
    f += factor(5, source[at.template next<5>()]);
    g += factor(6, source[at.template next<6>()]);
    h += factor(7, source[at.template next<7>()]);
  }
  sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d, sums[4] = e, sums[5] = f, sums[6] = g, sums[7] = h;
}

template <class Place, class Factors>
void scatter_slice(const Place*& places, Factors& factor, std::uint32_t length, const double* sources, double* out) {
  for (std::uint32_t step = 0; step < length; ++step, places += 8, factor.next())
    for (std::size_t lane = 0; lane < 8; ++lane) out[places[lane]] += factor(lane, sources[lane]);
}

}  // namespace

ListsOfPlaces ListsOfPlaces::transposed() const {
  ListsOfPlaces result;
  result.sources = targets();
  result.start.assign(sources + 1, 0);
  for (const std::uint32_t p : place) ++result.start[p + 1];
  for (std::size_t k = 0; k < sources; ++k) result.start[k + 1] += result.start[k];
  result.place.resize(entries());
  result.value.resize(value.size());
  std::vector<std::uint64_t> next(result.start.begin(), result.start.end() - 1);
  for (std::size_t t = 0; t < targets(); ++t)
    for (std::uint64_t e = start[t]; e < start[t + 1]; ++e) {
      const std::uint64_t to = next[place[e]]++;
      result.place[to] = static_cast<std::uint32_t>(t);
      if (!value.empty()) result.value[to] = value[e];
    }
  return result;
}

std::optional<double> common_value(std::span<const double> values) {
  if (values.empty()) return 1.0;
  if (std::ranges::any_of(values, [&](double v) { return v != values.front(); })) return std::nullopt;
  return values.front();
}

// A list, or a part of one that was cut.
struct IndexLists::Piece {
  std::uint32_t target;
  std::uint32_t length;
  std::uint64_t first;  // in the compressed rows
};

std::vector<IndexLists::Piece> IndexLists::pieces_of(const ListsOfPlaces& lists, std::size_t longest) {
  std::vector<Piece> pieces;
  pieces.reserve(lists.targets());
  for (std::size_t t = 0; t < lists.targets(); ++t)
    for (std::uint64_t from = lists.start[t]; from < lists.start[t + 1];) {
      const std::uint64_t length = std::min<std::uint64_t>(longest, lists.start[t + 1] - from);
      pieces.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(length), from});
      from += length;
    }
  std::ranges::stable_sort(pieces, {}, &Piece::length);
  return pieces;
}

IndexLists::IndexLists(const ListsOfPlaces& lists, const Options& options)
    : sources_(lists.sources), targets_(lists.targets()), entries_(lists.entries()) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  DRIFTLESS_ASSERT(sources_ < most && targets_ < most, "places and targets have 32 bits");
  const std::vector<Piece> pieces = pieces_of(lists, options.longest);
  std::size_t slots = 0;
  for (std::size_t first = 0; first < pieces.size(); first += lanes) {
    const std::uint32_t length = pieces[std::min(first + lanes, pieces.size()) - 1].length;  // of the longest
    if (groups_.empty() || groups_.back().length != length) groups_.push_back({length, 0});
    ++groups_.back().slices;
    slots += lanes * length;
  }
  target_.assign((pieces.size() + lanes - 1) / lanes * lanes, static_cast<std::uint32_t>(targets_));
  for (std::size_t p = 0; p < pieces.size(); ++p) target_[p] = pieces[p].target;
  if (options.longest == SIZE_MAX) {
    DRIFTLESS_ASSERT(slots <= most, "where a list begins has 32 bits");
    list_.resize(targets_);
  }
  if (!lists.value.empty()) {
    if (options.precision == EntryPrecision::float64) values_ = std::vector<double>(slots);
    else values_ = std::vector<float>(slots);
  }
  if (sources_ <= std::numeric_limits<std::uint8_t>::max()) places_.emplace<0>();
  else if (sources_ <= std::numeric_limits<std::uint16_t>::max()) places_.emplace<1>();
  else places_.emplace<2>();
  std::visit([&](auto& places) { fill(lists, pieces, slots, places); }, places_);
}

template <class Place>
void IndexLists::fill(const ListsOfPlaces& lists, std::span<const Piece> pieces, std::size_t slots,
                      std::vector<Place>& places) {
  places.assign(slots, static_cast<Place>(sources_));
  std::size_t slice_start = 0;
  std::size_t next = 0;
  for (const Group& group : groups_)
    for (std::uint32_t slice = 0; slice < group.slices; ++slice, slice_start += lanes * group.length)
      for (std::size_t lane = 0; lane < lanes && next < pieces.size(); ++lane, ++next) {
        const Piece& piece = pieces[next];
        if (!list_.empty()) list_[piece.target] = {static_cast<std::uint32_t>(slice_start + lane), piece.length};
        for (std::uint32_t e = 0; e < piece.length; ++e) {
          const std::size_t slot = slice_start + lane + lanes * e;
          places[slot] = static_cast<Place>(lists.place[piece.first + e]);
          if (auto* doubles = std::get_if<std::vector<double>>(&values_))
            (*doubles)[slot] = lists.value[piece.first + e];
          else if (auto* floats = std::get_if<std::vector<float>>(&values_))
            (*floats)[slot] = static_cast<float>(lists.value[piece.first + e]);
        }
      }
}

void IndexLists::add_sums(const double* source, double scale, double* out) const {
  std::visit(
      [&](const auto& places, const auto& values) {
        const auto* place = places.data();
        auto factor = factors(values);
        const std::uint32_t* target = target_.data();
        double sums[lanes];
        for (const Group& group : groups_)
          for (std::uint32_t slice = 0; slice < group.slices; ++slice, target += lanes) {
            sum_slice(place, factor, group.length, source, sums);
            for (std::size_t lane = 0; lane < lanes; ++lane) out[target[lane]] += scale * sums[lane];
          }
      },
      places_, values_);
}

void IndexLists::scatter_sums(const double* source, double scale, double* out) const {
  std::visit(
      [&](const auto& places, const auto& values) {
        const auto* place = places.data();
        auto factor = factors(values);
        const std::uint32_t* target = target_.data();
        double scaled[lanes];
        for (const Group& group : groups_)
          for (std::uint32_t slice = 0; slice < group.slices; ++slice, target += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) scaled[lane] = scale * source[target[lane]];
            scatter_slice(place, factor, group.length, scaled, out);
          }
      },
      places_, values_);
}

std::size_t IndexLists::bytes() const {
  const auto size = [](const auto& list) { return list.size() * sizeof(list[0]); };
  const std::size_t values = std::visit(
      [&]<class V>(const V& v) -> std::size_t {
        if constexpr (std::is_same_v<V, NoValues>) return 0;
        else return size(v);
      },
      values_);
  return size(groups_) + size(target_) + size(list_) + values + std::visit(size, places_);
}

int IndexLists::place_bits() const {
  return std::visit([](const auto& places) { return static_cast<int>(8 * sizeof(places[0])); }, places_);
}

}  // namespace driftless
