#include "driftless/data/images/find_images.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/own_folders.hpp"
#include "tests/support/small_images.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

class FindImages : public InOwnFolders {
 protected:
  FindImages() { set_data((folder_ / "data").string()); }
  static std::string found(const std::string& name) {
    return fs::weakly_canonical(find_images(name).train.front()).string();
  }
};

constexpr const char* first_idx = "train-images-idx3-ubyte";

TEST_F(FindImages, SearchesTheFoldersInTheirOrder) {
  for (const std::string folder :
       {"home/.cache/driftless/", "data/images/mnist/", "data/mnist/", "data/", "given/images/", "work/mnist/"}) {
    write_idx_folder(folder_, folder);
    if (folder.starts_with("given")) set_data((folder_ / "given").string() + ":" + (folder_ / "data").string());
    EXPECT_EQ(found("mnist"), at(folder + first_idx));
  }
}

TEST_F(FindImages, KnowsTheFoldersOfThePublishersArchives) {
  write_cifar10_folder(folder_, "data/cifar10/cifar-10-batches-bin/");
  EXPECT_EQ(found("cifar10"), at("data/cifar10/cifar-10-batches-bin/data_batch_1.bin"));
  write_cifar10_folder(folder_, "data/cifar-10-batches-bin/");
  EXPECT_EQ(found("cifar10"), at("data/cifar-10-batches-bin/data_batch_1.bin"));
  EXPECT_EQ(found("../data"), at("data/cifar-10-batches-bin/data_batch_1.bin"));
}

TEST_F(FindImages, TakesFilesWithTheNameInFrontAndPackedOnes) {
  write_idx_folder(folder_, "data/images/mnist_");
  fs::rename(folder_ / "data/images/mnist_train-images-idx3-ubyte",
             folder_ / "data/images/mnist_train-images-idx3-ubyte.zst");
  EXPECT_EQ(found("mnist"), at("data/images/mnist_train-images-idx3-ubyte.zst"));
  EXPECT_EQ(found("../data/images"), at("data/images/mnist_train-images-idx3-ubyte.zst"));
}

TEST_F(FindImages, DoesNotTakeMnistForFashion) {
  write_idx_folder(folder_, "data/");
  fs::path file;
  try {
    file = find_images("fashion-mnist").train.front();  // Debian's package may be installed
  } catch (const DataError&) {}
  EXPECT_NE(fs::weakly_canonical(file).string(), at(std::string("data/") + first_idx));
  write_idx_folder(folder_, "data/fashion-mnist/");
  EXPECT_EQ(found("fashion-mnist"), at("data/fashion-mnist/train-images-idx3-ubyte"));
}

TEST_F(FindImages, SaysWhatIsMissing) {
  write_cifar10_folder(folder_, "work/cifar10/");
  fs::remove(folder_ / "work/cifar10/data_batch_3.bin");
  fs::remove(folder_ / "work/cifar10/test_batch.bin");
  for (const std::string name : {"cifar10", "./cifar10"})
    expect_error<DataError>([&] { find_images(name); },
                            {"files of cifar10 are missing", "no data_batch_3.bin, test_batch.bin", "cifar.html"});
  write_cifar10_folder(folder_, "data/");
  EXPECT_EQ(found("cifar10"), at("data/data_batch_1.bin")) << "a whole set goes before a part";
}

TEST_F(FindImages, SaysWhereItLookedAndHowToGetThem) {
  set_data((folder_ / "given").string());
  expect_error<DataError>([] { find_images("mnist"); },
                          {"'mnist' were not found", "the current folder", at("given"), ".cache/driftless",
                           "/usr/share/datasets", "images and mnist", "DRIFTLESS_DATA"});
  expect_error<DataError>([] { find_images("cifar100"); }, {"cifar-100-binary", "binary version from https://www.cs"});
  expect_error<DataError>([] { find_images("cifar-10"); }, {"no images 'cifar-10'", "did you mean 'cifar10'?"});
  expect_error<DataError>([] { find_images(""); }, {"neither a folder nor one of cifar10, cifar100"});
  EXPECT_NE(find_known_images("fashion-mnist")->source.find("package dataset-fashion-mnist"), std::string_view::npos);
}

TEST_F(FindImages, RejectsFoldersWithNoneOrTwo) {
  expect_error<DataError>([] { find_images("."); }, {"holds no images", "nor train.bin nor", "fashion-mnist"});
  write_idx_folder(folder_, "work/");
  write_cifar10_folder(folder_, "work/");
  expect_error<DataError>([] { find_images("."); }, {"more than one set", "cifar10 and fashion-mnist"});
}

TEST_F(FindImages, TellsImagesFromRows) {
  EXPECT_TRUE(names_images("mnist"));
  EXPECT_FALSE(names_images("a9a"));
  fs::create_directories("a9a");
  EXPECT_FALSE(names_images("a9a")) << "a folder without images";
  write_idx_folder(folder_, "work/own/");
  EXPECT_TRUE(names_images("own"));
  folder_.write("work/mnist", "1 1:1\n");
  EXPECT_FALSE(names_images("mnist")) << "there is a file of that name";
}

}  // namespace
}  // namespace driftless
