mod decoding;
mod encoding;
mod streaming;
mod vendors;
