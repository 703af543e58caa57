import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { clearSession } from '../../../src/app/session/session';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/OtherView';

const definitions = fixtureDefinitions((source) =>
  source.name === 'studios' ? { ...source, list: { ...source.list, views: ['list', 'cards'] } } : source,
);
const studios = ['Northwind Freight', 'Alder & Finch'].map((name, index) => ({
  ...{ id: index + 1, name, code: `C${index}`, email: `${index}@studio.test` },
  ...{ territory_id: 1, territory: { id: 1, name: 'Norway' }, films: [], archive: false, site_id: 1 },
}));

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

it.each([
  ['row', 'list', '[data-id]'],
  ['card', 'cards', '[data-card]'],
])(
  'a %s that was left has the focus after a return, but not for the user who signs in next',
  async (_, view, record) => {
    const open = async () => {
      fakeServer({ definitions, rows: { studios } });
      const user = renderApp(`/studios?view=${view}`);
      return { user, link: await screen.findByText('Alder & Finch', { selector: `${record} *` }) };
    };
    const leave = async () => {
      const { user, link } = await open();
      await user.click(link);
      await waitFor(() => expect(window.location.pathname).toBe('/studios/2'));
      cleanup();
    };
    const focusedRecord = () => document.activeElement!.closest(record);

    await leave();
    const { link } = await open();
    await waitFor(() => expect(focusedRecord()).toBe(link.closest(record)));
    cleanup();

    await leave();
    clearSession();
    await open();
    await nextFrame();
    await nextFrame();
    expect(focusedRecord()).toBeNull();
  },
);
