import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const withEmptyList = (source: Source): Source =>
  source.name !== 'films'
    ? source
    : {
        ...source,
        list: {
          ...source.list,
          emptyText: 'One line sends them here.',
          emptyPicture: 'pipeline',
          emptyCommand: 'curl {origin}/api/films',
        },
      };

it('an empty list shows the picture, the sentence and the command of its definition', async () => {
  fakeServer({ definitions: fixtureDefinitions(withEmptyList), rows: { films: [] } });
  const user = renderApp('/films');
  expect(await screen.findByText('One line sends them here.')).toBeTruthy();
  await waitFor(() => expect(document.querySelector('svg.art')).not.toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Copy the command' }));
  expect(await navigator.clipboard.readText()).toBe(`curl ${window.location.origin}/api/films`);
});

it('a search that finds nothing shows neither, but how to see the others', async () => {
  fakeServer({ definitions: fixtureDefinitions(withEmptyList), rows: { films: [] } });
  renderApp('/films?q=nothing');
  await screen.findByRole('button', { name: 'Clear search' });
  expect(screen.queryByRole('button', { name: 'Copy the command' })).toBeNull();
  expect(document.querySelector('svg.art')).toBeNull();
});
