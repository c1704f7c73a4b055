use super::*;

fn after(admission: Admission) -> Turn {
    match admission {
        Admission::After(turn) => turn,
        other => panic!("{other:?} is no turn"),
    }
}

/// So many calls in 60 seconds.
fn limit(calls: u32) -> RateLimit {
    RateLimit::per_minute(calls)
}

#[tokio::test(start_paused = true)]
async fn no_stretch_of_time_has_more_starts_than_the_limit_allows() {
    // Calls come in bursts, and in trickles; some do not wait for their turn.
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for calls in [1, 2, 3, 7] {
        let limiter = RateLimiter::new();
        let (begin, mut starts, mut turns) = (Instant::now(), Vec::new(), Vec::new());
        for _ in 0..500 {
            match limiter.admit("tool", limit(calls)) {
                Admission::Now => starts.push(Instant::now()),
                Admission::After(turn) if random(4) > 0 => turns.push(turn),
                Admission::After(_) => {}
                Admission::Refused { .. } => panic!("nobody asked to fail"),
            }
            if random(3) == 0 {
                time::advance(Duration::from_millis(random(40_000))).await;
            }
            if !turns.is_empty() && random(5) == 0 {
                let given_up: usize = random(turns.len() as u64).try_into().unwrap();
                turns.remove(given_up);
            }
        }
        starts.extend(turns.iter().map(|turn| turn.at));
        starts.sort_unstable();
        assert!(starts.len() > 100, "{} calls since {begin:?}", starts.len());
        for window in starts.windows(calls as usize + 1) {
            let between = window[calls as usize] - window[0];
            assert!(between >= Duration::from_mins(1), "{between:?} at {calls}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_calls_keep_their_order_and_are_not_passed() {
    let limiter = RateLimiter::new();
    let two = limit(2);
    assert!(matches!(limiter.admit("tool", two), Admission::Now));
    assert!(matches!(limiter.admit("tool", two), Admission::Now));
    let waits: Vec<_> = (0..5).map(|_| after(limiter.admit("tool", two))).collect();
    let seconds = waits.iter().map(|turn| turn.wait().as_secs());
    assert_eq!(seconds.collect::<Vec<_>>(), [60, 60, 120, 120, 180]);
    // The turn of one in the middle passes unused.
    let mut waits = waits;
    drop(waits.remove(2));
    assert_eq!(after(limiter.admit("tool", two)).wait().as_secs(), 180);
}

#[tokio::test(start_paused = true)]
async fn turns_that_nobody_waits_for_are_free_again() {
    let limiter = RateLimiter::new();
    assert!(matches!(limiter.admit("tool", limit(1)), Admission::Now));
    for given_up_first in [0, 999, 500] {
        let mut turns: Vec<_> = (0..1000)
            .map(|_| after(limiter.admit("tool", limit(1))))
            .collect();
        assert_eq!(turns[999].wait().as_secs(), 60_000);
        drop(turns.remove(given_up_first));
        drop(turns);
        assert_eq!(after(limiter.admit("tool", limit(1))).wait().as_secs(), 60);
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_comes_and_then_counts() {
    let limiter = RateLimiter::new();
    assert!(matches!(limiter.admit("tool", limit(1)), Admission::Now));
    let begin = Instant::now();
    after(limiter.admit("tool", limit(1))).come().await;
    assert_eq!(begin.elapsed().as_secs(), 60);
    let failing = limit(1).with_on_excess(OnExcess::Fail);
    time::advance(Duration::from_secs(20)).await;
    let refused = limiter.admit("tool", failing);
    let Admission::Refused { retry_after } = refused else {
        panic!("{refused:?} is no refusal");
    };
    assert!(retry_after <= Duration::from_secs(40), "{retry_after:?}");
    // What is refused does not count.
    time::advance(retry_after).await;
    assert!(matches!(limiter.admit("tool", failing), Admission::Now));
}

#[tokio::test(start_paused = true)]
async fn tools_have_limits_of_their_own() {
    let limiter = RateLimiter::new();
    assert!(matches!(limiter.admit("one", limit(1)), Admission::Now));
    assert!(matches!(
        limiter.clone().admit("two", limit(1)),
        Admission::Now
    ));
    let again = limiter.clone().admit("one", limit(1));
    assert_eq!(after(again).wait().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn tools_that_are_gone_are_forgotten() {
    let limiter = RateLimiter::new();
    for number in 0..10_000 {
        let name = format!("tool_{number}");
        assert!(matches!(limiter.admit(&name, limit(1)), Admission::Now));
        time::advance(Duration::from_secs(1)).await;
    }
    let known = lock(&limiter.tools).by_name.len();
    assert!(known <= 2 * 64, "{known} are known");
}

#[tokio::test(start_paused = true)]
async fn what_was_long_ago_is_forgotten() {
    let limiter = RateLimiter::new();
    for _ in 0..10_000 {
        assert!(matches!(limiter.admit("tool", limit(100)), Admission::Now));
        time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(lock(&limiter.tools).by_name["tool"].booked.len(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_period_without_end_is_no_panic() {
    let limiter = RateLimiter::new();
    let once = RateLimit::new(1, Duration::MAX);
    assert!(matches!(limiter.admit("tool", once), Admission::Now));
    for _ in 0..3 {
        let turn = after(limiter.admit("tool", once));
        assert!(turn.wait() > Duration::from_hours(24 * 365));
        std::mem::forget(turn);
    }
    assert!(matches!(
        limiter.admit("tool", limit(1)),
        Admission::After(_)
    ));
}
