//! Types in debug information, and the members of structures.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as api;
use inkwell::llvm_sys::debuginfo::LLVMMetadataKind;

use super::node::Node;

/// DWARF tags of the types that are used here.
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const CLASS: u16 = 0x02;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const REFERENCE: u16 = 0x10;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const UNION: u16 = 0x17;
    pub(super) const INHERITANCE: u16 = 0x1c;
    pub(super) const VARIANT_PART: u16 = 0x33;
    pub(super) const RVALUE_REFERENCE: u16 = 0x42;
}

/// Positions of operands of type nodes in LLVM 22: the base type, and the elements.
const BASE: usize = 5;

const ELEMENTS: usize = 6;

/// Maximum depth of nested enumerations.
const MOST_VARIANT_DEPTH: u32 = 3;

/// Maximum number of variants that are read of an enumeration.
const MOST_VARIANTS: usize = 64;

/// A member of a structure.
pub(crate) struct Member {
    pub(crate) name: String,
    /// Name of the structure that contains it.
    pub(crate) of: String,
    /// Index of the element, if the member is an array.
    pub(crate) index: Option<String>,
}

impl Member {
    fn new(name: String, of: Node) -> Self {
        Self { name, of: of.type_name().unwrap_or_default(), index: None }
    }
}

impl Node {
    /// Returns the name of a type.
    pub(crate) fn type_name(self) -> Option<String> {
        self.text(2)
    }

    /// Returns the type that a derived type is derived from; for a member, its type.
    fn base(self) -> Option<Self> {
        self.operand(BASE)
    }

    /// Returns the type without typedefs and qualifiers.
    pub(crate) fn plain(self) -> Self {
        let mut ty = self;
        for _ in 0..32 {
            let is_other = ty.is_derived()
                && ![tag::POINTER, tag::REFERENCE, tag::RVALUE_REFERENCE, tag::MEMBER, tag::INHERITANCE]
                    .contains(&ty.tag());
            match ty.base().filter(|_| is_other) {
                Some(base) => ty = base,
                None => break,
            }
        }
        ty
    }

    /// Returns the target of a pointer or a reference.
    pub(crate) fn pointee(self) -> Option<Self> {
        let ty = self.plain();
        let is_pointer =
            ty.is_derived() && [tag::POINTER, tag::REFERENCE, tag::RVALUE_REFERENCE].contains(&ty.tag());
        ty.base().filter(|_| is_pointer)
    }

    /// Returns true for a reference, which is not a pointer in the program's terms.
    pub(crate) fn is_reference(self) -> bool {
        let ty = self.plain();
        ty.is_derived() && [tag::REFERENCE, tag::RVALUE_REFERENCE].contains(&ty.tag())
    }

    /// Returns the element type of an array.
    pub(crate) fn element(self) -> Option<Self> {
        self.plain().base().filter(|_| self.is_array())
    }

    /// Returns true if the type is a number, a character or a Boolean.
    pub(crate) fn is_basic(self) -> bool {
        matches!(self.plain().kind(), LLVMMetadataKind::LLVMDIBasicTypeMetadataKind)
    }

    pub(crate) fn is_array(self) -> bool {
        let ty = self.plain();
        ty.is_composite() && ty.tag() == tag::ARRAY
    }

    /// Returns the size of a type in bits.
    pub(crate) fn size(self) -> u64 {
        unsafe { api::LLVMDITypeGetSizeInBits(self.node) }
    }

