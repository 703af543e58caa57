import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  closedObject,
  defineCall,
  emailText,
  form,
  formText,
  nullable,
  passwordText,
  typedApi,
} from '../../../src/server/routing/define-call';
import { passwordMessage } from '../../../src/engine/passwords/rule';
import { sendError } from '../../../src/server/http/error-handler';
import { validateCalls } from '../../../src/server/routing/validate-call';

const save = defineCall({
  id: 'save',
  tag: 'Things',
  summary: 'Save a thing',
  scope: 'public',
  params: Type.Object({ id: Type.Integer() }),
  querystring: Type.Object({ again: Type.Optional(Type.Literal('1')), q: Type.Optional(Type.String()) }, closedObject),
  body: Type.Object(
    {
      name: Type.String({ title: 'Name', minLength: 1, maxLength: 5 }),
      count: Type.Optional(Type.Integer({ minimum: 0 })),
      note: Type.Optional(nullable(Type.String())),
      done: Type.Optional(Type.Boolean()),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 3 })),
      columns: Type.Optional(
        Type.Array(Type.Object({ field: Type.String() }, closedObject), {
          errorMessage: 'Each column is { "field": text }.',
        }),
      ),
      nested: Type.Optional(Type.Object({ field: Type.String() }, closedObject)),
    },
    closedObject,
  ),
  answer: Type.Object({}),
});
const list = defineCall({
  id: 'list',
  tag: '',
  summary: '',
  scope: 'public',
  querystring: save.schema.querystring,
  answer: Type.Any(),
});

const sendForm = defineCall({
  id: 'send-form',
  tag: '',
  summary: '',
  scope: 'public',
  body: Type.Object(
    {
      email: emailText(),
      password: passwordText(),
      note: Type.Optional(nullable(formText('Note', { maxLength: 5 }))),
      trust: Type.Optional(Type.Boolean()),
      count: Type.Optional(Type.Integer()),
    },
    { ...form, ignored: ['link'] },
  ),
  answer: Type.Any(),
});

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  app.setErrorHandler(sendError);
  validateCalls(app);
  typedApi(app).put('/things/:id', save, ({ params: { id }, query: { again }, body: { name, count = 0 } }) => ({
    id: id.toFixed(),
    again: again?.repeat(1),
    name: name.trim(),
    count: count.toFixed(),
  }));
  typedApi(app).post('/forms', sendForm, ({ body }) => body);
  typedApi(app).get('/things', list, ({ query }) => query);
  await app.ready();
});
afterAll(() => app?.close());

