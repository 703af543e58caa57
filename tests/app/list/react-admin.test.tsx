// @module-tag slow
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { ExportButton, useListContext, useRecordContext, type ListControllerResult } from 'react-admin';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fieldTypes } from '../../../src/engine/field-types';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { typeKeys } from '../../../src/engine/language/field-types/type-keys';
import { registerProductTypes } from '../../../src/app/fields/productTypes';
import { registerListViews } from '../../../src/app/list/productViews';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/OtherView';
import '../../../src/app/list/bulk/SelectionBar';
import '../../../src/app/list/cards/Cards';

/** The list around the cells, as react-admin's components find it. */
let list: ListControllerResult;

/** A cell that knows nothing of definitions. */
function RecordName() {
  list = useListContext();
  const record = useRecordContext<{ id: number; name: string }>();
  return (
    <>
      <span data-record={record?.id}>{record?.name}!</span>
      {record?.id === 1 && <ExportButton />}
    </>
  );
}

const books = () =>
  normalise({
    name: 'books',
    labels: { one: 'Book', many: 'Books' },
    scope: 'installation',
    menu: { group: 'Library', icon: 'layers' },
    fields: {
      name: { type: 'text', filterable: true },
      code: { type: 'echo' } as unknown as FieldSource,
      cover: { type: 'image' },
    },
    list: {
      columns: ['id', 'name!', 'code*'],
      sort: 'id',
      search: ['name'],
      views: ['list', 'cards', 'gallery', 'shelf-view', 'lost-view'],
      card: { lines: ['code'] },
      gallery: { picture: 'cover', fields: ['code'] },
      bulkDelete: true,
    },
    form: { sections: [{ label: 'Book', fields: ['name', 'code', 'cover'] }] },
    grants: { '1': 'all', '2': 'all', '3': 'all' },
  } as unknown as Source);

let remove: () => void;
beforeEach(() => {
  remove = registerProductTypes({
    echo: {
      type: fieldTypes.text,
      language: typeKeys({ keys: {} }),
      display: { Cell: RecordName },
    },
  });
});
afterEach(() => remove());

function open(address: string) {
  const rows = Array.from({ length: 17 }, (_none, index) => ({ id: index + 1, name: `Book ${index + 1}`, code: 'x' }));
  const definitions = [...fixtureDefinitions(), books()];
  const server = fakeServer({ level: 1, definitions, rows: { books: rows } });
  return { server, user: renderApp(address) };
}

const shown = () => screen.findByText('Book 1!');

describe.each([
  ['the grid', '/books'],
  ['cards', '/books?view=cards'],
  ['the gallery', '/books?view=gallery'],
])('in %s', (_, address) => {
  it('a cell finds its record and its list as react-admin’s contexts', async () => {
    open(address);
    expect((await shown()).dataset.record).toBe('1');
    await screen.findByText('Book 15!');
    expect(list).toMatchObject({ resource: 'books', total: 17, page: 1, perPage: 15, isPending: false, error: null });
    expect(list.data?.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_none, index) => index + 1));
    expect([list.hasPreviousPage, list.hasNextPage]).toEqual([false, true]);
  });
});

it('cards on a phone find their record as react-admin’s context', async () => {
  onPhone();
  open('/books');
  expect((await shown()).dataset.record).toBe('1');
});

it('react-admin’s page, order and filters are those of the list’s address', async () => {
  open('/books');
  await shown();
  await act(async () => list.setPage(2));
  await screen.findByText('Book 17!');
  expect(window.location.search).toBe('?page=2');
  await act(async () => list.setSort({ field: 'name', order: 'DESC' }));
  await screen.findByText('Book 9!');
  expect(list.sort).toEqual({ field: 'name', order: 'DESC' });
  expect(new URLSearchParams(window.location.search).get('sort')).toBeTruthy();
  await act(async () => list.setFilters({ q: 'Book 17' }));
  await waitFor(() => expect(list.total).toBe(1));
  expect(list.filterValues).toEqual({ q: 'Book 17' });
  await act(async () => list.setFilters({}));
  await waitFor(() => expect(list.total).toBe(17));
});

