import { customizeValidator } from '@rjsf/validator-ajv8';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldTypeNames, type FieldTypeName } from '../../src/engine/definitions/definition';
import type { AnyFieldSource } from '../../src/engine/language/source';
import { columnTypeOf, fieldTypes, fieldTypeOf, sheetTypeOf, type ValueSchema } from '../../src/engine/field-types';
import { isSameValue } from '../../src/engine/forms/form-values';
import { validateValues } from '../../src/engine/validation/validate-values';
import { formats } from '../../src/engine/validation/formats';
import { findViolation } from '../../src/engine/validation/find-violation';
import { definition, field } from './support/definitions';
import { around } from './support/evaluation-context';

const ajv = new Ajv({ allErrors: true, formats: { ...formats } });
const forms = customizeValidator({ customFormats: { ...formats } });

/** What a field of each type says besides its type, in several ways. */
const written: Record<FieldTypeName, AnyFieldSource[]> = {
  text: [{}, { minLength: 2, maxLength: 4 }, { pattern: '^[A-Za-z0-9]+$' }],
  textarea: [{}, { maxLength: 3 }],
  richText: [{}, { maxLength: 3 }],
  number: [{}, { integer: true }, { decimal: true, digits: 4 }, { min: -1.5, max: 3 }],
  money: [{ currency: 'EUR' }, { currency: 'JPY', min: 0 }, { currency: 'unit', digits: 3 }],
  boolean: [{}],
  date: [{}],
  time: [{}],
  datetime: [{}],
  email: [{}, { maxLength: 12 }],
  url: [{}],
  phone: [{}],
  password: [{}],
  select: [
    {
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    },
    { options: [{ value: 1, label: 'One' }] },
    { multiple: true, options: [1, 2].map((value) => ({ value, label: `No. ${value}` })) },
  ],
  icon: [{}],
  relation: [{ to: 'things' }],
  relations: [{ to: 'things' }],
  inverse: [{ source: 'things.value' }],
  json: [{}],
  permissions: [{}],
  image: [{}],
  files: [{}, { accept: ['image/*'], maxItems: 2, maxSize: '25 MB' }],
  duration: [{ startField: 'start', endField: 'end' }],
  shareLink: [{ path: 'thing' }],
  sequence: [{ format: 'TC-{n}' }],
  lookup: [{ source: 'maker_id.name' }],
  rollup: [{ source: 'things.value', aggregate: 'count' }],
  rows: [{ fields: { text: { type: 'text' } } }],
};

const telling: unknown[] = [
  '',
  ' ',
  'a',
  'ab',
  'abcde',
  '😀😀',
  '😀😀😀😀😀',
  'Ä1',
  'web',
  'web-app',
  'Demo@1234',
  'demo@1234',
  '2026-02-28',
  '2026-02-29',
  '2024-02-29',
  '2026-13-01',
  '0000-01-01',
  '2026-11-16T14:30:00Z',
  '2026-11-16T14:30:00+01:00',
  '2026-11-16 14:30',
  '24:00',
  '23:59',
  '7:05',
  'a@b.test',
  'a@b',
  'a b@c.test',
  'example.com',
  'http://localhost:3000/x',
  'htp://build',
  'https://münchen.example/ä?q=1#z',
  'javascript:alert(1)',
  '+49 (30) 1-2',
  'shots.edit',
  'shots.all',
  '\0',
  0,
  -0,
  1,
  -1.5,
  1.5,
  3,
  4,
  2147483647,
  2147483648,
  1e15,
  1e16,
  Number.MAX_VALUE,
  true,
  false,
  [],
  [1],
  [1, 1],
  [1, 2],
  [0],
  ['1'],
  ['shots.edit'],
  ['shots.edit', 'shots.edit'],
  [1.5],
  [[1]],
  [{}],
  {},
  { id: 1 },
  { type: 'string' },
  { toString: '' },
  [{ toString: '' }],
  '__proto__',
  'constructor',
];

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...telling) },
  { weight: 2, arbitrary: fc.jsonValue().filter((one) => one !== null) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((day) => day.toISOString()) },
  { weight: 1, arbitrary: fc.emailAddress() },
  { weight: 1, arbitrary: fc.webUrl() },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: -1, max: 4 }), { maxLength: 5 }) },
);

const cases = fieldTypeNames.flatMap((type) =>
  written[type].map((extra): [FieldTypeName, AnyFieldSource] => [type, extra]),
);

