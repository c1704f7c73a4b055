//! The ids of calls that came without one.

use toolwright_core::model::ModelRequest;

/// The ids of the calls that answer a request. The same request gets the same ids, so that a run can be replayed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallIds(u64);

impl CallIds {
    pub(crate) fn of(request: &ModelRequest) -> Self {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.add(request.system.as_deref().unwrap_or_default().as_bytes());
        for message in &request.messages {
            // A message that cannot be written is one of nothing: the others and its place still count.
            hash.add(&serde_json::to_vec(message).unwrap_or_default());
        }
        for tool in &*request.tools {
            hash.add(tool.name.as_bytes());
        }
        Self(hash.0)
    }

    /// The id of the call at an index.
    pub(crate) fn id(self, index: usize) -> String {
        format!("emu_{:016x}_{index}", self.0)
    }
}

/// FNV-1a of 64 bits, whose values never change: those of the standard library may.
struct Fnv(u64);

impl Fnv {
    /// Adds bytes and an end, so that the same bytes in other parts are something else.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
