// What a machine that loses its power leaves of a folder, worked out from what the programs synced there.
//
// The model. A file is an inode with bytes, a folder a list of names. Of the bytes of a file those are left that it had
// when it was last synced; of a file that was never synced, or was emptied since, none. A folder has the files that it
// had when it was last synced, under their old names and with the bytes of above: files made or renamed since are
// missing, files removed or replaced since are back. A folder that was never synced has no files. Folders themselves
// stay where they are: file systems with a metadata journal bring a folder to the disk no later than a file synced
// inside of it.
//
// POSIX also allows that changes of names reached the disk on their own before anything was synced (a rename without
// the bytes of the file renamed, for instance). `Names` chooses between the two.
#pragma once

#include "tests/support/file_faults.hpp"

namespace driftless {

enum class Names { lost, kept };

// From now on everything that is there counts as durable, also what no program synced: a test has put it there.
void make_durable(const FileFaults& faults);

// The programs that wrote below faults.under, with records_syncs, must have ended.
void lose_power(const FileFaults& faults, Names names);

}  // namespace driftless
