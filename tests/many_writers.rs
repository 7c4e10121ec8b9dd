//! Sixteen writers at once: nothing lost, nothing failed, nothing told twice.

use crate::common::{Crowd, World};

#[test]
fn sixteen_writers_lose_nothing_and_the_log_stays_short() {
    Crowd { writers: 16, rounds: 50 }.write(&World::in_real_time());
}
