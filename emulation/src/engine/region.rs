//! The reader of a part of a text where calls are, or may be.

use toolwright_json::char_boundary::{ceil, floor};

use crate::{
    attempt::{Attempt, Reading, Refusal},
    formats::{Format, Strength},
    item::{Item, Scan, json::is_like_a_call},
    marker,
    text_calls::RefusalReason,
};

use super::{
    Broken, Engine, Flow, Skipped, State,
    between::{Between, Region},
};

impl Engine {
    pub(super) fn region(&mut self, mut region: Region, text: &str, is_end: bool) -> Flow {
        if let Some((row, scanner, ends)) = &mut region.item {
            let is_strict = row.is_bare();
            return match scanner.run(text, is_end, ends, is_strict) {
                Scan::More if scanner.at() > self.limit => self.too_long(region, text, None),
                Scan::More if is_end => self.cut_off(&region, text),
                Scan::More => self.wait(region),
                Scan::End(at) | Scan::Failed(at) if at > self.limit => {
                    self.too_long(region, text, Some(at))
                }
                Scan::End(end) => self.item(region, text, end),
                Scan::Failed(at) => self.failed(region, text, at),
            };
        }
        loop {
            if region.at > self.limit && region.items > 0 {
                return self.leave_text(&region, text);
            }
            if region.at > self.limit {
                return self.no_item(region, text);
            }
            match region.between(text, is_end) {
                Between::Passed => {}
                Between::Closed if region.items == 0 => return self.empty(&region, text),
                Between::Closed => return self.leave(&region, true),
                Between::Opened => return self.leave(&region, false),
                Between::Other if region.items == 0 => return self.no_item(region, text),
                Between::Other => return self.leave_text(&region, text),
                Between::Item(row) => {
                    let scanner = row.item.scanner(text, region.at);
                    let ends = row.close.iter().chain(row.between).copied();
                    region.item = Some((row, scanner, ends.collect()));
                    self.state = State::Region(Box::new(region));
                    return Flow::Next;
                }
                Between::Unknown if !is_end => return self.wait(region),
                Between::Unknown if region.items > 0 => return self.leave(&region, true),
                Between::Unknown => return self.no_item(region, text),
            }
        }
    }

    fn wait(&mut self, region: Region) -> Flow {
        self.state = State::Region(Box::new(region));
        Flow::Wait
    }

    /// Goes on with text behind what was read.
    fn leave(&mut self, region: &Region, is_closed: bool) -> Flow {
        self.lacks_close = !is_closed;
        if region.items > 0 {
            self.is_message_end = true;
            self.output.seam();
        } else {
            self.lacks_fence |= region.is_fence();
        }
        self.advance(region.at);
        self.indent = Some(0);
        Flow::Next
    }

    /// Goes on with text after calls without a closing marker. Space between them is kept.
    fn leave_text(&mut self, region: &Region, text: &str) -> Flow {
        let flow = self.leave(region, false);
        let passed = &text[..region.at];
        self.output.text(&passed[passed.trim_end().len()..]);
        flow
    }

    /// A marker is closed at once.
    fn empty(&mut self, region: &Region, text: &str) -> Flow {
        if region.is_weak() {
            return self.give_back(region, text, region.opening);
        }
        let refusal = Refusal::malformed(None, "the call is missing");
        self.findings
            .refuse(refusal, &text[..region.at], region.rows[0]);
        self.leave(region, true)
    }

    /// What a marker opened has no call.
    fn no_item(&mut self, region: Region, text: &str) -> Flow {
        let is_mention = region.strength() == Strength::Tag && region.is_inline;
        if region.is_weak() || is_mention {
            return self.give_back(&region, text, region.opening);
        }
        self.state = State::Broken(Broken::new(region.rows, region.at, false));
        Flow::Next
    }

    /// What was held back is text.
    fn give_back(&mut self, region: &Region, text: &str, len: usize) -> Flow {
        let ticks = marker::ticks(text);
        self.tell(&text[..len]);
        if region.items == 0 && ticks >= 3 {
            let mark = text.as_bytes()[0];
            self.state = State::Code { mark, ticks };
        }
        Flow::Next
    }

