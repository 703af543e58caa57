import { fieldTypeOf } from '../field-types';
import { isInverse } from '../field-types/inverse';
import type { Field, FormDefinition, PageDefinition } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import type { Source } from '../language/source';

/**
 * The page of a record with every default filled in: the short fields of the form as properties, the long ones as text,
 * and its tabs as lists of related records. Null: there is none.
 */
export function normalisePage(
  source: Source,
  fields: Readonly<Record<string, Field>>,
  form: FormDefinition,
  titleField: string,
): PageDefinition | null {
  const { page } = source;
  if (page === undefined || page === false) return null;
  const pageSource = page === true ? {} : page;
  const titleFields = new Set([titleField, ...templateFields(source.recordTitle ?? '')]);
  const inForm = form.sections
    .flatMap((section) => section.fields)
    .flatMap((name) => (fields[name] && !titleFields.has(name) && name !== 'site_id' ? [fields[name]] : []));
  const texts = inForm.filter((field) => isLong(field) && !isInverse(field)).map(({ name }) => name);
  return {
    ...(pageSource.chips && { chips: pageSource.chips }),
    rail: pageSource.rail ?? inForm.filter((field) => !isLong(field) || isStrip(field)).map(({ name }) => name),
    sections: pageSource.sections ?? (texts.length > 0 ? [{ fields: texts }] : []),
    related: pageSource.related ?? defaultRelated(fields, form),
    stream: pageSource.stream ?? [],
    tiles: (pageSource.tiles ?? []).map((tile) => ({ filter: {}, limit: 5, wide: false, beside: false, ...tile })),
  };
}

/** Whether a field's type needs the whole width: its values are read as text. */
function isLong(field: Field): boolean {
  return fieldTypeOf(field).width === 'full';
}

/** Values side by side are a property. */
function isStrip(field: Field): boolean {
  return isInverse(field) && field.valueStrip !== undefined;
}

function defaultRelated(fields: Readonly<Record<string, Field>>, form: FormDefinition): string[] {
  const inTabs = new Set(form.tabs.map(({ resource }) => resource));
  const inverseFields = Object.values(fields).filter(
    (field) => isInverse(field) && !isStrip(field) && field.inverse && !inTabs.has(field.inverse.resource),
  );
  return [...form.tabs, ...inverseFields].map(({ name }) => name);
}
