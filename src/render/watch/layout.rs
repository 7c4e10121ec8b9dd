//! Where each panel stands.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::commands::watch::{Board, Panel, View};

/// The width from which panels stand side by side.
const WIDE: u16 = 120;

/// The height from which they do.
const HIGH: u16 = 20;

/// The least height of a panel when all of them are drawn: two rows and a frame, so that the five of them fit on
/// the usual terminal of 24 lines.
const PANEL: u16 = 4;

/// The least height of the only panel that is drawn.
const LARGE: u16 = 4;

/// A panel, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Whole(Panel, Rect),
    /// Only its title.
    Title(Panel, Rect),
}

/// Where each panel stands. Where there is not room for all of them, the one that is looked at gets it.
pub(super) fn places(area: Rect, board: &Board, view: &View) -> Vec<Place> {
    let shown: Vec<_> = Panel::ALL.into_iter().filter(|panel| panel.is_shown(board)).collect();
    let number = u16::try_from(shown.len()).unwrap_or(1);
    if area.width >= WIDE && area.height >= HIGH {
        return side_by_side(area, board);
    }
    if area.height >= number * PANEL {
        let share = |panel: &Panel| Constraint::Fill(if *panel == Panel::Mail { 3 } else { 2 });
        return stacked(area, &shown, share);
    }
    if area.height < number - 1 + LARGE {
        return vec![Place::Whole(view.panel, area)];
    }
    let height = |panel: &Panel| {
        if *panel == view.panel { Constraint::Fill(1) } else { Constraint::Length(1) }
    };
    let titled = |place: Place| match place {
        Place::Whole(panel, area) if panel != view.panel => Place::Title(panel, area),
        place => place,
    };
    stacked(area, &shown, height).into_iter().map(titled).collect()
}

fn stacked(area: Rect, panels: &[Panel], height: impl Fn(&Panel) -> Constraint) -> Vec<Place> {
    let areas = Layout::vertical(panels.iter().map(height)).split(area);
    panels.iter().zip(areas.iter()).map(|(panel, area)| Place::Whole(*panel, *area)).collect()
}

/// Mail and events have long lines and take the whole width; the others share the middle.
fn side_by_side(area: Rect, board: &Board) -> Vec<Place> {
    let thirds = [Constraint::Fill(4), Constraint::Fill(4), Constraint::Fill(3)];
    let [top, middle, bottom] = Layout::vertical(thirds).areas(area);
    let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(middle);
    let left_side: Vec<_> =
        [Panel::Waits, Panel::Reservations].into_iter().filter(|panel| panel.is_shown(board)).collect();
    let mut places = vec![Place::Whole(Panel::Mail, top)];
    places.extend(stacked(left, &left_side, |_| Constraint::Fill(1)));
    places.extend([Place::Whole(Panel::Agents, right), Place::Whole(Panel::Events, bottom)]);
    places
}
