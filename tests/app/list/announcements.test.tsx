// @module-tag slow
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const names = ['Northwind Freight', 'Alder & Finch', 'Old Mill'];
const studios = () =>
  names.map((name, index) => ({
    id: index + 1,
    name,
    code: `C${index}`,
    email: `${index}@studio.test`,
    territory_id: 1,
    territory: { id: 1, name: 'Norway' },
    films: [],
    archive: false,
    site_id: 1,
  }));

/** Opens the list of studios; returns what is spoken from then on. */
async function openStudios() {
  fakeServer({ rows: { studios: studios(), territories: [{ id: 1, name: 'Norway' }] } });
  const user = renderApp('/studios');
  await screen.findByText(names[0]!, { selector: '.MuiDataGrid-row *' });
  const spoken: string[] = [];
  const announcer = document.querySelector('[aria-live]#announcer')!;
  const note = () => announcer.textContent !== '' && spoken.push(announcer.textContent);
  new MutationObserver(note).observe(announcer, { childList: true });
  return { user, spoken };
}

const checkbox = (name: string) => screen.findByLabelText<HTMLInputElement>(`Select ${name}`);

it('a list announces how many records a search has found, and that there are none', async () => {
  const { user, spoken } = await openStudios();
  await user.keyboard('/');
  await user.keyboard('alder');
  // A slow hand searches for parts of the word too.
  await waitFor(() => expect(spoken.at(-1)).toBe('1 record'));
  await user.keyboard('x');
  await waitFor(() => expect(spoken.at(-1)).toBe('No records'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(spoken.at(-1)).toBe('3 records'));
});

it('a list names each checkbox after its record, and announces how many are selected', async () => {
  const { user } = await openStudios();
  for (const name of names) expect((await checkbox(name)).checked).toBe(false);
  await user.click(await checkbox('Alder & Finch'));
  expect((await screen.findByText('1 selected')).getAttribute('role')).toBe('status');
  await user.click(await checkbox('Old Mill'));
  expect((await screen.findByText('2 selected')).getAttribute('role')).toBe('status');
  expect((await checkbox('Northwind Freight')).checked).toBe(false);
});

it('Space presses the button that has the focus, and does not select its row', async () => {
  const { user } = await openStudios();
  act(() => screen.getByLabelText(`More actions for ${names[1]}`).focus());
  await user.keyboard(' ');
  expect(await screen.findByRole('menu')).toBeTruthy();
  expect((await checkbox(names[1]!)).checked).toBe(false);
});

it('the title of a screen that is navigated to is announced once, and a lost focus goes into its content', async () => {
  const { user, spoken } = await openStudios();
  await user.click(screen.getByText(names[1]!, { selector: '.MuiDataGrid-row a *' }));
  // The name of the record comes first where it is known by then.
  const form = /^(Alder & Finch · )?Edit Studio$/;
  await waitFor(() => expect(spoken).toEqual([expect.stringMatching(form)]));
  expect(document.querySelector('main')!.contains(document.activeElement)).toBe(true);
  await user.click(screen.getByLabelText(/^Back to Studios/));
  await waitFor(() => expect(spoken).toEqual([expect.stringMatching(form), 'Studios']));
});
