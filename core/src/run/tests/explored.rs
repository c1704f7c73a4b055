//! The run over every schedule: whatever happens in whatever order, what always holds does.

mod invariants;
mod ledger;
mod replies;
mod schedules;
mod successors;
mod teeth;
mod world;

use std::collections::HashSet;

use invariants::{check, check_log, check_step};
use ledger::Ledger;
use replies::{
    Script, answering, approving, brief, delayed, disobedient, handing, resuming, scripted, shared,
};
use successors::successors;
use world::World;
pub(super) use world::{More, ONCE, config};

use super::*;

/// One log of so many is read again from its start. Each step of every log is.
const READ_AGAIN: u64 = 64;

/// Looks at every state that the bounds allow, and gives their number.
pub(super) fn explore(script: Script, config: RunConfig, more: More) -> usize {
    let bounds = (config.limits.max_rounds, config.concurrency);
    let (mut text, mut transcripts) = (String::new(), HashSet::new());
    let mut first = World::new(script, config, more);
    let mut seen = HashSet::from([first.key(&mut text)]);
    check_log(&first);
    check(&first, &mut transcripts);
    let (mut open, mut steps) = (vec![first], 0);
    while let Some(world) = open.pop() {
        let next = successors(&world);
        let over = world.run.is_over();
        assert_eq!(next.is_empty(), over, "stuck: {:?}", world.log.log());
        steps += next.len();
        for mut next in next {
            let key = next.key(&mut text);
            if !seen.insert(key) {
                continue;
            }
            check_step(&world, &next);
            check(&next, &mut transcripts);
            if key % READ_AGAIN == 0 {
                check_log(&next);
            }
            open.push(next);
        }
    }
    let (states, (rounds, at_once)) = (seen.len(), bounds);
    println!("{states} states, {steps} steps: {rounds} rounds, {at_once} at once, {more:?}");
    states
}
