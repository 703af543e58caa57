// @module-tag slow
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Comment } from '../../../src/engine/comments/comment';
import { currentCommands } from '../../../src/app/commands/commands';
import { pantry, reader, servePantry, stored } from '../form/pantry';
import { sendFormsByFetch } from '../support/formRequests';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/comments/CommentEditor';
import '../../../src/app/fields/files/FileList';
import '../../../src/app/comments/CommentsPanel';

const path = '/jars/7/comments';
const zoe = { id: 9, name: 'Zoe Lind' };
const adam = { id: 8, name: 'Adam Poe' };
const draftKey = 'assay.comment.7.jars.7';

beforeEach(() => {
  sendFormsByFetch();
  // jsdom has no layout; the list of people opens where the @ is.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([new DOMRect()] as unknown as DOMRectList);
});

const written = (id: number, values: Partial<Comment> = {}): Comment => ({
  id,
  text: '<p>Half full</p>',
  user: zoe,
  mentions: [],
  files: [],
  internal: false,
  created_at: '2026-11-20T10:00:00.000Z',
  edited_at: null,
  may_edit: false,
  may_delete: false,
  ...values,
});

/** A fake server whose jar has comments; `answers` override its own. */
function serveComments({
  comments = [],
  answers = {},
  write = 'view',
  internal,
  ...options
}: {
  comments?: Comment[];
  write?: 'view' | 'edit';
  internal?: { levels: (1 | 2 | 3 | 4 | 5 | 6)[] };
} & NonNullable<Parameters<typeof servePantry>[0]> = {}) {
  const deleted = new Map<number, Comment>();
  const page = () => ({
    status: 200,
    body: { data: comments },
    headers: { 'Content-Range': `comments 0-${comments.length}/${comments.length}` },
  });
  return servePantry({
    definitions: pantry({}, { comments: { write, ...(internal && { internal }) } }),
    rows: { jars: [{ ...stored }], shelves: [], boxes: [] },
    ...options,
    answers: {
      [`GET ${path}`]: page,
      'GET /jars/7/watch': { status: 200, body: { data: { state: null, watching: false, watchers: [] } } },
      'GET /jars/7/mentionable': { status: 200, body: { data: [adam, zoe] } },
      [`POST ${path}`]: ({ body }) => {
        const { text, files, internal: isInternal = false } = body as Pick<Comment, 'text' | 'files' | 'internal'>;
        const added = written(comments.length + 1, {
          text,
          files,
          internal: isInternal,
          user: { id: 7, name: 'Ada King' },
          may_edit: true,
        });
        comments.unshift(added);
        return { status: 201, body: { data: added } };
      },
      [`PUT ${path}/1`]: ({ body }) => {
        Object.assign(comments[0]!, body, { mentions: [], edited_at: '2026-11-21T10:00:00.000Z' });
        return { status: 200, body: { data: comments[0] } };
      },
      [`DELETE ${path}/1`]: () => {
        deleted.set(1, comments.shift()!);
        return { status: 200, body: { data: deleted.get(1) } };
      },
      [`PATCH ${path}/1/restore`]: () => {
        comments.unshift(deleted.get(1)!);
        return { status: 200, body: { data: comments[0] } };
      },
      ...answers,
    },
  });
}

const bodies = (server: ReturnType<typeof serveComments>, method: string) =>
  server.calls.filter((call) => call.method === method && call.path.startsWith(path)).map(({ body }) => body);
const box = () => screen.findByRole('textbox', { name: 'New comment' });
const list = () => screen.findByRole('list', { name: 'Comments, newest first' });
const storeText = (html: string) => localStorage.setItem(draftKey, JSON.stringify({ html, people: [] }));
const sendKey = { key: 'Enter', ctrlKey: true };

test('a draft of a comment is there again; a person is mentioned by keys, Ctrl+Enter sends, and the box is empty', async () => {
  storeText('<p>Ask</p>');
  const server = serveComments();
  renderApp('/jars/7');
  const text = await box();
  expect(text.textContent).toBe('Ask');
  fireEvent.paste(text, {
    clipboardData: { files: [], getData: (type: string) => (type === 'text/plain' ? ' @' : '') },
  });
  const people = await screen.findByRole('listbox', { name: 'People to mention' });
  const selected = () => within(people).getByRole('option', { selected: true });
  expect(selected().textContent).toContain(adam.name);
  fireEvent.keyDown(text, { key: 'ArrowDown' });
  await waitFor(() => expect(selected().textContent).toContain(zoe.name));
  expect(text.getAttribute('aria-activedescendant')).toBe(selected().id);
  fireEvent.keyDown(text, { key: 'Enter' });
  await waitFor(() => expect(text.textContent).toContain('Ask @Zoe Lind'));
  expect(screen.queryByRole('listbox', { name: 'People to mention' })).toBeNull();
  expect(localStorage.getItem(draftKey)).toContain('Zoe Lind');
  fireEvent.keyDown(text, sendKey);
  await waitFor(() => expect(bodies(server, 'POST')).toHaveLength(1));
  const [sent] = bodies(server, 'POST') as { text: string; mentions: number[] }[];
  expect(sent!.text).toContain('Ask <strong>@Zoe Lind</strong>');
  expect(sent!.mentions).toEqual([zoe.id]);
  await waitFor(() => expect(text.textContent).toBe(''));
  expect(localStorage.getItem(draftKey)).toBeNull();
  expect(await within(await list()).findByRole('article', { name: 'Comment of Ada King' })).toBeTruthy();
});

