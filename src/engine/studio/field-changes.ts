import { at } from '../definitions/paths';
import type { FieldSource, Source } from '../definitions/source';
import type { Change } from './change';
import { entriesOf, hold } from './entries';
import { isObject, same } from './json';
import { changeInWords, keyInWords, valueInWords } from './words';

/** The differences between the fields of two versions: added, removed, renamed, reordered, and every changed key. */
export function fieldChanges(before: Source, after: Source): Change[] {
  const renamed = renamedFields(before, after);
  const old = entriesOf(['fields'], before.fields).map((entry) => ({
    ...entry,
    id: renamed.get(entry.id) ?? entry.id,
  }));
  const held = hold(old, entriesOf(['fields'], after.fields));
  return [
    ...held.added.map(({ id }): Change => ({ kind: 'added', path: at('/fields', id), subject: id, text: '' })),
    ...held.removed.map(({ id }): Change => ({ kind: 'removed', path: at('/fields', id), subject: id, text: '' })),
    ...held.kept.flatMap(({ before: was, after: is }) => {
      const path = at('/fields', is.id);
      const name = was.step === is.id ? [] : [changed(path, is.id, `renamed from ${was.step}`)];
      return [...name, ...keyChanges(path, is.id, was.value as FieldSource, is.value as FieldSource, name.length > 0)];
    }),
    ...(held.reordered ? [changed('/fields', 'fields', 'reordered')] : []),
  ];
}

/** Old name → new name of the fields that were renamed. */
export function renamedFields(before: Source, after: Source): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [name, { was }] of Object.entries(after.fields)) {
    if (was === undefined || Object.hasOwn(before.fields, name) || Object.hasOwn(after.fields, was)) continue;
    if (Object.hasOwn(before.fields, was)) renamed.set(was, name);
  }
  return renamed;
}

function keyChanges(path: string, name: string, before: FieldSource, after: FieldSource, renamed: boolean): Change[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])] as (keyof FieldSource)[];
  return keys
    .filter((key) => !same(before[key], after[key]) && !(renamed && key === 'was'))
    .flatMap((key) => {
      const here = after[key] === undefined ? path : at(path, key);
      const texts = key === 'options' ? optionTexts(before.options, after.options) : [listText(key, before, after)];
      return texts.map((text) => changed(here, name, text));
    });
}

function listText(key: keyof FieldSource, before: FieldSource, after: FieldSource): string {
  const [old, fresh] = [before[key], after[key]];
  if (key === 'default' && (typeof fresh === 'boolean' || typeof old === 'boolean')) {
    const [was, is] = [old, fresh].map((value) => (value === undefined ? 'none' : valueInWords(value)));
    return `default ${was} → ${is}`;
  }
  if (!Array.isArray(old) || !Array.isArray(fresh)) return changeInWords(key, old, fresh);
  const held = hold(entriesOf(['fields', '', key], old), entriesOf(['fields', '', key], fresh));
  const parts = [
    ...held.added.map(({ value }) => `${String(value)} added`),
    ...held.removed.map(({ value }) => `${String(value)} removed`),
  ];
  return `${keyInWords(key)}: ${parts.length > 0 ? parts.join(', ') : 'reordered'}`;
}

function optionTexts(before: FieldSource['options'] = [], after: FieldSource['options'] = []): string[] {
  const steps = ['fields', '', 'options'];
  const held = hold(entriesOf(steps, before), entriesOf(steps, after));
  const label = (value: unknown) => `option ${valueInWords(isObject(value) ? value.label : value)}`;
  return [
    ...held.added.map(({ value }) => `${label(value)} added`),
    ...held.removed.map(({ value }) => `${label(value)} removed`),
    ...held.kept.flatMap(({ before: { value: old }, after: { value: fresh } }) => {
      if (!isObject(old) || !isObject(fresh)) return [];
      const keys = ['label', 'tone'].filter((key) => !same(old[key], fresh[key]));
      return keys.map((key) => `${label(old)}: ${changeInWords(key, old[key], fresh[key])}`);
    }),
    ...(held.reordered ? ['options reordered'] : []),
  ];
}

function changed(path: string, subject: string, text: string): Change {
  return { kind: 'changed', path, subject, text };
}
