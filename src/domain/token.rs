//! Secrets that prove who acts as a protected agent.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Bytes of randomness in a token.
pub const BYTES: usize = 32;

/// Writes a token's random bytes as the text an agent keeps.
pub fn from_bytes(bytes: &[u8; BYTES]) -> String {
    format!("bbt_{}", hex(bytes))
}

/// Whether a text could be a token.
pub fn is_well_formed(text: &str) -> bool {
    text.strip_prefix("bbt_")
        .is_some_and(|rest| rest.len() == 2 * BYTES && rest.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// The only form of a token that is ever stored.
pub fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.trim().as_bytes()))
}

/// Compares a presented token with a stored hash in constant time.
pub fn matches(token: &str, stored_hash: &str) -> bool {
    let presented = hash(token);
    presented.len() == stored_hash.len()
        && presented.bytes().zip(stored_hash.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b)) == 0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_token_matches() {
        let token = from_bytes(&[7; BYTES]);
        let stored = hash(&token);
        assert!(!stored.contains("0707"));
        assert!(matches(&token, &stored));
        assert!(matches(&format!("{token}\n"), &stored));
        assert!(!matches(&from_bytes(&[8; BYTES]), &stored));
        assert!(!matches("", &stored));
    }
}
