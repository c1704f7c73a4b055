use tokio::time;

use super::*;

fn after(admission: Admission) -> Reservation {
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
    // Calls come in bursts, and in trickles; some do not wait for their turn, and some use it late.
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for calls in [1, 2, 3, 7] {
        let limiter = RateLimiter::new();
        let (mut starts, mut turns) = (Vec::new(), Vec::new());
        for round in 0..2_000 {
            if round < 500 {
                match limiter.admit("tool", limit(calls)) {
                    Admission::Now => starts.push(Instant::now()),
                    Admission::After(turn) if random(4) > 0 => turns.push(turn),
                    Admission::After(_) => {}
                    Admission::Refused { .. } => panic!("nobody asked to fail"),
                }
            }
            if random(3) == 0 {
                time::advance(Duration::from_millis(random(40_000))).await;
            }
            if round < 500 && !turns.is_empty() && random(5) == 0 {
                let given_up: usize = random(turns.len() as u64).try_into().unwrap();
                turns.remove(given_up);
            }
            if random(4) == 0 {
                // Those that have come, in an order of their own.
                let come = std::mem::take(&mut turns).into_iter().rev();
                for turn in come {
                    match turn.start() {
                        Admission::Now => starts.push(Instant::now()),
                        Admission::After(later) => turns.insert(0, later),
                        Admission::Refused { .. } => panic!("it waits"),
                    }
                }
            }
        }
        assert!(starts.len() > 100, "{} calls", starts.len());
        for window in starts.windows(calls as usize + 1) {
            let between = window[calls as usize] - window[0];
            assert!(between >= Duration::from_mins(1), "{between:?} at {calls}");
        }
        // None is forgotten: whoever waits comes, each in turn.
        let begin = Instant::now();
        let left = u32::try_from(turns.len()).unwrap();
        for turn in turns {
            turn.come().await;
        }
        let most = Duration::from_mins(1) * (left / calls + 1);
        assert!(begin.elapsed() <= most, "{:?} for {left}", begin.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_used_late_moves_those_after_it() {
    let limiter = RateLimiter::new();
    assert!(matches!(limiter.admit("tool", limit(1)), Admission::Now));
    let mut turns: Vec<_> = (0..3)
        .map(|_| after(limiter.admit("tool", limit(1))))
        .collect();
    time::advance(Duration::from_mins(10)).await;
    for _ in 0..3 {
        // Whoever asks first goes, and the others wait for a whole period again.
        assert!(matches!(turns.remove(0).start(), Admission::Now));
        let impatient = limit(1).with_on_excess(OnExcess::Fail);
        let refused = limiter.admit("tool", impatient);
        assert!(matches!(refused, Admission::Refused { .. }));
        let waiting = std::mem::take(&mut turns);
        turns.extend(waiting.into_iter().map(|turn| after(turn.start())));
        let waits = turns.iter().map(|turn| turn.wait().as_secs());
        let expected = (1..=turns.len() as u64).map(|place| place * 60);
        assert_eq!(waits.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        time::advance(Duration::from_mins(1)).await;
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
    let known = limiter.starts.known();
    assert!(known <= 2 * 64, "{known} are known");
}

#[tokio::test(start_paused = true)]
async fn what_was_long_ago_is_forgotten() {
    let limiter = RateLimiter::new();
    for _ in 0..10_000 {
        assert!(matches!(limiter.admit("tool", limit(100)), Admission::Now));
        time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(limiter.starts.remembered("tool"), 60);
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
