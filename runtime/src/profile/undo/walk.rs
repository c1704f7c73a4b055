//! Arguments, step by step.

mod again;
mod back;

use super::{
    Inner, KEEP, Step, StepId, Variant,
    fits::{Fits, How},
    form::FormId,
    nodes::{NodeId, Nodes},
    written::Writer,
};

/// How many steps are taken inside each other: more than one in each place only where unions or
/// recursions stand in it.
const MAX_DEPTH: usize = 300;

/// Which way arguments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From the form of the provider to that of the tool.
    Back,
    /// To the provider, again.
    Again,
}

pub(super) struct Walk<'p> {
    way: Way,
    steps: &'p [Step],
    nodes: &'p Nodes<'p>,
    /// The form of the tool's arguments.
    root: FormId,
    sent: Fits<'p>,
    own: Fits<'p>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(way: Way, inner: &'p Inner, nodes: &'p Nodes<'p>) -> Self {
        Self {
            way,
            steps: &inner.steps,
            nodes,
            root: inner.root,
            sent: Fits::new(&inner.sent, nodes),
            own: Fits::new(&inner.own, nodes),
        }
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
        let is_null = self.way == Way::Back && text == "null";
        if step == KEEP || depth > MAX_DEPTH || is_null {
            out.push_str(text);
            return Some(());
        }
        let depth = depth + 1;
        match &steps[step] {
            Step::Keep | Step::Same(_) => out.push_str(text),
            Step::Map(of_values) => {
                let mut object = Writer::open(out, '{');
                for (key, value) in &nodes.object(node)?.all {
                    object.key(key);
                    self.write(*of_values, *value, object.out, depth);
                }
                object.close('}');
            }
            Step::List(of_items) => {
                let mut list = Writer::open(out, '[');
                for item in nodes.list(node)? {
                    list.separate();
                    self.write(*of_items, *item, list.out, depth);
                }
                list.close(']');
            }
            Step::Places(places, others) => {
                let mut list = Writer::open(out, '[');
                for (index, item) in nodes.list(node)?.iter().enumerate() {
                    list.separate();
                    let step = places.get(index).copied().unwrap_or(*others);
                    self.write(step, *item, list.out, depth);
                }
                list.close(']');
            }
            Step::Union(variants) => {
                let step = self.variant(variants, node)?;
                self.try_write(step, node, out, depth)?;
            }
            step => match self.way {
                Way::Back => self.back(step, node, out, depth)?,
                Way::Again => self.again(step, node, out, depth)?,
            },
        }
        Some(())
    }

    /// The step of the variant that a value is of.
    ///
    /// If it is of none, it may be of the only one that it looks like from outside, by its tag or
    /// the names of its members: then what is wrong with it stands further inside.
    fn variant(&mut self, variants: &[Variant], node: NodeId) -> Option<StepId> {
        for how in [How::Closed, How::Open, How::Outside] {
            let mut found = None;
            for variant in variants {
                let fits = match self.way {
                    Way::Back => self.sent.check(variant.sent, node, how),
                    Way::Again => self.own.check(variant.own, node, how),
                };
                match found {
                    _ if !fits => {}
                    None => found = Some(variant.step),
                    Some(step) if step == variant.step => {}
                    // Which of them is meant is a guess.
                    Some(_) if how == How::Outside || how == How::Open && self.way == Way::Back => {
                        return None;
                    }
                    Some(_) => {}
                }
                if found.is_some() && how == How::Closed {
                    return found;
                }
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
