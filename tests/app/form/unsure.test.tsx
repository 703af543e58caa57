// @module-tag slow
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { servePantry } from './pantry';

const message = 'It may or may not be stored. Reload and check before you try again.';

test('if the outcome of a save is unknown, trying again sends the same request with the same key', async () => {
  let times = 0;
  let isDown = true;
  const server = servePantry({
    answers: {
      'POST /jars': () => {
        times++;
        if (times === 1) return { status: 503, body: { message, code: 'OUTCOME_UNKNOWN' } };
        if (isDown) throw new TypeError('Failed to fetch');
        return { status: 201, body: { id: 9, name: 'Cumin' } };
      },
    },
  });
  const user = renderApp('/jars/create');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Cumin{Enter}');
  expect(await screen.findByText(message)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  // The values are unchanged: the request is sent again automatically, or on request.
  expect(await screen.findByText(/Your changes are kept; saving again when it is back/)).toBeTruthy();
  const [retry] = (await screen.findAllByRole('button', { name: 'Try now' })).reverse();
  isDown = false;
  // In the same moment, so that no automatic attempt gets ahead of it.
  fireEvent.click(retry!);
  expect(await screen.findByText('Added Successfully')).toBeTruthy();
  const posts = server.calls.filter(({ method, path }) => method === 'POST' && path === '/jars');
  expect(posts.length).toBeGreaterThanOrEqual(3);
  expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
  expect(posts[0]!.key).toMatch(/^[0-9a-f]{32}$/);
});

test('a save of other values, or of the next record, gets a new key', async () => {
  const answer = () => ({ status: 503, body: { message, code: 'OUTCOME_UNKNOWN' } });
  const server = servePantry({ answers: { 'POST /jars': answer } });
  const user = renderApp('/jars/create');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, 'Cumin{Enter}');
  await screen.findByText(message);
  await user.type(name, ' black{Enter}');
  await screen.findByText(message);
  const keys = () =>
    server.calls.filter(({ method, path }) => method === 'POST' && path === '/jars').map(({ key }) => key);
  expect(new Set(keys()).size).toBe(keys().length);
  expect(keys()).toHaveLength(2);
});
