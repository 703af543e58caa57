import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesCondition } from '../../src/engine/conditions/match-condition';
import type { Condition, ResourceRecord } from '../../src/engine/definitions/definition';
import { followInCondition, followName } from '../../src/engine/registry/renamed-fields';
import type { FieldSource } from '../../src/engine/language/source';
import { registryOf, sourceOf } from '../support/definitions';

// Conditions are stored with the names of fields; after a rename, in whichever module of a path, they match the same records.

/** By module: the fields with their former names; the fields of others that a field leads to. */
const modules: Record<string, Record<string, { formerName: string; leadsTo?: string } & FieldSource>> = {
  makers: {
    called: { formerName: 'name' },
    size: { formerName: 'weight', type: 'number' },
    jobs: { formerName: 'works', type: 'inverse', source: 'crates.origin_id', leadsTo: 'crates' },
  },
  crates: {
    heading: { formerName: 'title' },
    origin_id: { formerName: 'maker_id', type: 'relation', to: 'makers', embed: 'maker', leadsTo: 'makers' },
    above_id: { formerName: 'parent_id', type: 'relation', to: 'crates', embed: 'parent', leadsTo: 'crates' },
  },
  parcels: {
    // The name that a field of another module had.
    words: { formerName: 'name' },
    box_id: { formerName: 'crate_id', type: 'relation', to: 'crates', embed: 'crate', leadsTo: 'crates' },
    other_ids: { formerName: 'crate_ids', type: 'relations', to: 'crates', leadsTo: 'crates' },
  },
};
const registry = registryOf(
  ...Object.entries(modules).map(([name, fields]) =>
    sourceOf(
      name,
      Object.fromEntries(Object.entries(fields).map(([field, { leadsTo: _, ...source }]) => [field, source])),
      name === 'makers' ? { recordTitle: '{called}' } : name === 'crates' ? { recordTitle: '{heading}' } : {},
    ),
  ),
);

const now = { today: '2026-01-01', now: '2026-01-01T00:00:00.000Z' };
const texts = ['a', 'b', 'c'];
const fieldsOf = (module: string) => Object.entries(modules[module]!).map(([name, field]) => ({ name, ...field }));
const own = (module: string) => fieldsOf(module).filter(({ leadsTo }) => leadsTo === undefined);
const leading = (module: string) => fieldsOf(module).filter(({ leadsTo }) => leadsTo !== undefined);

/** A test of one field: its former name, and the operand. */
const testOf = (module: string): fc.Arbitrary<Condition> =>
  fc
    .tuple(
      fc.constantFrom(...own(module)),
      fc.oneof(
        fc.constantFrom(...texts, null),
        fc.record({ $in: fc.subarray(texts) }),
        fc.record({ $ne: fc.constantFrom(...texts) }),
        fc.record({ $not: fc.record({ $eq: fc.constantFrom(...texts) }) }),
      ),
    )
    .map(([{ formerName }, operand]) => ({ [formerName]: operand }) as Condition);

/** A condition about records of a module, with former names: through paths, `$some` and both. */
function conditionOn(module: string, depth: number): fc.Arbitrary<Condition> {
  if (depth === 0) return testOf(module);
  const through = fc.constantFrom(...leading(module)).chain(({ formerName, leadsTo }) =>
    fc.oneof(
      conditionOn(leadsTo!, depth - 1).map((one) => ({ [formerName]: { $some: one } }) as Condition),
      conditionOn(leadsTo!, depth - 1).map((one) => ({ [formerName]: { $not: { $some: one } } }) as Condition),
      // Each key of the inner condition with this field before it.
      conditionOn(leadsTo!, depth - 1)
        .filter((one) => Object.keys(one).every((key) => !key.startsWith('$')))
        .map(
          (one) =>
            Object.fromEntries(Object.entries(one).map(([key, value]) => [`${formerName}.${key}`, value])) as Condition,
        ),
    ),
  );
  const inner = conditionOn(module, depth - 1);
  return fc.oneof(
    testOf(module),
    through,
    through,
    fc.array(inner, { maxLength: 3 }).map(($or) => ({ $or }) as Condition),
    fc.array(inner, { maxLength: 3 }).map(($and) => ({ $and }) as Condition),
    fc.array(inner, { maxLength: 2 }).map(($nor) => ({ $nor }) as Condition),
    inner.map(($not) => ({ $not }) as Condition),
  );
}

/** A record with those that it refers to, under the present names. */
function recordOf(module: string, depth: number): fc.Arbitrary<ResourceRecord> {
  return fc.record(
    Object.fromEntries(
      fieldsOf(module).map(({ name, type, leadsTo }) => {
        if (leadsTo === undefined) return [name, fc.constantFrom(...texts, null)];
        const related = depth === 0 ? fc.constant(null) : recordOf(leadsTo, depth - 1);
        if (type === 'relation') return [name, fc.option(related)];
        return [name, depth === 0 ? fc.constant([]) : fc.array(related, { maxLength: 2 })];
      }),
    ),
  );
}

/** The record with the former names. */
function asBefore(module: string, record: ResourceRecord): ResourceRecord {
  return Object.fromEntries(
    fieldsOf(module).map(({ name, formerName, leadsTo }) => {
      const value = record[name];
      const before = (one: unknown) => (leadsTo && one ? asBefore(leadsTo, one as ResourceRecord) : one);
      return [formerName, Array.isArray(value) ? value.map(before) : before(value)];
    }),
  );
}

test('conditions match the same records after fields were renamed anywhere along their paths', () => {
  const cases = fc.constantFrom(...Object.keys(modules)).chain((module) =>
    fc.record({
      module: fc.constant(module),
      condition: conditionOn(module, 3),
      records: fc.array(recordOf(module, 3), { minLength: 1, maxLength: 3 }),
    }),
  );
  let matched = 0;
  fc.assert(
    fc.property(cases, ({ module, condition, records }) => {
      const followed = followInCondition(condition, registry.get(module), registry);
      for (const record of records) {
        const before = matchesCondition(condition, asBefore(module, record), now);
        if (before) matched += 1;
        expect(matchesCondition(followed, record, now)).toBe(before);
      }
      expect(followInCondition(followed, registry.get(module), registry)).toEqual(followed);
    }),
    { numRuns: 500 },
  );
  expect(matched).toBeGreaterThan(50);
});

test('names of trees and columns through embeds follow a renamed field; unknown names stay', () => {
  const parcels = registry.get('parcels');
  expect(
    followInCondition(
      { crate_id: { $below: 4 }, crate_ids: { $some: { parent_id: { $below: [1, 2] } } }, gone: 1, 'gone.name': 2 },
      parcels,
      registry,
    ),
  ).toEqual({
    box_id: { $below: 4 },
    other_ids: { $some: { above_id: { $below: [1, 2] } } },
    ...{ gone: 1, 'gone.name': 2 },
  });
  expect(followName('crate.maker.name', parcels!, registry)).toBe('crate.maker.called');
  expect(followName('crate.name', parcels!, registry)).toBe('crate.name');
});
