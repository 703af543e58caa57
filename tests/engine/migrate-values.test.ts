import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/engine/definitions/definition';
import { normalise } from '../../src/engine/normalise/normalise';
import type { FieldSource } from '../../src/engine/language/source';
import { convertValue } from '../../src/engine/forms/convert-value';
import { migrateFormValues } from '../../src/engine/forms/migrate-values';

/** Fields as a definition has them. */
function fieldsOf(written: Record<string, FieldSource>): Field[] {
  const { fields } = normalise({ name: 'things', labels: { one: 'Thing', many: 'Things' }, fields: written });
  return Object.keys(written).map((name) => fields[name]!);
}

const field = (written: FieldSource): Field => fieldsOf({ one: written })[0]!;

describe('a value of another type', () => {
  it.each([
    ['12.5', { type: 'text' }, { type: 'number' }, 12.5],
    ['a dozen', { type: 'text' }, { type: 'number' }, null],
    [12.5, { type: 'number' }, { type: 'text' }, '12.5'],
    ['<p>First</p><p>Second</p>', { type: 'richText' }, { type: 'textarea' }, 'First\nSecond'],
    ['2026-11-20T15:43:00.000Z', { type: 'datetime' }, { type: 'date' }, '2026-11-20'],
    ['red', { type: 'text' }, { type: 'select', options: [{ value: 'red', label: 'Red' }] }, 'red'],
    ['blue', { type: 'text' }, { type: 'select', options: [{ value: 'red', label: 'Red' }] }, null],
    [true, { type: 'boolean' }, { type: 'text' }, 'true'],
    [{ a: 1 }, { type: 'json' }, { type: 'text' }, null],
    [3, { type: 'relation', to: 'users' }, { type: 'relations', to: 'users' }, [3]],
    [[3, 4], { type: 'relations', to: 'users' }, { type: 'relation', to: 'users' }, 3],
    [3, { type: 'relation', to: 'users' }, { type: 'relation', to: 'studios' }, null],
    ['', { type: 'text' }, { type: 'number' }, null],
  ] satisfies [unknown, FieldSource, FieldSource, unknown][])('%j from %j to %j is %j', (value, from, to, expected) => {
    expect(convertValue(value, field(from), field(to))).toEqual(expected);
  });
});

describe('the values of a form whose definition changes', () => {
  const before = fieldsOf({ name: { type: 'text' }, size: { type: 'text' }, gone: { type: 'text' } });
  const typed = { name: 'Desk', size: '12', gone: 'kept in case' };

  it('are the same object if no field changed', () => {
    const after = fieldsOf({ name: { type: 'text', label: 'Title' }, size: { type: 'text' }, gone: { type: 'text' } });
    expect(migrateFormValues(before, after, typed, {})).toBe(typed);
  });

  it('follow a renamed field, and are converted to another type', () => {
    const after = fieldsOf({ title: { type: 'text', formerName: 'name' }, size: { type: 'number' } });
    expect(migrateFormValues(before, after, typed, {})).toMatchObject({
      title: 'Desk',
      size: 12,
      gone: 'kept in case',
    });
  });

  it('have the default of a new field, and of no other', () => {
    const after = fieldsOf({ name: { type: 'text', default: 'Chair' }, colour: { type: 'text', default: 'red' } });
    const start = { name: 'Chair', colour: 'red' };
    expect(migrateFormValues(before, after, { size: '12' }, start)).toEqual({ size: '12', colour: 'red' });
  });

  it('come back with a removed field', () => {
    const without = fieldsOf({ name: { type: 'text' }, size: { type: 'text' } });
    const left = migrateFormValues(before, without, typed, {});
    expect(migrateFormValues(without, before, left, {})).toMatchObject({ gone: 'kept in case' });
  });
});
