// The format of a checkpoint: its owner, every variable under its name, and a digest of all. Little endian on every
// machine.
//
//   "DRIFTLSS"  version: u32  size of the file: u64
//   digest of the configuration: text  clients: u64  hosted here: u64, ids  label of the method: text
//   entries: kind: u8  name: text  value
//   SHA-256 of all bytes before it, 64 hexadecimal digits
//
// A text is its length, u64, and its bytes; vectors and lists likewise, with numbers of 8 bytes.
#pragma once

#include "driftless/federation/state_visitor.hpp"

#include <string>
#include <vector>

namespace driftless {

// What a checkpoint belongs to. It is restored only where all of this is the same.
struct StateOwner {
  std::string config_digest;
  std::size_t clients = 0;       // n, over all peers
  std::vector<ClientId> hosted;  // the clients hosted here
  std::string label;             // of the method
};

enum class StateKind : std::uint8_t { section = 1, vector, number, count, vectors, numbers, counts, text };

class StateWriter final : public StateVisitor {
 public:
  explicit StateWriter(const StateOwner& owner);

  void section(std::string_view name);  // names are unique within a section
  void text(std::string_view name, const std::string& v);
  void vector(std::string_view name, Vector& v) override;
  void number(std::string_view name, double& v) override;
  void count(std::string_view name, std::uint64_t& v) override;
  void per_client(std::string_view name, PerClient<Vector>& v) override;
  void per_client(std::string_view name, PerClient<double>& v) override;
  void per_client(std::string_view name, PerClient<std::uint64_t>& v) override;

  std::string finish();  // the whole file; nothing can be added afterwards

 private:
  void begin(StateKind kind, std::string_view name);
  void add_word(std::uint64_t word);
  void add_text(std::string_view text);
  void add_numbers(std::span<const double> values);

  std::string bytes_;
};

// Reads the variables in the order in which they were written. Everything that does not fit is a DataError that names
// the file; every length is compared with the size of the file before it is used.
class StateReader final : public StateVisitor {
 public:
  // `location` names the file. Checks format, digest and owner.
  StateReader(std::string bytes, std::string location, const StateOwner& owner);
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;

  void section(std::string_view name);
  void text(std::string_view name, std::string& v);
  void vector(std::string_view name, Vector& v) override;
  void number(std::string_view name, double& v) override;
  void count(std::string_view name, std::uint64_t& v) override;
  void per_client(std::string_view name, PerClient<Vector>& v) override;
  void per_client(std::string_view name, PerClient<double>& v) override;
  void per_client(std::string_view name, PerClient<std::uint64_t>& v) override;

  void finish() const;  // checks that everything was read
  [[noreturn]] void reject(const std::string& what, const std::string& seen) const;

 private:
  void check_frame();
  void check_owner(const StateOwner& owner);
  void expect(StateKind kind, std::string_view name);
  std::string_view take(std::size_t size);
  std::uint64_t take_word();
  std::size_t take_length(std::size_t element_size);  // of a list that fits into the rest
  std::string_view take_text();
  void take_numbers(std::span<double> values);
  template <class T>
  std::vector<T>& take_clients(PerClient<T>& v);  // one value for each client hosted here

  std::string bytes_;
  std::string location_;
  std::size_t hosted_;
  std::string_view rest_;  // without the digest
};

}  // namespace driftless
