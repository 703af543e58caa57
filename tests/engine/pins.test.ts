import { describe, expect, test } from 'vitest';
import { matchesCondition } from '../../src/engine/conditions/match-condition';
import { normalise } from '../../src/engine/normalise/normalise';
import type { FieldSource, Source } from '../../src/engine/language/source';
import { computeValues } from '../../src/engine/expressions/evaluate';
import { differenceSince } from '../../src/engine/history/difference';
import { renameField } from '../../src/engine/studio/fields';
import { readSources, source } from './support/definitions';

const pinned: FieldSource = { type: 'relation', to: 'terms', pin: true };
const terms = source({ name: 'terms', fields: { name: {} } });
const deals = (fields: Record<string, unknown> = {}, more: Partial<Source> = {}): Source =>
  source({ name: 'deals', fields: { name: {}, terms_id: pinned, ...fields } as Source['fields'], ...more });
const problemsOf = (written: Source) =>
  readSources(terms, written).problems.map(({ path, message }) => `${path} ${message}`);

describe('a relation with a pin', () => {
  test('adds three fields that only the server writes, with labels that a definition can change', () => {
    const { fields } = normalise(deals({ terms_id_changed: { label: 'Outdated' } }));
    expect(fields.terms_id_pin).toMatchObject({ type: 'datetime', readOnly: true, label: 'Terms Version' });
    expect(fields.terms_id_latest).toMatchObject({ type: 'lookup', label: 'Terms Latest Version' });
    expect(fields.terms_id_changed).toMatchObject({ type: 'boolean', label: 'Outdated' });
    const without = normalise(deals({ terms_id: { ...pinned, pin: false } })).fields;
    expect(without).not.toHaveProperty('terms_id_pin');
  });

  test.each([
    [null, false],
    ['2026-11-20T10:00:00.000Z', false],
    ['2026-11-20T10:00:00.001Z', true],
  ])('with the latest version %s has changed: %s', (latest, changed) => {
    const around = { today: '2026-11-21', now: '2026-11-21T00:00:00.000Z' };
    const stored = { terms_id_pin: '2026-11-20T10:00:00.000Z', terms_id_latest: latest };
    const record = computeValues(normalise(deals()), stored, around);
    expect(record.terms_id_changed).toBe(changed);
    expect(matchesCondition({ terms_id_changed: true }, record, around)).toBe(changed);
  });

  test('is shown, filtered and tested by the names that it adds', () => {
    const list = { columns: ['name', 'terms_id', 'terms_id_changed'], filters: { terms_id_changed: {} } };
    const take = { label: 'Take', sets: { terms_id_pin: 'current' } };
    expect(problemsOf(deals({}, { list, requests: { take } }))).toEqual([]);
  });

  test.each<[string, Source, string]>([
    [
      'stored by hooks',
      deals({ terms_id: { ...pinned, virtual: true } }),
      '/fields/terms_id/pin Only a relation that is',
    ],
    ['of another type', deals({ name: { pin: true } }), '/fields/name/pin A field of type text has no property "pin"'],
    [
      'in rows',
      deals({ lines: { type: 'rows', fields: { terms_id: pinned } } }),
      '/fields/lines/fields/terms_id/pin A column of rows has no "pin". Versions are remembered',
    ],
    [
      'set to an instant by a request',
      deals({}, { requests: { take: { label: 'Take', sets: { terms_id_pin: '2026-11-20T10:00:00.000Z' } } } }),
      '/requests/take/sets/terms_id_pin "terms_id_pin" is the version of a relation',
    ],
    [
      'written as a field of its own',
      deals({ terms_id_pin: { type: 'text' } }),
      '/fields/terms_id_pin/type This is a system field',
    ],
  ])('%s is reported with the place and the remedy', (_, wrong, message) => {
    expect(
      problemsOf(wrong).some((one) => one.startsWith(message)),
      problemsOf(wrong).join('\n'),
    ).toBe(true);
  });

  test('takes its names along when it is renamed', () => {
    const list = { columns: ['name', 'terms_id_changed'] };
    const renamed = renameField(deals({}, { list }), 'terms_id', 'conditions_id', deals());
    expect(renamed.list?.columns).toEqual(['name', 'conditions_id_changed']);
    expect(normalise(renamed).fields.conditions_id_pin).toMatchObject({ formerName: 'terms_id_pin' });
  });
});

describe('the difference since a pinned version', () => {
  const line = (at: string, old: object, fresh: object, event = 'updated') => ({
    event,
    user: null,
    created_at: `2026-11-20T10:00:0${at}.000Z`,
    old_values: old as Record<string, unknown>,
    new_values: fresh as Record<string, unknown>,
  });

  test('is between the first and the last value, without unchanged fields', () => {
    const lines = [
      line('4', { name: 'C', note: null }, { name: 'D', note: 'x' }),
      line('3', { name: 'B', size: 2 }, { name: 'C', size: 1 }),
      line('2', { size: 1 }, { size: 2 }),
      line('1', { name: 'A' }, { name: 'B' }),
      line('0', {}, { name: 'A' }, 'created'),
    ];
    const { old_values, new_values } = differenceSince(lines, '2026-11-20T10:00:01.000Z');
    expect(old_values).toEqual({ name: 'B', note: null });
    expect(new_values).toEqual({ name: 'D', note: 'x' });
    expect(differenceSince(lines, '2026-11-20T10:00:04.000Z').new_values).toEqual({});
  });
});