const put = async (payload: string, path = '/things/7') => {
  const headers = { 'content-type': 'application/json' };
  const answer = await app.inject({ method: 'PUT', url: path, headers, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};

describe('a body', () => {
  const name = 'a';
  test.each<[string, unknown, Record<string, string>]>([
    ['an unknown property', { name, other: 1 }, { other: 'Unknown property other.' }],
    ['a name of every object', { name, constructor: 1 }, { constructor: 'Unknown property constructor.' }],
    ['a missing property', {}, { name: 'Name is required.' }],
    ['nothing', null, { name: 'Name is required.' }],
    ['null for a required property', { name: null }, { name: 'Name is required.' }],
    ['an empty required text', { name: '' }, { name: 'Name is required.' }],
    ['a wrong type', { name: 5 }, { name: 'Name must be text.' }],
    ['a list for a text', { name: ['a'] }, { name: 'Name must be text.' }],
    ['a long text', { name: 'abcdef' }, { name: 'Name must have at most 5 characters.' }],
    ['a text for a number', { name, count: '1' }, { count: 'count must be a whole number.' }],
    ['a fraction', { name, count: 1.5 }, { count: 'count must be a whole number.' }],
    ['a low number', { name, count: -1 }, { count: 'count must be at least 0.' }],
    ['a number for true or false', { name, done: 1 }, { done: 'done must be true or false.' }],
    ['null for an optional property', { name, done: null }, { done: 'done must be true or false.' }],
    ['no choice', { name, kind: 'c' }, { kind: 'kind: this choice is not available.' }],
    ['an object for a list', { name, ids: { 0: 1 } }, { ids: 'ids must be a list.' }],
    ['a wrong entry', { name, ids: [1, 'x'] }, { ids: 'ids.1 must be a whole number.' }],
    ['too many entries', { name, ids: [1, 2, 3, 4] }, { ids: 'ids must have at most 3 entries.' }],
    ['a message of its own', { name, columns: [{ field: 1 }] }, { columns: 'Each column is { "field": text }.' }],
    ['a list for an object', { name, nested: [] }, { nested: 'nested must be an object.' }],
    ['an incomplete object', { name, nested: {} }, { nested: 'nested.field is required.' }],
    ['an unknown inner property', { name, nested: { field: 'a', x: 1 } }, { nested: 'Unknown property nested.x.' }],
    [
      'several',
      { count: 'x', other: 1 },
      { ...{ other: 'Unknown property other.', name: 'Name is required.' }, count: 'count must be a whole number.' },
    ],
    ['a wrong optional property alone', { name, count: [] }, { count: 'count must be a whole number.' }],
  ])('with %s is refused by field', async (_, body, errors) => {
    const answer = await put(JSON.stringify(body));
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED', errors } });
    expect(answer.body.errors).toEqual(errors);
    expect(answer.body.message).toBe(Object.values(errors)[0]);
  });

  test.each(['[]', '"a"', '1', 'true', '[{"name":"a"}]'])('%s is no object', async (text) => {
    expect(await put(text)).toEqual({
      status: 400,
      body: { message: 'The body must be a JSON object.', code: 'BAD_REQUEST' },
    });
  });

  test('a million wrong entries get one message', async () => {
    const answer = await put(JSON.stringify({ name, ids: [], columns: Array(100_000).fill(1) }));
    expect(answer.body.errors).toEqual({ columns: 'Each column is { "field": text }.' });
  });

  test('is not changed', async () => {
    expect(await put('{"name":" a ","count":3,"note":null}', '/things/7?again=1')).toEqual({
      status: 200,
      body: { id: '7', again: '1', name: 'a', count: '3' },
    });
  });
});

test.each(['0', '-1', 'x', '1.5', '9007199254740992', '__proto__', '%20'])('the id %s is not found', async (id) => {
  expect(await put('{"name":"a"}', `/things/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

test.each([
  ['PUT', 'other=1', 'BAD_REQUEST', 'Unknown property other.'],
  ['PUT', 'again=2', 'BAD_REQUEST', 'again must be 1.'],
  ['PUT', 'q=1&q=2', 'BAD_REQUEST', 'q must be text.'],
  ['GET', 'other=1', 'UNKNOWN_FILTER', 'Unknown filter other.'],
  ['GET', '__proto__=1', 'UNKNOWN_FILTER', 'Unknown filter __proto__.'],
] as const)('%s with the query %s is refused', async (method, query, code, message) => {
  const url = method === 'GET' ? `/things?${query}` : `/things/7?${query}`;
  const answer = await app.inject({ method, url, ...(method === 'PUT' && { payload: { name: 'a' } }) });
  expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({ status: 400, body: { code, message } });
});

describe('a form', () => {
  const post = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/forms', payload });
    return { status: answer.statusCode, body: answer.json<{ errors: unknown }>() };
  };
  const [email, password] = ['a@b.de', ' secret 1 '];

  test.each<[object, object]>([
    [
      { email: ' a@b.de\n', password, note: ' a ', trust: 1, count: '7' },
      { note: 'a', trust: true, count: 7 },
    ],
    [
      { email, password, note: '', trust: 'false', count: '' },
      { note: null, trust: false },
    ],
    [{ email, password, note: null, trust: null, count: null, link: {} }, { note: null }],
  ])('%j is read', async (sent, read) => {
    expect(await post(sent)).toEqual({ status: 200, body: { email, password, ...read } });
  });

  test.each<[object, object]>([
    [{}, { email: 'Email is required.', password: 'Password is required.' }],
    [
      { email: ' ', password: '' },
      { email: 'Email is required.', password: 'Password is required.' },
    ],
    [{ email: 'a', password }, { email: 'Email must be an email address such as name@example.com.' }],
    [{ email, password: 'geheim' }, { password: passwordMessage }],
    [{ email, password: ['geheim-1'] }, { password: 'Password must be text.' }],
    [{ email, password, note: 'a\0' }, { note: 'note contains characters that are not allowed.' }],
    [{ email, password, note: 'abcdef' }, { note: 'note must have at most 5 characters.' }],
    [{ email, password, trust: 'perhaps' }, { trust: 'trust must be true or false.' }],
    [{ email, password, other: 1, __proto__: 1 }, { other: 'Unknown property other.' }],
  ])('%j is refused by field', async (sent, errors) => {
    const { status, body } = await post(sent);
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors });
    expect(JSON.stringify(body)).not.toContain('geheim');
  });
});

test('a call that does not say who may make it does not compile', () => {
  const call = { id: 'forgotten', tag: '', summary: '', answer: Type.Any() };
  // @ts-expect-error It has neither a grant nor a scope.
  expect(defineCall(call).config.described.id).toBe('forgotten');
  expect(defineCall({ ...call, scope: 'person' }).config.described.scope).toBe('person');
  expect(defineCall({ ...call, scope: ['things.list'] }).config.described.scope).toEqual(['things.list']);
});
