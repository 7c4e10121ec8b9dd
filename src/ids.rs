//! The only source of randomness: names that are never given twice, and tokens.

use std::cell::Cell;

use crate::domain::Timestamp;
use crate::domain::message::MessageId;
use crate::domain::token;
use crate::failure::{Code, Failure};

/// Crockford's alphabet in lower case: nothing in it is mistaken for something else.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Random characters in an id: 50 bits.
const TAIL: usize = 10;

/// Gives out ids.
#[derive(Debug)]
pub enum Ids {
    /// From the operating system.
    System,
    /// From a seed, so that tests can name what will come.
    Seeded(Cell<u64>),
}

impl Ids {
    /// Ids from the seed, or from the operating system without one.
    pub fn new(seed: Option<u64>) -> Self {
        seed.map_or(Self::System, |seed| Self::Seeded(Cell::new(seed)))
    }

    /// A new id such as `msg_20260304_001122_k3v9x2m7qp`.
    pub fn id(&self, prefix: &str, now: Timestamp) -> Result<String, Failure> {
        let mut random = [0; TAIL];
        self.fill(&mut random)?;
        let letter = |byte: &u8| ALPHABET.get(usize::from(byte & 31)).copied().map_or('0', char::from);
        let tail: String = random.iter().map(letter).collect();
        Ok(format!("{prefix}_{}_{tail}", now.format("%Y%m%d_%H%M%S")))
    }

    /// A new message id.
    pub fn message(&self, now: Timestamp) -> Result<MessageId, Failure> {
        Ok(self.id("msg", now)?.parse()?)
    }

    /// A new UUID (version 4).
    pub fn uuid(&self) -> Result<String, Failure> {
        let mut random = [0; 16];
        self.fill(&mut random)?;
        // The version and the variant have fixed bits.
        let number = u128::from_be_bytes(random) & !(0xf000 << 64) & !(0xc000 << 48);
        let hex = format!("{:032x}", number | (0x4000 << 64) | (0x8000 << 48));
        let groups = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
        let parts: Vec<_> = groups.iter().filter_map(|(from, to)| hex.get(*from..*to)).collect();
        Ok(parts.join("-"))
    }

    /// A new token.
    pub fn token(&self) -> Result<String, Failure> {
        let mut random = [0; token::BYTES];
        self.fill(&mut random)?;
        Ok(token::from_bytes(&random))
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), Failure> {
        match self {
            Self::System => from_the_system(bytes).map_err(|error| {
                Failure::new(Code::InternalError, format!("the system gives no random numbers: {error}"))
            }),
            Self::Seeded(state) => {
                bytes.fill_with(|| next(state));
                Ok(())
            }
        }
    }
}

/// Asks the kernel itself: without a loader the usual way leads through two files.
#[cfg(target_os = "linux")]
fn from_the_system(bytes: &mut [u8]) -> Result<(), String> {
    // As many bytes as this come at once or not at all.
    match rustix::rand::getrandom(&mut *bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(filled) if filled == bytes.len() => Ok(()),
        _ => getrandom::fill(bytes).map_err(|error| error.to_string()),
    }
}

#[cfg(not(target_os = "linux"))]
fn from_the_system(bytes: &mut [u8]) -> Result<(), String> {
    getrandom::fill(bytes).map_err(|error| error.to_string())
}

/// One step of splitmix64.
fn next(state: &Cell<u64>) -> u8 {
    state.set(state.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
    let mut mixed = state.get();
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)).to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_their_time_and_differ() {
        let ids = Ids::new(None);
        let now = "2026-03-04T00:11:22Z".parse().unwrap();
        let (first, second) = (ids.message(now).unwrap(), ids.message(now).unwrap());
        assert!(first.as_str().starts_with("msg_20260304_001122_"));
        assert_ne!(first, second);
    }

    #[test]
    fn uuids_have_their_version_and_variant() {
        for seed in 0..50 {
            let uuid = Ids::new(Some(seed)).uuid().unwrap();
            let groups: Vec<_> = uuid.split('-').map(str::len).collect();
            assert_eq!(groups, [8, 4, 4, 4, 12], "{uuid}");
            assert_eq!(uuid.as_bytes()[14], b'4', "{uuid}");
            assert!(b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_ids_again() {
        let now = Timestamp::from_millis(0);
        assert_eq!(Ids::new(Some(7)).message(now).unwrap(), Ids::new(Some(7)).message(now).unwrap());
        assert_ne!(Ids::new(Some(7)).token().unwrap(), Ids::new(Some(8)).token().unwrap());
    }
}
