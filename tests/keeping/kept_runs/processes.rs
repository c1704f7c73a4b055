//! Processes of their own that drive runs, and what they are made of.

mod folder;
mod points;
mod postgres;
mod script;
mod started;
mod stores;

use std::env;

pub(super) use folder::{FOLDER, Folder};
pub(super) use points::{Point, Points};
pub(super) use script::{STEPS, Script, began, shipping, tools};
pub(super) use started::{Process, Signal};
pub(super) use stores::{Kind, Pointed};

/// Numbers that look random and are the same every time.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// A number from the environment: tests are longer with a greater one.
pub(super) fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Says something to the test that has started this process.
macro_rules! say {
    ($($said:tt)*) => {{
        let said = format!($($said)*);
        // Nobody may read it any more.
        let _ = std::io::Write::write_all(&mut std::io::stdout(), format!("@ {said}\n").as_bytes());
    }};
}

pub(super) use say;
