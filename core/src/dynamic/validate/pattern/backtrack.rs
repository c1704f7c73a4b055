//! Follows one way through a pattern after the other, for what refers to its own groups. No engine
//! bounds that by the text, so the steps are counted.

use super::{
    program::{Part, Program, Step},
    simulate::{has, is_at},
};

/// The greatest number of steps for one text. A step keeps three words at most.
const MAX_STEPS: usize = 1_000_000;

/// The steps have ended.
struct Spent;

/// Matches a text at every place. Returns the result, if it is known before the steps end, and the number of steps.
pub(super) fn is_match(program: &Program, chars: &[char]) -> (Option<bool>, usize) {
    let mut machine = Machine {
        program,
        chars,
        slots: vec![None; program.slots],
        left: MAX_STEPS,
    };
    let whole = program.parts.len().saturating_sub(1);
    let mut found = Ok(false);
    for start in 0..=chars.len() {
        found = machine.reset().and_then(|()| machine.run(whole, start));
        if !matches!(found, Ok(false)) {
            break;
        }
    }
    (found.ok(), MAX_STEPS - machine.left)
}

struct Machine<'p> {
    program: &'p Program,
    chars: &'p [char],
    slots: Vec<Option<usize>>,
    left: usize,
}

/// A step back, for a way that does not lead on.
enum Back {
    /// Another way begins.
    Way { step: usize, position: usize },
    /// A kept position is the former one again.
    Slot { slot: usize, former: Option<usize> },
}

impl Machine<'_> {
    fn spend(&mut self, steps: usize) -> Result<(), Spent> {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Spent)
    }

    fn reset(&mut self) -> Result<(), Spent> {
        self.spend(self.slots.len())?;
        self.slots.fill(None);
        Ok(())
    }

    /// Returns true if a part leads from a position to its end.
    fn run(&mut self, part: usize, start: usize) -> Result<bool, Spent> {
        let program = self.program;
        let part = &program.parts[part];
        let mut stack = vec![Back::Way {
            step: 0,
            position: start,
        }];
        loop {
            let (mut step, mut position) = loop {
                match stack.pop() {
                    None => return Ok(false),
                    Some(Back::Way { step, position }) => break (step, position),
                    Some(Back::Slot { slot, former }) => self.slots[slot] = former,
                }
            };
            // The way goes on until it ends, or ends nowhere.
            loop {
                self.spend(1)?;
                if let Step::End = part.steps[step] {
                    return Ok(true);
                }
                let Some(next) = self.advance(part, step, position, &mut stack)? else {
                    break;
                };
                (step, position) = next;
            }
        }
    }

    /// Returns the step and position after a step, if the way goes on.
    fn advance(
        &mut self,
        part: &Part,
        step: usize,
        position: usize,
        stack: &mut Vec<Back>,
    ) -> Result<Option<(usize, usize)>, Spent> {
        let next = step + 1;
        Ok(match &part.steps[step] {
            Step::End => None,
            Step::Char(ranges) => self
                .taken(position, part.is_backward)
                .filter(|(char, _)| has(ranges, *char))
                .map(|(_, at)| (next, at)),
            Step::Split(first, second) => {
                stack.push(Back::Way {
                    step: *second,
                    position,
                });
                Some((*first, position))
            }
            Step::Jump(to) => Some((*to, position)),
            Step::At(look) => is_at(*look, self.chars, position).then_some((next, position)),
            Step::Save(slot) => {
                self.keep(*slot, Some(position), stack);
                Some((next, position))
            }
            Step::Again { slot, to } => {
                let has_moved = self.slots[*slot] != Some(position);
                Some((if has_moved { *to } else { next }, position))
            }
            Step::Around { part, holds } => self
                .around(*part, *holds, position, stack)?
                .then_some((next, position)),
            Step::Reference(group) => self
                .referred(*group, position, part.is_backward)?
                .map(|at| (next, at)),
        })
    }

    fn keep(&mut self, slot: usize, position: Option<usize>, stack: &mut Vec<Back>) {
        let former = std::mem::replace(&mut self.slots[slot], position);
        stack.push(Back::Slot { slot, former });
    }

    /// The next character, and the position after it.
    fn taken(&self, position: usize, is_backward: bool) -> Option<(char, usize)> {
        if is_backward {
            let before = position.checked_sub(1)?;
            return Some((self.chars[before], before));
        }
        Some((*self.chars.get(position)?, position + 1))
    }

    /// Returns true if a look-around has the required result. The matches of its groups are kept if it holds.
    fn around(
        &mut self,
        part: usize,
        holds: bool,
        position: usize,
        stack: &mut Vec<Back>,
    ) -> Result<bool, Spent> {
        self.spend(self.slots.len())?;
        let before = self.slots.clone();
        let found = self.run(part, position)?;
        let after = std::mem::replace(&mut self.slots, before);
        if found && holds {
            for (slot, position) in after.into_iter().enumerate() {
                if self.slots[slot] != position {
                    self.keep(slot, position, stack);
                }
            }
        }
        Ok(found == holds)
    }

    /// The position after what a group has matched, if that comes next. One that has matched nothing yet
    /// is no text.
    fn referred(
        &mut self,
        group: usize,
        position: usize,
        is_backward: bool,
    ) -> Result<Option<usize>, Spent> {
        let (Some(first), Some(last)) = (self.slots[2 * group], self.slots[2 * group + 1]) else {
            return Ok(Some(position));
        };
        let length = last.saturating_sub(first);
        self.spend(length)?;
        let place = if is_backward {
            position.checked_sub(length).map(|start| (start, start))
        } else {
            Some((position, position + length))
        };
        let chars = self.chars;
        let found = place.filter(|(start, _)| {
            chars.get(*start..*start + length) == Some(&chars[first..first + length])
        });
        Ok(found.map(|(_, at)| at))
    }
}
