// Files of images in the formats of the publishers, a few bytes each.
#pragma once

#include "tests/support/temp_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

inline std::string big_endian(std::uint32_t word) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xFFU);
  return bytes;
}

// Images of 2 × 3 pixels that count up from 0, byte by byte.
inline std::string idx_images(std::uint32_t count) {
  std::string bytes = big_endian(0x803) + big_endian(count) + big_endian(2) + big_endian(3);
  for (std::uint32_t k = 0; k < 6 * count; ++k) bytes += static_cast<char>(k);
  return bytes;
}

inline std::string idx_labels(const std::vector<std::uint8_t>& labels) {
  return big_endian(0x801) + big_endian(static_cast<std::uint32_t>(labels.size())) +
         std::string(labels.begin(), labels.end());
}

// One record: its label bytes, then planes of one value each.
inline std::string cifar_record(const std::vector<std::uint8_t>& labels, const std::vector<std::uint8_t>& planes) {
  std::string bytes(labels.begin(), labels.end());
  for (const std::uint8_t value : planes) bytes += std::string(1024, static_cast<char>(value));
  return bytes;
}

// Four images for training and two for testing, of three classes.
inline void write_idx_folder(const TempFolder& folder, const std::string& below) {
  folder.write(below + "train-images-idx3-ubyte", idx_images(4));
  folder.write(below + "train-labels-idx1-ubyte", idx_labels({0, 2, 1, 2}));
  folder.write(below + "t10k-images-idx3-ubyte", idx_images(2));
  folder.write(below + "t10k-labels-idx1-ubyte", idx_labels({1, 0}));
}

// One image in every batch, labelled with its number, and a test image of label 9.
inline void write_cifar10_folder(const TempFolder& folder, const std::string& below) {
  for (std::uint8_t batch = 1; batch <= 5; ++batch)
    folder.write(below + "data_batch_" + std::to_string(batch) + ".bin", cifar_record({batch}, {batch, 20, 30}));
  folder.write(below + "test_batch.bin", cifar_record({9}, {1, 2, 3}));
}

}  // namespace driftless
