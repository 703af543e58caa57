import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import type { Level } from '../../src/engine/definitions/definition';
import { parameterCondition } from '../../src/engine/conditions/parameters';
import { fieldTypeOf } from '../../src/engine/field-types';
import { minutesBetween } from '../../src/engine/field-types/duration';
import { initialValues } from '../../src/engine/forms/form-values';
import { canMove, checkMove, isLate, moveRequestBody } from '../../src/engine/lists/kanban';
import { parseFilterValue } from '../../src/engine/lists/filter-text';
import { rowActions } from '../../src/engine/lists/row-actions';
import { validateValues } from '../../src/engine/validation/validate-values';
import { definition, field } from './support/definitions';
import { around } from './support/evaluation-context';

const things = definition({
  scope: 'company',
  fields: {
    name: { required: true },
    code: { unique: true },
    region_id: { type: 'relation', to: 'regions' },
    day: { type: 'date', maxDate: '$today' },
    begin: { type: 'time', dateField: 'day' },
    end: { type: 'time', dateField: 'day', laterThan: 'begin' },
    late: { type: 'boolean', computed: { day: { $lt: '$today' } } },
  },
  parameters: { state: { kind: 'named', conditions: { open: { region_id: { $ne: 5 } } } } },
  list: {
    actions: [
      'edit',
      'say',
      'copy',
      { name: 'note', opens: { resource: 'notes' } },
      {
        name: 'list',
        calls: {
          path: 'notes/list',
          permission: 'view',
          grants: [
            { resource: 'notes', action: 'create' },
            { resource: 'notes', action: 'list' },
          ],
        },
      },
    ],
    kanban: { column: 'region_id', request: 'say', field: 'text', overdue: 'late' },
  },
  requests: {
    say: {
      label: 'Say',
      path: 'thing/{id}',
      sets: ['region_id'],
      adds: { resource: 'notes', relation: 'thing_id', fields: ['text'] },
      visible: { region_id: { '$actor.level': { $ne: 6 } } },
    },
  },
  copy: { suffix: ' (copy)' },
  rules: [
    { levels: [4], action: 'edit', where: { created_by: '$actor.id' } },
    { levels: [4], action: 'edit', fields: ['name'] },
  ],
});
const kanban = things.list.kanban!;

function actor(
  level: Level,
  permissions: Actor['permissions'] = { things: ['list', 'view', 'create', 'edit'] },
): Actor {
  return { id: 7, role_id: level, level, site_id: 1, permissions };
}

describe('a board of records', () => {
  test('says which records are late', () => {
    expect([true, false, undefined].map((late) => isLate(kanban, { late }))).toEqual([true, false, false]);
    expect(isLate({ ...kanban, overdue: undefined }, { late: true })).toBe(false);
  });

  test.each<[string, Actor, object, boolean]>([
    ['whoever may edit moves', actor(3), { id: 1 }, true],
    ['whoever may not edit does not', actor(3, { things: ['list', 'view'] }), { id: 1 }, false],
    ['whom the column is hidden from does not', actor(6), { id: 1 }, false],
    ['their own record moves', actor(4), { id: 1, created_by: 7 }, true],
    ['of which they may set other fields only does not', actor(4), { id: 1, created_by: 8 }, false],
  ])('lets a card be moved by permissions and rules: %s', (_, who, record, expected) =>
    expect(canMove(things, kanban, { ...record }, who, around)).toBe(expected),
  );

  test('sends the column of a move and the field that it asked for', () => {
    expect(moveRequestBody(kanban, 3, { text: 'Done' })).toEqual({ region_id: 3, text: 'Done' });
  });
});

