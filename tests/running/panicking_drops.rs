//! A panic while work is dropped, of a tool, a middleware, an approver or a model, stays in that work: what runs beside it
//! is dropped as well.

use std::{
    future::{Future, pending},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use futures_util::{Stream, StreamExt};
use toolwright::{
    ChatModel, Dispatch, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::{CallOptions, dispatch_fn},
    middleware::around,
    model::{ModelEvent, ModelRequest, ModelStream},
    testing::{ScriptedModel, ScriptedResponse},
    tool::ToolPolicy,
};

use crate::handwritten::Handwritten;

/// Counts its drop and panics.
struct Bomb(Arc<AtomicUsize>);

impl Drop for Bomb {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic!("while it is dropped");
    }
}

/// How many bombs were made, and how often one was dropped.
#[derive(Clone, Default)]
struct Bombs {
    made: Arc<AtomicUsize>,
    drops: Arc<AtomicUsize>,
}

impl Bombs {
    fn one(&self) -> Bomb {
        self.made.fetch_add(1, Ordering::SeqCst);
        Bomb(Arc::clone(&self.drops))
    }

    /// Each bomb was dropped. None is made by what was not polled.
    fn all_went_off(&self) -> bool {
        self.drops.load(Ordering::SeqCst) == self.made.load(Ordering::SeqCst)
    }
}

/// Waits for ever, and holds a bomb.
fn waits(name: &'static str, policy: ToolPolicy, bombs: &Bombs) -> Handwritten {
    let bombs = bombs.clone();
    let tool = Handwritten::new(name, move |_, _| {
        let bomb = bombs.one();
        async move {
            let _bomb = bomb;
            pending().await
        }
    });
    tool.with_policy(policy)
}

fn tools(bombs: &Bombs) -> Toolset {
    let asks = ToolPolicy::default().with_approval();
    let spawned = ToolPolicy::default().with_spawn();
    let plain = ToolPolicy::default();
    let named = [("wait", plain), ("spawned", spawned), ("asks", asks)];
    let set = named
        .into_iter()
        .try_fold(Toolset::new(), |set, (name, policy)| {
            set.with(waits(name, policy, bombs))
        });
    let made = bombs.clone();
    let layer = around(move |call, cx, next: toolwright::middleware::Next| {
        let bomb = made.one();
        async move {
            let _bomb = bomb;
            next.run(call, cx).await
        }
    });
    let set = set.expect("the names differ").layer(layer);
    set.with(waits("bare", plain, bombs)).expect("another name")
}

fn calls() -> Vec<ToolCall> {
    let names = ["wait", "spawned", "asks", "bare", "wait", "asks", "bare"];
    names.map(|name| ToolCall::new("", name, "{}")).into()
}

fn options(bombs: &Bombs) -> CallOptions {
    let bombs = bombs.clone();
    CallOptions::new().with_approver(move |_: ApprovalRequest| {
        let bomb = bombs.one();
        async move {
            let _bomb = bomb;
            pending::<Decision>().await
        }
    })
}

fn poll<T>(future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Drops a value, also while a panic is under way.
fn drop_both_ways(make: impl Fn(&Bombs) -> Box<dyn FnOnce()>) {
    struct Last(Option<Box<dyn FnOnce()>>);

    impl Drop for Last {
        fn drop(&mut self) {
            self.0.take().expect("is there")();
        }
    }

    let bombs = Bombs::default();
    make(&bombs)();
    assert!(bombs.all_went_off(), "{:?}", bombs.drops);

    let bombs = Bombs::default();
    let drops = make(&bombs);
    let last = Last(Some(drops));
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        let _last = last;
        panic!("something else");
    }));
    let text = unwound.expect_err("it panicked");
    assert_eq!(text.downcast_ref::<&str>(), Some(&"something else"));
    assert!(bombs.all_went_off(), "{:?}", bombs.drops);
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().build().expect("it starts")
}

#[test]
fn of_a_dispatch() {
    for polls in 0..3 {
        drop_both_ways(|bombs| {
            let (tools, options, calls) = (tools(bombs), options(bombs).into(), calls());
            Box::new(move || {
                let runtime = runtime();
                let _entered = runtime.enter();
                let mut dispatch = Box::pin(tools.dispatch_with(&calls, &options));
                for _ in 0..polls {
                    assert!(poll(dispatch.as_mut()).is_pending());
                }
            })
        });
    }
}

#[test]
fn of_a_dispatch_stream() {
    for events in [0, 1, 6] {
        drop_both_ways(|bombs| {
            let (tools, options, calls) = (tools(bombs), options(bombs).into(), calls());
            Box::new(move || {
                let runtime = runtime();
                runtime.block_on(async {
                    let mut stream = tools.dispatch_stream(&calls, &options);
                    for _ in 0..events {
                        assert!(stream.next().await.is_some());
                    }
                    drop(stream);
                });
            })
        });
    }
}

#[test]
fn of_a_dispatch_with_a_closure() {
    drop_both_ways(|bombs| {
        let (options, calls, bombs) = (options(bombs).into(), calls(), bombs.clone());
        Box::new(move || {
            let run = move |_: &ToolCall, _: ToolContext| {
                let bomb = bombs.one();
                async move {
                    let _bomb = bomb;
                    pending::<Result<ToolOutput, ToolError>>().await
                }
            };
            let runtime = runtime();
            let _entered = runtime.enter();
            let mut dispatch = Box::pin(dispatch_fn(&calls, &options, run));
            assert!(poll(dispatch.as_mut()).is_pending());
        })
    });
}

/// A model whose replies hold a bomb each.
struct Explosive(ScriptedModel, Bombs);

struct Events<'a>(
    ModelStream<'a>,
    #[expect(dead_code, reason = "only its drop counts")] Bomb,
);

impl Stream for Events<'_> {
    type Item = Result<ModelEvent, toolwright::ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(cx)
    }
}

impl ChatModel for Explosive {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        Box::pin(Events(self.0.stream(request), self.1.one()))
    }
}

/// A run that asks the model at once, or runs all calls.
fn runner(bombs: &Bombs, calling: bool, streaming: bool) -> Runner {
    let builder = if calling {
        let reply = ModelResponse::from_calls(calls());
        Runner::builder(ScriptedModel::new([reply]))
    } else {
        let reply = ScriptedResponse::Stall(ModelResponse::from_text("So far"));
        let model = ScriptedModel::new([reply]);
        Runner::builder(Explosive(model, bombs.clone()))
    };
    let builder = builder
        .tools(tools(bombs))
        .streaming(streaming)
        .calls(options(bombs));
    builder.build().expect("is consistent")
}

#[test]
fn of_a_run() {
    for streaming in [true, false] {
        for polls in 0..4 {
            drop_both_ways(|bombs| {
                let runner = runner(bombs, false, streaming);
                Box::new(move || {
                    let mut handle = runner.start("Go.");
                    for _ in 0..polls {
                        let _ = poll(std::pin::pin!(handle.next()));
                    }
                })
            });
        }
    }
}

#[test]
fn of_a_run_whose_calls_are_under_way() {
    drop_both_ways(|bombs| {
        let runner = runner(bombs, true, true);
        Box::new(move || {
            let runtime = runtime();
            let _entered = runtime.enter();
            let mut handle = runner.start("Go.");
            for _ in 0..40 {
                let _ = poll(std::pin::pin!(handle.next()));
            }
            drop(handle);
        })
    });
}
