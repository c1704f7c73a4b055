//! The run over every schedule: whatever happens in whatever order, what always holds does.

mod invariants;
mod replies;
mod schedules;
mod successors;
mod world;

use std::{
    collections::HashSet,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
};

use invariants::check;
use replies::{Script, brief, delayed, disobedient, scripted, shared};
use successors::successors;
use world::World;
pub(super) use world::{More, ONCE, config};

use super::*;

pub(super) fn explore(script: Script, config: RunConfig, more: More) -> usize {
    let mut seen = HashSet::new();
    let mut open = vec![World::new(script, config, more)];
    while let Some(world) = open.pop() {
        let key = format!("{:?} {:?}", world.run, world.more);
        if !seen.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(key)) {
            continue;
        }
        check(&world);
        let next = successors(&world);
        let over = world.run.outcome().is_some();
        assert_eq!(next.is_empty(), over, "stuck: {:?}", world.log);
        open.extend(next);
    }
    seen.len()
}
