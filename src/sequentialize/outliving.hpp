// Which objects of frames somebody may still know of when they end, so that a use after
// the end, which is undefined, must not go unnoticed. An address stays among the
// activations that live inside of that of its object unless it is returned, handed to a
// new thread, or stored where it does not end with them; whoever stays inside cannot use it
// too late. Over points-to facts: what an access of unknown address might find counts as known.
//
// The first use in time of an object that has ended comes after uses of live objects only,
// so it is enough to follow addresses through memory that is live.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/program.hpp"
#include "passes/liveness.hpp"
#include "passes/points_to.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

class Outliving {
 public:
  Outliving(const ir::Program& program, const passes::PointsTo& points_to,
            const std::vector<ThreadCode>& threads);

  // After the function that the Alloc of this instance stands in has returned.
  bool after_return(passes::InstanceId instance, ir::EdgeId allocation) const;
  // After the same activation has executed it again, which ends what it made before.
  bool after_renewal(passes::InstanceId instance, ir::EdgeId allocation);

 private:
  struct Place {
    ThreadIndex thread = 0;
    FrameIndex frame = 0;
  };
  using Objects = std::vector<passes::ObjectIndex>;

  void find_owners();
  void look_at(passes::InstanceId instance, ir::EdgeId edge);
  void store(passes::InstanceId instance, ir::ExprId address, ir::ExprId value);
  bool is_inside(passes::InstanceId stored_by, passes::ObjectIndex what,
                 passes::ObjectIndex where) const;
  Objects owned(const passes::Targets& targets) const;
  void know(passes::ObjectIndex object);
  bool keeps_its_address(passes::InstanceId instance, ir::EdgeId allocation,
                         passes::ObjectIndex object);

  const ir::Program& program_;
  const passes::PointsTo& points_to_;
  const std::vector<ThreadCode>& threads_;
  bool anything_ = false;                     // may be known
  std::vector<std::vector<Place>> frames_{};  // by InstanceId: those that it is the code of
  std::map<std::pair<passes::InstanceId, ir::EdgeId>, passes::ObjectIndex> objects_{};
  std::vector<std::optional<passes::InstanceId>> owner_{};  // by ObjectIndex: of objects of frames
  std::vector<char> known_{};                               // by ObjectIndex
  std::vector<Objects> inside_{};  // by ObjectIndex: known as soon as it is known
  std::map<ir::FunId, passes::Liveness> liveness_{};
};

// Notes in the code where such objects begin and end.
void mark_lives(const ir::Program& program, const passes::PointsTo& points_to,
                std::vector<ThreadCode>& threads);

}  // namespace heddle::sequentialize