it('react-admin’s selection is that of the list, also of a record on another page', async () => {
  open('/books');
  await shown();
  await act(async () => list.onToggleItem(2));
  const bar = await screen.findByRole('region', { name: 'Selection' });
  expect(bar.textContent).toContain('1 selected');
  await act(async () => list.onSelect([2, 17]));
  await waitFor(() => expect(list.selectedIds).toEqual([2, 17]));
  await waitFor(() => expect(bar.textContent).toContain('2 selected'));
  await act(async () => list.onSelectAll());
  await waitFor(() => expect(list.selectedIds).toHaveLength(17));
  await act(async () => list.onUnselectItems());
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull());
});

it('a selection ends with another view', async () => {
  const { user } = open('/books');
  await shown();
  await act(async () => list.onToggleItem(2));
  await screen.findByRole('region', { name: 'Selection' });
  await user.click(screen.getByRole('button', { name: 'Cards' }));
  await waitFor(() => expect(document.querySelector('[data-card="1"]')).not.toBeNull());
  expect(list.selectedIds).toEqual([]);
});

it('a selection ends when the list is empty', async () => {
  const { server } = open('/books');
  await shown();
  const rows = server.rows.books!;
  await act(async () => list.onToggleItem(2));
  await screen.findByRole('region', { name: 'Selection' });
  server.rows.books = [];
  await act(async () => void list.refetch());
  await waitFor(() => expect(screen.queryByText('Book 1!')).toBeNull());
  server.rows.books = rows;
  await act(async () => void list.refetch());
  await shown();
  expect(list.selectedIds).toEqual([]);
});

it('react-admin’s button to export downloads the list’s file by one call', async () => {
  URL.createObjectURL = vi.fn(() => 'blob:here');
  URL.revokeObjectURL = vi.fn();
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { server, user } = open('/books');
  await shown();
  const count = server.calls.length;
  server.options.answers = {
    'GET /books-export': { status: 200, headers: { 'Content-Disposition': 'attachment; filename="books.xlsx"' } },
  };
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await waitFor(() => expect(click).toHaveBeenCalled());
  expect(server.calls.slice(count).map(({ path }) => path)).toEqual(['/books-export']);
});

describe('a layout of the product', () => {
  /** The books of the list side by side, by the means of react-admin alone. */
  function Shelf() {
    list = useListContext();
    return <p>{list.data?.map(({ name }) => String(name)).join()}</p>;
  }
  beforeEach(() => {
    const removeViews = registerListViews({
      'shelf-view': { label: 'Shelf', icon: 'layers', load: () => Promise.resolve({ default: Shelf }) },
    });
    return removeViews;
  });

  it('is offered with its label, stands in the address, and has the list’s records, order, page and selection', async () => {
    const { server, user } = open('/books');
    await shown();
    await user.click(screen.getByRole('button', { name: 'Shelf' }));
    await screen.findByText(/^Book 1,Book 2,.*Book 15$/);
    expect(new URLSearchParams(window.location.search).get('view')).toBe('shelf-view');
    // Its fields are not known, so it has all of them.
    expect(server.calls.findLast(({ path }) => path === '/books')!.query.fields).toBeUndefined();
    await act(async () => list.setPage(2));
    await screen.findByText('Book 16,Book 17');
    await act(async () => list.onToggleItem(17));
    await screen.findByRole('region', { name: 'Selection' });
    await act(async () => list.setSort({ field: 'id', order: 'DESC' }));
    await screen.findByText(/^Book 17,Book 16,/);
  });

  it('is remembered for the next visit', async () => {
    const { user } = open('/books');
    await shown();
    await user.click(screen.getByRole('button', { name: 'Shelf' }));
    await screen.findByText(/^Book 1,/);
    cleanup();
    open('/books');
    await screen.findByText(/^Book 1,/);
  });

  it('that nobody registered says so in its place', async () => {
    open('/books?view=lost-view');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Register "lost-view" in the product\'s "listViews"',
    );
  });

  it('is registered under a name with a hyphen', () => {
    const view = { label: 'Shelf', icon: 'layers', load: () => Promise.resolve({ default: Shelf }) };
    expect(() => registerListViews({ cards: view })).toThrow('needs a hyphen');
  });
});
