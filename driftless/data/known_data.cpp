#include "driftless/data/known_data.hpp"

#include <algorithm>
#include <array>

namespace driftless {
namespace {

constexpr std::string_view publisher = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/";

// The digests are those of copies of these files in public source repositories, compared with each other where there
// are several; docs/problems.md says for which sets.
constexpr auto file_sets = std::to_array<KnownData>({
    {"a1a", "binary/a1a", 114818, "eb54c45f1bdb51286f803dd092eb8202b44637a858fc6c4e533a2d64a0d94b4e", true},
    {"a2a", "binary/a2a", 162053, "535782f1be62e60938d8accb1573043542b3ac11265522927574dcbb28360a2f", false},
    {"a4a", "binary/a4a", 342050, "694d5abff492bdb8ce9749ddf3bf5af1c6f1f0ad6e3a0ae7818000d4d4c4847b", false},
    {"a5a", "binary/a5a", 458892, "5cb3a6603de0a0eb43afcdd45b1820c71ee7f20da1c09f054696bb71cbc45ad8", false},
    {"a7a", "binary/a7a", 1152056, "d383cf150d4d9f9097b91cc88022cd0ac473c3a72da3f33b4c17801a4bfccdc6", false},
    {"a8a", "binary/a8a", 1624166, "d08a37b3fadd4bd3c8b3fc30bdc93b54d7c0f371265c90cbfb931a7efe97cd28", false},
    {"a9a", "binary/a9a", 2329875, "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906", true},
    {"a9a.t", "binary/a9a.t", 1164628, "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9", true},
    {"australian", "binary/australian", 115308, "e11b85d6265a6cc8d07e3200fc04557009e6e2407331ea8d7910eddf199c2d1a",
     false},
    {"colon-cancer", "binary/colon-cancer.bz2", 1727461,
     "647eb57da9d5df273c8728a19033d80cf09bca70f4d35d1a2de5a281036bf35b", false},
    {"diabetes", "binary/diabetes", 75503, "419ba20be4862fc53a6fe92e55a84a53ae0075df06632c07592a17d619b5cb23", false},
    {"diabetes_scale", "binary/diabetes_scale", 68645,
     "0c07eb4c49e7a8ffb9c9f25095ac3022df2ca85b0dcb7d294c3ddea69f392cba", false},
    {"duke", "binary/duke.bz2", 4515779, "bf4e619c4b6b4b934164dfd860f323dddd777e75ada05f162b5c4d537e76b7b2", false},
    {"fourclass", "binary/fourclass", 25006, "7b36a3beaa482bd982b8a601a26b7e74ffc39e00a825b5b501bd17b34a56e48f", false},
    {"fourclass_scale", "binary/fourclass_scale", 23156,
     "e27b003cd53d3141f8266b7e1db0d43e69f2824cc94c1d885fb27c8f2145a511", false},
    {"heart", "binary/heart", 42651, "a29dc2c92ec163987895c167cf9b078d77055af5bc91eccfdda44668a22f4cd3", false},
    {"heart_scale", "binary/heart_scale", 27670, "5defa0a4c4c5bdaf3f55ae3828310252e8565c13ee37ce279e0b86d82e7f4ce9",
     true},
    {"ijcnn1", "binary/ijcnn1.bz2", 7744897, "16506cad788cf7c9607454150ed1994788204bac2ff4c9cb3b320036b6950d3f", true},
    {"madelon", "binary/madelon", 7788995, "4801c452441772b47674fa8deb3724b1cb897eff49ccd8d47078367080c05b54", true},
    {"madelon.t", "binary/madelon.t", 2336699, "ae60251b63a46c6ace348b77749e79e25d4098d629d1dead2852c3d4daf1f8ea",
     false},
    {"mushrooms", "binary/mushrooms", 879712, "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538", true},
    {"news20", "multiclass/news20.bz2", 9003251, "1d6eb77c42e1c78e86f36af834268de933da3607f38e3703aef15f7a9f11e506",
     false},
    {"phishing", "binary/phishing", 3620168, "0cf66ef36604c393da9359b2e5d894a2df8aee31fd184633cefa138add2ef08a", false},
    {"svmguide1", "binary/svmguide1", 192782, "2b9ab55b6236f62cee6b7739b52f9e7cb033771f39b9c22c1f1790d80ef14d7f",
     false},
    {"svmguide1.t", "binary/svmguide1.t", 249612, "f9c2fd4c725172aeb4476fc1e2327d537f7fbc2f53f49dfd073f80efbe1ba8f7",
     false},
    {"w1a", "binary/w1a", 170263, "0ae2b1c40f6a99061d1c6f4a1f3b50eea58a2f3b8bf851a337c25c2a65a49d32", false},
    {"w7a", "binary/w7a", 1729215, "bd02f445a1a2f4aaefd27d7dcc31f1f6a8521f904157f2ee7c96d1294cd26e36", false},
    {"w8a", "binary/w8a", 3478238, "6a9fa8fd5f524303240a5db07d4b3d4a51e8b7b4b20a914105d8e3e8c81640f2", true},
    {"w8a.t", "binary/w8a.t", 1045870, "618929ecb01bebb841daec4cae4aa07b97832d29b08652452775598929547fde", false},
});

}  // namespace

std::string KnownData::url() const { return std::string(publisher) + std::string(address); }

std::span<const KnownData> known_data() { return file_sets; }

const KnownData* find_known_data(std::string_view name) {
  const auto found = std::ranges::find(file_sets, name, &KnownData::name);
  return found == file_sets.end() ? nullptr : &*found;
}

}  // namespace driftless
