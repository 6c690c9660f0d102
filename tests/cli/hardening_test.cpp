// The programs are built so that a memory error ends them and so that they load no library from where they are started.
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::EndsWith;
using testing::StartsWith;

// An ELF file of this machine, as far as these tests need it.
class Elf {
 public:
  explicit Elf(const fs::path& path) : bytes_(TempFolder::read(path)), head_(at<Elf64_Ehdr>(0)) {
    for (std::size_t k = 0; k < head_.e_phnum; ++k)
      segments_.push_back(at<Elf64_Phdr>(head_.e_phoff + k * sizeof(Elf64_Phdr)));
    const Elf64_Phdr* dynamic = segment(PT_DYNAMIC);
    for (std::size_t k = 0; dynamic != nullptr && k < dynamic->p_filesz / sizeof(Elf64_Dyn); ++k)
      entries_.push_back(at<Elf64_Dyn>(dynamic->p_offset + k * sizeof(Elf64_Dyn)));
  }

  bool valid() const { return bytes_.starts_with(ELFMAG) && head_.e_ident[EI_CLASS] == ELFCLASS64; }
  int type() const { return head_.e_type; }

  const Elf64_Phdr* segment(std::uint32_t type) const {
    const auto found = std::ranges::find(segments_, type, &Elf64_Phdr::p_type);
    return found != segments_.end() ? &*found : nullptr;
  }

  std::uint64_t value(std::int64_t tag) const {
    const auto found = std::ranges::find(entries_, tag, &Elf64_Dyn::d_tag);
    return found != entries_.end() ? found->d_un.d_val : 0;
  }

  // Folders in which libraries are looked for; an element may be empty.
  std::vector<std::string> run_path() const {
    std::vector<std::string> folders;
    for (const Elf64_Dyn& entry : entries_)
      if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) {
        std::istringstream list(text(entry.d_un.d_val) + ":");
        for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder);
      }
    return folders;
  }

  // Functions that come from shared libraries, and others that the loader knows by name.
  std::vector<std::string> symbols() const {
    std::vector<std::string> names;
    const std::uint64_t table = value(DT_SYMTAB);
    const std::uint64_t end =
        value(DT_STRTAB);  // GNU and LLVM linkers write the names right after the symbols or later
    for (std::uint64_t address = table; address + sizeof(Elf64_Sym) <= end; address += sizeof(Elf64_Sym))
      names.push_back(text(at<Elf64_Sym>(offset(address)).st_name));
    return names;
  }

 private:
  template <class T>
  T at(std::uint64_t offset) const {
    T value{};
    if (offset + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::uint64_t offset(std::uint64_t address) const {
    for (const Elf64_Phdr& each : segments_)
      if (each.p_type == PT_LOAD && address >= each.p_vaddr && address < each.p_vaddr + each.p_filesz)
        return address - each.p_vaddr + each.p_offset;
    return bytes_.size();
  }

  std::string text(std::uint64_t index) const {
    const std::uint64_t start = offset(value(DT_STRTAB) + index);
    return start < bytes_.size() ? bytes_.c_str() + start : "";
  }

  std::string bytes_;
  Elf64_Ehdr head_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> entries_;
};

class Hardening : public testing::TestWithParam<std::string> {
 protected:
  const Elf program_{fs::path(DRIFTLESS_PROGRAM_FILE).parent_path() / GetParam()};
  void SetUp() override { ASSERT_TRUE(program_.valid()) << GetParam(); }
};

TEST_P(Hardening, LibrariesAreNotLookedForWhereTheProgramIsStarted) {
  for (const std::string& folder : program_.run_path())
    EXPECT_TRUE(folder.starts_with('/') || folder.starts_with("$ORIGIN")) << "'" << folder << "'";
}

TEST_P(Hardening, AddressesAreRandom) {
  EXPECT_EQ(program_.type(), ET_DYN);
  EXPECT_NE(program_.segment(PT_INTERP), nullptr);
}

TEST_P(Hardening, TablesOfTheLoaderAreReadOnlyFromTheStart) {
  EXPECT_NE(program_.segment(PT_GNU_RELRO), nullptr);
  EXPECT_TRUE((program_.value(DT_FLAGS) & DF_BIND_NOW) != 0 || (program_.value(DT_FLAGS_1) & DF_1_NOW) != 0);
}

TEST_P(Hardening, TheStackIsNotExecutable) {
  const Elf64_Phdr* stack = program_.segment(PT_GNU_STACK);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->p_flags & PF_X, 0U);
}

TEST_P(Hardening, FunctionsCheckTheirStackAndBuffers) {
#ifdef DRIFTLESS_HARDENED
  EXPECT_THAT(program_.symbols(), Contains("__stack_chk_fail"));
#endif
#ifdef DRIFTLESS_FORTIFIED
  EXPECT_THAT(program_.symbols(), Contains(testing::AllOf(StartsWith("__"), EndsWith("_chk"))));
#endif
}

INSTANTIATE_TEST_SUITE_P(Programs, Hardening, testing::Values("driftless", "driftless-net"), [](const auto& program) {
  return std::string(program.param == "driftless" ? "Driftless" : "DriftlessNet");
});

}  // namespace
}  // namespace driftless
