import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { partKeysAt, type PartKey } from '../../../src/engine/studio/part-keys';

const empty = {} as Source;
const kindsAt = (source: object, ...steps: string[]) =>
  Object.fromEntries(partKeysAt(source as Source, steps).map(({ name, description }) => [name, description.kind]));

/** All keys of the language below these, with their places; fields are described by themselves. */
function* keysBelow(keys: readonly PartKey[], at: string): Generator<[string, PartKey]> {
  for (const key of keys) {
    const place = `${at}/${key.name}`;
    yield [place, key];
    const { entry } = key.description;
    if (key.name === 'fields' && key.description.kind === 'record') continue;
    yield* keysBelow(key.description.keys, place);
    if (key.description.kind === 'record') yield* keysBelow(entry!.keys, `${place}/*`);
  }
}

describe('the panel of a part of the language', () => {
  it('has an input for each key by the kind of its values', () => {
    expect(kindsAt(empty, 'list', 'calendar')).toEqual({
      ...{ label: 'text', start: 'choice', end: 'choice', title: 'text', colour: 'choice', person: 'choice' },
      done: 'condition',
    });
    expect(kindsAt(empty, 'import')).toMatchObject({
      ...{ order: 'number', ask: 'choice', fields: 'choices', synonyms: 'record', paths: 'lists', tools: 'parts' },
    });
    expect(kindsAt({ rules: [{}] }, 'rules', '0')).toMatchObject({ action: 'oneOrMany', where: 'condition' });
    expect(kindsAt({ form: { tabs: [{}] } }, 'form', 'tabs', '0')).toMatchObject({
      resource: 'choice',
      filter: 'query',
    });
    expect(kindsAt({ fields: { name: {} } }, 'fields', 'name')).toMatchObject({
      ...{ maxLength: 'number', integer: 'flag', options: 'parts', pattern: 'text', where: 'condition' },
    });
  });

  it('names its required keys, of a field by its type', () => {
    const required = (source: object, ...steps: string[]) =>
      partKeysAt(source as Source, steps).filter(({ isRequired }) => isRequired);
    expect(required(empty, 'list', 'timeline').map(({ name }) => name)).toEqual(['start', 'end']);
    const source = { fields: { total: { type: 'rollup' }, name: {} } };
    expect(
      required(source, 'fields', 'total')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['aggregate', 'source']);
    expect(required(source, 'fields', 'name')).toEqual([]);
  });

  it('never has a label on a key without an input', () => {
    const source = { fields: { name: {} } } as unknown as Source;
    const all = [
      ...keysBelow(partKeysAt(source, []), ''),
      ...keysBelow(partKeysAt(source, ['fields', 'name']), '/fields/*'),
    ];
    const withoutInput = all.filter(([, { description }]) => {
      const { kind, words } = description;
      return words.label !== undefined && kind === 'other' && words.input === undefined;
    });
    expect(withoutInput.map(([place]) => place)).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });
});