describe('the interpreter of value schemas', () => {
  test.each(cases)('agrees with ajv on %s %j', (type, extra) => {
    const schema = fieldTypeOf(field({ type, ...extra })).schema(field({ type, ...extra }));
    const judge = ajv.compile(schema);
    fc.assert(
      fc.property(value, (one) => {
        const violation = findViolation(schema, one);
        const fits = judge(one);
        expect(violation === undefined, `${JSON.stringify(one)}: ${violation?.keyword}`).toBe(fits);
        if (violation) expect(keywords(judge.errors!)).toContain(violation.keyword);
      }),
      { numRuns: 300, examples: telling.map((one): [unknown] => [one]) },
    );
  });

  test.each(cases)("agrees with the form library's own validator on %s %j", (type, extra) => {
    const schema = fieldTypeOf(field({ type, ...extra })).schema(field({ type, ...extra })) as object;
    for (const one of telling) {
      expect(forms.isValid(schema, one, schema), JSON.stringify(one)).toBe(
        findViolation(schema as ValueSchema, one) === undefined,
      );
    }
  });

  /** Of a list's members, the interpreter only says that one is wrong. */
  function keywords(errors: readonly { keyword: string; instancePath: string }[]): string[] {
    return errors.map(({ keyword, instancePath }) => (instancePath === '' ? keyword : 'items'));
  }
});

describe('every field type', () => {
  test.each(cases)('%s %j keeps what fits when it is parsed again', (type, extra) => {
    const one = field({ type, ...extra });
    const { schema, parse } = fieldTypeOf(one);
    fc.assert(
      fc.property(value, (given) => {
        if (findViolation(schema(one), given)) return;
        const kept = parse(given, one);
        expect(parse(kept, one)).toEqual(kept);
      }),
      { examples: telling.map((given): [unknown] => [given]) },
    );
  });

  test.each(cases)('%s %j parses arbitrary values without an error', (type, extra) => {
    const one = field({ type, ...extra });
    fc.assert(
      fc.property(value, (given) => {
        fieldTypeOf(one).parse(given, one);
        expect(typeof fieldTypeOf(one).toText(given, one)).toBe('string');
        fieldTypeOf(one).fromText(typeof given === 'string' ? given : JSON.stringify(given), one);
      }),
      { examples: telling.map((given): [unknown] => [given]) },
    );
  });

  test.each<[FieldTypeName, AnyFieldSource, string | null]>([
    ['text', {}, 'text'],
    ['number', {}, 'double precision'],
    ['number', { integer: true }, 'integer'],
    ['number', { integer: true, max: 9_000_000_000 }, 'bigint'],
    ['number', { integer: true, min: -9_000_000_000 }, 'bigint'],
    ['number', { decimal: true }, 'numeric(15,2)'],
    ['number', { decimal: true, digits: 4, max: 9 }, 'numeric(15,4)'],
    ['select', { options: [{ value: 1, label: 'One' }] }, 'integer'],
    ['select', { options: [{ value: 'a', label: 'A' }] }, 'text'],
    ['relation', { to: 'things' }, 'bigint'],
    ['relations', { to: 'things' }, null],
    ['inverse', { source: 'things.value' }, null],
    ['text', { computed: '{name}' }, null],
    ['json', { virtual: true }, null],
    ['datetime', {}, 'timestamptz(3)'],
  ])('%s %j is kept as %s', (type, extra, column) => expect(columnTypeOf(field({ type, ...extra }))).toBe(column));

  test.each<[FieldTypeName, string, unknown]>([
    ['number', '12.5', 12.5],
    ['number', '0x10', undefined],
    ['boolean', 'Yes', true],
    ['boolean', 'maybe', undefined],
    ['date', '2026-02-30', undefined],
    ['datetime', '2026-11-16T14:30:00+01:00', '2026-11-16T13:30:00.000Z'],
    ['datetime', '9999-12-31T23:59:00-12:00', undefined],
    ['datetime', '0001-01-01T00:00:00+12:00', undefined],
    ['relation', '0', undefined],
    ['relation', '2147483648', 2_147_483_648],
    ['relation', '9007199254740992', undefined],
    ['relations', '1, 2', [1, 2]],
    ['relations', '1, x', undefined],
    ['time', '9:30', undefined],
    ['json', '{"a":1}', { a: 1 }],
    ['json', '{', undefined],
  ])('%s reads the text %j', (type, text, read) => {
    const one = field({ type, ...written[type][0] });
    expect(fieldTypeOf(one).fromText(text, one)).toEqual(read);
  });

  test('has a name, and every name has a type', () => expect(Object.keys(fieldTypes)).toEqual([...fieldTypeNames]));
});

