// How a peer of several restarts where it was. Only transports whose peers rely on totals that another peer keeps
// implement it; the others restart from their own files alone.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <cstdint>
#include <vector>

namespace driftless {

using ExchangeId = std::uint64_t;  // counts all collectives of a run, so that a repetition is recognised

// A digest of all totals up to some collective, each with its agreement. Two peers with the same history have seen the
// same run. Zero for transports without checkpointing.
struct History {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const History&) const = default;
};

// Where a peer is in the sequence of collectives: what it must know to continue there after a restart.
struct Position {
  ExchangeId next = 0;
  History history = {};
  std::vector<ClientId> absent = {};
};

class Checkpointing {
 public:
  virtual ~Checkpointing() = default;

  virtual History history() const = 0;  // of all totals so far
  // Moves this peer to the position of its checkpoint. DataError where the totals kept elsewhere do not belong to it.
  virtual void resume_at(const Position& position) = 0;
  // Called before a checkpoint is written: makes sure that the totals of all collectives so far survive a crash of the
  // peer that keeps them, because no checkpoint may be further than they are. False where that is not possible now;
  // then nothing may be written. `insist` waits as long as for a lost connection and throws where that is not enough.
  virtual bool secure_past(bool insist) = 0;
  // Called after a checkpoint was written: no earlier totals need to be kept for this peer.
  virtual void on_checkpoint() = 0;
  // Called when the problem is made: its collectives are always repeated by a peer that restarts.
  virtual void on_setup_done() {}
  // Called when the run is interrupted here: the collectives that follow only end this process and are no part of a
  // resumed run.
  virtual void on_interrupt() {}
};

}  // namespace driftless
