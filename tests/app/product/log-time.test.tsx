import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import '../../../src/app/timer/LogTime';
import { fakeProductServer, fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

it('a line that is logged at once waits for the records that its words name', async () => {
  let answerNamed = () => {};
  const arrived = new Promise<void>((resolve) => (answerNamed = resolve));
  const server = fakeProductServer({
    rows: { tasks: [], 'time-logs': [] },
    answers: {
      'GET /time-logs/choices/task_id': async ({ query }) => {
        if (!query.q) return { status: 200, body: { data: [{ id: 1, title: 'The nearest one' }] } };
        await arrived;
        return { status: 200, body: { data: [{ id: 2, title: 'Login page' }] } };
      },
    },
  });
  const user = renderApp('/countries');
  await screen.findByRole('navigation', { name: 'Main' });
  await user.keyboard('l');
  const line = await screen.findByRole('combobox', { name: 'How long, when, on what' });
  await screen.findByRole('option', { name: 'The nearest one' });
  await user.click(line);
  await user.paste('2h Login page');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(server.calls.some(({ query }) => query.q === 'Login page')).toBe(true));
  expect(server.rows['time-logs']).toEqual([]);
  answerNamed();
  await waitFor(() => expect(server.rows['time-logs']).toHaveLength(1));
  expect(server.rows['time-logs']![0]).toMatchObject({ task_id: 2, comments: 'Login page' });
});

it('a key is that of one record, and no other that begins like it', async () => {
  const definitions = fixtureDefinitions((source) =>
    source.name === 'shots'
      ? {
          ...source,
          recordTitle: '{key} {name}',
          fields: { key: { type: 'sequence', format: 'T-{n}' }, ...source.fields },
        }
      : source,
  );
  fakeServer({
    definitions,
    answers: {
      'GET /shifts/choices/shot_id': ({ query }) => {
        const titles = ['T-10 Night', 'T-1 Dawn', 'UTF-8 Names'].filter((title) => title.startsWith(query.q ?? ''));
        return { status: 200, body: { data: titles.map((title, index) => ({ id: index + 1, title })) } };
      },
    },
  });
  const user = renderApp('/studios');
  await screen.findByRole('navigation', { name: 'Main' });
  await user.keyboard('l');
  await user.click(await screen.findByRole('combobox', { name: 'How long, when, on what' }));
  await user.paste('2h T-1');
  await waitFor(() =>
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['T-1 Dawn']),
  );
  await user.clear(screen.getByRole('combobox'));
  await user.paste('2h UTF-8 names');
  expect(await screen.findByText('UTF-8 names')).toBeTruthy();
});