describe('a board of states', () => {
  const parcels = definition({
    scope: 'company',
    fields: {
      name: {},
      weight: { type: 'number' },
      reason: {},
      state: {
        type: 'select',
        options: ['packed', 'sent', 'lost'].map((value) => ({ value, label: value })),
        initial: 'packed',
        transitions: [
          { from: 'packed', to: 'sent', where: { weight: { $lt: 20 } } },
          { from: 'sent', to: 'lost', roles: ['driver'], requiredFields: ['reason'] },
        ],
      },
    },
    list: { kanban: { column: 'state' } },
  });
  const board = parcels.list.kanban!;
  const level = (role?: string): Actor => ({
    ...{ id: 7, role_id: 4, level: 4, role, site_id: 1 },
    permissions: { [parcels.name]: ['list', 'view', 'edit'] },
    roles: [{ key: 'driver', name: 'Driver', level: 4 }],
  });
  const check = (record: object, to: string, role?: string) => {
    const { refusal, needs } = checkMove(parcels, board, { id: 1, ...record }, { id: to }, level(role), around);
    return refusal ?? needs.map(({ name }) => name);
  };

  test('can be moved where a transition leads, and asks for what that needs', () => {
    expect(canMove(parcels, board, { id: 1, state: 'packed' }, level(), around)).toBe(true);
    expect(check({ state: 'packed', weight: 3 }, 'sent')).toEqual([]);
    expect(check({ state: 'packed', weight: 30 }, 'sent')).toBe(
      'State can change from packed to sent only if weight < 20.',
    );
    expect(check({ state: 'packed', weight: 3 }, 'lost')).toBe(
      'State cannot change from packed to lost. From packed it can become sent.',
    );
    expect(check({ state: 'sent' }, 'lost')).toBe('You may not change State from sent to lost: this is for Driver.');
    expect(check({ state: 'sent' }, 'lost', 'driver')).toEqual(['reason']);
    expect(check({ state: 'sent', reason: 'Storm' }, 'lost', 'driver')).toEqual([]);
  });

  test('cannot be moved without the permission to edit, or by rules of fields', () => {
    const reader = { ...level(), permissions: { [parcels.name]: ['list', 'view'] as const } };
    expect(canMove(parcels, board, { id: 1, state: 'packed' }, reader, around)).toBe(false);
    expect(canMove(parcels, board, { id: 1, state: 'packed', archived_at: '2026-01-01' }, level(), around)).toBe(false);
  });
});

describe('row actions', () => {
  const names = (who: Actor) => rowActions(things, { id: 1, created_by: 7 }, who, around).map(({ name }) => name);

  test('offer requests to users who can edit, and opening and calls to users with the grants that they need', () => {
    expect(names(actor(3))).toEqual(['edit', 'say', 'copy']);
    expect(names(actor(3, { things: ['list', 'view'], notes: ['create', 'list'] }))).toEqual(['view', 'note', 'list']);
    expect(names(actor(3, { things: ['list', 'view'], notes: ['create'] }))).toEqual(['view', 'note']);
    expect(names(actor(3, { things: ['list', 'view'], notes: ['edit'] }))).toEqual(['view']);
  });
});

describe('a copy', () => {
  const record = { id: 1, name: 'One', code: 'A1', day: '2026-01-05', begin: '2026-01-05 09:00', end: '10:00' };
  const fields = Object.values(things.fields).filter(({ system }) => !system);

  test('has the suffix of its definition and no value of a unique field', () => {
    expect(initialValues(things, fields, 'copy', record, around)).toEqual({
      name: 'One (copy)',
      day: '2026-01-05',
      begin: '09:00',
      end: '10:00',
    });
    expect(initialValues(things, fields, 'edit', record, around)).toMatchObject({
      name: 'One',
      code: 'A1',
      begin: '09:00',
    });
  });

  test('starts with the defaults of reset fields', () => {
    const region_id = { ...things.fields.region_id!, default: 1 };
    const resets = { ...things, copy: { ...things.copy!, resetFields: ['region_id', 'day'] } };
    const copied = initialValues(resets, [region_id, ...fields], 'copy', { ...record, region_id: 5 }, around);
    expect(copied).toMatchObject({ name: 'One (copy)', region_id: 1 });
    expect(copied).not.toHaveProperty('day');
  });

  test('has the picture if the copy refers to its original', () => {
    const picture = { name: 'a.png', size: 1, type: 'image/png', url: '/api/files/a.png' };
    const shot = field({ type: 'image' }, 'shot');
    const copied = (keeps?: string) => {
      const told = { ...things, copy: { ...things.copy!, originalField: keeps } };
      return initialValues(told, [shot], 'copy', { shot: picture }, around).shot;
    };
    expect([copied('original_id'), copied()]).toEqual([picture, undefined]);
  });

  test('changes no name if the definition has no copy settings', () => {
    const plain = { ...things, copy: null };
    expect(initialValues(plain, fields, 'copy', record, around)).toMatchObject({ name: 'One' });
  });
});

