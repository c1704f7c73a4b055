use super::Format;

fn check(format: Format, fits: &[&str], others: &[&str]) {
    for text in fits {
        assert!(format.fits(text), "{text}");
    }
    for text in others {
        assert!(!format.fits(text), "{text}");
    }
}

#[test]
fn days_exist() {
    check(
        Format::Date,
        &["2026-02-28", "2024-02-29", "2000-02-29", "0000-12-31"],
        &[
            "",
            "2026-02-29",
            "1900-02-29",
            "2026-00-01",
            "2026-13-01",
            "2026-04-31",
            "2026-4-1",
            "2026-01-00",
            "+026-01-01",
            "2026-01-01 ",
            "２０２６-01-01",
            "2026/01/01",
        ],
    );
}

#[test]
fn times_have_an_offset() {
    check(
        Format::Time,
        &[
            "10:30:00Z",
            "10:30:00.123z",
            "23:59:60Z",
            "00:29:60+00:30",
            "10:30:00-23:59",
        ],
        &[
            "",
            "10:30",
            "10:30:00",
            "24:00:00Z",
            "10:60:00Z",
            "10:30:61Z",
            "10:30:60Z",
            "10:30:00.Z",
            "10:30:00+0100",
            "10:30:00+24:00",
            "10:30:00é",
            "1é:30:00Z",
        ],
    );
    check(
        Format::DateTime,
        &["2026-01-31T10:30:00Z", "2026-01-31t10:30:00.5+01:00"],
        &["2026-01-31 10:30:00Z", "2026-01-31", "2026-02-30T10:30:00Z"],
    );
}

#[test]
fn durations_have_no_gaps() {
    check(
        Format::Duration,
        &["P1D", "P2W", "PT36H", "P1Y2M3DT4H5M6S", "PT1M", "P1Y"],
        &[
            "", "P", "PT", "P1DT", "P1Y2D", "PT1H2S", "1D", "P1", "P1W2D", "PD", "P1S", "P1H",
            "-P1D",
        ],
    );
}

#[test]
fn addresses() {
    check(
        Format::Ipv4,
        &["127.0.0.1"],
        &["", "256.0.0.1", "01.2.3.4", "1.2.3"],
    );
    check(
        Format::Ipv6,
        &["::1", "::ffff:1.2.3.4"],
        &["", ":::", "fe80::1%eth0"],
    );
    check(
        Format::Hostname,
        &["localhost", "www.example.com", "a-b.c1"],
        &[
            "",
            "-a.com",
            "a-.com",
            "a..b",
            "a_b",
            "example.com.",
            "münchen.de",
        ],
    );
    check(
        Format::Email,
        &["ada@example.com", "a.b+c@example.co"],
        &[
            "",
            "ada",
            "ada@",
            "@example.com",
            "a..b@example.com",
            ".a@example.com",
            "a b@c.de",
        ],
    );
}

#[test]
fn identifiers() {
    check(
        Format::Uri,
        &[
            "https://example.com/a?b=c#d",
            "mailto:ada@example.com",
            "urn:isbn:0451450523",
            "http://[::1]:80/",
            "file:///etc/hosts",
            "https://ada:x@example.com",
            "a:",
        ],
        &[
            "",
            "example.com",
            "/path",
            "1a:b",
            "http://a b",
            "http://a/%zz",
            "http://[::1",
            "http://a:b/",
            "http://a/[b]",
            "http://a/#b#c",
            "http://ü.de",
            "http://a/%4",
        ],
    );
    check(
        Format::Uuid,
        &[
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
        ],
        &[
            "",
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
        ],
    );
}
