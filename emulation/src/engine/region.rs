//! The reader of a part of a text where calls are, or may be.

use toolwright_json::char_boundary::floor;

use crate::{
    attempt::Reading,
    formats::Strength,
    item::{Item, Scan, json::is_like_a_call},
    marker,
    rules::{Form, Mark, TextSource},
    text_calls::RefusalReason,
};

use super::{
    Broken, Engine, Flow, Skipped, State,
    between::{Between, Region},
    line::Behind,
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
                Between::Closed => return self.leave(&region, text, true),
                Between::Opened => return self.leave(&region, text, false),
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
                Between::Unknown if region.items > 0 => return self.leave(&region, text, true),
                Between::Unknown => return self.no_item(region, text),
            }
        }
    }

    fn wait(&mut self, region: Region) -> Flow {
        self.state = State::Region(Box::new(region));
        Flow::Wait
    }

    /// Goes on with text behind what was read.
    fn leave(&mut self, region: &Region, text: &str, is_closed: bool) -> Flow {
        self.lacks_close = !is_closed;
        if region.items == 0 {
            self.begin_group(region.mark, region.is_block());
            self.lacks_fence |= region.is_fence();
        }
        self.take(&text[..region.at]);
        Flow::Next
    }

    /// Goes on with text after calls without a closing marker.
    fn leave_text(&mut self, region: &Region, text: &str) -> Flow {
        let passed = text[..region.at].trim_end().len();
        self.lacks_close = true;
        self.take(&text[..passed]);
        if region.is_block() {
            self.mix();
            self.settle(Behind::Line);
        }
        Flow::Next
    }

    /// A marker is closed at once.
    fn empty(&mut self, region: &Region, text: &str) -> Flow {
        if region.is_weak() {
            return self.give_back(region, text, region.opening);
        }
        self.begin_group(region.mark, region.is_block());
        let reason = RefusalReason::Malformed("the call is missing".to_owned());
        self.add_refused(reason, &text[..region.at], region.rows[0]);
        self.lacks_close = false;
        self.take(&text[..region.at]);
        Flow::Next
    }

    /// What a marker opened has no call.
    fn no_item(&mut self, region: Region, text: &str) -> Flow {
        if region.is_weak() {
            return self.give_back(&region, text, region.opening);
        }
        self.state = State::Broken(Broken::new(region, false));
        Flow::Next
    }

    /// What was held back is text.
    fn give_back(&mut self, region: &Region, text: &str, len: usize) -> Flow {
        let ticks = marker::ticks(text);
        if region.items > 0 && region.is_block() {
            self.mix();
            self.settle(Behind::Line);
            return Flow::Next;
        }
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
        let (all, written) = (&text[..end], &text[region.at..end]);
        let reading = row.item.read(&scanner, written, &self.tools, is_marked);
        let (attempts, form) = match reading {
            Reading::Text => return self.give_back(&region, text, end),
            Reading::NoTool => (Vec::new(), Form::Data),
            Reading::Attempts(attempts) if row.item.is_code(written) => (attempts, Form::Code),
            Reading::Attempts(attempts) => (attempts, Form::Data),
            Reading::Loose(attempts) => (attempts, Form::Loose),
        };
        self.begin_group(region.mark, region.is_block());
        self.add(attempts, form, all, row);
        let start = all.find('{').unwrap_or_default();
        if matches!(row.item, Item::Named(_)) && all[region.at.min(start)..start].contains("```") {
            region.fence = Some(3);
        }
        self.take(all);
        (region.at, region.opening) = (0, 0);
        region.items += 1;
        region.rows = vec![row];
        self.state = State::Region(Box::new(region));
        Flow::Next
    }

    /// An item goes wrong at a place.
    fn failed(&mut self, region: Region, text: &str, at: usize) -> Flow {
        if region.is_weak() {
            // What it goes wrong at may begin something else.
            return self.give_back(&region, text, at);
        }
        self.state = State::Broken(Broken::new(Region { at, ..region }, true));
        Flow::Next
    }

    /// The text ends within an item.
    fn cut_off(&mut self, region: &Region, text: &str) -> Flow {
        if !self.is_attempt(region, text) {
            return self.give_back(region, text, text.len());
        }
        self.begin_group(region.mark, region.is_block());
        self.add_refused(RefusalReason::CutOff, text, region.item_row());
        self.take(text);
        Flow::Next
    }

    /// An item is longer than the limit. It is known already, or not, where it ends.
    fn too_long(&mut self, mut region: Region, text: &str, end: Option<usize>) -> Flow {
        // More than the limit is there or not, as the text was cut.
        let start = &text[..floor(text, self.limit)];
        let is_text = region.mark == Mark::None && self.source != TextSource::Decision
            || !self.is_attempt(&region, start);
        if is_text && region.is_block() {
            return self.give_back(&region, text, region.opening);
        }
        if !is_text {
            self.begin_group(region.mark, region.is_block());
            self.add_refused(RefusalReason::TooLong, start, region.item_row());
            self.lose();
        }
        let rows = vec![region.item_row()];
        match (end, region.item.take()) {
            (None, Some((row, scanner, ends))) => {
                region.rows = vec![row];
                let skipped = Skipped::new(&region, is_text, (scanner, ends));
                self.state = State::Skipped(Box::new(skipped));
            }
            (end, _) if is_text => self.tell(&text[..end.unwrap_or(text.len())]),
            (end, _) => {
                self.advance(end.unwrap_or(text.len()));
                self.state = State::Region(Box::new(Region::after(rows, region.mark)));
            }
        }
        Flow::Next
    }

    /// Returns true if an item that is not read to its end was meant as a call.
    fn is_attempt(&self, region: &Region, text: &str) -> bool {
        let row = region.item_row();
        let known = text.get(region.at..).unwrap_or_default();
        match row.item {
            Item::Json if row.strength == Strength::Weak => is_like_a_call(known, &self.tools),
            _ => true,
        }
    }
}
