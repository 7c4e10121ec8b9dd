//! The names of files that are put aside.

use crate::domain::Timestamp;

/// The name under which a state file is kept before it is written anew.
pub fn backup_name(name: &str, now: Timestamp) -> String {
    format!("{name}.bak.{}", now.millis().div_euclid(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::handoff::samples::at;

    /// C31
    #[test]
    fn a_backup_is_named_after_the_second() {
        assert_eq!(backup_name("state.yaml", at(0)), "state.yaml.bak.1769869800");
    }
}
