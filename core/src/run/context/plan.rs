//! A plan for what is sent: which results are shortened, and what is left out.

use super::weight;
use crate::{
    conversation::{Compaction, Piece, Placed, ResultCut, cut, sent, shortened},
    message::ToolRound,
};

/// The bytes that results are cut to, where the latest ones alone are too long.
const CUTS: [u64; 6] = [16_384, 8_192, 4_096, 2_048, 1_024, 512];

/// The rules of a plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The weight that the pieces should have.
    pub(super) target: u64,
    /// The weight that they may have.
    pub(super) limit: u64,
    /// The weight of the note in the place of what is left out.
    pub(super) note: u64,
    /// The number of latest rounds whose results stay whole.
    pub(super) keep_rounds: u32,
    /// The index of the first message of the run.
    pub(super) run_from: usize,
    /// The number of all pieces, sent or not.
    pub(super) total: u64,
}

/// The compaction after which less is sent, if that can be: results are shortened, and where that is not enough, pieces
/// are left out. The latest results stay whole up to half of the target.
pub(super) fn plan(pieces: &[Placed<'_>], now: &Compaction, rules: &Rules) -> Option<Compaction> {
    let mut plan = Plan::new(pieces, now, rules);
    plan.keep_latest();
    if plan.weight(0, rules.run_from) <= rules.target {
        plan.keep_more();
    } else {
        plan.leave_out(rules.target);
    }
    plan.cut_latest();
    plan.compaction(now)
}

/// The compaction after which as little is sent as possible, if that is less.
pub(super) fn least(pieces: &[Placed<'_>], now: &Compaction, rules: &Rules) -> Option<Compaction> {
    let mut plan = Plan::new(pieces, now, rules);
    plan.shorten_most();
    plan.leave_out(0);
    plan.compaction(now)
}

/// Returns true if a compaction may follow another one: it leaves a valid conversation, and less of it.
pub(super) fn follows(
    pieces: &[Placed<'_>],
    now: &Compaction,
    next: &Compaction,
    rules: &Rules,
) -> bool {
    let plan = Plan::new(pieces, now, rules);
    let at = pieces.partition_point(|placed| placed.place < next.left_out);
    let from = usize::try_from(next.requests_from).unwrap_or(usize::MAX);
    let is_place = next.left_out == now.left_out
        || next.left_out == plan.place(at) && at <= plan.most() && plan.may_begin(at, from);
    let of = |one: &Compaction| (one.left_out, one.requests_from, one.shortened, one.cut);
    is_place
        && of(now) != of(next)
        && from <= rules.run_from
        && now.requests_from <= next.requests_from
        && now.left_out <= next.left_out
        && next.left_out <= next.shortened
        && now.shortened <= next.shortened
        && next.shortened <= rules.total
}

struct Plan<'a> {
    pieces: &'a [Placed<'a>],
    rules: &'a Rules,
    /// The weight of each piece as it is sent now, and that of it with its results shortened.
    weights: Vec<[u64; 2]>,
    /// True if something is left out now.
    has_note: bool,
    /// The first message whose user messages are sent now in any case.
    requests_now: u64,
    /// The first piece whose results are whole now.
    whole_now: usize,
    /// The first piece whose results stay whole.
    whole: usize,
    /// The first piece that is sent, apart from requests of the user.
    first: usize,
    /// The first message whose user messages are sent in any case.
    requests_from: usize,
    cut: Option<ResultCut>,
}

impl<'a> Plan<'a> {
    fn new(pieces: &'a [Placed<'a>], now: &Compaction, rules: &'a Rules) -> Self {
        let weights = pieces.iter().map(|placed| match placed.piece {
            Piece::Round(round) => {
                let as_sent = sent(now, placed.place, round);
                let as_sent = weight::of_round(as_sent.as_ref().unwrap_or(round));
                [as_sent, as_sent.min(weight::of_round(&shortened(round)))]
            }
            piece => [weight::of(piece); 2],
        });
        let whole = pieces.partition_point(|placed| placed.place < now.shortened);
        Self {
            pieces,
            rules,
            weights: weights.collect(),
            has_note: now.left_out > 0,
            requests_now: now.requests_from,
            whole_now: whole,
            whole,
            first: 0,
            requests_from: rules.run_from,
            cut: None,
        }
    }

    /// Keeps the results of the latest rounds whole, up to half of the target.
    fn keep_latest(&mut self) {
        let (mut weight, mut rounds) = (0, 0);
        self.whole = self.pieces.len();
        while self.whole > self.whole_now {
            weight += self.weights[self.whole - 1][0];
            if rounds >= self.rules.keep_rounds && weight > self.rules.target / 2 {
                return;
            }
            self.whole -= 1;
            rounds += u32::from(self.round(self.whole).is_some());
        }
    }

    /// Keeps more results whole, as long as everything fits.
    fn keep_more(&mut self) {
        let mut weight = self.weight(0, self.rules.run_from);
        while self.whole > self.whole_now {
            let [as_sent, short] = self.weights[self.whole - 1];
            weight += as_sent - short;
            if weight > self.rules.target {
                return;
            }
            self.whole -= 1;
        }
    }

    /// Leaves out the oldest pieces until the others have a weight. Turns before the run are left out whole, but for
    /// the last one, of which the request stays while something else does.
    fn leave_out(&mut self, target: u64) {
        let run = self.index_of(self.rules.run_from);
        let turn = self.pieces[..run]
            .iter()
            .rposition(|placed| is_request(placed));
        // A request that is not sent any more does not come back.
        let now = self.requests_now;
        if let Some(turn) = turn.filter(|turn| self.pieces[*turn].message as u64 >= now) {
            self.requests_from = self.pieces[turn].message;
            self.first = self.first_for(target);
            if turn < self.first && self.first < run {
                return;
            }
        }
        self.requests_from = self.rules.run_from;
        self.first = self.first_for(target);
    }

    /// The first piece that is sent if everything is to have a weight.
    fn first_for(&self, target: u64) -> usize {
        let (most, from) = (self.most(), self.requests_from);
        let mut weight = self.weight(0, from);
        let mut first = 0;
        while first < most
            && (!self.may_begin(first, from) || weight > target && first < self.whole)
        {
            if !self.is_kept(first, from) {
                weight -= self.weight_at(first);
            }
            weight += self.note(first + 1) - self.note(first);
            first += 1;
        }
        // A request that is kept begins what follows.
        while first > 0 && self.is_kept(first - 1, from) {
            first -= 1;
        }
        first
    }

    /// Cuts the results that should stay whole, if they alone are too long.
    fn cut_latest(&mut self) {
        let weight = self.weight(self.first, self.requests_from);
        // A little over the target is better than a cut.
        if weight <= self.rules.target.midpoint(self.rules.limit) {
            return;
        }
        let Rules { target, limit, .. } = *self.rules;
        let fits = |room: u64| {
            CUTS.into_iter()
                .find(|&bytes| self.weight_cut(bytes) <= room)
        };
        if let Some(bytes) = fits(target).or_else(|| fits(limit)) {
            self.cut = Some(ResultCut::new(self.rules.total, bytes));
        } else {
            self.shorten_most();
            self.leave_out(target);
        }
    }

    /// Shortens all results but the latest, which are cut.
    fn shorten_most(&mut self) {
        self.whole = self.whole.max(self.pieces.len().saturating_sub(1));
        self.cut = CUTS
            .last()
            .map(|&bytes| ResultCut::new(self.rules.total, bytes));
    }

    fn weight_cut(&self, bytes: u64) -> u64 {
        let less = |index: usize| match self.round(index) {
            Some(round) => {
                self.weights[index][0].saturating_sub(weight::of_round(&cut(round, bytes)))
            }
            None => 0,
        };
        let whole = self.whole.max(self.first)..self.pieces.len();
        self.weight(self.first, self.requests_from) - whole.map(less).sum::<u64>()
    }

    /// The weight of everything from a piece on, with the requests of the user that are before it.
    fn weight(&self, first: usize, requests_from: usize) -> u64 {
        let is_sent = |index: &usize| *index >= first || self.is_kept(*index, requests_from);
        let sent = (0..self.pieces.len()).filter(is_sent);
        self.note(first) + sent.map(|index| self.weight_at(index)).sum::<u64>()
    }

    /// The weight of the note in front of what is sent from a piece on.
    fn note(&self, first: usize) -> u64 {
        if first > 0 || self.has_note {
            self.rules.note
        } else {
            0
        }
    }

    fn weight_at(&self, index: usize) -> u64 {
        self.weights[index][usize::from(index < self.whole)]
    }

    fn is_kept(&self, index: usize, requests_from: usize) -> bool {
        let placed = &self.pieces[index];
        is_request(placed) && placed.message >= requests_from
    }

    /// The last piece that may be the first one: the latest response is never left out.
    fn most(&self) -> usize {
        let mut most = match self.pieces.last() {
            Some(placed) if is_request(placed) => self.pieces.len(),
            _ => self.pieces.len().saturating_sub(1),
        };
        while most > 0 && self.goes_on(most) {
            most -= 1;
        }
        most
    }

    /// Returns true if what is sent may begin with a piece: where a turn begins, or in one whose request is kept.
    fn may_begin(&self, index: usize, requests_from: usize) -> bool {
        let begins = match self.pieces.get(index) {
            Some(placed) => is_request(placed) || placed.message >= requests_from,
            None => true,
        };
        index == 0 || begins && !self.goes_on(index)
    }

    /// Returns true if a piece goes on with the response before it, which its provider had paused.
    fn goes_on(&self, index: usize) -> bool {
        let before = index
            .checked_sub(1)
            .and_then(|before| self.pieces.get(before));
        let is_response = before.is_some_and(|placed| matches!(placed.piece, Piece::Response(_)));
        let this = self.pieces.get(index);
        is_response && this.is_some_and(|placed| !is_request(placed))
    }

    fn round(&self, index: usize) -> Option<&'a ToolRound> {
        match self.pieces[index].piece {
            Piece::Round(round) => Some(round),
            _ => None,
        }
    }

    fn index_of(&self, message: usize) -> usize {
        self.pieces
            .partition_point(|placed| placed.message < message)
    }

    fn place(&self, index: usize) -> u64 {
        let placed = self.pieces.get(index);
        placed.map_or(self.rules.total, |placed| placed.place)
    }

    /// The compaction, if it leaves less than now.
    fn compaction(&self, now: &Compaction) -> Option<Compaction> {
        let weight = match self.cut {
            Some(cut) => self.weight_cut(cut.bytes),
            None => self.weight(self.first, self.requests_from),
        };
        let as_sent = self.weights.iter().map(|[as_sent, _]| as_sent);
        if weight >= self.note(self.first) + as_sent.sum::<u64>() {
            return None;
        }
        let mut next = now.clone();
        if self.first > 0 {
            next.left_out = self.place(self.first).max(now.left_out);
            next.requests_from = (self.requests_from as u64).max(now.requests_from);
        }
        next.shortened = self.place(self.whole).max(now.shortened).max(next.left_out);
        next.cut = match (self.cut, now.cut) {
            (Some(new), Some(old)) if old.before > next.shortened => {
                Some(ResultCut::new(new.before, new.bytes.min(old.bytes)))
            }
            (Some(new), _) => Some(new),
            (None, old) => old.filter(|old| old.before > next.shortened),
        };
        Some(next)
    }
}

fn is_request(placed: &Placed<'_>) -> bool {
    matches!(placed.piece, Piece::User(_))
}