describe('a parameter of named values', () => {
  const { state } = things.parameters;

  test('accepts its names and refuses other values', () => {
    expect(parameterCondition(state!, 'open')).toEqual({ region_id: { $ne: 5 } });
    for (const value of ['shut', 'toString', 5, null])
      expect(parameterCondition(state!, value)).toEqual({ $nor: [{}] });
    expect(parseFilterValue('state', 'open', things)).toBe('open');
    expect(parseFilterValue('state', 'shut', things)).toBeUndefined();
  });
});

describe('times and durations', () => {
  const took = field({ type: 'duration', startField: 'begin', endField: 'end' });
  const { fromText, toText, parse, toResponse } = fieldTypeOf(took);

  test.each([
    ['1.30', 90, '1h 30m'],
    ['2.00', 120, '2h'],
    ['0.45', 45, '0h 45m'],
    ['0.00', 0, ''],
    ['100.05', 6005, '100h 05m'],
  ])('%s are %d minutes, shown as %j', (text, minutes, shown) => {
    expect([fromText(text, took), parse(text, took), toResponse!(minutes)]).toEqual([minutes, minutes, text]);
    expect([toText(minutes, took), toText(text, took)]).toEqual([shown, shown]);
  });

  test.each(['1.75', '1.3', '-1.00', 'one', '1:30'])('%s is no duration', (text) => {
    expect(fromText(text, took)).toBeUndefined();
    expect(parse(text, took)).toBe(text);
  });

  test.each([
    ['09:00', '10:30', 90],
    ['2026-01-05 09:00', '2026-01-05 09:00', 0],
    ['10:30', '09:00', undefined],
    [null, '09:00', undefined],
  ])('the minutes from %s to %s are counted, where the end is not earlier', (from, to, minutes) =>
    expect(minutesBetween(from, to)).toBe(minutes),
  );

  test.each([
    ['begin', '2026-01-05 09:00', '09:00'],
    ['begin', '2026-01-05T09:00', '09:00'],
    ['begin', '2026-02-30 09:00', '2026-02-30 09:00'],
    ['begin', '09:00', '09:00'],
  ])('%s %s is kept as %s', (name, text, kept) =>
    expect(fieldTypeOf(things.fields[name]!).parse(text, things.fields[name]!)).toBe(kept),
  );

  test('a time without a date field accepts no day', () => {
    const time = field({ type: 'time' });
    expect(fieldTypeOf(time).fromText('2026-01-05 09:00', time)).toBeUndefined();
  });

  test.each<[object, object]>([
    [{ begin: '09:00', end: '09:01' }, {}],
    [{ begin: '09:00', end: '09:00' }, { end: 'End must be after Begin (09:00).' }],
    [{ day: '2026-01-06' }, {}],
    [{ day: '2026-01-07' }, { day: 'Day cannot be in the future.' }],
  ])('%j', (values, errors) => {
    const evaluationContext = around;
    expect(
      validateValues(things, { name: 'x', site_id: 1, ...values }, { strictness: 'api', evaluationContext }),
    ).toEqual(errors);
  });
});
