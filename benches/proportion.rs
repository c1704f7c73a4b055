//! Time in proportion to what came: eight times the bytes take as long as doing the bytes eight times. It
//! fails where that is not so.

#[path = "../fuzz/src/bodies.rs"]
#[allow(dead_code, reason = "schemas have no shape that grows")]
mod bodies;
#[path = "../fuzz/src/codecs.rs"]
#[allow(dead_code, reason = "fuzz targets choose by bytes")]
mod codecs;
#[path = "../fuzz/src/growing.rs"]
mod growing;
#[path = "../fuzz/src/requests.rs"]
#[allow(dead_code, reason = "what was sent is for the tests")]
mod requests;

use std::{
    fs,
    time::{Duration, Instant},
};

/// What is done with a text.
type Body = fn(&str);

/// How many bytes the short ones have. They are done as often as the long ones are longer.
const SHORT: usize = 1 << 13;
const LONGER: usize = 8;
/// How much longer the long one may take than all of the short ones.
const MOST: f64 = 3.0;
/// Less than this is noise.
const NOISE: Duration = Duration::from_millis(30);

/// The time that this thread has had, where the system tells it; else the time.
fn spent(start: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn main() {
    let start = Instant::now();
    let mut all = Vec::new();
    let mut measure = |name: String, work: &dyn Fn(usize)| {
        let time = |times, bytes| {
            let before = spent(start);
            (0..times).for_each(|_| work(bytes));
            spent(start) - before
        };
        let (short, long) = (time(LONGER, SHORT), time(1, LONGER * SHORT));
        let times = long.as_secs_f64() / short.as_secs_f64();
        if long > NOISE {
            all.push((times, name, short, long));
        }
    };
    let texts: [(Body, &str); 3] = [
        (bodies::repair, ""),
        (bodies::arguments, ""),
        (bodies::coercion, growing::UNION),
    ];
    for shape in growing::TEXTS {
        for (number, (body, schema)) in texts.into_iter().enumerate() {
            let work = |bytes| body(&format!("{schema}{}", growing::grown(shape, bytes)));
            measure(
                format!(
                    "{} of {shape:?}",
                    ["repair", "arguments", "coercion"][number]
                ),
                &work,
            );
        }
    }
    for (name, event) in growing::streams() {
        let codec = codecs::codec(name);
        let work = |bytes| {
            let stream = growing::numbered("", event, "", bytes);
            codecs::check(codec, 3, stream.as_bytes());
        };
        measure(format!("{name}: {}", event(1).trim()), &work);
    }
    for codec in &codecs::CODECS {
        for shape in growing::ANSWERS {
            let work = |bytes| codecs::check(codec, 3, growing::grown(shape, bytes).as_bytes());
            measure(format!("{}: {shape:?}", codec.name), &work);
        }
    }
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("{} are long enough to be measured; the worst:", all.len());
    for (times, name, short, long) in all.iter().take(10) {
        println!("{times:5.2} times: {short:?}, then {long:?}: {name:.150}");
    }
    if let Some((times, name, ..)) = all.first() {
        assert!(
            *times < MOST,
            "{name}: {times:.1} times as long in one piece"
        );
    }
}
