use futures_util::{FutureExt, StreamExt};

use super::*;
use toolwright_core::tool::{Effects, ToolCall};

fn request(name: &str) -> ApprovalRequest {
    ApprovalRequest::new(ToolCall::new("", name, "{}"), Effects::Write)
}

#[test]
fn requests_come_out_once_and_are_answered_in_any_order() {
    let (approver, queue) = ApprovalQueue::new();
    let mut first = approver.decide(request("first"));
    let mut second = approver.decide(request("second"));
    let next = || queue.next().now_or_never().flatten().unwrap();
    let (one, two) = (next(), next());
    assert_eq!(
        (&*one.request.call.name, &*two.request.call.name),
        ("first", "second")
    );
    assert!(queue.next().now_or_never().is_none());
    assert!((&mut first).now_or_never().is_none());
    let denied = Decision::deny("no");
    queue.answer(two.id, denied.clone()).unwrap();
    assert_eq!(queue.pending().len(), 1);
    assert_eq!((&mut second).now_or_never(), Some(denied.clone()));
    assert!((&mut first).now_or_never().is_none());
    let edited = Decision::approve_with(r#"{"a":1}"#);
    queue.answer(one.id, edited.clone()).unwrap();
    assert_eq!(queue.answer(one.id, denied), Err(NotPending(one.id)));
    assert_eq!(first.now_or_never(), Some(edited));
    assert!(queue.pending().is_empty());
}

#[tokio::test]
async fn an_answer_wakes_the_call_and_a_request_the_reader() {
    let (approver, queue) = ApprovalQueue::new();
    let queue = Arc::new(queue);
    let answering = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move {
            while let Some(pending) = queue.next().await {
                queue.answer(pending.id, Decision::Approve).unwrap();
            }
        }
    });
    for _ in 0..3 {
        tokio::task::yield_now().await;
        assert_eq!(approver.decide(request("pay")).await, Decision::Approve);
    }
    drop(approver);
    answering.await.unwrap();
}

#[test]
fn what_nobody_answers_is_denied() {
    let (approver, queue) = ApprovalQueue::new();
    let mut waiting = approver.decide(request("pay"));
    assert!((&mut waiting).now_or_never().is_none());
    drop(queue);
    let denied = Decision::deny("nobody is there to approve it");
    assert_eq!(waiting.now_or_never(), Some(denied.clone()));
    assert_eq!(approver.decide(request("pay")).now_or_never(), Some(denied));
}

#[test]
fn a_cancelled_call_leaves_the_queue() {
    let (approver, mut queue) = ApprovalQueue::new();
    let seen = approver.decide(request("seen"));
    let id = queue.next().now_or_never().flatten().unwrap().id;
    drop(seen);
    assert_eq!(queue.answer(id, Decision::Approve), Err(NotPending(id)));
    drop(approver.decide(request("unseen")));
    let waits = approver.decide(request("waits"));
    assert_eq!(queue.pending().len(), 1);
    let next = StreamExt::next(&mut queue)
        .now_or_never()
        .flatten()
        .unwrap();
    assert_eq!(next.request.call.name, "waits");
    drop(waits);
    drop(approver);
    assert!(queue.next().now_or_never().unwrap().is_none());
}

#[test]
fn nothing_piles_up_where_nobody_reads() {
    let (approver, queue) = ApprovalQueue::new();
    let open: Vec<_> = (0..100).map(|_| approver.decide(request("open"))).collect();
    for _ in 0..1000 {
        drop(approver.decide(request("gone")));
    }
    let unseen = lock(&queue.shared).unseen.len();
    assert!((100..=300).contains(&unseen), "{unseen}");
    drop(open);
    assert!(lock(&queue.shared).unseen.is_empty());
}
