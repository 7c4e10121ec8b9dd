//! A `send` of which a test says only what it is about.

const USUAL: &[(&str, &str)] = &[
    ("--from", "amber-otter"),
    ("--to", "lead-one"),
    ("--bead", "bb-1"),
    ("--category", "INFO"),
    ("--subject", "Hi"),
    ("--body", "the body"),
];

/// The command line of a `send` with everything it needs. A change gives a flag another value,
/// adds a flag, or leaves a flag out: `("--queue", SWITCH)`, `("--bead", LEFT_OUT)`.
pub(crate) fn letter<'a>(changes: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let usual = USUAL.iter().filter(|(flag, _)| changes.iter().all(|(changed, _)| changed != flag));
    let mut line = vec!["send"];
    for (flag, value) in usual.chain(changes).copied() {
        match value {
            LEFT_OUT => {}
            SWITCH => line.push(flag),
            value => line.extend([flag, value]),
        }
    }
    line
}

/// Marks a flag without a value.
pub(crate) const SWITCH: &str = "(switch)";

/// Marks a flag that is not to be there.
pub(crate) const LEFT_OUT: &str = "(left out)";
