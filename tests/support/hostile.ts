import fc from 'fast-check';

/** Names that are no field, and that careless programs fall over. */
export const hostileNames = [
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', 'length', '', ' ', '0', 'id', 'site_id',
  'created_at', 'updated_at', 'deleted_at', 'archived_at', 'password', 'name"; drop table users; --', "name' or '1'='1",
  'a.b', 'a[b]', '$where', '$eq', 'ä', '😀', 'a\0b', '\ud800', 'x'.repeat(300), '../../etc/passwd', 'select', 'filter', 'sort', 'range', 'q',
]; // prettier-ignore

const texts = [
  '', ' ', '\0', 'a\0b', '\ud800', '\udc00x', '\uffff', '\u202e', '\r\n', "'", '"', '\\', '%', '_', '%%', "'; drop table users; --", "1' or '1'='1",
  '1 or 1=1', '1;select pg_sleep(9)', '{{7*7}}', '${7*7}', '<script>alert(1)</script>', '<p><b></p>', '<a href="javascript:alert(1)">x</a>',
  '../../etc/passwd', 'null', 'undefined', 'true', 'NaN', 'Infinity', '-0', '1e309', '0x10', '1,2', ',', '1,,2', '[1,2]', '{}', '[', '{"a":1}',
  '2026-02-30', '0000-01-01', '9999-12-31', '99999-01-01', '-000001-01-01', '2026-11-16', '2026-11-16T25:00:00Z', '2026-11-16T14:30:00.000Z',
  '275760-09-13T00:00:00.000Z', '2026-11-16T2026-11-17', '24:00', '14:30', 'a@b', 'demo@demo.test', 'http://', 'https://example.test/', 'javascript:alert(1)',
  '$actor.id', '$form.name', '$now', '(((((((', 'a{1,99999}', '(a+)+$', 'ı', 'ß', '👩‍👩‍👧‍👦', 'x'.repeat(256), 'a@'.repeat(2_000), '<'.repeat(3_000), 'x'.repeat(100_000),
]; // prettier-ignore

const numbers = [
  0, -0, -1, 1, 1.5, 2, 3, 2_147_483_647, 2_147_483_648, -2_147_483_649, 1e15, 1e16, 2 ** 53, 1e300, Number.MAX_VALUE, 5e-324,
]; // prettier-ignore

/** Any text, the nasty ones above all. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

/** Any value that JSON can say. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [1], [1, 1], [null], ['a'], [[1]], [{}], { id: 1 }, { id: 'x' }, { id: null }, { toString: 1 }, { $eq: 1 }, { length: 3 }) }, // prettier-ignore
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested(30),
      nested(60),
      Array.from({ length: 1_500 }, (_, index) => index),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** What stands where a path wants an id. */
export const hostileId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-1', '1.5', '01', '1e3', '2147483647', '2147483648', '99999999999999999999', 'x', '%00', '%', '%zz', '%c0%af', '%2e%2e', '__proto__', 'constructor', '1%20or%201=1', '1;', "1'", '1,2', '%F0%9F%98%80', 'x'.repeat(190), 'x'.repeat(400)), // prettier-ignore
  hostileText.filter((text) => text !== '' && text.length < 300).map(encoded),
);

/** A value as a part of an address; what cannot be written there becomes something like it. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Bodies that are no JSON object, with what they say they are. */
export const hostileBody: fc.Arbitrary<{ type: string; text: string }> = fc.oneof(
  fc.record({
    type: fc.constant('application/json'),
    text: fc.constantFrom('', '{', '{"a":', 'null', '1', '"x"', '[]', '[{}]', '{"a":1,}', "{'a':1}", '{"a":NaN}', '\ufeff{}', '\0', '{"a":"\0"}', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}', '['.repeat(20_000), `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, `{${Array.from({ length: 3_000 }, (_, index) => `"k${index}":1`).join(',')}}`, '{"a":1,"a":2}'), // prettier-ignore
  }),
  fc.record({
    type: fc.constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', '', 'x', 'application/json-patch+json'), // prettier-ignore
    text: fc.constantFrom('', 'a=1', '{"a":1}', '--x--\r\n', '--x\r\n\r\n', '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\0b\r\n--x--\r\n', '--x\r\nContent-Disposition: form-data; name="name"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nnever ends'), // prettier-ignore
  }),
);

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}