    /// Returns true if numbers of this type are unsigned; `None` if the type does not say.
    pub(crate) fn is_unsigned(self) -> Option<bool> {
        let ty = self.plain();
        if !ty.is_basic() {
            return None;
        }
        let name = ty.type_name()?;
        let is_rust = |front: &str| {
            let bits = name.strip_prefix(front);
            bits.is_some_and(|bits| {
                bits == "size" || (!bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()))
            })
        };
        Some(name.contains("unsigned") || name == "bool" || name == "_Bool" || is_rust("u"))
    }

    /// Returns the members of a structure at a bit, from the outermost to the innermost, and the type of the last one.
    /// Each member has its name and the name of its structure.
    ///
    /// `width` is the width of the access in bits. If several members begin at the bit, the innermost one that is not
    /// smaller than the access is chosen. If several members of a union fit, the choice is unknown, and the union is
    /// the last member. If the union has no name, the last member has the names of all that fit. If a member is an
    /// array, the bit determines its element. However, if the distance in `index` is the size of an element in bits,
    /// the name in `index` is the index of the element. Rust's enumerations have the members of their
    /// [variants](Self::members_of_variants).
    pub(crate) fn members_at(self, bit: u64, width: u64, index: Option<(&str, u64)>) -> (Vec<Member>, Self) {
        self.members_within(bit, width, index, MOST_VARIANT_DEPTH)
    }

    fn members_within(
        self,
        bit: u64,
        width: u64,
        index: Option<(&str, u64)>,
        depth: u32,
    ) -> (Vec<Member>, Self) {
        let (mut members, mut ty, mut bit) = (Vec::<Member>::new(), self.plain(), bit);
        let mut is_named = true;
        for _ in 0..32 {
            if let (Some(array), Some(element)) = (members.last_mut().filter(|_| is_named), ty.element())
                && element.size() >= width.max(1)
            {
                array.index = Some(match index {
                    Some((index, apart)) if apart == element.size() => index.to_owned(),
                    // If there are several dimensions, the bit does not determine an index.
                    _ if ty.operand(ELEMENTS).is_some_and(|all| all.operands().len() > 1) => String::new(),
                    _ => (bit / element.size()).to_string(),
                });
                (ty, bit) = (element.plain(), bit % element.size());
                continue;
            }
            let is_structure =
                ty.is_composite() && [tag::CLASS, tag::STRUCTURE, tag::UNION].contains(&ty.tag());
            if !is_structure || (bit == 0 && ty.size() < width) {
                break;
            }
            if let Some((of_variants, last)) = ty.members_of_variants(bit, width, index, depth) {
                members.extend(of_variants);
                ty = last;
                break;
            }
            let fitting = ty.elements().into_iter().filter_map(|member| {
                if !member.is_part() {
                    return None;
                }
                let base = member.base()?.plain();
                let begin = unsafe { api::LLVMDITypeGetOffsetInBits(member.node) };
                // A bit field has a type with more bits.
                let size = if member.size() > 0 { member.size() } else { base.size() };
                let is_there = (begin..begin + size).contains(&bit) && (bit > begin || size >= width);
                is_there.then_some((member, base, begin))
            });
            let fitting: Vec<_> = fitting.collect();
            if ty.tag() == tag::UNION && fitting.len() > 1 {
                let all: Vec<String> = fitting.iter().filter_map(|(member, ..)| member.type_name()).collect();
                if !is_named {
                    members.push(Member::new(all.join("|"), ty));
                }
                break;
            }
            let Some((member, base, begin)) = fitting.first().copied() else { break };
            let name = member.type_name().filter(|_| member.tag() == tag::MEMBER);
            is_named = name.is_some();
            members.extend(name.map(|name| Member::new(name, ty)));
            (ty, bit) = (base, bit - begin);
        }
        (members, ty)
    }

    /// Returns the elements of a composite type.
    fn elements(self) -> Vec<Self> {
        let all = self.operand(ELEMENTS).map_or_else(Vec::new, Self::operands);
        let element = |of| Self::some(unsafe { llvm::LLVMValueAsMetadata(of) }, self.context);
        all.into_iter().filter(|of| !of.is_null()).filter_map(element).collect()
    }

    /// Returns true for a member or a base class of a structure.
    fn is_part(self) -> bool {
        self.is_derived() && [tag::MEMBER, tag::INHERITANCE].contains(&self.tag())
    }

    /// Returns the members at a bit in the variants of an enumeration, like [`Self::members_at`]. If the only member of
    /// a variant has no name, as in `Some(value)`, it is left out. Returns `None` if no member remains, or if the
    /// variants have different members. They may differ only if each variant contains only a collection, with its
    /// length at the bit.
    fn members_of_variants(
        self,
        bit: u64,
        width: u64,
        index: Option<(&str, u64)>,
        depth: u32,
    ) -> Option<(Vec<Member>, Self)> {
        let deeper = depth.checked_sub(1)?;
        let part =
            self.elements().into_iter().find(|of| of.is_composite() && of.tag() == tag::VARIANT_PART)?;
        let variants = part.elements().into_iter().filter(|of| of.is_part()).take(MOST_VARIANTS);
        let mut all = Vec::new();
        for variant in variants {
            let content = variant.base()?.plain();
            let begin = unsafe { api::LLVMDITypeGetOffsetInBits(variant.node) };
            let Some(bit) = bit.checked_sub(begin) else { continue };
            let (mut members, last) = content.members_within(bit, width, index, deeper);
            if members.is_empty() {
                continue;
            }
            let is_alone = content.elements().len() == 1;
            if is_alone && members[0].name == "__0" && members[0].index.is_none() {
                members.remove(0);
            }
            all.push((is_alone, members, last));
        }
        let names =
            |members: &[Member]| -> Vec<String> { members.iter().map(|one| one.name.clone()).collect() };
        let (_, first, _) = all.first()?;
        let first = names(first);
        let is_length = |(is_alone, members, _): &(bool, Vec<Member>, Self)| {
            *is_alone
                && members.last().is_some_and(|member| matches!(&*member.name, "len" | "length" | "items"))
        };
        let is_clear = all.iter().all(|(_, members, _)| names(members) == first) || all.iter().all(is_length);
        let shortest = all.into_iter().min_by_key(|(_, members, _)| members.len());
        shortest
            .filter(|(_, members, _)| is_clear && !members.is_empty())
            .map(|(_, members, last)| (members, last))
    }

    /// Returns the bits at which a structure and its members have integers with one of some names, except for the
    /// lengths of slices.
    pub(crate) fn integers_called(self, names: &[&str]) -> Vec<u64> {
        let mut offsets = Vec::new();
        self.find_integers(names, 0, 0, &mut offsets);
        offsets.sort_unstable();
        offsets
    }

    fn find_integers(self, names: &[&str], begin: u64, depth: u32, offsets: &mut Vec<u64>) {
        let ty = self.plain();
        let is_slice = ty.type_name().is_some_and(|name| name.starts_with(['&', '*']));
        let is_structure = ty.is_composite() && !is_slice && depth < 8;
        if !is_structure {
            return;
        }
        let is_part =
            |member: &Self| member.is_derived() && [tag::MEMBER, tag::INHERITANCE].contains(&member.tag());
        for member in ty.elements().into_iter().filter(is_part) {
            let Some(base) = member.base() else { continue };
            let at = begin + unsafe { api::LLVMDITypeGetOffsetInBits(member.node) };
            if base.is_basic() && member.type_name().is_some_and(|name| names.contains(&&*name)) {
                offsets.push(at);
            }
            base.find_integers(names, at, depth + 1, offsets);
        }
    }
}
