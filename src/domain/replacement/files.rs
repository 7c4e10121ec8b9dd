//! How files are called that are put aside.

use crate::domain::Timestamp;

/// The ending under which a state file is kept before it is written anew.
pub fn backup_ending(now: Timestamp) -> String {
    format!("bak.{}", now.millis().div_euclid(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::handoff::samples::at;

    /// C31
    #[test]
    fn a_backup_is_named_after_the_second() {
        assert_eq!(backup_ending(at(0)), "bak.1769869800");
    }
}
