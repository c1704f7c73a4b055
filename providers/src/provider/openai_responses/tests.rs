mod decoding;
mod encoding;
mod repeated;
mod streaming;
mod told_once;
