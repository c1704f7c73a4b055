//! Arguments, step by step.

mod to_provider;
mod to_tool;

use toolwright_json::spans::{NodeId, Nodes};

use super::{
    Inner, KEEP, Step, StepId, Variant,
    form::FormId,
    matching::{Fits, How},
    written::Writer,
};

/// The maximum depth of nested steps. There is more than one step in a place only where it has unions or
/// recursions.
const MAX_DEPTH: usize = 300;

/// The maximum number of variants tried for one JSON text. After that, only the first of each union is tried.
const MAX_TRIES: usize = 1_000;

/// The direction in which arguments are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the form of the provider to that of the tool.
    Back,
    /// To the provider, again.
    Again,
}

pub(super) struct Walk<'p> {
    way: Direction,
    inner: &'p Inner,
    steps: &'p [Step],
    nodes: &'p Nodes<'p>,
    /// The form of the tool's arguments.
    root: FormId,
    sent: Fits<'p>,
    own: Fits<'p>,
    /// The number of variants tried whose form a value does not have exactly.
    tries: usize,
}

impl<'p> Walk<'p> {
    pub(super) fn new(way: Direction, inner: &'p Inner, nodes: &'p Nodes<'p>) -> Self {
        Self {
            way,
            inner,
            steps: &inner.steps,
            nodes,
            root: inner.root,
            sent: Fits::new(&inner.sent, nodes),
            own: Fits::new(&inner.own, nodes),
            tries: 0,
        }
    }

    /// Returns true if the limit of comparisons between values and forms was reached.
    pub(super) fn is_over(&self) -> bool {
        self.sent.is_over() || self.own.is_over()
    }

    /// Writes what a value becomes; as it is if it has another form than the step expects.
    pub(super) fn write(&mut self, step: StepId, node: NodeId, out: &mut String, depth: usize) {
        let start = out.len();
        if self.try_write(step, node, out, depth).is_none() {
            out.truncate(start);
            out.push_str(self.nodes.get(node).text);
        }
    }

    fn try_write(
        &mut self,
        step: StepId,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let (steps, nodes) = (self.steps, self.nodes);
        let mut step = step;
        // A ring of these changes nothing, and was taken out of the plan.
        while let Step::Same(next) = steps[step] {
            step = next;
        }
        let text = nodes.get(node).text;
        // Null that comes has one form wherever it may stand.
        let is_null = self.way == Direction::Back && text == "null";
        if step == KEEP || depth > MAX_DEPTH || is_null {
            out.push_str(text);
            return Some(());
        }
        let depth = depth + 1;
        match &steps[step] {
            Step::Keep | Step::Same(_) => out.push_str(text),
            Step::List(places, others) => {
                let mut list = Writer::open(out, '[');
                for (index, item) in nodes.list(node)?.iter().enumerate() {
                    list.separate();
                    let step = places.get(index).copied().unwrap_or(*others);
                    self.write(step, *item, list.out, depth);
                }
                list.close(']');
            }
            Step::Union(variants) => match self.way {
                Direction::Back => {
                    let (chosen, _) = self.variants(step, variants, node);
                    self.try_write(*chosen.first()?, node, out, depth)?;
                }
                Direction::Again => self.union_again(step, variants, node, out, depth)?,
            },
            step => match self.way {
                Direction::Back => self.back(step, node, out, depth)?,
                Direction::Again => self.again(step, node, out, depth)?,
            },
        }
        Some(())
    }

    /// The steps of the variants that a value may be of, the first before the others, and whether it has
    /// the form of one exactly. There is one on the way back, and one if that is so.
    ///
    /// If it is of none, it may be of the only one that it looks like from outside, by its tag or
    /// the names of its members: then what is wrong with it stands further inside.
    fn variants(
        &mut self,
        union: StepId,
        variants: &[Variant],
        node: NodeId,
    ) -> (Vec<StepId>, bool) {
        let [of_sent, of_own] = match self.inner.wide.get(&union) {
            Some([of_sent, of_own]) => [of_sent.as_ref(), of_own.as_ref()],
            None => [None, None],
        };
        let index = if self.way == Direction::Back {
            of_sent
        } else {
            of_own
        };
        let candidates = match index {
            Some(index) => index.candidates(self.nodes, node),
            None => (0..variants.len()).collect(),
        };
        let candidates: Vec<Variant> = candidates
            .into_iter()
            .map(|place| variants[place])
            .collect();
        if self.way == Direction::Back
            && let Some(wrapped) = self.wrapped(&candidates, node)
        {
            return (vec![wrapped], true);
        }
        for how in [How::Closed, How::Open, How::Outside, How::Loose] {
            let mut found = Vec::new();
            for variant in &candidates {
                let fits = match self.way {
                    Direction::Back => self.sent.check(variant.sent, node, how),
                    Direction::Again => self.own.check(variant.own, node, how),
                };
                if !fits || found.contains(&variant.step) {
                    continue;
                }
                found.push(variant.step);
                if how == How::Closed {
                    return (found, true);
                }
            }
            // Which of several is meant is a guess.
            let is_guess = self.way == Direction::Back || matches!(how, How::Outside | How::Loose);
            if found.len() > 1 && is_guess {
                return (Vec::new(), false);
            }
            if !found.is_empty() {
                return (found, false);
            }
        }
        (Vec::new(), false)
    }

    /// The variant that comes in an object with exactly one key, and only so: whatever else takes such
    /// an object, the key was asked for.
    fn wrapped(&mut self, candidates: &[Variant], node: NodeId) -> Option<StepId> {
        let steps = self.steps;
        let [(key, _)] = self.nodes.object(node)?.all.as_slice() else {
            return None;
        };
        let is_wrapped = |variant: &&Variant| matches!(&steps[variant.step], Step::Wrapped(name, _) if name == key);
        let variant = candidates.iter().find(is_wrapped)?;
        let fits = self.sent.check(variant.sent, node, How::Closed);
        fits.then_some(variant.step)
    }
}
