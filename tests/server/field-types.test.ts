import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldTypeNames } from '../../src/engine/definitions/definition';
import type { Source } from '../../src/engine/language/source';
import { fieldTypes, registerFieldTypes, type AddedFieldType } from '../../src/engine/field-types';
import { builtInTypeKeys } from '../../src/engine/language/field-types';
import { typeKeys } from '../../src/engine/language/field-types/type-keys';
import { choice, integer } from '../../src/engine/language/key';
import { fieldName } from '../../src/engine/language/names';
import { product } from '../fixtures/product';
import { sourceOf } from '../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../support/program';
import { resolveReferences } from '../support/openapi';

/** Stars from one to `max`, which people write as `★★★` and programs as a number. */
const rating: AddedFieldType = {
  type: {
    ...fieldTypes.number,
    normalise: ({ max = 5, ...written }) => ({ ...written, max }),
    column: 'integer',
    schema: (field) => ({ type: 'integer', minimum: 1, maximum: field.max }),
    fromText: (text) => (/^★+$/.test(text) ? text.length : fieldTypes.number.fromText(text, {} as never)),
    toText: (value) => (typeof value === 'number' ? '★'.repeat(value) : ''),
  },
  language: typeKeys({
    common: ['unique', 'computed'],
    keys: {
      max: builtInTypeKeys.number.keys.max,
      scale: choice(['stars', 'points'], {
        label: 'Shown as',
        help: 'rating: whether it is shown in stars or in points.',
      }),
      maxLength: integer({ maximum: 9, help: 'rating: letters of a remark.' }),
      basedOn: fieldName({ type: 'date', help: 'rating: the day of the visit.' }),
    },
  }),
  sheet: { example: () => '★★★', toCell: (value) => (value === 5 ? 'all stars' : undefined) },
};

const reviews = (stars: object): Source =>
  sourceOf(
    'reviews',
    { name: { label: 'Name' }, stars: { label: 'Stars', ...stars } as never },
    { scope: 'company', list: { filters: { stars: { range: true } } }, export: true, import: {} },
  );

let demo: DemoProgram;
let admin: Client;
let owner: Client;

beforeAll(async () => {
  demo = await startFixtureProgram({ product: { ...product, fieldTypes: { rating } } });
  admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
});
afterAll(async () => {
  await demo?.close();
  expect(Object.keys(fieldTypes)).toEqual([...fieldTypeNames]);
});

test.each([
  [{ type: 'raiting' }, '"raiting" must be one of .*"rating".* Did you mean "rating"\\?'],
  [{ type: 'rating', minLength: 2 }, 'type rating has no property "minLength"; fields of type text, .* have it'],
  [{ type: 'text', max: 3 }, 'type text has no property "max"; fields of type number, money, rating have it'],
  [{ type: 'number', scale: 'points' }, 'type number has no property "scale"; fields of type rating have it'],
  [{ type: 'rating', scale: 'apples' }, '"apples" must be one of "stars", "points"'],
  [{ type: 'rating', basedOn: 'name' }, '"name" must be of type date, but is of type text'],
  [{ type: 'rating', maxLength: 10 }, 'This must be <= 9. rating: letters of a remark.'],
  [{ type: 'text', maxLength: 0 }, 'This must be >= 1. Characters at most.'],
  [{ maxLength: 0 }, 'This must be >= 1. Characters at most.'],
  [{ type: 'rating', default: 9 }, '9 is not a valid value'],
])('a definition with %j is refused', async (stars, message) => {
  const { status, body } = await admin('POST', '/modules', { definition: reviews(stars) });
  expect(status).toBe(422);
  expect(JSON.stringify(Object.values((body as { errors: object }).errors)).replaceAll('\\"', '"')).toMatch(
    new RegExp(message),
  );
});

test('a field of a type of the product is stored, checked, filtered, sorted, downloaded and documented', async () => {
  const made = await admin('POST', '/modules', { definition: reviews({ type: 'rating', max: 7, scale: 'points' }) });
  expect(made).toMatchObject({ status: 201 });
  const { rows } = await sql<{ type: string }>`select data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = 'reviews' and column_name = 'stars'`.execute(
    demo.program.database.kysely,
  );
  expect(rows).toEqual([{ type: 'integer' }]);

  for (const stars of [7, 2, 5])
    expect(await owner('POST', '/reviews', { name: `${stars} stars`, stars })).toMatchObject({
      status: 201,
      body: { stars },
    });
  for (const [stars, message] of [
    [8, 'Stars must be at most 7.'],
    ['many', 'Stars must be a whole number.'],
    [2.5, 'Stars must be a whole number.'],
  ])
    expect(await owner('POST', '/reviews', { name: 'wrong', stars })).toMatchObject({
      status: 422,
      body: { errors: { stars: message } },
    });

  const listed = async (query: string) => {
    const { status, body } = await owner<{ stars: number }[]>('GET', `/reviews?${query}`);
    return status === 200 ? body.map(({ stars }) => stars) : body;
  };
  expect(await listed('sort_by=stars')).toEqual([2, 5, 7]);
  expect(await listed('stars_from=3&sort_by=-stars')).toEqual([7, 5]);
  expect(await listed(`stars=${encodeURIComponent('★★')}`)).toEqual([2]);
  expect(await listed('filter={"stars":{"$lt":5}}')).toEqual([2]);
  expect(await listed('stars=x')).toMatchObject({ message: 'stars: "x" is not a valid value for Stars.' });

  const { body: file } = await owner<string>('GET', '/reviews-export?format=csv&columns=name,stars&sort_by=stars');
  expect(file.trim().split('\r\n').slice(1)).toEqual(['2 stars,★★', '5 stars,all stars', '7 stars,★★★★★★★']);
  expect(await owner('GET', '/imports/reviews/download-sample')).toMatchObject({ status: 200 });

  const { body: named } = await owner<{ paths: object; components: object }>('GET', '/openapi.json');
  const api = { paths: resolveReferences<Record<string, unknown>>(named, named.paths) };
  expect(JSON.stringify(api.paths['/reviews'])).toContain(
    '"stars":{"type":["integer","null"],"minimum":1,"maximum":7}',
  );
});

test('a type cannot have the name of another one', () => {
  expect(() => registerFieldTypes({ rating })).toThrow('There is already a field type "rating"');
  expect(() => registerFieldTypes({ text: rating })).toThrow('There is already a field type "text"');
});
