import type { AnyFieldSource, Source } from '../../../engine/language/source';
import { labelOf } from '../../../engine/definitions/labels';
import { systemFields } from '../../../engine/normalise/system-fields';
import { writtenTypeOf, type ValueKind } from '../../../engine/field-types';
import { studioOf } from '../../fields/studio';
import type { Draft } from '../draft';
import { draftErrors, isWithin } from '../draftPlaces';

/** How the draft changes an entry. */
export type EntryState = 'new' | 'changed' | 'hidden' | 'purged';

/** An entry of the list of fields. */
export interface Entry {
  readonly pointer: string;
  readonly name: string;
  /** The words of the screens; without them the name stands alone. */
  readonly label?: string;
  readonly icon: string;
  /** Its type, where it has one. */
  readonly kind?: string;
  readonly state: EntryState | undefined;
  readonly hasError: boolean;
}

/** A field of the draft; for a system field, merged with the engine's definition of it. */
export function completeField(source: Source, name: string): AnyFieldSource {
  return mergeFields(systemFields(source)[name], source.fields[name]);
}

function mergeFields(systemField: AnyFieldSource | undefined, draftField: AnyFieldSource | undefined): AnyFieldSource {
  return { ...systemField, ...draftField };
}

/** The entries of a draft's fields. */
export function fieldEntries(draft: Draft): Entry[] {
  const { source, base } = draft;
  const errors = draftErrors(draft);
  const system = systemFields(source);
  return Object.keys(source.fields).map((name) => {
    const pointer = `/fields/${name}`;
    const field = mergeFields(system[name], source.fields[name]);
    const type = field.type ?? 'text';
    const state = entryState(name, source, base.source);
    const { label = type, shortLabel = label, icon } = studioOf({ type });
    const word = field.computed === undefined ? shortLabel : 'computed';
    return {
      pointer,
      name,
      label: field.label ?? labelOf(name),
      icon: field.computed === undefined ? icon : 'toggle',
      kind: /^[A-Z]{2}/.test(word) ? word : word.toLowerCase(),
      state,
      hasError: errors.some(({ path }) => isWithin(path, pointer)),
    };
  });
}

function entryState(name: string, now: Source, baseSource: Source): EntryState | undefined {
  const [field, baseField] = [now.fields[name], baseSource.fields[name]];
  if (!baseField) return baseSource.fields[field?.formerName ?? ''] ? 'changed' : 'new';
  return JSON.stringify(field) === JSON.stringify(baseField) ? undefined : 'changed';
}

/** The entries of hidden columns and links, which store values but have no field: earlier ones, and those of fields that the draft removes. */
export function hiddenEntries({ module, base, source, purge }: Draft): Entry[] {
  const formerNames = new Set(Object.values(source.fields).map(({ formerName }) => formerName));
  const removedNames = Object.keys(base.source.fields).filter(
    (name) => !(name in source.fields) && !formerNames.has(name) && hasStoredData(completeField(base.source, name)),
  );
  const hiddenNames = module.hidden.map(({ column }) => column).filter((column) => !(column in source.fields));
  return [...new Set([...removedNames, ...hiddenNames])].map((name) => {
    const state = purge.includes(name) ? 'purged' : 'hidden';
    return { pointer: `/hidden/${name}`, name, icon: 'eye-off', state, hasError: false };
  });
}

/** Values that follow from others: nothing is lost with their field. */
const withoutData: ReadonlySet<ValueKind> = new Set(['referrers', 'minutes']);

/** Whether a field has stored data of its own: a column, or links to other records. */
export function hasStoredData(field: AnyFieldSource): boolean {
  return field.computed === undefined && !field.virtual && !withoutData.has(writtenTypeOf(field).holds);
}
