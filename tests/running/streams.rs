//! Runs as streams for front ends: the frames, what a client makes of them, and what a client sends.

mod activities;
mod ag_ui;
mod ag_ui_requests;
mod assembled;
mod failures;
mod front_ends;
mod generated;
mod handed_over;
mod message_calls;
mod messages;
mod plain;
mod questions;
mod requests;
mod same;
mod scripts;
mod ui_message;
mod waiting_below;
