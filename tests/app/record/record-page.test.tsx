// @module-tag slow
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Comment } from '../../../src/engine/comments/comment';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import type { Source } from '../../../src/engine/language/source';
import { pantry, reader, sent, servePantry, stored } from '../form/pantry';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/inline/CellEditor';
import '../../../src/app/record/RecordPage';

const zoe = { id: 9, name: 'Zoe Lind' };
const comment: Comment = {
  id: 1,
  text: '<p>Half full</p>',
  user: zoe,
  mentions: [],
  files: [],
  internal: false,
  created_at: '2026-11-20T10:00:00.000Z',
  edited_at: null,
  may_edit: false,
  may_delete: false,
};
const changes = [
  {
    id: 3,
    event: 'updated',
    old_values: { shelf_id: 2 },
    new_values: { shelf_id: 1 },
    names: { shelf_id: { 1: 'Upper', 2: 'Lower' } },
    user: zoe,
    created_at: '2026-11-21T10:00:00.000Z',
  },
  {
    id: 2,
    event: 'updated',
    old_values: { name: 'Salt', note: 'Old words' },
    new_values: { name: 'Pepper', note: 'New words' },
    user: zoe,
    created_at: '2026-11-19T10:00:00.000Z',
  },
  { id: 1, event: 'created', old_values: null, new_values: {}, user: null, created_at: '2026-11-18T10:00:00.000Z' },
];
const tasting = {
  id: 4,
  jar_id: 7,
  verdict: 'Sharp',
  tasted_at: '2026-11-20T11:00:00.000Z',
  taster_id: 9,
  taster: zoe,
};

const ranged = (name: string, data: readonly unknown[]) => ({
  status: 200,
  body: { data },
  headers: { 'Content-Range': `${name} 0-${data.length}/${data.length}` },
});

const jar: ResourceRecord = { ...stored, note: 'Keep dry.\nAnd dark.', label: 'New words' };

/** A fake server whose jars have a page; it tells of comments, changes and tastings. */
function serveJars({
  jars = [jar],
  tastings = 'Tastings',
  comments = true,
  ...options
}: {
  jars?: ResourceRecord[];
  tastings?: string;
  comments?: Source['comments'];
} & NonNullable<Parameters<typeof servePantry>[0]> = {}) {
  const definitions = pantry(
    {
      note: { type: 'textarea' },
      story: { type: 'richText' },
      sealed: { type: 'text', readOnly: true },
      tastings: { type: 'inverse', source: 'tastings.jar_id' },
    },
    {
      comments,
      page: {
        stream: [
          {
            name: 'tastings',
            label: tastings,
            resource: 'tastings',
            filter: { jar_id: '$record.id' },
            time: 'tasted_at',
            person: 'taster_id',
            text: 'found it {verdict}',
          },
        ],
      },
    },
  );
  const [more] = pantry(
    {
      jar_id: { type: 'relation', to: 'jars', embed: 'jar' },
      verdict: { type: 'text' },
      tasted_at: { type: 'datetime' },
      taster_id: { type: 'relation', to: 'shelves', embed: 'taster' },
    },
    { name: 'tastings', labels: { one: 'Tasting', many: 'Tastings' } },
  ).slice(-1);
  return servePantry({
    definitions: [...definitions, more!],
    ...options,
    rows: { jars: jars.map((row) => ({ ...row })), shelves: [], boxes: [], tastings: [tasting] },
    answers: {
      'GET /jars/7/comments': ranged('comments', [comment]),
      'GET /jars/7/history': ranged('history', changes),
      'GET /jars/7/watch': { status: 200, body: { data: { state: null, watching: false, watchers: [] } } },
      'GET /jars/8/comments': ranged('comments', []),
      'GET /jars/8/history': ranged('history', []),
      'GET /jars/8/watch': { status: 200, body: { data: { state: null, watching: false, watchers: [] } } },
      ...options.answers,
    },
  });
}

const rail = () => screen.findByRole('complementary', { name: 'Properties' });
const activity = () => screen.findByRole('list', { name: 'Activity, newest first' });
const lines = (list: HTMLElement) => within(list).getAllByRole('listitem');

test('the page of a record has its title, text without inputs, nothing of empty fields, and the tab carries its name', async () => {
  serveJars();
  renderApp('/jars/7/view');
  await screen.findByRole('heading', { name: 'Pepper', level: 2 });
  expect(document.title).toMatch(/^Pepper · Jar/);
  expect(screen.getByText(/Keep dry\./).textContent).toBe('Keep dry.\nAnd dark.');
  expect(screen.queryByText('Story')).toBeNull();
  expect(within(screen.getByRole('article', { name: 'Pepper' })).queryByRole('textbox')).toBeNull();
  const properties = await rail();
  expect(within(properties).getByText('Upper')).toBeTruthy();
  // Choices of the box depend on the shelf, so the shelf is changed in the form, where both are.
  const why = within(properties).getByRole('button', { name: 'Why can Shelf not be edited here?' });
  fireEvent.click(why);
  expect((await screen.findByRole('tooltip')).textContent).toMatch('Other fields depend on Shelf');
  expect(screen.getByRole('tab', { name: /Tastings/ })).toBeTruthy();
});

