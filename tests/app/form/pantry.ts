import type { Action } from '../../../src/engine/definitions/definition';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { fakeServer, type Call } from '../support/fakeServer';

const shelf: Source = {
  name: 'shelves',
  labels: { one: 'Shelf', many: 'Shelves' },
  fields: { name: { required: true } },
};
const box: Source = {
  name: 'boxes',
  labels: { one: 'Box', many: 'Boxes' },
  fields: { name: { required: true }, shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf' } },
};
const jar: Source = {
  name: 'jars',
  labels: { one: 'Jar', many: 'Jars' },
  fields: {
    name: { required: true },
    website: { type: 'url' },
    shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf' },
    box_id: { type: 'relation', to: 'boxes', embed: 'box', choices: { shelf_id: '$form.shelf_id' } },
  },
};

/** Test resources that are not part of the product: shelves, boxes on them, and jars in those. */
export function pantry(fields: Record<string, FieldSource> = {}, change: Partial<Source> = {}) {
  const source = { ...jar, ...change, fields: { ...jar.fields, ...fields } };
  return [shelf, box, source].map((one) => normalise(one));
}

const shelves = [
  { id: 1, title: 'Upper' },
  { id: 2, title: 'Lower' },
];
const boxes = [
  { id: 11, title: 'Spices', shelf_id: '1' },
  { id: 12, title: 'Salt', shelf_id: '1' },
  { id: 12, title: 'Salt', shelf_id: '2' },
];

const offered = (all: readonly { id: number; title: string; shelf_id?: string }[]) => (call: Call) => ({
  status: 200,
  body: {
    data: all
      .filter(({ shelf_id }) => shelf_id === undefined || shelf_id === call.query.shelf_id)
      .filter(({ id }) => call.query.id === undefined || call.query.id === String(id))
      .filter(({ title }) => title.toLowerCase().includes((call.query.q ?? '').toLowerCase()))
      .map(({ id, title }) => ({ id, title })),
  },
});

/** The initial stored jar. */
export const stored = {
  id: 7,
  name: 'Pepper',
  website: 'https://pepper.test',
  shelf_id: 1,
  shelf: { id: 1, name: 'Upper' },
  box_id: 11,
  box: { id: 11, name: 'Spices' },
  site_id: 1,
  created_by: 7,
  updated_at: '2026-11-20T10:00:00.000Z',
};

type Options = NonNullable<Parameters<typeof fakeServer>[0]>;

/** A fake server with the pantry. */
export function servePantry({ definitions = pantry(), answers = {}, ...options }: Options = {}) {
  return fakeServer({
    definitions,
    rows: { jars: [{ ...stored }], shelves: [], boxes: [] },
    answers: {
      'GET /jars/choices/shelf_id': offered(shelves),
      'GET /jars/choices/box_id': offered(boxes),
      ...answers,
    },
    ...options,
  });
}

/** The request bodies sent with a method, in order. */
export function sent(server: { calls: Call[] }, method: string): unknown[] {
  return server.calls.filter((call) => call.method === method && call.path.startsWith('/jars')).map(({ body }) => body);
}

/** May only view. */
export const reader: Record<string, readonly Action[]> = { jars: ['list', 'view'], shelves: [], boxes: [] };
