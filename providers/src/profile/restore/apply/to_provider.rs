//! From the form of the tool to that of the provider.

use toolwright_json::{
    spans::{NodeId, Nodes},
    string::quoted,
    tree::Json,
};

use super::{Direction, MAX_TRIES, Variant, Walk, Writer};
use crate::profile::restore::{Members, Step, StepId, WRAPPER, form::canonical};

impl Walk<'_> {
    /// Writes a value of the tool in the form of the provider. Returns `None` if it is not a value of the
    /// tool, or if the result would not come back as the same value.
    pub(super) fn again(
        &mut self,
        step: &Step,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let nodes = self.nodes;
        match step {
            Step::Object(members) => self.object_again(members, node, out, depth),
            Step::Pairs(of_values) => {
                let members = nodes.object(node)?;
                if members.repeats {
                    return None;
                }
                let members = members.all.iter();
                let pairs = members.map(|(key, value)| (&**key, *value));
                self.write_pairs(pairs, *of_values, out, depth);
                Some(())
            }
            Step::Tuple(places) => {
                let all = nodes.list(node)?;
                if all.len() != places.len() {
                    return None;
                }
                let mut object = Writer::open(out, '{');
                for (index, (item, step)) in all.iter().zip(places).enumerate() {
                    object.key(&index.to_string());
                    self.write(*step, *item, object.out, depth);
                }
                object.close('}');
                Some(())
            }
            Step::Text => {
                out.push_str(&quoted(nodes.get(node).text));
                Some(())
            }
            Step::Texts(texts) => {
                let text = nodes.get(node).text;
                let find = |is_it: &dyn Fn(&str) -> bool| texts.iter().find(|(_, own)| is_it(own));
                let (sent, _) =
                    find(&|own| own == text).or_else(|| find(&|own| is_same(own, text)))?;
                out.push_str(&quoted(sent));
                Some(())
            }
            Step::Wrapped(key, inner) => {
                self.write_wrapped(key, *inner, node, out, depth);
                Some(())
            }
            Step::Root { inner, .. } => {
                // Only an object comes back out of it.
                nodes.object(node)?;
                self.write_wrapped(WRAPPER, *inner, node, out, depth);
                Some(())
            }
            Step::Keep | Step::Same(_) | Step::List(..) | Step::Union(_) => None,
        }
    }

    /// One of several. A value that has the form of one exactly comes back from that one; of the others
    /// the first is taken that gives the value again.
    pub(super) fn union_again(
        &mut self,
        union: StepId,
        variants: &[Variant],
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let start = out.len();
        let (steps, is_exact) = self.variants(union, variants, node);
        for (index, step) in steps.into_iter().enumerate() {
            self.tries += 1;
            if index > 0 && self.tries > MAX_TRIES {
                break;
            }
            let is_written = self.try_write(step, node, out, depth).is_some();
            if is_written && (is_exact || self.comes_back(union, &out[start..], node)) {
                return Some(());
            }
            out.truncate(start);
        }
        None
    }

    /// Returns true if the form sent for a value comes back as the value.
    fn comes_back(&self, union: StepId, sent: &str, node: NodeId) -> bool {
        let Some(nodes) = Nodes::read(sent) else {
            return false;
        };
        let mut back = Walk::new(Direction::Back, self.inner, &nodes);
        let mut own = String::with_capacity(sent.len());
        back.write(union, 0, &mut own, 0);
        is_same(&own, self.nodes.get(node).text)
    }

    fn write_wrapped(
        &mut self,
        key: &str,
        inner: StepId,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) {
        let mut object = Writer::open(out, '{');
        object.key(key);
        self.write(inner, node, object.out, depth);
        object.close('}');
    }

    fn object_again(
        &mut self,
        object: &Members,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let members = self.nodes.object(node)?;
        if members.repeats && object.rest.is_some() {
            return None;
        }
        let mut rest = Vec::new();
        let mut written = Writer::open(out, '{');
        for (key, value) in &members.all {
            let step = match object.declared.get(&**key) {
                Some(member) => member.step,
                None if object.rest.is_some() => {
                    rest.push((&**key, *value));
                    continue;
                }
                None => object.others,
            };
            written.key(key);
            self.write(step, *value, written.out, depth);
        }
        for name in &object.nulls {
            if members.get(name).is_none() {
                written.key(name);
                written.out.push_str("null");
            }
        }
        if let Some((name, of_rest)) = &object.rest {
            written.key(name);
            self.write_pairs(rest.into_iter(), *of_rest, written.out, depth);
        }
        written.close('}');
        Some(())
    }

    fn write_pairs<'k>(
        &mut self,
        pairs: impl Iterator<Item = (&'k str, NodeId)>,
        of_values: StepId,
        out: &mut String,
        depth: usize,
    ) {
        let mut list = Writer::open(out, '[');
        for (key, value) in pairs {
            list.separate();
            let mut pair = Writer::open(list.out, '{');
            pair.key("key");
            pair.out.push_str(&quoted(key));
            pair.key("value");
            self.write(of_values, value, pair.out, depth);
            pair.close('}');
        }
        list.close(']');
    }
}

/// Returns true if two JSON texts are one value: `1.0` is `1`.
fn is_same(own: &str, text: &str) -> bool {
    let value = |text| Some(canonical(&Json::parse(text).ok()?));
    own == text || value(own).is_some_and(|own| value(text) == Some(own))
}
