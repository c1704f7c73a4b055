//! Servers as runs see them.

#![allow(clippy::unwrap_used, missing_docs)]

mod asking_in_runs;
mod authorization;
mod beginning;
mod calls;
mod hostile;
mod lists;
mod npm;
mod outages;
mod over_http;
mod programs;
mod resumed_tasks;
mod scripted;
mod sessions;
mod task_server;
mod task_services;
mod tasks;
mod trust;
