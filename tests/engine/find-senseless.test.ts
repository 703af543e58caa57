import { expect, test } from 'vitest';
import { namedRoles } from '../../src/engine/check/check-roles';
import { findSenseless } from '../../src/engine/check/find-senseless';
import { normalise } from '../../src/engine/normalise/normalise';
import type { Source } from '../../src/engine/language/source';
import { source } from './support/definitions';

const known = { icons: ['anchor', 'sail'], hooks: ['stamp'] };

function found(more: Partial<Source>) {
  const boats = source({ fields: { name: {} }, ...more });
  return findSenseless(boats, normalise(structuredClone(boats)), known).map(
    ({ path, message }) => `${path} ${message}`,
  );
}

test.each<[string, Partial<Source>, RegExp]>([
  [
    'an unknown icon of the menu',
    { menu: { group: 'Fleet', icon: 'sial' } },
    /^\/menu\/icon .*"sial".*Did you mean "sail"/,
  ],
  [
    'an unknown icon of an action',
    { list: { card: { lines: [{ field: 'name', icon: 'whale' }] } } as Source['list'] },
    /^\/list\/card\/lines\/0\/icon Unknown icon "whale"/,
  ],
  [
    'an unknown hook',
    { hooks: { beforeSave: ['stmp'] } },
    /^\/hooks\/beforeSave Unknown hook "stmp"\. Did you mean "stamp"/,
  ],
  [
    'two values of one field at once',
    { fields: { a: {}, b: { visible: { $and: [{ a: 'x' }, { a: 'y' }] } } } },
    /^\/fields\/b\/visible This condition can never hold/,
  ],
  ['a choice of nothing', { fields: { a: {}, b: { required: { a: { $in: [] } } } } }, /^\/fields\/b\/required .*never/],
  [
    'a value outside of its own limit',
    { fields: { a: { type: 'number' }, b: { readOnly: { a: { $eq: 3, $gt: 5 } } } } },
    /^\/fields\/b\/readOnly .*never/,
  ],
  [
    'a field that hides itself',
    { fields: { a: { visible: { a: 'x' } } } },
    /^\/fields\/a\/visible .*only once it has a value/,
  ],
])('a definition with a mistake is reported: %s', (_, wrong, message) => {
  const problems = found(wrong);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(message);
});

test('two fields that hide each other are reported at both', () => {
  const fields = { a: { visible: { b: 'x' } }, b: { visible: { a: { $exists: true } } } };
  expect(found({ fields })).toEqual([
    expect.stringMatching(/^\/fields\/a\/visible "a" is shown only with a value of "b"/),
    expect.stringMatching(/^\/fields\/b\/visible "b" is shown only with a value of "a"/),
  ]);
});

test.each<[string, Partial<Source>]>([
  ['known icons and hooks', { menu: { group: 'Fleet', icon: 'sail' }, hooks: { beforeSave: ['stamp'] } }],
  ['one of several values', { fields: { a: {}, b: { visible: { $or: [{ a: 'x' }, { a: 'y' }] } } } }],
  ['the same value twice', { fields: { a: {}, b: { visible: { $and: [{ a: { $in: ['x', 'y'] } }, { a: 'y' }] } } } }],
  ['variables', { fields: { a: {}, b: { visible: { $and: [{ a: '$actor.id' }, { a: 1 }] } } } }],
  ['a field that is shown without the other', { fields: { a: { visible: { b: 'x' } }, b: { visible: { a: null } } } }],
])('a definition has no mistake with %s', (_, right) => expect(found(right)).toEqual([]));

test('the roles that a definition names are those of its parts and of its conditions, however deep', () => {
  const named = source({
    rules: [{ roles: ['packer'], action: 'edit' }],
    fields: { a: { visible: { '$actor.role': { $not: { $in: ['guest', '$actor.role'] } } } } },
    requests: { pack: { label: 'Pack', sets: { a: 'x' }, roles: ['driver'], where: { '$actor.role': 'owner' } } },
  });
  expect(namedRoles(named).map(({ path, key }) => `${path} ${key}`)).toEqual([
    '/rules/0/roles/0 packer',
    '/requests/pack/roles/0 driver',
    '/fields/a/visible/$actor.role/$not/$in/0 guest',
    '/requests/pack/where/$actor.role owner',
  ]);
});
