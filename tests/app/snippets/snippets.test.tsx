// @module-tag slow
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { pantry, sent, servePantry, stored } from '../form/pantry';
import { sendFormsByFetch } from '../support/formRequests';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/comments/CommentEditor';
import '../../../src/app/comments/CommentsPanel';
import '../../../src/app/fields/editors';
import '../../../src/app/fields/richText/Editor';
import '../../../src/app/fields/snippets/SnippetList';

const snippets = normalise(JSON.parse(readFileSync('system/snippets.json', 'utf8')) as Source);
const jars = pantry(
  { story: { type: 'richText' }, notes: { type: 'textarea', markdown: true } },
  { comments: { write: 'view' } },
);
const texts = [
  { id: 1, title: 'Thanks', text: '<p>Thanks for <strong>{name}</strong>.</p>', modules: null },
  { id: 2, title: 'Where it is', text: '<p>{name} is on {shelf.name}.</p><p>Bye</p>', modules: 'boxes, jars' },
  { id: 3, title: 'Of boxes', text: '<p>A box</p>', modules: 'boxes' },
];

beforeEach(() => {
  sendFormsByFetch();
  // jsdom has no layout.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([new DOMRect()] as unknown as DOMRectList);
});

function serve(options: Parameters<typeof servePantry>[0] = {}) {
  const { answers, ...more } = options;
  return servePantry({
    definitions: [...jars, snippets],
    rows: { jars: [{ ...stored }], shelves: [{ id: 2, name: 'Lower' }], boxes: [], snippets: texts },
    answers: {
      'GET /jars/7/comments': { status: 200, body: { data: [] }, headers: { 'Content-Range': 'comments */0' } },
      'GET /jars/7/watch': { status: 200, body: { data: { state: null, watching: false, watchers: [] } } },
      ...answers,
    },
    ...more,
  });
}

const textbox = (name: string) => screen.findByRole('textbox', { name });
const openByKey = async (text: HTMLElement) => {
  fireEvent.keyDown(text, { key: ';', ctrlKey: true });
  return screen.findByRole('combobox', { name: 'Search snippets' });
};
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const closed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'Snippets' })).toBeNull());

test('a comment gets the snippet that was searched for and chosen by keys, with the values of the record', async () => {
  localStorage.setItem('assay.comment.7.jars.7', JSON.stringify({ html: '<p>Hello.</p>', people: [] }));
  serve();
  // However late a frame is drawn, the editor does not take the focus from the list.
  const frame = window.requestAnimationFrame.bind(window);
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) =>
    frame(() => void setTimeout(() => run(performance.now()), 50)),
  );
  const user = renderApp('/jars/7');
  const text = await textbox('New comment');
  const search = await openByKey(text);
  await waitFor(() =>
    expect(options()).toEqual(['ThanksThanks for {name}.', 'Where it is{name} is on {shelf.name}.\nBye']),
  );
  await waitFor(() => expect(document.activeElement).toBe(search));
  expect(search.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: /Thanks/ }).id);
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Where it is');
  await user.type(search, 'THANK');
  expect(options()).toEqual(['ThanksThanks for {name}.']);
  await user.keyboard('{Enter}');
  await closed();
  await waitFor(() => expect(text.innerHTML).toContain('<p>Hello.Thanks for <strong>Pepper</strong>.</p>'));
});

test('a formatted text gets a snippet with the values and the record of its form', async () => {
  const server = serve();
  const user = renderApp('/jars/7');
  const name = await textbox('Name');
  await user.clear(name);
  await user.type(name, 'Salt');
  const text = await textbox('Story');
  const tools = screen.getByRole('toolbar', { name: 'Format Story' });
  await user.click(within(tools).getByRole('button', { name: 'Snippet' }));
  await user.click(await screen.findByRole('option', { name: /Where it is/ }));
  await closed();
  await waitFor(() => expect(text.innerHTML).toContain('<p>Salt is on Upper.</p><p>Bye</p>'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sent(server, 'PUT')).toEqual([expect.objectContaining({ story: '<p>Salt is on Upper.</p><p>Bye</p>' })]),
  );
});

test('a text with marks gets the snippet as text at its cursor; Escape leads back to it without one', async () => {
  serve({ rows: { jars: [{ ...stored, notes: 'A. Z.' }], shelves: [], boxes: [], snippets: texts } });
  const user = renderApp('/jars/7');
  await screen.findByRole('toolbar', { name: 'Format Notes' });
  const text = (await textbox('Notes')) as HTMLTextAreaElement;
  await user.click(text);
  text.setSelectionRange(3, 3);
  await openByKey(text);
  await screen.findByRole('option', { name: /Thanks/ });
  await user.keyboard('{Escape}');
  await closed();
  expect(document.activeElement).toBe(text);
  await openByKey(text);
  await screen.findByRole('option', { name: /Thanks/ });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(text.value).toBe('A. Thanks for Pepper.Z.'));
});

test('the button of snippets is missing without the right to list them, and a failed list is a message', async () => {
  serve({ permissions: { jars: ['list', 'view', 'edit'], shelves: [], boxes: [] } });
  renderApp('/jars/7');
  await screen.findByRole('toolbar', { name: 'Format Notes' });
  expect(screen.queryByRole('button', { name: 'Snippet' })).toBeNull();
});

test('a failure to load snippets is told, and the text stays', async () => {
  serve({ answers: { 'GET /snippets': { status: 503, body: { message: 'Too busy.' } } } });
  renderApp('/jars/7');
  await screen.findByRole('toolbar', { name: 'Format Notes' });
  await openByKey(await textbox('Notes'));
  expect((await screen.findByRole('alert')).textContent).toContain('Snippets could not be loaded: Too busy.');
});
