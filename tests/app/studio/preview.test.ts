import { describe, expect, it } from 'vitest';
import { convertRecord, hideUnreadableFields } from '../../../src/app/screens/studio/preview/convertRecord';
import { queryRecords } from '../../../src/app/screens/studio/preview/queryRecords';
import { formatAge } from '../../../src/app/screens/studio/timeAgo';
import { newFields } from '../../../src/app/screens/studio/preview/highlight';
import { sampleRecord } from '../../../src/app/screens/studio/preview/sample';
import { visibleRecord, ruleRelations, type PreviewWorld } from '../../../src/app/screens/studio/preview/previewWorld';
import type { Actor } from '../../../src/engine/access/actor';
import { normalise } from '../../../src/engine/definitions/normalise';
import { createRegistry } from '../../../src/engine/definitions/registry';
import type { Source } from '../../../src/engine/definitions/source';
import { around } from '../../engine/support/evaluation-context';

const written: Source = {
  name: 'books',
  labels: { one: 'Book', many: 'Books' },
  fields: {
    name: { type: 'text' },
    pages: { type: 'text' },
    due: { type: 'date' },
    shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf' },
    state: { type: 'select', options: [{ value: 1, label: 'Lent' }] },
  },
};
const shelves = normalise({
  name: 'shelves',
  labels: { one: 'Shelf', many: 'Shelves' },
  fields: { name: { type: 'text' } },
});
const published = normalise(structuredClone(written));
const draftOf = (change: (source: Source) => void) => {
  const source = structuredClone(written);
  change(source);
  return normalise(source);
};
const book = {
  id: 4,
  name: 'Atlas',
  pages: '120',
  due: '2026-11-01',
  shelf_id: 7,
  shelf: { id: 7, name: 'North' },
  state: 1,
  created_by: 3,
  site_id: 1,
};
const actor: Actor = { id: 3, role_id: 4, level: 4, site_id: 1, permissions: { books: ['list', 'view'] } };

describe('a stored record under a draft', () => {
  it('keeps what the draft leaves as it is, embeds and ids too', () => {
    expect(convertRecord(book, published, published, around)).toMatchObject(book);
  });

  it('follows renamed fields, types and embeds; what is new is empty, what is gone is gone', () => {
    const draft = draftOf(({ fields }) => {
      fields.title = { ...fields.name!, was: 'name' };
      fields.pages = { type: 'number' };
      fields.shelf_id!.embed = 'place';
      fields.isbn = { type: 'text', default: 'none yet' };
      delete fields.name;
      delete fields.state;
    });
    const record = convertRecord(book, published, draft, around);
    expect(record).toMatchObject({ id: 4, title: 'Atlas', pages: 120, shelf_id: 7, place: book.shelf, isbn: null });
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['name']));
    expect(record).not.toHaveProperty('state');
    expect(record).not.toHaveProperty('shelf');
    expect(newFields(draft, published)).toEqual(['isbn']);
  });

  it('works out what is computed anew', () => {
    const draft = draftOf(({ fields }) => {
      fields.late = { type: 'boolean', computed: { due: { $lt: '$today' }, state: 1 } };
      fields.both = { type: 'text', computed: '{name} ({pages})' };
    });
    expect(convertRecord(book, published, draft, { ...around, today: '2026-11-02' })).toMatchObject({
      late: true,
      both: 'Atlas (120)',
    });
    expect(convertRecord(book, published, draft, { ...around, today: '2026-11-01' })).toMatchObject({ late: false });
  });

  it('is seen, and as much of it, as the rules of the draft say', () => {
    const draft = draftOf((source) => {
      source.rules = [
        { levels: [4], action: 'list', where: { created_by: '$actor.id' }, except: ['due'] },
        { levels: [4], action: 'view', where: { shelf_id: { $some: { name: 'South' } } } },
      ];
    });
    const registry = createRegistry([draft, shelves]);
    const world: PreviewWorld = {
      definition: draft,
      published,
      registry,
      actor,
      company: 1,
      stored: [book],
      related: {},
    };
    expect(visibleRecord(world, book, 'list')).toMatchObject({ name: 'Atlas' });
    expect(visibleRecord(world, book, 'list')).not.toHaveProperty('due');
    expect(visibleRecord(world, { ...book, created_by: 9 }, 'list')).toBeUndefined();
    expect(ruleRelations(draft, actor)).toEqual(['shelf_id']);
    const known = { ...world, related: { shelf_id: new Map([[7, { id: 7, name: 'North' }]]) } };
    expect(visibleRecord(known, book, 'view')).toBeUndefined();
    expect(hideUnreadableFields(book, draft, actor, 'view', around)).toHaveProperty('due');
  });
});

describe('a list of records at hand', () => {
  const records = [book, { ...book, id: 5, name: 'Bestiary', due: null, shelf: { id: 8, name: 'East' }, shelf_id: 8 }];
  const within = {
    definition: published,
    registry: createRegistry([published, shelves]),
    evaluationContext: { ...around, actor },
  };
  const names = (asked: Parameters<typeof queryRecords>[1]) =>
    queryRecords(records, asked, within).data.map(({ name }) => name);

  it('is filtered, searched, ordered and paged as the server would', () => {
    expect(names({ filter: { shelf_id: 8 } })).toEqual(['Bestiary']);
    expect(names({ filter: { shelf_id: [7, 8] }, sort: { field: 'name', order: 'DESC' } })).toEqual([
      'Bestiary',
      'Atlas',
    ]);
    expect(names({ filter: { due_from: '2026-11-01', due_to: '2026-11-01' } })).toEqual(['Atlas']);
    expect(names({ filter: { q: 'best' } })).toEqual(['Bestiary']);
    expect(names({ filter: {}, sort: { field: 'shelf_id', order: 'ASC' } })).toEqual(['Bestiary', 'Atlas']);
    expect(queryRecords(records, { filter: {}, pagination: { page: 2, perPage: 1 } }, within)).toMatchObject({
      total: 2,
      data: [{ id: 5 }],
    });
  });
});

describe('what a preview says', () => {
  it('makes up a record that its own form takes', () => {
    expect(sampleRecord(published)).toMatchObject({ name: 'Sample name', shelf_id: null, state: 1 });
  });

  it.each([
    [200, 'just now'],
    [1000, '1 second ago'],
    [40_000, '40 seconds ago'],
    [60_000, '1 minute ago'],
    [7_300_000, '2 hours ago'],
  ])('says how long ago %i milliseconds are: %s', (milliseconds, words) => {
    expect(formatAge(milliseconds)).toBe(words);
  });
});
