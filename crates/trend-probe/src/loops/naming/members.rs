//! Names of members: those of libraries are named like their methods.

use super::named::{Kind, Named};
use crate::loops::debug::node::Node;
use crate::loops::debug::types::Member;

/// Beginnings of the names of Rust's collections, except `String`.
const COLLECTIONS: [&str; 14] = [
    "Vec<",
    "VecDeque<",
    "BTreeMap<",
    "BTreeSet<",
    "HashMap<",
    "HashSet<",
    "BinaryHeap<",
    "LinkedList<",
    "&[",
    "&mut [",
    "*mut [",
    "&str",
    "&mut str",
    "alloc::boxed::Box<[",
];

/// Returns the name of the member of a variable that holds a value. Lengths of collections are named like their method.
pub(super) fn with_members(name: String, kind: Kind, members: &[Member], ty: Node) -> Named {
    let mut name = name;
    let is_collection = |structure: &String| {
        structure == "String" || COLLECTIONS.iter().any(|front| structure.starts_with(front))
    };
    // The length of a map is the length of a table or a tree in it.
    if let (Some(first), Some(last)) =
        (members.iter().position(|member| is_collection(&member.of)), members.last())
        && matches!(&*last.name, "len" | "length" | "items")
    {
        let object = with_members(name, kind, &members[..first], ty);
        return Named { name: object.name + ".len()", kind: Kind::Length, ty: Some(ty) };
    }
    for Member { name: member, of: structure, index } in members {
        match &**member {
            "_M_string_length" | "_M_extent_value" | "_M_node_count" | "_M_element_count" => {
                return Named { name: name + ".size()", kind: Kind::Length, ty: Some(ty) };
            }
            "_M_len"
                if ["basic_string_view<", "initializer_list<"].iter().any(|of| structure.starts_with(of)) =>
            {
                return Named { name: name + ".size()", kind: Kind::Length, ty: Some(ty) };
            }
            // A span has its size in a separate part.
            "_M_extent" if structure.starts_with("span<") => {}
            // The buffer of a text, and the parts of libstdc++'s containers, add nothing to the name.
            "vec" if structure == "String" => {}
            "_M_impl" | "_M_t" | "_M_h" => {}
            "_M_size" if structure.contains("_List_node_header") => {
                return Named { name: name + ".size()", kind: Kind::Length, ty: Some(ty) };
            }
            "_M_start" if structure.starts_with("_Vector_impl") => name += ".begin()",
            "_M_finish" if structure.starts_with("_Vector_impl") => name += ".end()",
            "__begin_" if structure.starts_with("vector<") => name += ".begin()",
            "__end_" if structure.starts_with("vector<") => name += ".end()",
            // Beginnings of libstdc++'s lists and trees.
            "_M_node" | "_M_header" if structure.contains("_impl") => {}
            "_M_next" if structure.contains("_List_node") => name += ".begin()",
            "_M_left" if structure.contains("_Rb_tree_node") => name += ".begin()",
            "__0" | "__1" | "__2" | "__3" => name = format!("{name}.{}", &member[2..]),
            // A variable that a Rust closure refers to.
            reference if reference.starts_with("_ref__") => reference[6..].clone_into(&mut name),
            // Members inside a collection belong to the library, not to the program. Only a number, such as the height
            // of a tree, adds its name.
            _ if is_collection(structure) => {
                let is_named = |member: &&Member| !member.name.starts_with("__");
                if let Some(last) = members.iter().rfind(is_named).filter(|_| ty.is_basic()) {
                    name = format!("{name}.{}", last.name);
                }
                break;
            }
            member => name = format!("{name}.{member}"),
        }
        if let Some(index) = index {
            name = format!("{name}[{index}]");
        }
    }
    let kind = if kind == Kind::Global { kind } else { Kind::Field };
    Named { name, kind, ty: Some(ty) }
}
