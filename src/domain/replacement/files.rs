//! The names of files that are put aside.

use crate::domain::Timestamp;

/// The largest audit log that is still written to.
pub const MAX_LOG_BYTES: u64 = 10 * 1024 * 1024;

/// The name under which a log is put aside, to be compressed; none while it is absent or small enough.
pub fn rotated_name(name: &str, size_bytes: Option<u64>, now: Timestamp) -> Option<String> {
    size_bytes.filter(|size| *size > MAX_LOG_BYTES).map(|_| format!("{name}.{}", now.format("%Y%m%d-%H%M%S")))
}

/// The name under which a state file is kept before it is written anew.
pub fn backup_name(name: &str, now: Timestamp) -> String {
    format!("{name}.bak.{}", now.millis().div_euclid(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::handoff::samples::at;

    /// C40
    #[test]
    fn a_log_is_put_aside_only_when_it_is_larger_than_ten_mebibytes() {
        let name = |size| rotated_name("replacement_audit.yaml", Some(size), at(0));
        assert_eq!(name(10_485_761).unwrap(), "replacement_audit.yaml.20260131-143000");
        assert_eq!(name(10_485_760), None);
        assert_eq!(name(0), None);
    }

    /// C41
    #[test]
    fn an_absent_log_is_left_alone() {
        assert_eq!(rotated_name("replacement_audit.yaml", None, at(0)), None);
    }

    /// C31
    #[test]
    fn a_backup_is_named_after_the_second() {
        assert_eq!(backup_name("state.yaml", at(0)), "state.yaml.bak.1769869800");
    }
}
