// @module-tag slow
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/OtherView';
import '../../../src/app/list/bulk/SelectionBar';
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/list/cards/Cards';

const names = ['Charge once', 'Refund', 'Sign in', 'Sign out'];

function open(address: string, forMany = true) {
  const definitions = fixtureDefinitions((source) =>
    source.name === 'shots'
      ? {
          ...source,
          ...(!forMany && { requests: {} }),
          list: {
            ...source.list,
            sort: 'id',
            views: ['list', 'cards', 'gallery'],
            gallery: { fields: ['status_id'] },
            ...(!forMany && { bulkDelete: false, bulkEdit: [] }),
          },
        }
      : source,
  );
  const shots = names.map((called, index) => ({
    ...{ id: index + 1, name: called, status_id: 1, site_id: 1, created_by: 7, film_id: 3 },
    updated_at: '2026-01-02T00:00:00.000Z',
  }));
  const server = fakeServer({ definitions, rows: { shots } });
  return { server, user: renderApp(address) };
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });
const card = (name: string) =>
  waitFor(
    () =>
      [...document.querySelectorAll<HTMLElement>('[data-card] article')].find(
        (each) => each.querySelector('h2')?.textContent === name,
      ) ?? expect.fail(`no card ${name}`),
  );
const link = async (name: string) => within(await card(name)).getByRole('link', { name });
const bar = () => screen.findByRole('region', { name: 'Selection' });
const isSelected = async (...wanted: string[]) => {
  for (const name of names)
    await waitFor(async () => expect([name, (await box(name)).checked]).toEqual([name, wanted.includes(name)]));
};
const path = () => window.location.pathname;

describe.each([
  ['a gallery', '/shots?view=gallery'],
  ['cards', '/shots?view=cards'],
])('%s', (_, address) => {
  it('is selected by its checkboxes, and its records are deleted together', async () => {
    const { server, user } = open(address);
    await isSelected();
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
    await user.click(await box('Refund'));
    await user.click(await box('Sign out'));
    await isSelected('Refund', 'Sign out');
    expect(path()).toBe('/shots');
    expect((await card('Refund')).dataset.selected).toBe('true');
    expect(within(await bar()).getByRole('status').textContent).toBe('2 selected');
    await user.click(within(await bar()).getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(server.rows.shots!.map(({ name }) => name)).toEqual(['Charge once', 'Sign in']));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull());
  });

  it('is selected by clicks with Ctrl, Cmd and Shift, which do not open it; another click does', async () => {
    const { user } = open(address);
    const click = async (name: string, held: object) => fireEvent.click(await card(name), held);
    await click('Charge once', { ctrlKey: true });
    await isSelected('Charge once');
    await click('Sign in', { shiftKey: true });
    await isSelected('Charge once', 'Refund', 'Sign in');
    await click('Refund', { metaKey: true });
    await isSelected('Charge once', 'Sign in');
    expect(path()).toBe('/shots');
    // Keys go on from the card that was clicked last.
    await user.keyboard('jx');
    await isSelected('Charge once');
    await user.keyboard('x');
    await isSelected('Charge once', 'Sign in');
    fireEvent.click(await box('Sign out'), { shiftKey: true });
    await isSelected('Charge once', 'Sign in', 'Sign out');
    await user.click(await link('Refund'));
    await waitFor(() => expect(path()).toBe('/shots/2'));
  });

  it('is selected by keys: x, Shift+x and Ctrl+A, where a card has the focus', async () => {
    const { user } = open(address);
    await card('Charge once');
    // Another test may have left this list from a card, which has the focus again.
    act(() => (document.activeElement as HTMLElement).blur());
    // Without one, the key leads to the first card.
    await user.keyboard('x');
    expect(document.activeElement).toBe(await link('Charge once'));
    await isSelected();
    await user.keyboard('jx');
    await isSelected('Refund');
    await user.keyboard('jj{Shift>}X{/Shift}');
    await isSelected('Refund', 'Sign in', 'Sign out');
    await user.keyboard('kx');
    await isSelected('Refund', 'Sign out');
    await user.keyboard('{Control>}a{/Control}');
    await isSelected(...names);
    await user.keyboard('x');
    await isSelected('Charge once', 'Refund', 'Sign out');
    await user.keyboard('?');
    const help = await screen.findByRole('dialog');
    expect(within(help).getByText('Select this shot')).toBeTruthy();
    expect(within(help).getByText('Select up to this shot')).toBeTruthy();
    await user.click(within(help).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('loses the selection with another filter', async () => {
    const { user } = open(address);
    await user.click(await box('Refund'));
    await bar();
    await user.keyboard('/');
    await user.keyboard('sign');
    await waitFor(() => expect(document.querySelectorAll('[data-card]')).toHaveLength(2));
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  });

  it('has no checkboxes where nothing can be done with several records', async () => {
    const { user } = open(address, false);
    await card('Refund');
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(await card('Refund'), { ctrlKey: true });
    await user.keyboard('x');
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  });
});

it('cards on a phone can be selected', async () => {
  onPhone();
  const { user } = open('/shots');
  await user.click(await box('Sign in'));
  await isSelected('Sign in');
  expect(within(await bar()).getByRole('button', { name: 'Delete' })).toBeTruthy();
});
