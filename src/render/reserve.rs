//! `reserve` and `release` for people.

use super::Draw;
use super::page::{Page, Tone};
use super::words::{count, left};
use crate::commands::release::Released;
use crate::commands::reserve::{Checked, Granted, Outcome, Reserved, TakenOver};
use crate::domain::Timestamp;
use crate::domain::reservation::Reservation;

impl Draw for Outcome {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::Reserved(reserved) => draw_reserved(reserved, page),
            Self::Checked(checked) => draw_checked(checked, page),
        }
    }
}

fn draw_reserved(reserved: &Reserved, page: &mut Page) {
    match &reserved.granted {
        Granted::One(only) => granted(only, reserved.now, page),
        Granted::Several { reservations } => {
            reservations.iter().for_each(|one| granted(one, reserved.now, page));
        }
    }
    reserved.taken_over.iter().for_each(|lost| taken_over(lost, page));
}

fn granted(reservation: &Reservation, now: Timestamp, page: &mut Page) {
    let shared = if reservation.shared { ", shared" } else { "" };
    let left = left(reservation.expires_at.since(now));
    page.put(Tone::Good, "reserved ").put_foreign(Tone::Strong, reservation.scope.as_str());
    page.put(Tone::Plain, &format!(" for {left} (fence {}{shared})", reservation.fence)).end();
}

fn taken_over(lost: &TakenOver, page: &mut Page) {
    let owner = &lost.reservation.agent_id;
    page.put(Tone::Warning, "took over ").put_foreign(Tone::Strong, lost.reservation.scope.as_str());
    let told = match &lost.message_id {
        Some(_) => format!(" from {owner}, who was told by mail"),
        None => format!(" from {owner}, whose mailbox is full and who was not told"),
    };
    page.put_foreign(Tone::Plain, &told).end();
}

fn draw_checked(checked: &Checked, page: &mut Page) {
    page.put(Tone::Good, "available");
    page.put(Tone::Plain, &format!(": {} would be granted", count(checked.scopes.len(), "scope"))).end();
    for own in &checked.refresh {
        page.put_foreign(Tone::Plain, &format!("  {} is yours and would be refreshed", own.scope)).end();
    }
    for old in &checked.take_over {
        let text = format!("  {} would be taken over from {}", old.scope, old.agent_id);
        page.put_foreign(Tone::Warning, &text).end();
    }
}

impl Draw for Released {
    fn draw(&self, page: &mut Page) {
        match self {
            Self::One(only) => released(only, page),
            Self::Several { reservations } => reservations.iter().for_each(|one| released(one, page)),
        }
    }
}

fn released(reservation: &Reservation, page: &mut Page) {
    page.put(Tone::Good, "released ").put_foreign(Tone::Strong, reservation.scope.as_str()).end();
}
