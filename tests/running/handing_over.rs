//! The pieces of a response reach whoever reads them each once and in order, however the model, the reader and a cancel
//! interleave.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use futures_util::stream;
use toolwright::{
    ChatModel, ModelError, Runner,
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
    run::{Finish, Limits},
    runner::RunEvent,
};

use crate::order::Dice;

/// Says a word with each poll, waits for a turn or a while, and fails or panics now and then.
#[derive(Clone)]
struct Uneven {
    dice: Arc<Mutex<Dice>>,
    words: usize,
    said: Arc<AtomicUsize>,
    polls: Arc<AtomicUsize>,
}

fn word(number: usize) -> String {
    format!("{number} ")
}

impl Uneven {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let words = usize::try_from(dice.roll(300)).expect("is small");
        Self {
            dice: Arc::new(Mutex::new(dice)),
            words,
            said: Arc::default(),
            polls: Arc::default(),
        }
    }

    fn roll(&self, sides: u64) -> u64 {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        dice.roll(sides)
    }

    fn polls(&self) -> usize {
        self.polls.load(Ordering::SeqCst)
    }
}

impl ChatModel for Uneven {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let (mut waits, mut is_over) = (None, false);
        Box::pin(stream::poll_fn(move |cx| {
            self.polls.fetch_add(1, Ordering::SeqCst);
            let sleep = waits.get_or_insert_with(|| match self.roll(20) {
                0 => Some(Box::pin(tokio::time::sleep(Duration::from_millis(3)))),
                1 => {
                    cx.waker().wake_by_ref();
                    Some(Box::pin(tokio::time::sleep(Duration::ZERO)))
                }
                _ => None,
            });
            if let Some(sleep) = sleep
                && sleep.as_mut().poll(cx).is_pending()
            {
                return Poll::Pending;
            }
            waits = None;
            if is_over {
                return Poll::Ready(None);
            }
            match self.roll(1_000) {
                0 => panic!("on purpose"),
                1 => {
                    return Poll::Ready(Some(Err(ModelError::new(
                        ModelErrorKind::Transport,
                        "gone",
                    ))));
                }
                _ => {}
            }
            let said = self.said.load(Ordering::SeqCst);
            is_over = said == self.words;
            Poll::Ready(Some(Ok(if is_over {
                ModelEvent::Finished {
                    reason: FinishReason::Stop,
                    raw: None,
                }
            } else {
                self.said.store(said + 1, Ordering::SeqCst);
                ModelEvent::Text(word(said))
            })))
        }))
    }
}

/// Reads a run in a way that the seed decides, and cancels some of them: here, or in another task.
async fn read(seed: u64) {
    let model = Uneven::new(seed);
    let limits = Limits::chat().with_model_retries(0);
    let runner = Runner::builder(model.clone()).limits(limits).build();
    let mut handle = runner.expect("is consistent").start("Go.");
    let (mut text, mut cancelled_at, mut is_cancelled) = (String::new(), None, false);
    loop {
        let event = {
            let mut next = pin!(handle.next());
            // Some futures are dropped after their first poll.
            match poll_fn(|cx| Poll::Ready(next.as_mut().poll(cx))).await {
                Poll::Ready(event) => event,
                Poll::Pending if model.roll(3) == 0 => {
                    tokio::task::yield_now().await;
                    continue;
                }
                Poll::Pending => next.await,
            }
        };
        match event {
            Some(RunEvent::Delta(ModelEvent::Text(piece))) => text.push_str(&piece),
            Some(_) => {}
            None => break,
        }
        match model.roll(400) {
            0 if !is_cancelled => {
                handle.cancel();
                cancelled_at = Some(model.polls());
                is_cancelled = true;
            }
            1 if !is_cancelled => {
                let token = handle.cancellation();
                tokio::spawn(async move { token.cancel() });
                is_cancelled = true;
            }
            2 => tokio::task::yield_now().await,
            3 => tokio::time::sleep(Duration::from_millis(5)).await,
            _ => {}
        }
    }
    if let Some(polls) = cancelled_at {
        assert_eq!(model.polls(), polls, "polled after the cancel");
    }
    let said: String = (0..model.said.load(Ordering::SeqCst)).map(word).collect();
    assert_eq!(text, said);
    match handle.outcome().await {
        Ok(outcome) if outcome.finish == Finish::Answered => {
            assert_eq!(outcome.text, said);
            assert_eq!(model.said.load(Ordering::SeqCst), model.words);
        }
        Ok(outcome) => assert_eq!(outcome.text.trim(), said.trim()),
        Err(error) => assert_eq!(error.outcome.text.trim(), said.trim()),
    }
}

#[tokio::test(start_paused = true)]
async fn each_piece_is_read_once_whoever_waits_fails_or_cancels() {
    for seed in 1..=2_000 {
        let read = tokio::time::timeout(Duration::from_hours(1), read(seed));
        assert!(read.await.is_ok(), "run {seed} ends");
    }
}
