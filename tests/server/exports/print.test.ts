// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, type Client } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

// The printed page of a record: `print` of a definition.

let server: StudioProgram;
let external: Client;
let harbour: Client;
let id: number;

beforeAll(async () => {
  server = await startStudio();
  external = await server.program.signIn(accounts.external);
  harbour = await server.program.signIn(accounts.harbour);
  await server.studio.make(
    'offers',
    {
      name: { required: true },
      price: { type: 'number', decimal: true, digits: 2 },
      text: { type: 'richText' },
      ordered_at: { type: 'datetime' },
      studio_id: { type: 'relation', to: 'studios', embed: 'studio' },
      lines: { type: 'rows', label: 'Lines', fields: { product: {}, pieces: { type: 'number' } } },
    },
    {
      print: {
        paper: 'Letter',
        template: [
          '<h1 class="right other" style="color:red" onclick="x()">{name}</h1>',
          '<script>alert(1)</script><img src="https://spy.test/x.png"><a href="{name}">link</a>',
          '<p>Price {price} at {ordered_at}</p>',
          '{text}',
          '<table>',
          '{#lines}<tr><td>{product}</td><td class="right">{pieces}</td></tr>',
          '{/lines}</table>',
        ],
      },
      rules: [{ levels: [6], action: 'view', exceptFields: ['price'], reason: 'no prices' }],
      grants: { '6': 'read' },
    },
  );
  const made = await server.owner<{ id: number }>('POST', '/offers', {
    name: 'javascript:alert("<b>")',
    price: 1234.5,
    text: '<p>Some <strong>text</strong><script>x</script></p>',
    ordered_at: '2030-02-03T10:00:00Z',
    lines: [{ product: '<i>Print</i>', pieces: 2 }, { product: 'Poster' }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  id = made.body.id;
});
afterAll(() => server?.program.close());

const page = async (who: Client, headers?: Record<string, string>) => {
  const answer = await who<string>('GET', `/offers/${id}/print`, undefined, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};

describe('a printed page', () => {
  test('has the values of the record, escaped, and a line for each row', async () => {
    const { body } = await page(server.owner);
    expect(body).toContain('<h1 class="right">javascript:alert("&lt;b&gt;")</h1>'.replaceAll('"&', '"&'));
    expect(body).toContain('<p>Some <strong>text</strong></p>');
    expect(body).toContain('<tr><td>&lt;i&gt;Print&lt;/i&gt;</td><td class="right">2</td></tr>');
    expect(body).toContain('<tr><td>Poster</td><td class="right"></td></tr>');
    expect(body).toContain('Price 1,234.50 at');
    expect(body).toContain('@page { size: Letter;');
  });

  test('has no script, picture, style or address that runs something', async () => {
    const { body, headers } = await page(server.owner);
    expect(body).not.toMatch(/<script|<img|onclick|color:red|href="javascript/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none';sandbox",
      'cache-control': 'no-store',
    });
  });

  test('has times in the time zone of its reader', async () => {
    expect((await page(server.owner, { 'x-timezone': 'Asia/Kolkata' })).body).toContain('15:30');
  });

  test('leaves out what its reader may not see', async () => {
    const { body } = await page(external);
    expect(body).toContain('Price  at');
    expect(body).not.toContain('1,234');
  });

  test.each<[string, () => Client, () => string, number]>([
    ['of a record of another company', () => harbour, () => `/offers/${id}/print`, 404],
    ['of no record', () => server.owner, () => '/offers/999999/print', 404],
    ['of a definition without one', () => server.owner, () => '/studios/1/print', 404],
    ['for nobody', () => server.program.call, () => `/offers/${id}/print`, 401],
  ])('is refused %s', async (_, who, path, status) => {
    expect((await who()('GET', path())).status).toBe(status);
  });

  test('needs the grant to view', async () => {
    const { call, grant } = await server.program.restricted();
    await grant(['offers.list']);
    expect((await call('GET', `/offers/${id}/print`)).status).toBe(403);
  });

  test('is in the API document', async () => {
    const { body } = await server.owner<{ paths: Record<string, { get: { operationId: string } }> }>(
      'GET',
      '/openapi.json',
    );
    expect(Object.keys(body.paths).filter((path) => path.endsWith('/print'))).not.toEqual([]);
  });
});
