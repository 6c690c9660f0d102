// Every coordinate has s owners, drawn uniformly, and every client owns its share.
#include "driftless/components/compression/masks.hpp"

#include "tests/support/chosen_chance.hpp"

#include <gtest/gtest.h>
#include <map>

namespace driftless::test {
namespace {

std::vector<ClientId> owners(const CoordinateMasks& masks, const Cohort& cohort, Index coordinate) {
  std::vector<ClientId> ids;
  for (const ClientId id : cohort.ids())
    if (masks.owns(id, coordinate)) ids.push_back(id);
  return ids;
}

TEST(CoordinateMasks, GiveEveryCoordinateItsNumberOfOwners) {
  const Cohort cohort = Cohort::of({1, 3, 4, 8, 9}, 10);
  for (std::size_t s = 1; s <= 5; ++s)
    for (const auto& positions : all_orders(5)) {
      const CoordinateMasks masks(cohort, positions, s);
      for (Index k = 0; k < 12; ++k) EXPECT_EQ(owners(masks, cohort, k).size(), s);
    }
}

TEST(CoordinateMasks, ShareTheCoordinatesEvenly) {
  const Cohort cohort = Cohort::everyone(7);
  for (const Index dim : {1, 2, 12, 100})
    for (std::size_t s = 1; s <= 7; ++s) {
      const CoordinateMasks masks(cohort, {3, 1, 6, 0, 2, 5, 4}, s);
      const std::size_t least = s * static_cast<std::size_t>(dim) / 7;
      for (ClientId id = 0; id < 7; ++id) {
        Vector v = Vector::Ones(dim);
        masks.keep_owned(id, v);
        const auto owned = static_cast<std::size_t>(v.sum());
        EXPECT_GE(owned, least) << dim << " coordinates, s = " << s;
        EXPECT_LE(owned, least + 1) << dim << " coordinates, s = " << s;
      }
      EXPECT_EQ(masks.bytes(dim), 8 * s * static_cast<std::size_t>(dim));
    }
}

TEST(CoordinateMasks, DrawTheOwnersOfACoordinateUniformly) {
  const Cohort cohort = Cohort::everyone(5);
  for (const Index k : {0, 1, 7}) {
    std::map<std::vector<ClientId>, int> seen;
    for (const auto& positions : all_orders(5)) ++seen[owners(CoordinateMasks(cohort, positions, 2), cohort, k)];
    EXPECT_EQ(seen.size(), 10U);
    for (const auto& [ids, times] : seen) EXPECT_EQ(times, 12);
  }
}

}  // namespace
}  // namespace driftless::test