    /// Reads an item that ends here.
    fn item(&mut self, mut region: Region, text: &str, end: usize) -> Flow {
        let Some((row, scanner, _)) = region.item.take() else {
            unreachable!("an item was scanned")
        };
        let is_marked = row.strength > Strength::Weak;
        let reading = row
            .item
            .read(&scanner, &text[region.at..end], &self.tools, is_marked);
        let all = &text[..end];
        match reading {
            Reading::Text => return self.give_back(&region, text, end),
            Reading::Example(_) if region.is_inline && region.items == 0 => {
                return self.give_back(&region, text, end);
            }
            Reading::Attempts(_)
                if region.items == 0 && self.is_example(&region, row, &all[region.at..]) =>
            {
                return self.give_back(&region, text, end);
            }
            Reading::Attempts(attempts)
                if !is_marked && region.is_inline && attempts.iter().all(is_unknown) =>
            {
                return self.give_back(&region, text, end);
            }
            Reading::Example(refusal) => self.findings.refuse(refusal, all, row),
            Reading::NoTool => self.findings.add(Vec::new(), all, row),
            Reading::Attempts(attempts) => {
                self.has_react |= row.name == "react" || row.name == "command_r";
                self.findings.add(attempts, all, row);
            }
        }
        let start = all.find('{').unwrap_or_default();
        if matches!(row.item, Item::Named(_)) && all[region.at.min(start)..start].contains("```") {
            region.fence = Some(3);
        }
        self.advance(end);
        (region.at, region.opening) = (0, 0);
        region.items += 1;
        region.rows = vec![row];
        self.state = State::Region(Box::new(region));
        Flow::Next
    }

    /// Returns true for calls of Python in a sentence, unless they follow a colon; and for a single one in a code block
    /// that text explains.
    fn is_example(&self, region: &Region, row: &Format, item: &str) -> bool {
        let is_pythonic = matches!(row.item, Item::Python) && region.is_weak();
        let is_explained = if row.is_bare() {
            region.is_inline && self.last != Some(':')
        } else {
            self.output.has_text() && !item.starts_with('[')
        };
        is_pythonic && is_explained
    }

    /// An item goes wrong at a place.
    fn failed(&mut self, region: Region, text: &str, at: usize) -> Flow {
        if region.is_weak() {
            // What it goes wrong at may begin something else.
            return self.give_back(&region, text, at);
        }
        self.state = State::Broken(Broken::new(region.rows, at, true));
        Flow::Next
    }

    /// The text ends within an item.
    fn cut_off(&mut self, region: &Region, text: &str) -> Flow {
        if !self.refuse_item(region, text, RefusalReason::CutOff) {
            return self.give_back(region, text, text.len());
        }
        self.advance(text.len());
        Flow::Next
    }

    /// An item is longer than the limit. It is known already, or not, where it ends.
    fn too_long(&mut self, region: Region, text: &str, end: Option<usize>) -> Flow {
        if !self.refuse_item(&region, text, RefusalReason::TooLong) {
            // At least a character, however small the limit is: else the same place would be read again.
            let end = floor(text, self.limit).max(ceil(text, 1));
            return self.give_back(&region, text, end);
        }
        let rows = vec![region.item_row()];
        self.state = match (end, region.item) {
            (None, Some((_, scanner, ends))) => {
                State::Skipped(Box::new(Skipped::new(rows, scanner, ends)))
            }
            (end, _) => {
                self.advance(end.unwrap_or(text.len()));
                self.indent = Some(0);
                State::Region(Box::new(Region::after(rows)))
            }
        };
        Flow::Next
    }

    /// Refuses an item that is not read to its end. Returns false if it may be none.
    fn refuse_item(&mut self, region: &Region, text: &str, reason: RefusalReason) -> bool {
        let row = region.item_row();
        let is_marked = row.strength > Strength::Weak;
        // More than the limit is there or not, as the text was cut.
        let known = match reason {
            RefusalReason::TooLong => &text[..floor(text, self.limit)],
            _ => text,
        };
        let known = known.get(region.at..).unwrap_or_default();
        let is_call = is_marked
            || match row.item {
                Item::Json => is_like_a_call(known, &self.tools),
                _ => true,
            };
        if is_call {
            let refusal = Refusal { name: None, reason };
            self.findings.refuse(refusal, text, row);
        }
        is_call
    }
}

fn is_unknown(attempt: &Attempt) -> bool {
    matches!(attempt, Err(refusal) if refusal.reason == RefusalReason::UnknownTool)
}
