//! Both servers, on loopback: each answers its first request with calls, and its second with a text.

use std::{io, net::SocketAddr};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// Two replies of Lantern. The second has a line of a kind that the codec does not know.
const LANTERN: [&str; 2] = [
    r#"{"is":"begin","model":"lantern-2"}
{"is":"say","text":"I look"}
{"is":"say","text":" them up."}
{"is":"call","n":1,"id":"c1","function":"find_shelf"}
{"is":"call","n":2,"id":"c1","function":"find_shelf"}
{"is":"with","n":1,"json":"{\"title\":"}
{"is":"with","n":2,"json":"{\"title\":\"Dracula\"}"}
{"is":"with","n":1,"json":"\"Emma\"}"}
{"is":"seal","data":"c2VhbGVk"}
{"is":"end","why":"calls","read":81,"wrote":17}
"#,
    r#"{"is":"begin","model":"lantern-2"}
{"is":"lamp","bright":0.4}
{"is":"say","text":"Emma is on shelf 4,"}
{"is":"say","text":" Dracula on shelf 7."}
{"is":"end","why":"done","read":120,"wrote":14}
"#,
];

/// Two replies of OpenAI's protocol, from a server that sends calls whole.
const OPENAI: [&str; 2] = [
    r#"data: {"model":"house-70b","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"find_shelf","arguments":"{\"title\":\"Emma\"}"}},{"index":1,"id":"b","type":"function","function":{"name":"find_shelf","arguments":"{\"title\":\"Dracula\"}"}}]}}]}

data: {"model":"house-70b","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":74,"completion_tokens":21}}

data: [DONE]

"#,
    r#"data: {"model":"house-70b","choices":[{"index":0,"delta":{"content":"Emma: 4."}}]}

data: {"model":"house-70b","choices":[{"index":0,"delta":{"content":" Dracula: 7."},"finish_reason":"stop"}],"usage":{"prompt_tokens":101,"completion_tokens":9}}

data: [DONE]

"#,
];

/// Starts a Lantern server, and gives its base URL.
pub(crate) async fn lantern() -> io::Result<String> {
    Ok(format!("http://{}", start(LANTERN).await?))
}

/// Starts a server that speaks OpenAI's protocol, and gives its base URL.
pub(crate) async fn openai() -> io::Result<String> {
    Ok(format!("http://{}/v1", start(OPENAI).await?))
}

/// Starts a server that answers each request with the next response.
async fn start(replies: [&'static str; 2]) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        for reply in replies {
            let mut connection = BufReader::new(listener.accept().await?.0);
            let question = body(&mut connection).await?;
            println!("  asked    {:.85}…", question.trim_end());
            let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
            connection.write_all(head.as_bytes()).await?;
            connection.write_all(reply.as_bytes()).await?;
            connection.shutdown().await?;
        }
        Ok::<_, io::Error>(())
    });
    Ok(address)
}

/// The body of one request.
async fn body(connection: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(": ")
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    String::from_utf8(body).map_err(io::Error::other)
}
