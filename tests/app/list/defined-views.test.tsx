// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const films = [1, 2].map((id) => ({
  ...{ id, name: `Film ${id}`, stage_id: id, stage: { id, option_name: `Stage ${id}` } },
  ...{ archive: false, site_id: 1, created_by: 7 },
}));
const definitions = fixtureDefinitions((source) =>
  source.name === 'films'
    ? {
        ...source,
        list: {
          ...source.list,
          saved: [
            { name: 'second', label: 'In the second stage', filter: { stage_id: 2 }, sort: '-name' },
            { name: 'mine', label: 'Made by me', filter: { created_by: '$actor.id' }, columns: ['name'] },
          ],
        },
      }
    : source,
);

test('views that a definition comes with are tabs: with their filters, order and columns, and the user’s own id', async () => {
  const server = fakeServer({ definitions, rows: { films } });
  const user = renderApp('/films');
  const tab = await screen.findByRole('tab', { name: /^In the second stage/ });
  expect(tab.getAttribute('aria-selected')).toBe('false');
  await user.click(tab);
  await waitFor(() =>
    expect(server.lastList('films')).toMatchObject({ filter: { stage_id: 2 }, sort: ['name', 'DESC'] }),
  );
  expect(new URLSearchParams(window.location.search).get('view')).toBe('second');
  expect(screen.getByRole('tab', { name: /^In the second stage/ }).getAttribute('aria-selected')).toBe('true');
  await user.click(screen.getByRole('tab', { name: /^Made by me/ }));
  await waitFor(() => expect(server.lastList('films')?.filter).toMatchObject({ created_by: 7 }));
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('columnheader')
        .map((header) => header.dataset.field)
        .filter((field) => !field?.startsWith('__')),
    ).toEqual(['name']),
  );
});

test('the address of a defined view opens it', async () => {
  const server = fakeServer({ definitions, rows: { films } });
  renderApp('/films?view=mine');
  await waitFor(() => expect(server.lastList('films')?.filter).toMatchObject({ created_by: 7 }));
  expect((await screen.findByRole('tab', { name: /^Made by me/ })).getAttribute('aria-selected')).toBe('true');
});
