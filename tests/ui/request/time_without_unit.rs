use toolwright::dispatch::CallOptions;

fn main() {
    let _ = CallOptions::new().with_timeout(5);
    let _ = CallOptions::new().with_timeout(Some(5));
}
