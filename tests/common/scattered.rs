//! Numbers that look random and are the same each time.

/// An endless sequence of them.
pub(crate) fn scattered(seed: u64) -> impl Iterator<Item = usize> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap()
    })
}
