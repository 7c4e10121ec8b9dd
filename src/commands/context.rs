//! What every command works with.

use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::Clock;
use crate::domain::Timestamp;
use crate::domain::agent::{Agent, Liveness};
use crate::failure::{Code, Failure};
use crate::ids::Ids;
use crate::settings::{Config, Settings};
use crate::store::sqlite::Mode;
use crate::store::{Location, Store, StoreError, Transaction};

/// The settings, the time, the ids and the store, opened when first used.
#[derive(Debug)]
pub struct Context<'a> {
    pub settings: &'a Settings,
    pub clock: &'a Clock,
    pub ids: &'a Ids,
    store_flag: Option<PathBuf>,
    store: OnceCell<Store>,
    /// How long other writers are waited for, where it is less than usual.
    patience: Cell<Option<Duration>>,
    config: OnceCell<Config>,
}

impl<'a> Context<'a> {
    /// A context that opens nothing yet.
    pub fn new(settings: &'a Settings, clock: &'a Clock, ids: &'a Ids, store_flag: Option<PathBuf>) -> Self {
        Self {
            settings,
            clock,
            ids,
            store_flag,
            store: OnceCell::new(),
            patience: Cell::new(None),
            config: OnceCell::new(),
        }
    }

    /// Makes the store, once it is opened, wait only that long for other writers.
    pub(super) fn hurry(&self, patience: Duration) {
        self.patience.set(Some(patience));
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The configuration in force.
    pub fn config(&self) -> Result<&Config, Failure> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = self.settings.config()?;
        Ok(self.config.get_or_init(|| config))
    }

    /// Where the store lies, or would lie.
    pub fn location(&self) -> Result<Location, Failure> {
        self.settings.store(self.store_flag.as_deref())
    }

    /// The store, created if there is none.
    pub fn store(&self) -> Result<&Store, Failure> {
        self.open(Mode::Create)
    }

    /// The store if there is one; asking creates nothing.
    pub fn existing_store(&self) -> Result<Option<&Store>, Failure> {
        if self.store.get().is_none() && !self.location()?.is_there()? {
            return Ok(None);
        }
        self.open(Mode::Existing).map(Some)
    }

    fn open(&self, mode: Mode) -> Result<&Store, Failure> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let runtime = self.settings.runtime_folder();
        let (location, origin) = (self.location()?, self.settings.origin());
        let opened = match self.patience.get() {
            Some(patience) => Store::open_within(patience, location, mode, origin, runtime.as_deref()),
            None => Store::open(location, mode, origin, runtime.as_deref()),
        };
        let store = opened.map_err(|error| self.not_opened(error))?;
        Ok(self.store.get_or_init(|| store))
    }

    /// Where nobody chose the place of the store, it is HOME that is set wrongly.
    fn not_opened(&self, error: StoreError) -> Failure {
        let chosen = self.store_flag.is_some() || self.settings.is_set("BB_STORE");
        match error {
            StoreError::Create { .. } if !chosen => Failure::new(Code::ConfigInvalid, error.to_string())
                .hint("set HOME to a folder you can write to, or BB_STORE to the absolute path of a file"),
            other => other.into(),
        }
    }

    /// Reads in one consistent view.
    pub fn read<T>(&self, look: impl FnOnce(&Transaction) -> Result<T, Failure>) -> Result<T, Failure> {
        let store = self.store()?;
        store.read(look).map_err(|failure: Failure| failure.at_store(store.location().file()))
    }

    /// Writes in one transaction, which is told the time at which it holds the store. A wrong configuration is
    /// told before: after the commit it would make a failure of what was done.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&Transaction, Timestamp) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.config()?;
        let store = self.store()?;
        store
            .write(|transaction| change(transaction, self.now()))
            .map_err(|failure: Failure| failure.at_store(store.location().file()))
    }

    /// How recently an agent did anything, as of now.
    pub fn liveness(&self, agent: &Agent) -> Result<Liveness, Failure> {
        Ok(Liveness::at(self.now(), agent.last_seen_at, self.stale_after()?))
    }

    /// The silence after which an agent is stale.
    pub fn stale_after(&self) -> Result<Duration, Failure> {
        let minutes = self.config()?.get("agent_stale_minutes").number();
        Ok(Duration::from_secs(minutes * 60))
    }
}
