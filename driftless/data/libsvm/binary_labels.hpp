// Labels of two classes: {-1, +1}, {0, 1} and {1, 2} all become -1 and +1, the larger one +1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

// The distinct labels of one or more files, in the order met, each with the location of its first occurrence.
class LabelTable {
 public:
  static constexpr std::size_t capacity = 64;  // enough for classes; labels of a regression have no bound

  struct Entry {
    double value;
    std::string source;    // a file, a client, a site
    std::size_t line = 0;  // in the file

    std::string location() const { return line == 0 ? source : source + ":" + std::to_string(line); }
  };

  void add(double label, const std::string& source, std::size_t line = 0);
  void merge(const LabelTable& other);
  void leave_incomplete() { complete_ = false; }  // there are more labels than were added

  const std::vector<Entry>& entries() const { return entries_; }
  bool complete() const { return complete_; }
  bool contains(double label) const;
  std::vector<double> sorted_values() const;
  std::string list() const;  // "-1, 1", for messages

 private:
  std::vector<Entry> entries_;
  std::size_t last_ = 0;  // neighbouring rows often share their label
  bool complete_ = true;
};

// The label that becomes +1. One label alone is fine, since the file of one client may hold one class only.
// DataError with the first label that does not fit if this is no pair of two classes.
double positive_label(const LabelTable& labels);

}  // namespace driftless