describe('the words for broken rules', () => {
  const things = definition({
    fields: {
      name: { required: true, maxLength: 5 },
      code: { pattern: '^[A-Z]+$', patternMessage: 'Code may hold capitals only.' },
      site: { type: 'url' },
      mail: { type: 'email' },
      secret: { type: 'password' },
      begin: { type: 'date' },
      end: { type: 'date', notBefore: 'begin' },
      note: { required: 'form' },
      reason: { required: { code: 'X' } },
      hidden: { required: true, visible: { code: 'H' } },
      count: { type: 'number', integer: true, min: 1 },
      thing_id: { type: 'relation', to: 'things' },
      made_up: { computed: '{name}' },
    },
  });

  test.each<[Record<string, unknown>, Record<string, string>]>([
    [{ name: 'ok' }, {}],
    [{}, { name: 'Name is required.' }],
    [{ name: '' }, { name: 'Name is required.' }],
    [{ name: 'too long' }, { name: 'Name must have at most 5 characters.' }],
    [{ name: 7 }, { name: 'Name must be text.' }],
    [{ name: 'a\0b' }, { name: 'Name contains characters that are not allowed.' }],
    [{ name: 'ok', code: 'a' }, { code: 'Code may hold capitals only.' }],
    [{ name: 'ok', site: 'htp://build' }, { site: 'Invalid Url' }],
    [{ name: 'ok', mail: 'a@b' }, { mail: 'Mail must be an email address such as name@example.com.' }],
    [{ name: 'ok', secret: 'short' }, { secret: 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.' }],
    [{ name: 'ok', begin: '2026-02-02', end: '2026-02-01' }, { end: 'End must not be before Begin (02-Feb-2026).' }],
    [{ name: 'ok', begin: '2026-02-02', end: '2026-02-02' }, {}],
    [{ name: 'ok', begin: 'soon', end: '2026-02-01' }, { begin: 'Begin must be a date such as 2026-11-16.' }],
    [{ name: 'ok', code: 'X' }, { reason: 'Reason is required.' }],
    [{ name: 'ok', code: 'H' }, { hidden: 'Hidden is required.' }],
    [{ name: 'ok', count: 1.5 }, { count: 'Count must be a whole number.' }],
    [{ name: 'ok', count: 0 }, { count: 'Count must be at least 1.' }],
    [{ name: 'ok', thing_id: 'one' }, { thing_id: 'Thing: this choice is not available.' }],
  ])('%j', (values, errors) => {
    expect(validateValues(things, values, { strictness: 'api', evaluationContext: around })).toEqual(errors);
  });

  test('a value that only the form requires is an error in the form alone', () => {
    expect(validateValues(things, { name: 'ok' }, { strictness: 'form', evaluationContext: around })).toEqual({
      note: 'Note is required.',
    });
    // It asks for a date as it shows one.
    expect(
      validateValues(
        things,
        { name: 'ok', note: 'x', begin: 'soon' },
        { strictness: 'form', evaluationContext: around },
      ),
    ).toEqual({
      begin: 'Begin must be a date such as 16-Nov-2026.',
    });
  });

  test('a stored value that breaks a newer rule does not block other changes', () => {
    const values = { name: 'much too long', code: 'A' };
    expect(
      validateValues(things, values, { strictness: 'api', evaluationContext: around, changed: new Set(['code']) }),
    ).toEqual({});
  });
});

test('a file equals only itself, not another file with its name', () => {
  const file = new File(['a'], 'shot.png', { type: 'image/png' });
  expect(isSameValue(file, file)).toBe(true);
  expect(isSameValue(file, new File(['b'], 'shot.png', { type: 'image/png' }))).toBe(false);
  expect(isSameValue({ name: 'shot.png' }, { name: 'shot.png' })).toBe(true);
});

describe('numbers have one notation', () => {
  test.each<[AnyFieldSource, unknown, string]>([
    [{ type: 'number' }, 210079.5, '210,079.5'],
    [{ type: 'number' }, -1234567, '-1,234,567'],
    [{ type: 'number' }, 999.12345, '999.12345'],
    [{ type: 'number', digits: 2 }, 1000, '1,000.00'],
    [{ type: 'number', separators: false }, 2026, '2026'],
    [{ type: 'duration', startField: 'start', endField: 'end' }, '1200.05', '1,200h 05m'],
  ])('%j: %j as %s', (written, stored, text) => {
    const own = field(written);
    expect(fieldTypeOf(own).toText(stored, own)).toBe(text);
  });

  test('except that the ids of records have no commas', () => {
    const own = definition({}).fields.id!;
    expect(fieldTypeOf(own).toText(12345, own)).toBe('12345');
  });
});

test('minutes are hours in a cell of a spreadsheet, other numbers as they are', () => {
  const cell = (more: object) => {
    const number = { ...field({ type: 'number' }), ...more };
    return sheetTypeOf(number).toCell!(270, number);
  };
  expect([cell({ isMinutes: true }), cell({})]).toEqual([{ hours: 4.5 }, 270]);
});

describe('a number that is a part of another one', () => {
  const part = field({ type: 'rollup', source: 'things.value', aggregate: 'sum', field: 'length', of: 'planned' });
  const toText = (more: object, value: unknown, record: object) =>
    fieldTypes.number.toText(value, { ...part, type: 'number', ...more } as never, record as never);

  test.each([
    [{}, 3, { planned: 8 }, '3 of 8'],
    [{}, 3, { planned: null }, '3'],
    [{ isMinutes: true }, 270, { planned: 6 }, '4:30 of 6:00'],
    [{ isMinutes: true }, 0, { planned: 2.5 }, '0:00 of 2:30'],
    [{ isMinutes: true }, 270, {}, '4:30'],
    [{ isMinutes: true }, null, { planned: 6 }, ''],
  ])('with %j is %j of %j: %s', (more, value, record, text) => {
    expect(toText(more, value, record)).toBe(text);
  });
});
