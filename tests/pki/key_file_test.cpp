// Files with keys are private from their creation, and never replace another file.
#include "driftless/pki/key_file.hpp"

#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

TEST(KeyFile, AnExistingFileOrLinkIsNeverWrittenTo) {
  const TempFolder folder;
  const fs::path file = folder.write("key.pem", "old");
  expect_error<ConfigError>([&] { write_new_file(file, "new", private_mode); }, {"cannot be written", "key.pem"});
  EXPECT_EQ(TempFolder::read(file), "old");
  fs::create_symlink(folder / "target", folder / "link");
  expect_error<ConfigError>([&] { write_new_file(folder / "link", "new", private_mode); }, {"link"});
  EXPECT_FALSE(fs::exists(folder / "target"));
}

TEST(KeyFile, IsReadOnlyWhereItIsPrivate) {
  const TempFolder folder;
  write_new_file(folder / "key.pem", "secret", private_mode);
  EXPECT_EQ(read_key_file(folder / "key.pem"), "secret");
  for (const fs::perms extra : {fs::perms::group_read, fs::perms::others_read, fs::perms::group_write}) {
    fs::permissions(folder / "key.pem", extra, fs::perm_options::add);
    expect_error<ConfigError>([&] { read_key_file(folder / "key.pem"); },
                              {"other users", "chmod 600 " + (folder / "key.pem").string()});
    fs::permissions(folder / "key.pem", extra, fs::perm_options::remove);
  }
}

TEST(KeyFile, KeysAreOnTheCurveP256AndDiffer) {
  const KeyHandle one = new_key();
  const KeyHandle other = new_key();
  EXPECT_EQ(EVP_PKEY_get_bits(one.get()), 256);
  EXPECT_NE(EVP_PKEY_eq(one.get(), other.get()), 1);
  EXPECT_EQ(EVP_PKEY_eq(key_in(pem_of(*one)).get(), one.get()), 1);
}

}  // namespace
}  // namespace driftless