test('comments, changes and records of other modules are one stream, newest first; a filter leaves one of them', async () => {
  serveJars();
  const user = renderApp('/jars/7/view');
  const list = await activity();
  await waitFor(() => expect(list.getAttribute('aria-busy')).toBe('false'));
  expect(lines(list).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Zoe Lind changed Shelf from Lower to Upper/),
    expect.stringMatching(/^Zoe Lind found it Sharp/),
    expect.stringContaining('Half full'),
    expect.stringMatching(/^Zoe Lind changed Name and Note · show difference/),
    expect.stringMatching(/^The program added this jar/),
  ]);
  await user.click(within(list).getByRole('button', { name: 'show difference' }));
  expect(lines(list)[3]!.textContent).toMatch(/Old words.*New words/);
  await user.click(screen.getByRole('button', { name: /^Tastings/, pressed: false }));
  expect(lines(await activity()).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('found it Sharp'),
  ]);
});

test('entries of the stream with one label are one kind', async () => {
  serveJars({ tastings: 'Comments' });
  const user = renderApp('/jars/7/view');
  const list = await activity();
  await waitFor(() => expect(list.getAttribute('aria-busy')).toBe('false'));
  const kinds = within(screen.getByRole('group', { name: 'Show' })).getAllByRole('button');
  expect(kinds.map(({ textContent }) => textContent)).toEqual(['All', 'Comments 2', 'Changes 3']);
  await user.click(kinds[1]!);
  expect(lines(await activity()).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('found it Sharp'),
    expect.stringContaining('Half full'),
  ]);
});

test('comments that the definition leaves out of the form are on the page alone', async () => {
  serveJars({ comments: { form: false } });
  renderApp('/jars/7');
  await screen.findByDisplayValue('Pepper');
  expect(screen.queryByRole('heading', { name: /^Comments/ })).toBeNull();
  cleanup();
  renderApp('/jars/7/view');
  await screen.findByRole('button', { name: 'Write a comment…' });
});

test('a property is edited in place by keyboard, shown at once, and taken back', async () => {
  const names: Readonly<Record<number, string>> = { 11: 'Spices', 12: 'Salt' };
  const server = serveJars({
    answers: {
      'PUT /jars/7': ({ body }) => {
        const { box_id: id } = body as { box_id: number };
        const changed = Object.assign(server.rows.jars![0]!, { box_id: id, box: { id, name: names[id] } });
        return { status: 200, body: changed };
      },
    },
  });
  const user = renderApp('/jars/7/view');
  const edit = within(await rail()).getByRole('button', { name: 'Edit Box' });
  edit.focus();
  await user.keyboard('{Enter}');
  const choice = await screen.findByRole('option', { name: /Salt/ });
  await user.click(choice);
  expect(within(await rail()).getByText('Salt')).toBeTruthy();
  await screen.findByText('Box of Pepper set to Salt');
  expect(sent(server, 'PUT')).toMatchObject([{ box_id: 12 }]);
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(sent(server, 'PUT')).toHaveLength(2));
  expect(sent(server, 'PUT')[1]).toMatchObject({ box_id: 11 });
  await waitFor(async () => expect(within(await rail()).getByText('Spices')).toBeTruthy());
});

test('a property that the server refuses is shown as it was, with the reason', async () => {
  serveJars({
    answers: {
      'PUT /jars/7': { status: 422, body: { message: 'No.', errors: { box_id: ['The box is full.'] } } },
    },
  });
  const user = renderApp('/jars/7/view');
  await user.click(within(await rail()).getByRole('button', { name: 'Edit Box' }));
  await user.click(await screen.findByRole('option', { name: /Salt/ }));
  await screen.findByText(/Box of Pepper was not changed: The box is full\./);
  expect(within(await rail()).getByText('Spices')).toBeTruthy();
});

test('a user who may only read is told so and edits no property', async () => {
  serveJars({ permissions: { ...reader, tastings: [] } });
  renderApp('/jars/7/view');
  const properties = await rail();
  expect(properties.textContent).toMatch('You may read this record but not change it.');
  expect(within(properties).queryByRole('button')).toBeNull();
  expect(screen.queryByRole('tab', { name: /Tastings/ })).toBeNull();
  await waitFor(async () => expect(lines(await activity())).toHaveLength(4));
});

test('j and k go through the records of the list, e opens the form, and Cancel leads back to the page', async () => {
  serveJars({
    jars: [
      { ...jar, name: 'Pepper' },
      { ...jar, id: 8, name: 'Thyme' },
    ],
  });
  const user = renderApp('/jars/7/view');
  await screen.findByRole('heading', { name: 'Pepper', level: 2 });
  // The list has the newest first.
  await screen.findByText('2 of 2');
  await user.keyboard('k');
  await screen.findByRole('heading', { name: 'Thyme', level: 2 });
  expect(window.location.pathname).toBe('/jars/8/view');
  expect(document.title).toMatch(/^Thyme · Jar/);
  await screen.findByText('1 of 2');
  await user.keyboard('j');
  await screen.findByRole('heading', { name: 'Pepper', level: 2 });
  await user.keyboard('e');
  await waitFor(() => expect(window.location.pathname).toBe('/jars/7'));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(window.location.pathname).toBe('/jars/7/view'));
});

test('a record that is not there is said to be missing', async () => {
  serveJars();
  renderApp('/jars/99/view');
  await screen.findByRole('heading', { name: 'Jar not found, or you have no access' });
  expect(screen.getByRole('link', { name: 'All jars' }).getAttribute('href')).toBe('/jars');
});

test('the former address of the page leads to it, without a page to the form', async () => {
  serveJars();
  renderApp('/jars/7/page?tab=tastings');
  await screen.findByRole('heading', { name: 'Pepper', level: 2 });
  expect(window.location.pathname + window.location.search).toBe('/jars/7/view?tab=tastings');
  cleanup();
  servePantry();
  renderApp('/jars/7/page');
  await screen.findByRole('textbox', { name: 'Name' });
  expect(window.location.pathname).toBe('/jars/7');
});
