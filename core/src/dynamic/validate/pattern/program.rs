//! A pattern as the steps of a machine.

use std::sync::Arc;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::rewrite::Role;

/// The greatest number of steps in a pattern. Repetitions are written out.
const MAX_STATES: usize = 50_000;
/// The error of a pattern that has more.
pub(super) const TOO_LARGE: &str = "it is too large a regular expression";

/// One step of a machine.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Takes one character of these ranges.
    Char(Arc<[(char, char)]>),
    /// Goes on at both places, the first one before the second.
    Split(usize, usize),
    Jump(usize),
    /// Goes on if a look-around holds, or if it does not.
    Around {
        part: usize,
        holds: bool,
    },
    /// Goes on at some positions.
    At(Look),
    /// Keeps the position.
    Save(usize),
    /// Goes back to a place if the position is another than the one that was kept.
    Again {
        slot: usize,
        to: usize,
    },
    /// Takes what a group has matched.
    Reference(usize),
    End,
}

/// The steps of a pattern or of a look-around.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) steps: Vec<Step>,
    /// True if the steps go from the right to the left.
    pub(super) is_backward: bool,
}

/// A pattern as the steps of a machine.
#[derive(Debug)]
pub(super) struct Program {
    /// Each look-around after those inside it; the pattern itself last.
    pub(super) parts: Vec<Part>,
    /// The number of positions that are kept.
    pub(super) slots: usize,
    pub(super) states: usize,
    /// The size: the steps, and the ranges of characters in them.
    pub(super) weight: usize,
}

impl Program {
    /// Compiles a pattern. One that is followed with all its states at once goes through what is ahead
    /// from the end of the text, so that all positions are known after one pass; one that is followed a way
    /// at a time goes through it from where it stands.
    ///
    /// # Errors
    ///
    /// When it has too many steps, or a form that no pattern of a schema has.
    pub(super) fn new(hir: &Hir, roles: &[Role], one_way: bool) -> Result<Self, String> {
        let groups = roles
            .iter()
            .filter(|role| matches!(role, Role::Group(_)))
            .count();
        let mut compiler = Compiler {
            roles,
            one_way,
            program: Self {
                parts: Vec::new(),
                slots: 2 * (groups + 1),
                states: 0,
                weight: 0,
            },
        };
        compiler.part(hir, false)?;
        Ok(compiler.program)
    }
}

struct Compiler<'r> {
    roles: &'r [Role],
    one_way: bool,
    program: Program,
}

impl Compiler<'_> {
    fn part(&mut self, hir: &Hir, is_backward: bool) -> Result<usize, String> {
        let mut part = Part {
            steps: Vec::new(),
            is_backward,
        };
        self.write(hir, &mut part)?;
        self.push(&mut part, Step::End)?;
        self.program.parts.push(part);
        Ok(self.program.parts.len() - 1)
    }

    fn push(&mut self, part: &mut Part, step: Step) -> Result<usize, String> {
        if self.program.states >= MAX_STATES {
            return Err(TOO_LARGE.to_owned());
        }
        self.program.states += 1;
        self.program.weight += match &step {
            Step::Char(ranges) => 1 + ranges.len(),
            _ => 1,
        };
        part.steps.push(step);
        Ok(part.steps.len() - 1)
    }

    fn write(&mut self, hir: &Hir, part: &mut Part) -> Result<(), String> {
        match hir.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|_| bytes())?;
                let mut chars: Vec<char> = text.chars().collect();
                if part.is_backward {
                    chars.reverse();
                }
                for char in chars {
                    self.push(part, Step::Char([(char, char)].into()))?;
                }
            }
            HirKind::Class(class) => {
                let ranges = ranges(class)?;
                self.push(part, Step::Char(ranges))?;
            }
            HirKind::Look(look) => {
                self.push(part, Step::At(*look))?;
            }
            HirKind::Repetition(repetition) => self.repetition(repetition, part)?,
            HirKind::Capture(capture) => {
                let index = (capture.index as usize).saturating_sub(1);
                self.group(self.roles.get(index).copied(), &capture.sub, part)?;
            }
            HirKind::Concat(parts) => {
                let mut parts: Vec<&Hir> = parts.iter().collect();
                if part.is_backward {
                    parts.reverse();
                }
                for hir in parts {
                    self.write(hir, part)?;
                }
            }
            HirKind::Alternation(branches) => {
                let mut ends = Vec::new();
                for (index, branch) in branches.iter().enumerate() {
                    if index + 1 == branches.len() {
                        self.write(branch, part)?;
                        break;
                    }
                    let split = self.push(part, Step::End)?;
                    self.write(branch, part)?;
                    ends.push(self.push(part, Step::End)?);
                    part.steps[split] = Step::Split(split + 1, part.steps.len());
                }
                for end in ends {
                    part.steps[end] = Step::Jump(part.steps.len());
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, role: Option<Role>, inner: &Hir, part: &mut Part) -> Result<(), String> {
        let (is_ahead, holds) = match role {
            Some(Role::Ahead { holds }) => (true, holds),
            Some(Role::Behind { holds }) => (false, holds),
            Some(Role::Reference(group)) => {
                self.push(part, Step::Reference(group))?;
                return Ok(());
            }
            Some(Role::Group(group)) if self.one_way => {
                let last = usize::from(!part.is_backward);
                self.push(part, Step::Save(2 * group + 1 - last))?;
                self.write(inner, part)?;
                self.push(part, Step::Save(2 * group + last))?;
                return Ok(());
            }
            Some(Role::Group(_)) | None => return self.write(inner, part),
        };
        let around = self.part(inner, is_ahead != self.one_way)?;
        self.push(
            part,
            Step::Around {
                part: around,
                holds,
            },
        )?;
        Ok(())
    }

    fn repetition(&mut self, repetition: &Repetition, part: &mut Part) -> Result<(), String> {
        let split = |first, second| {
            if repetition.greedy {
                Step::Split(first, second)
            } else {
                Step::Split(second, first)
            }
        };
        for _ in 0..repetition.min {
            self.counted(&repetition.sub, part)?;
        }
        let Some(max) = repetition.max else {
            let slot = self.program.slots;
            self.program.slots += 1;
            let start = self.push(part, Step::End)?;
            self.push(part, Step::Save(slot))?;
            self.write(&repetition.sub, part)?;
            self.push(part, Step::Again { slot, to: start })?;
            part.steps[start] = split(start + 1, part.steps.len());
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in repetition.min..max {
            splits.push(self.push(part, Step::End)?);
            self.counted(&repetition.sub, part)?;
        }
        for at in splits {
            part.steps[at] = split(at + 1, part.steps.len());
        }
        Ok(())
    }

    /// Writes what is repeated, once. What has no step of its own counts as one, so that writing it often
    /// has an end.
    fn counted(&mut self, hir: &Hir, part: &mut Part) -> Result<(), String> {
        let before = self.program.states;
        self.write(hir, part)?;
        if self.program.states == before {
            let next = part.steps.len() + 1;
            self.push(part, Step::Jump(next))?;
        }
        Ok(())
    }
}

fn ranges(class: &Class) -> Result<Arc<[(char, char)]>, String> {
    let class = match class {
        Class::Unicode(class) => class.clone(),
        Class::Bytes(class) => class.to_unicode_class().ok_or_else(bytes)?,
    };
    let ranges = class.iter().map(|range| (range.start(), range.end()));
    Ok(ranges.collect())
}

fn bytes() -> String {
    "it is about bytes, not characters".to_owned()
}
