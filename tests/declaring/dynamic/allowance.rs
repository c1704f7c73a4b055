//! Work that is bounded, told by what it allocates: time is another on every machine.

use std::{
    future::poll_fn,
    pin::pin,
    task::{Context, Poll},
};

use allocation_counter::measure;

/// How many bytes the work on one schema may allocate in all, given back or not. What does a part of it
/// again for each reference, or each way, that leads there allocates many times that, or never ends.
const MOST: u64 = 384 << 20;

/// Does work, and asserts that it keeps to its allowance.
pub(super) fn sparingly<T>(work: impl FnOnce() -> T) -> T {
    let mut result = None;
    let allocated = measure(|| result = Some(work())).bytes_total;
    assert!(allocated <= MOST, "{allocated} bytes");
    result.expect("the work is done")
}

/// The same for work that is awaited.
pub(super) async fn sparing<T>(work: impl Future<Output = T>) -> T {
    let (mut work, mut allocated) = (pin!(work), 0);
    let poll = |cx: &mut Context<'_>| {
        let mut polled = Poll::Pending;
        allocated += measure(|| polled = work.as_mut().poll(cx)).bytes_total;
        polled
    };
    let result = poll_fn(poll).await;
    assert!(allocated <= MOST, "{allocated} bytes");
    result
}
