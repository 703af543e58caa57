import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkExtension, createExtension, extendSource } from '../../src/engine/check/extension';
import { parseJson } from '../../src/engine/check/parse-json';
import type { Source } from '../../src/engine/language/source';
import { fixtureSources } from '../support/definitions';

const base = { name: 'users', fields: { name: { max: 9 }, email: {}, phone: { help: 'x' } }, rules: [1, 2], menu: {} };

test.each([
  [
    'a new key comes before the next known one',
    { fields: { team: {}, email: {} } },
    ['name', 'team', 'email', 'phone'],
  ],
  ['otherwise at the end', { fields: { team: {} } }, ['name', 'email', 'phone', 'team']],
  ['several keep their order', { fields: { a: {}, b: {}, name: {} } }, ['a', 'b', 'name', 'email', 'phone']],
  ['removed keys are gone', { remove: ['/fields/email'] }, ['name', 'phone']],
  ['removed and written keys move', { remove: ['/fields/name'], fields: { name: {} } }, ['email', 'phone', 'name']],
])('an extension merges the keys of a definition: %s', (_, extension, keys) => {
  const extended = extendSource(base, { extends: 'users', ...extension }) as unknown as typeof base;
  expect(Object.keys(extended.fields)).toEqual(keys);
});

test('an extension merges objects and replaces lists and single values; its own keys are left out', () => {
  const extension = { $schema: 'e', extends: 'users', fields: { name: { min: 1 } }, rules: [3], menu: false };
  expect(extendSource(base, extension)).toEqual({
    ...base,
    fields: { ...base.fields, name: { max: 9, min: 1 } },
    rules: [3],
    menu: false,
  });
});

test.each([
  [[], [['', /must be an object/]]],
  [{ extends: 'user' }, [['/extends', /must be "users"/]]],
  [{ extends: 'users', name: 'people' }, [['/name', /must not change the name/]]],
  [{ extends: 'users', remove: '/menu' }, [['/remove', /list of keys/]]],
  [
    { extends: 'users', remove: ['/menu', '/fields/fax', '/rules/0', '', 7] },
    [1, 2, 3, 4].map((index) => [`/remove/${index}`, /is not a key/]),
  ],
  [{ extends: 'users', remove: ['/fields/phone/help'] }, []],
])('the extension %j is checked', (extension, problems) => {
  expect(checkExtension(base, extension)).toEqual(
    (problems as [string, RegExp][]).map(([path, message]) => ({ path, message: expect.stringMatching(message) })),
  );
});

test('an extension created from two definitions turns one into the other, keys in order', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, 1, 'a', [], [1], [{ a: 1 }]), tie('object')),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '1', '2', 'x/y', 'x~y'), tie('value'), { maxKeys: 5 }),
  }));
  const source = value.object.map((more) => ({ name: 'users', ...(more as object) }) as unknown as Source);
  fc.assert(
    fc.property(source, source, (one, other) => {
      // As a file: what has no place in JSON must not be needed.
      const extension = parseJson(JSON.stringify(createExtension(one, other))).value as { extends: string };
      expect(checkExtension(one as never, extension)).toEqual([]);
      const { $schema, ...extended } = extendSource(one as never, extension);
      expect($schema).toBeUndefined();
      expect(JSON.stringify(extended)).toBe(JSON.stringify(other));
    }),
    { numRuns: 300 },
  );
  const [studios, users] = ['studios', 'users'].map((name) => fixtureSources().find((one) => one.name === name)!);
  const renamed = { ...studios!, $schema: users!.$schema, name: 'users' };
  expect(extendSource(users as never, createExtension(users!, renamed))).toEqual(renamed);
});
