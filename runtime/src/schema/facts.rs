//! What the compile-time checks know of a type: a few numbers and one path.

use super::{Keys, Node, keys::Clash};

/// The description of a type.
///
/// Users need not write it: [`ToolInput`](super::ToolInput) by hand names the description of
/// another type.
pub trait Describe {
    /// The numbers that the checks read.
    const FACTS: Facts;

    /// The way to the deepest place, or to the place where the type never ends. It is a chain of
    /// single pointers: one into a table of all children would put the whole graph into a constant.
    const PATH: Option<&'static Path> = None;

    /// The keys that it has as an object.
    const KEYS: Keys = Keys::NONE;

    /// The node.
    fn node() -> &'static Node;
}

/// What is known of a type when the program is compiled.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// How many levels of objects, and of lists directly inside lists, it has.
    pub(super) depth: u16,
    /// Whether the fuel ran out: the type contains itself.
    pub(super) exhausted: bool,
    /// Whether it is a list or a map, so that one directly around it adds a level.
    list: bool,
    /// What is wrong with a type that is flattened into one with type parameters.
    pub(super) clash: Option<Clash>,
}

/// A step on the way into a type.
#[derive(Debug)]
pub struct Path {
    /// Where to go.
    pub place: Place,
    /// The name of the type that is left; empty for a list or a map.
    pub owner: &'static str,
    /// The way from there.
    pub next: Option<&'static Path>,
}

/// Where a step goes.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// To a field of this name.
    Field(&'static str),
    /// To the items of a list.
    Item,
    /// To the values of a map.
    Value,
    /// To the same place of the JSON text: into a flattened type, or a variant without a tag.
    Here,
    /// To a field of a variant with this tag.
    FieldOf(&'static str, &'static str),
    /// To an item of a variant with this tag.
    ItemOf(&'static str),
}

impl Facts {
    /// A value without parts.
    pub const SCALAR: Self = Self {
        depth: 0,
        exhausted: false,
        list: false,
        clash: None,
    };

    pub(super) const EXHAUSTED: Self = Self {
        exhausted: true,
        ..Self::SCALAR
    };

    /// A type that is not known further, of so many levels.
    #[cfg(feature = "schemars")]
    pub(super) const fn levels(depth: u16) -> Self {
        Self {
            depth,
            ..Self::SCALAR
        }
    }

    /// A list of, or a map to, what `item` describes. It is a level only directly around another
    /// list or map.
    pub const fn list(item: Self) -> Self {
        Self {
            depth: item.depth + item.list as u16,
            exhausted: item.exhausted,
            list: true,
            clash: item.clash,
        }
    }

    /// The fields of an object that stand among those of another.
    pub const fn flattened(inner: Self) -> Self {
        Self {
            // A map is no level by itself.
            depth: if inner.list {
                inner.depth
            } else {
                inner.depth.saturating_sub(1)
            },
            exhausted: inner.exhausted,
            list: false,
            clash: inner.clash,
        }
    }

    /// A list with an item of each of these.
    pub const fn tuple(items: &[Self]) -> Self {
        let mut depth = 0;
        let mut exhausted = false;
        let mut index = 0;
        while index < items.len() {
            let item = Self::list(items[index]);
            if item.depth > depth {
                depth = item.depth;
            }
            exhausted |= item.exhausted;
            index += 1;
        }
        Self {
            depth,
            exhausted,
            list: true,
            clash: first_clash(items),
        }
    }

    /// One of these, without a level of its own.
    pub const fn any_of(variants: &[Self]) -> Self {
        let mut facts = Self::SCALAR;
        let mut index = 0;
        while index < variants.len() {
            let variant = variants[index];
            if variant.depth > facts.depth {
                facts.depth = variant.depth;
            }
            facts.exhausted |= variant.exhausted;
            facts.list |= variant.list;
            index += 1;
        }
        facts.clash = first_clash(variants);
        facts
    }

    /// An object of these fields.
    pub const fn object(fields: &[Self]) -> Self {
        let inner = if fields.is_empty() {
            Self::SCALAR
        } else {
            fields[Self::worst(fields)]
        };
        Self {
            depth: inner.depth + 1,
            exhausted: inner.exhausted,
            list: false,
            clash: first_clash(fields),
        }
    }

    /// The place of the field that decides: one that never ends, else the deepest.
    ///
    /// # Panics
    ///
    /// When there is no field.
    pub const fn worst(fields: &[Self]) -> usize {
        assert!(!fields.is_empty(), "an object without fields has no path");
        let mut worst = 0;
        let mut index = 1;
        while index < fields.len() {
            let (field, best) = (fields[index], fields[worst]);
            if (field.exhausted && !best.exhausted)
                || (field.exhausted == best.exhausted && field.depth > best.depth)
            {
                worst = index;
            }
            index += 1;
        }
        worst
    }

    /// The same, of a type that flattens another.
    pub const fn with_clash(self, clash: Option<Clash>) -> Self {
        Self {
            clash: if self.clash.is_some() {
                self.clash
            } else {
                clash
            },
            ..self
        }
    }

    /// Whether a path leads on into this.
    pub const fn has_inside(self) -> bool {
        self.exhausted || self.depth > 0
    }
}

const fn first_clash(facts: &[Facts]) -> Option<Clash> {
    let mut index = 0;
    while index < facts.len() {
        if facts[index].clash.is_some() {
            return facts[index].clash;
        }
        index += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Facts;

    #[test]
    fn levels_are_objects_and_lists_directly_inside_lists() {
        const SCALAR: Facts = Facts::SCALAR;
        const EMPTY: Facts = Facts::object(&[]);
        let list_of_objects = Facts::list(Facts::object(&[SCALAR]));
        for (facts, depth) in [
            (SCALAR, 0),
            (EMPTY, 1),
            (Facts::list(SCALAR), 0),
            (Facts::list(Facts::list(SCALAR)), 1),
            (Facts::list(Facts::list(EMPTY)), 2),
            (list_of_objects, 1),
            (Facts::object(&[SCALAR, list_of_objects, SCALAR]), 2),
            (Facts::object(&[Facts::list(SCALAR)]), 1),
            (Facts::object(&[Facts::list(Facts::list(SCALAR))]), 2),
        ] {
            assert_eq!(facts.depth, depth);
        }
    }

    #[test]
    fn a_field_that_never_ends_decides() {
        let deep = Facts::object(&[Facts::object(&[])]);
        let fields = [deep, Facts::EXHAUSTED, deep];
        assert_eq!(Facts::worst(&fields), 1);
        assert!(Facts::object(&fields).exhausted);
        assert!(Facts::list(Facts::EXHAUSTED).exhausted);
    }
}
