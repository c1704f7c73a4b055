//! Time in proportion to what came: eight times the bytes take about eight times as long, and not
//! sixty-four times. It fails where that is not so.

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

use std::time::{Duration, Instant};

/// What is done with a text.
type Body = fn(&str);

/// How many bytes the short ones have.
const SHORT: usize = 1 << 15;
/// What eight times the bytes may take at most, as times of what they take once.
const MOST: f64 = 24.0;
/// Less than this is noise.
const NOISE: Duration = Duration::from_millis(20);

fn main() {
    let mut worst = Vec::new();
    let mut measure = |name: String, work: &dyn Fn(usize)| {
        let time = |bytes| {
            let once = |_| {
                let start = Instant::now();
                work(bytes);
                start.elapsed()
            };
            (0..3).map(once).min().expect("was run")
        };
        let (short, long) = (time(SHORT), time(8 * SHORT));
        let times = long.as_secs_f64() / short.as_secs_f64();
        if long > NOISE {
            worst.push((times, name, short, long));
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
    worst.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (times, name, short, long) in worst.iter().take(10) {
        println!("{times:5.1} times: {short:?}, then {long:?}: {name:.150}");
    }
    let (times, name, ..) = &worst[0];
    assert!(
        *times < MOST,
        "{name}: {times:.1} times as long for eight times the bytes"
    );
}
