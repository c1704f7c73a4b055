//! The ways into a type that the checks show, one for each kind of mistake that has a place.

use crate::schema::{Path, Place, TypeFacts};

/// The ways to the places that the checks show.
///
/// Each is a chain of single pointers, apart from the others: one into a table of all children, or
/// into the steps of all chains, would put the whole graph into a constant.
#[derive(Debug, Clone, Copy)]
pub struct Paths {
    /// The path to the deepest place, or to the place where the type never ends.
    pub deepest: Option<&'static Path>,
    /// The path to the object with the most objects around it, in the schema for a strict provider.
    pub objects: Option<&'static Path>,
    /// The path to the first type that accepts unknown keys with any values.
    pub open: Option<&'static Path>,
    /// The path to the first type that schemars describes.
    pub foreign: Option<&'static Path>,
}

impl Paths {
    /// The paths of a type without parts.
    pub const NONE: Self = Self {
        deepest: None,
        objects: None,
        open: None,
        foreign: None,
    };
}

/// The first steps of [`Paths`], from one type into its parts.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// The step to the deepest place.
    pub(crate) deepest: Option<Path>,
    /// The step to the object with the most objects around it.
    pub(crate) objects: Option<Path>,
    /// The step to the first type that takes any keys and values.
    pub(crate) open: Option<Path>,
    /// The step to the first type that schemars describes.
    pub(crate) foreign: Option<Path>,
}

impl Steps {
    /// The steps out of a type without parts.
    pub const NONE: Self = Self {
        deepest: None,
        objects: None,
        open: None,
        foreign: None,
    };

    /// The steps out of a type of this name. For each part of it there are facts, a place and the
    /// paths from there.
    ///
    /// # Panics
    ///
    /// When there is no part, or a place or paths of one are missing.
    pub const fn of(
        owner: &'static str,
        facts: &[TypeFacts],
        places: &[Place],
        paths: &[Paths],
    ) -> Self {
        let worst = TypeFacts::worst(facts);
        let mut steps = Self::NONE;
        if facts[worst].has_inside() {
            steps.deepest = Some(Path::new(owner, places[worst], paths[worst].deepest));
        }
        let (mut most, mut index) = (0, 0);
        while index < facts.len() {
            let (told, place, next) = (facts[index].told, places[index], paths[index]);
            if told.objects > most {
                most = told.objects;
                steps.objects = match place {
                    // The object is the variant itself.
                    _ if told.is_variant && most == 1 => None,
                    Place::FieldOf(variant, _) | Place::ItemOf(variant) if most == 1 => {
                        Some(Path::new(owner, Place::Field(variant), None))
                    }
                    _ => Some(Path::new(owner, place, next.objects)),
                };
            }
            if told.open.is_some() && steps.open.is_none() {
                steps.open = Some(Path::new(owner, place, next.open));
            }
            if told.is_foreign && steps.foreign.is_none() {
                steps.foreign = Some(Path::new(owner, place, next.foreign));
            }
            index += 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::{Paths, Place, Steps, TypeFacts};
    use crate::schema::Kind;

    const SCALAR: TypeFacts = TypeFacts::SCALAR;

    fn innermost(facts: TypeFacts, place: Place) -> Option<Place> {
        let steps = Steps::of("Outer", &[SCALAR, facts], &[place; 2], &[Paths::NONE; 2]);
        steps.objects.map(|step| step.place)
    }

    #[test]
    fn the_innermost_object_is_the_variant_or_in_it() {
        let object = TypeFacts::object(&[SCALAR]);
        let (field, of) = (Place::Field("a"), Place::FieldOf("V", "a"));
        assert!(innermost(SCALAR, field).is_none());
        assert!(matches!(innermost(object, field), Some(Place::Field("a"))));
        let in_variant = innermost(TypeFacts::field_of(SCALAR), of);
        assert!(matches!(in_variant, Some(Place::Field("V"))));
        let in_variant = innermost(TypeFacts::tuple(&[SCALAR]), Place::ItemOf("V"));
        assert!(matches!(in_variant, Some(Place::Field("V"))));
        let in_field = innermost(TypeFacts::field_of(object), of);
        assert!(matches!(in_field, Some(Place::FieldOf("V", "a"))));
        let untagged = TypeFacts::object(&[SCALAR]).of_variant();
        assert!(innermost(untagged, field).is_none());
        let untagged = TypeFacts::object(&[object]).of_variant();
        assert!(matches!(
            innermost(untagged, field),
            Some(Place::Field("a"))
        ));
    }

    #[test]
    fn each_mistake_has_its_own_way() {
        let deep = TypeFacts::object(&[TypeFacts::list(TypeFacts::list(SCALAR))]);
        let any_map = TypeFacts::map(TypeFacts::of(Kind::Any));
        let open = TypeFacts::object(&[TypeFacts::flattened(any_map)]);
        let nested = TypeFacts::map(TypeFacts::tuple(&[TypeFacts::map(SCALAR)]));
        let names = ["deep", "open", "nested", "open_too"];
        let places = names.map(Place::Field);
        let facts = [deep, open, nested, open];
        let steps = Steps::of("Outer", &facts, &places, &[Paths::NONE; 4]);
        let is = |step: Option<super::Path>, name| matches!(step, Some(super::Path { place: Place::Field(field), .. }) if field == name);
        assert!(is(steps.deepest, "deep"));
        assert!(is(steps.open, "open"));
        assert!(is(steps.objects, "nested"));
        assert!(steps.foreign.is_none());
    }
}
