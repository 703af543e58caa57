import type { FormSource, Source } from '../language/source';
import { setAtPath } from './set-at-path';

/** A section of the form as the visual editor shows it. */
export type SectionView = NonNullable<FormSource['sections']>[number];

/**
 * The sections of a definition; null if it uses the default form.
 *
 * @example readSections(source)?.map(({ label }) => label); // ['General']
 */
export function readSections(source: Source): SectionView[] | null {
  return source.form?.sections ?? null;
}

/**
 * The definition with these sections. One without fields cannot be, and is left out.
 *
 * @example writeSections(source, readSections(source)); // the same definition
 */
export function writeSections(source: Source, sections: readonly SectionView[] | null): Source {
  const filledSections = sections?.filter(({ fields }) => fields.length > 0) ?? [];
  return setAtPath(source, ['form', 'sections'], filledSections.length === 0 ? undefined : filledSections);
}

/**
 * Moves a field to a position in a section; without a section it is only removed from the others.
 *
 * @example moveFieldToSection(source, 'due_date', 1);
 */
export function moveFieldToSection(source: Source, name: string, section?: number, position?: number): Source {
  const sections = readSections(source);
  if (!sections) return source;
  const newSections = sections.map(({ fields, ...rest }, index) => {
    const otherNames = fields.filter((fieldName) => fieldName !== name);
    if (index === section) return { ...rest, fields: otherNames.toSpliced(position ?? otherNames.length, 0, name) };
    return withoutName({ ...rest, fields: otherNames }, name);
  });
  return writeSections(source, newSections);
}

/** The section without a field that left it. Where less than two alternatives are left, there are none. */
function withoutName({ alternatives, onDemand, ...section }: SectionView, name: string): SectionView {
  const leftAlternatives = alternatives
    ?.map((alternative) => ({ ...alternative, fields: alternative.fields.filter((field) => field !== name) }))
    .filter(({ fields }) => fields.length > 0);
  const leftNames = onDemand?.filter((field) => field !== name);
  return {
    ...section,
    ...(leftNames && leftNames.length > 0 && { onDemand: leftNames }),
    ...(leftAlternatives && leftAlternatives.length > 1 && { alternatives: leftAlternatives }),
  };
}
