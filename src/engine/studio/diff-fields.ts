import { joinPointer } from '../definitions/problems';
import type { FieldSource, Source } from '../definitions/source';
import type { DefinitionChange } from './definition-change';
import { entriesOf, diffEntries } from './diff-entries';
import { isJsonObject, isSameJson } from './json';
import { describeChange, describeKey, summarizeValue } from './describe-change';

/** The differences between the fields of two versions: added, removed, renamed, reordered, and every changed key. */
export function diffFields(before: Source, after: Source): DefinitionChange[] {
  const renamed = findRenamedFields(before, after);
  const old = entriesOf(['fields'], before.fields).map((entry) => ({
    ...entry,
    id: renamed.get(entry.id) ?? entry.id,
  }));
  const held = diffEntries(old, entriesOf(['fields'], after.fields));
  return [
    ...held.added.map(({ id }): DefinitionChange => ({
      kind: 'added',
      path: joinPointer('/fields', id),
      subject: id,
      text: '',
    })),
    ...held.removed.map(({ id }): DefinitionChange => ({
      kind: 'removed',
      path: joinPointer('/fields', id),
      subject: id,
      text: '',
    })),
    ...held.common.flatMap(({ before: was, after: is }) => {
      const path = joinPointer('/fields', is.id);
      const name = was.step === is.id ? [] : [changed(path, is.id, `renamed from ${was.step}`)];
      return [...name, ...keyChanges(path, is.id, was.value as FieldSource, is.value as FieldSource, name.length > 0)];
    }),
    ...(held.reordered ? [changed('/fields', 'fields', 'reordered')] : []),
  ];
}

/** Old name → new name of the fields that were renamed. */
export function findRenamedFields(before: Source, after: Source): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [name, { formerName }] of Object.entries(after.fields)) {
    if (formerName === undefined || Object.hasOwn(before.fields, name) || Object.hasOwn(after.fields, formerName))
      continue;
    if (Object.hasOwn(before.fields, formerName)) renamed.set(formerName, name);
  }
  return renamed;
}

function keyChanges(
  path: string,
  name: string,
  before: FieldSource,
  after: FieldSource,
  renamed: boolean,
): DefinitionChange[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])] as (keyof FieldSource)[];
  return keys
    .filter((key) => !isSameJson(before[key], after[key]) && !(renamed && key === 'formerName'))
    .flatMap((key) => {
      const here = after[key] === undefined ? path : joinPointer(path, key);
      const texts =
        key === 'options'
          ? describeOptionChanges(before.options, after.options)
          : [describeKeyChange(key, before, after)];
      return texts.map((text) => changed(here, name, text));
    });
}

function describeKeyChange(key: keyof FieldSource, before: FieldSource, after: FieldSource): string {
  const [old, fresh] = [before[key], after[key]];
  if (key === 'default' && (typeof fresh === 'boolean' || typeof old === 'boolean')) {
    const [was, is] = [old, fresh].map((value) => (value === undefined ? 'none' : summarizeValue(value)));
    return `default ${was} → ${is}`;
  }
  if (key === 'transitions' && old && fresh) return `${describeKey(key)} changed`;
  if (!Array.isArray(old) || !Array.isArray(fresh)) return describeChange(key, old, fresh);
  const held = diffEntries(entriesOf(['fields', '', key], old), entriesOf(['fields', '', key], fresh));
  const parts = [
    ...held.added.map(({ value }) => `${String(value)} added`),
    ...held.removed.map(({ value }) => `${String(value)} removed`),
  ];
  return `${describeKey(key)}: ${parts.length > 0 ? parts.join(', ') : 'reordered'}`;
}

function describeOptionChanges(before: FieldSource['options'] = [], after: FieldSource['options'] = []): string[] {
  const steps = ['fields', '', 'options'];
  const fresh = entriesOf(steps, after);
  const old = entriesOf(steps, before).map((entry) => ({
    ...entry,
    id: renamedOptionId(entry.id, before, after) ?? entry.id,
  }));
  const held = diffEntries(old, fresh);
  const label = (value: unknown) => `option ${summarizeValue(isJsonObject(value) ? value.label : value)}`;
  return [
    ...held.added.map(({ value }) => `${label(value)} added`),
    ...held.removed.map(({ value }) => `${label(value)} removed`),
    ...held.common.flatMap(({ before: { value: old }, after: { value: fresh } }) => {
      if (!isJsonObject(old) || !isJsonObject(fresh)) return [];
      const keys = ['label', 'tone', 'value'].filter((key) => !isSameJson(old[key], fresh[key]));
      return keys.map((key) => `${label(old)}: ${describeChange(key, old[key], fresh[key])}`);
    }),
    ...(held.reordered ? ['options reordered'] : []),
  ];
}

/** The identity of the option that has another value now: the former one (`formerValue`) says which. */
function renamedOptionId(
  id: string,
  before: NonNullable<FieldSource['options']>,
  after: NonNullable<FieldSource['options']>,
): string | undefined {
  const isThere = (options: typeof before, value: unknown) => options.some((option) => String(option.value) === value);
  const renamed = after.find(({ formerValue }) => formerValue !== undefined && String(formerValue) === id);
  return renamed && !isThere(after, id) && !isThere(before, String(renamed.value)) ? String(renamed.value) : undefined;
}

function changed(path: string, subject: string, text: string): DefinitionChange {
  return { kind: 'changed', path, subject, text };
}
