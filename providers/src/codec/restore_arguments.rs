//! The arguments of calls as the tools take them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use toolwright_core::model::ModelEvent;

use super::{custom_tool::CustomCall, tool_list::ToolList};

/// The most bytes of arguments that are held back.
const LONGEST: usize = 16 << 20;

/// Turns the arguments of calls into those of the tools, while a response comes.
///
/// The text of a call that comes in another form is held back until the response ends.
#[derive(Debug)]
pub(crate) struct RestoreArguments {
    sent: Arc<ToolList>,
    /// The calls that are held back, by number.
    held: BTreeMap<usize, Held>,
    /// The calls of custom tools, by id.
    custom_ids: HashSet<String>,
}

/// A call that is held back.
#[derive(Debug)]
struct Held {
    id: String,
    name: String,
    /// The text so far.
    text: String,
    /// It is of a custom tool.
    is_custom: bool,
}

impl RestoreArguments {
    pub(crate) fn new(sent: Arc<ToolList>) -> Self {
        Self {
            sent,
            held: BTreeMap::new(),
            custom_ids: HashSet::new(),
        }
    }

    /// Changes the events from a place on.
    pub(crate) fn take(&mut self, events: &mut Vec<ModelEvent>, from: usize) {
        if self.sent.is_plain() {
            return;
        }
        for event in events.split_off(from) {
            match CustomCall::of(&event) {
                Some(CustomCall::Id(id)) => {
                    self.custom_ids.insert(id.to_owned());
                }
                Some(CustomCall::Number(number)) => {
                    if let Some(held) = self.held.get_mut(&number) {
                        held.is_custom = true;
                    }
                }
                None => {}
            }
            match event {
                ModelEvent::CallStarted {
                    index,
                    ref id,
                    ref name,
                } => {
                    if self.sent.changes(name) {
                        let held = self.held.entry(index).or_insert_with(|| Held {
                            id: String::new(),
                            name: name.clone(),
                            text: String::new(),
                            is_custom: false,
                        });
                        held.id.clone_from(id);
                    }
                    events.push(event);
                }
                ModelEvent::CallArguments { index, text } => match self.held.get_mut(&index) {
                    Some(held) if held.text.len() < LONGEST => held.text.push_str(&text),
                    Some(held) => {
                        // It comes as it is: the assembler of the response bounds it.
                        let all = std::mem::take(&mut held.text) + &text;
                        self.held.remove(&index);
                        events.push(ModelEvent::CallArguments { index, text: all });
                    }
                    None => events.push(ModelEvent::CallArguments { index, text }),
                },
                ModelEvent::Finished { .. } => {
                    self.finish(events);
                    events.extend(self.sent.warnings.iter().cloned().map(ModelEvent::Warning));
                    events.push(event);
                }
                event => events.push(event),
            }
        }
    }

    /// Tells what was held back. A text that was cut off comes as it is.
    pub(crate) fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        for (index, held) in std::mem::take(&mut self.held) {
            let Held { name, mut text, .. } = held;
            let is_custom = held.is_custom || self.custom_ids.contains(&held.id);
            if is_custom {
                text = self.sent.of_text(&name, &text).unwrap_or(text);
            }
            let warning = (!is_custom).then(|| self.sent.restore(&name, &mut text));
            events.push(ModelEvent::CallArguments { index, text });
            events.extend(warning.flatten().map(ModelEvent::Warning));
        }
    }
}
