//! JSON that is read piece by piece: lists whose entries are handed on as they come, and of which nothing is kept that
//! nobody asked for.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Hands on each entry of a list.
pub(super) struct Each<T, F>(F, PhantomData<T>);

pub(super) fn each<T, F: FnMut(T)>(take: F) -> Each<T, F> {
    Each(take, PhantomData)
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> DeserializeSeed<'de> for Each<T, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Each<T, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some(entry) = entries.next_element()? {
            self.0(entry);
        }
        Ok(())
    }
}

/// Reads a list of structures that need a reader each.
pub(super) struct EachWith<F>(pub(super) F);

impl<'de, S, F> DeserializeSeed<'de> for EachWith<F>
where
    S: DeserializeSeed<'de, Value = ()>,
    F: FnMut() -> S,
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, S, F> Visitor<'de> for EachWith<F>
where
    S: DeserializeSeed<'de, Value = ()>,
    F: FnMut() -> S,
{
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        while entries.next_element_seed((self.0)())?.is_some() {}
        Ok(())
    }
}

/// A structure that is read field by field.
pub(super) trait Fields {
    /// Reads the value of a field, if a reader wants it.
    fn field<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<IsWanted, A::Error>;

    /// The structure is at its end; gives the name of a field that it lacks.
    fn end(&mut self) -> Result<(), &'static str>;
}

/// Whether a field's value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsWanted {
    Yes,
    No,
}

pub(super) struct Structure<F>(pub(super) F);

impl<'de, F: Fields> DeserializeSeed<'de> for Structure<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: Fields> Visitor<'de> for Structure<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a structure")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if self.0.field(&name, &mut map)? == IsWanted::No {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.0.end().map_err(A::Error::missing_field)
    }
}