test('a user’s own comment is changed in place, and deleted with Undo', async () => {
  const own = written(1, { user: { id: 7, name: 'Ada King' }, may_edit: true, may_delete: true });
  const server = serveComments({ comments: [own, written(2, { text: '<p>Of another</p>' })] });
  const user = renderApp('/jars/7');
  expect(await screen.findByText('Of another')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Edit comment' }));
  fireEvent.keyDown(await screen.findByRole('textbox', { name: 'Edit comment' }), sendKey);
  await waitFor(() => expect(bodies(server, 'PUT')).toEqual([{ text: '<p>Half full</p>', mentions: [], files: [] }]));
  expect(await screen.findByRole('button', { name: 'edited' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit comment' }));
  await user.click(screen.getByRole('button', { name: 'Delete comment' }));
  await waitFor(() => expect(screen.queryByText('Half full')).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Half full')).toBeTruthy();
  expect(server.calls.some((call) => call.path === `${path}/1/restore`)).toBe(true);
});

test('files are pasted into a comment, one is taken out, and no words are needed; readers see the files', async () => {
  const server = serveComments({
    answers: {
      [`POST ${path}/files`]: ({ body }) => {
        const { name, size } = (body as { file: File }).file;
        return { status: 201, body: { data: { name, size, type: 'text/plain', url: `/api/files/${name}?expires=1` } } };
      },
    },
  });
  const user = renderApp('/jars/7');
  await user.click(await screen.findByRole('button', { name: 'Write a comment…' }));
  const text = await box();
  const pasted = ['a.txt', 'b.txt'].map((name) => new File(['content'], name, { type: 'text/plain' }));
  fireEvent.paste(text, { clipboardData: { files: pasted, getData: () => '' } });
  expect(await screen.findByRole('button', { name: 'Remove b.txt' })).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Remove a.txt' }));
  expect(localStorage.getItem(draftKey)).toContain('b.txt');
  fireEvent.keyDown(text, sendKey);
  await waitFor(() => expect(bodies(server, 'POST')).toHaveLength(3));
  expect(bodies(server, 'POST')[2]).toMatchObject({ mentions: [], files: [{ name: 'b.txt' }] });
  const [comment] = await within(await list()).findAllByRole('article');
  expect(await within(comment!).findByText('b.txt')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove b.txt' })).toBeNull();
  expect(localStorage.getItem(draftKey)).toBeNull();
});

test('a refused comment is told in words, and its text stays', async () => {
  storeText('<p>Too late</p>');
  const message = 'Only people who can see this jar can be mentioned.';
  serveComments({ answers: { [`POST ${path}`]: { status: 422, body: { message, errors: { mentions: message } } } } });
  renderApp('/jars/7');
  fireEvent.keyDown(await box(), sendKey);
  expect((await screen.findByText(message)).closest('[role="alert"]')).toBeTruthy();
  expect((await box()).textContent).toBe('Too late');
  expect(localStorage.getItem(draftKey)).toContain('Too late');
});

/** Holds new comments back until they are let through. */
function holdComments(): () => void {
  const through = globalThis.fetch;
  let release!: () => void;
  const held = new Promise<void>((done) => (release = done));
  vi.stubGlobal('fetch', async (...[address, init]: Parameters<typeof fetch>) => {
    if (init?.method === 'POST' && String(address).endsWith(path)) await held;
    return through(address, init);
  });
  return release;
}

test('a comment is shown while it is sent, and the next one can be written', async () => {
  storeText('<p>The first</p>');
  const server = serveComments();
  renderApp('/jars/7');
  const text = await box();
  const release = holdComments();
  fireEvent.keyDown(text, sendKey);
  const first = await within(await list()).findByRole('article', { name: 'Comment of Ada King' });
  expect(first.textContent).toContain('The first');
  expect(first.textContent).toContain('Sending…');
  expect(within(first).queryByRole('button')).toBeNull();
  expect(text.textContent).toBe('');
  // It is not lost with the page before the server has it.
  expect(localStorage.getItem(draftKey)).toContain('The first');
  fireEvent.paste(text, {
    clipboardData: { files: [], getData: (type: string) => (type === 'text/plain' ? 'The second' : '') },
  });
  await waitFor(() => expect(localStorage.getItem(draftKey)).toContain('The second'));
  expect(localStorage.getItem(draftKey)).toContain('The first');
  release();
  await waitFor(async () => expect((await list()).textContent).not.toContain('Sending…'));
  expect(within(await list()).getAllByRole('article')).toHaveLength(1);
  expect(bodies(server, 'POST')).toHaveLength(1);
  expect(text.textContent).toBe('The second');
  expect(localStorage.getItem(draftKey)).not.toContain('The first');
});

test('a refused comment returns to the box, before text that was written meanwhile', async () => {
  storeText('<p>Too late</p>');
  const message = 'This jar is archived.';
  serveComments({ answers: { [`POST ${path}`]: { status: 409, body: { message } } } });
  renderApp('/jars/7');
  const text = await box();
  const release = holdComments();
  fireEvent.keyDown(text, sendKey);
  await within(await list()).findByText('Too late');
  fireEvent.paste(text, {
    clipboardData: { files: [], getData: (type: string) => (type === 'text/plain' ? 'And more' : '') },
  });
  await waitFor(() => expect(text.textContent).toBe('And more'));
  release();
  expect((await screen.findByText(message)).closest('[role="alert"]')).toBeTruthy();
  await waitFor(() => expect(text.textContent).toBe('Too lateAnd more'));
  expect(within(await list()).queryByRole('article')).toBeNull();
  expect(localStorage.getItem(draftKey)).toContain('Too late');
});

test('a user without the right to edit reads comments that need it, without box and buttons', async () => {
  storeText('<p>Before</p>');
  const own = written(1, { may_edit: true, may_delete: true });
  serveComments({ comments: [own], write: 'edit', permissions: reader });
  renderApp('/jars/7/view');
  expect(await screen.findByText('Half full')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Watch' })).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'New comment' })).toBeNull();
  expect(screen.queryByRole('button', { name: /comment/i })).toBeNull();
});

test('notifications of a record are chosen in words, by a command too, with the other watchers named', async () => {
  let watch = { state: null as string | null, watching: true, watchers: [zoe, adam] };
  const sent: unknown[] = [];
  serveComments({
    answers: {
      'GET /jars/7/watch': () => ({ status: 200, body: { data: watch } }),
      'PUT /jars/7/watch': ({ body }) => {
        const { state } = body as { state: string | null };
        sent.push(state);
        watch = { ...watch, state, watching: state !== 'muted' };
        return { status: 200, body: { data: watch } };
      },
    },
  });
  renderApp('/jars/7');
  const button = await screen.findByRole('button', { name: 'Comments only' });
  fireEvent.click(button);
  const dialog = await screen.findByRole('dialog', { name: 'What you hear of this record' });
  expect(within(dialog).getByText(`Told of comments: ${zoe.name}, ${adam.name}`)).toBeTruthy();
  expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: /^As usual/ }).checked).toBe(true);
  fireEvent.click(within(dialog).getByRole('radio', { name: /^Comments and changes/ }));
  await waitFor(() => expect(button.textContent).toBe('Watching'));
  fireEvent.click(within(dialog).getByRole('radio', { name: /^Nothing/ }));
  await waitFor(() => expect(button.textContent).toBe('Muted'));
  fireEvent.keyDown(dialog, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const command = currentCommands().find(({ id }) => id === 'watch')!;
  expect(command.label).toBe('Watch this record: comments and changes');
  act(() => command.run());
  await waitFor(() => expect(button.textContent).toBe('Watching'));
  expect(currentCommands().find(({ id }) => id === 'watch')!.label).toBe('Mute this record');
  expect(sent).toEqual(['watching', 'muted', 'watching']);
});

test('a switch makes a comment internal and says who reads it; without the right there is none', async () => {
  storeText('<p>Between us</p>');
  const server = serveComments({ internal: { levels: [1, 2, 3, 4, 5, 6] } });
  const user = renderApp('/jars/7');
  await box();
  expect(screen.queryByText(/^Internal: only/)).toBeNull();
  await user.click(screen.getByRole('switch', { name: 'Internal' }));
  expect(screen.getByText(/^Internal: only .* read this comment/)).toBeTruthy();
  expect(localStorage.getItem(draftKey)).toContain('"isInternal":true');
  await user.click(screen.getByRole('button', { name: 'Comment internally' }));
  await waitFor(() =>
    expect(bodies(server, 'POST')).toEqual([{ text: '<p>Between us</p>', mentions: [], files: [], internal: true }]),
  );
  const shown = await within(await list()).findByRole('article', { name: 'Internal comment of Ada King' });
  expect(within(shown).getByText('Internal')).toBeTruthy();
});

test('the switch for internal comments is missing for a user who reads none', async () => {
  storeText('<p>Hello</p>');
  serveComments({ internal: { levels: [] } });
  renderApp('/jars/7');
  await box();
  expect(screen.queryByRole('switch', { name: 'Internal' })).toBeNull();
});
