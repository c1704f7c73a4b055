//! A connection that is closed when the client reads nothing for too long.

use std::{
    io::{Error, ErrorKind, IoSlice, Result},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep_until},
};

use crate::later::later;

/// A connection that is closed when the client reads nothing for too long.
pub(super) struct TimedIo {
    socket: TcpStream,
    time: Duration,
    /// When it is closed; it runs while a write waits.
    end: Option<Pin<Box<Sleep>>>,
}

impl TimedIo {
    pub(super) fn new(socket: TcpStream, time: Duration) -> Self {
        Self {
            socket,
            time,
            end: None,
        }
    }

    /// Gives what came of a write, or an error if it has waited for too long.
    fn in_time<T>(&mut self, written: Poll<Result<T>>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        if written.is_ready() {
            self.end = None;
            return written;
        }
        let time = self.time;
        let end = self
            .end
            .get_or_insert_with(|| Box::pin(sleep_until(later(time))));
        match end.as_mut().poll(cx) {
            Poll::Ready(()) => {
                let error = Error::new(ErrorKind::TimedOut, "the client has stopped reading");
                Poll::Ready(Err(error))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for TimedIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

impl AsyncWrite for TimedIo {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.in_time(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, bytes);
        self.in_time(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.socket).poll_flush(cx);
        self.in_time(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{io::AsyncWriteExt, net::TcpListener};

    use super::*;

    #[tokio::test]
    async fn a_connection_that_takes_nothing_is_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (reader, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let mut written = TimedIo::new(accepted.unwrap().0, Duration::from_millis(50));
        let error = loop {
            if let Err(error) = written.write_all(&[0; 4096]).await {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        drop(reader);
    }
}
