import { beforeEach, describe, expect, it } from 'vitest';
import { createDataProvider } from '../../../src/app/data/dataProvider';
import { ApiError } from '../../../src/app/session/apiError';
import { saveSession } from '../../../src/app/session/session';

const queries: URLSearchParams[] = [];
let nextError: Error | undefined;
const provider = createDataProvider((path) => {
  const query = new URL(path, 'http://localhost').searchParams;
  queries.push(query);
  const error = nextError;
  nextError = undefined;
  if (error) return Promise.reject(error);
  const headers = {
    'Content-Range': 'territories 0-29/4100000',
    ...(query.has('total') && { 'X-Total-Estimated': 'true' }),
    ...(query.has('after') && { 'X-After': `end-of-${query.get('range')}` }),
  };
  return Promise.resolve(new Response('[]', { headers }));
});

let filter = 0;
const load = (page: number, meta: object | undefined) =>
  provider.getList('territories', {
    pagination: { page, perPage: 30 },
    sort: { field: 'id', order: 'ASC' },
    filter: { owner: filter },
    meta,
  });
const byKey = { fields: ['name'], byKey: true };
const keys = () => queries.map((query) => query.get('after'));

function signIn(id: number) {
  const user = { id, name: 'Ada', first_name: 'Ada', last_name: 'King', email: 'a@b.test', role_id: 2, site_id: 1 };
  saveSession({ token: `token ${id}`, token_type: 'Bearer', user, role: { id: 2, role_name: 'Role', level: 2 } });
}

beforeEach(() => {
  queries.length = 0;
  // Another list, of which no page is known.
  filter += 1;
  signIn(7);
});

describe('pages far in', () => {
  it('go on from a key where the caller turns over one page after the other', async () => {
    await load(40, byKey);
    await load(41, byKey);
    expect(keys()).toEqual(['', 'end-of-[1170,1199]']);
  });

  it('go by place in windows that are loaded again together', async () => {
    await load(40, { fields: ['name'] });
    await load(41, { fields: ['name'] });
    expect(keys()).toEqual([null, null]);
  });

  it('keep their key when a request failed for another reason', async () => {
    await load(40, byKey);
    nextError = new ApiError(503, 'The server is busy.');
    await expect(load(41, byKey)).rejects.toThrow('busy');
    await load(41, byKey);
    expect(keys().at(-1)).toBe('end-of-[1170,1199]');
  });

  it('begin anew for another person', async () => {
    await load(40, byKey);
    signIn(8);
    await load(41, byKey);
    expect(keys().at(-1)).toBe('');
  });
});

it('a list of all fields has an estimate, too, and one that says nothing an exact total', async () => {
  expect((await load(1, {})).total).toBe(4_100_000.5);
  expect((await load(1, undefined)).total).toBe(4_100_000);
});
