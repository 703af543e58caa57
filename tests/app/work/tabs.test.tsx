// @module-tag slow
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { sayMinute } from '../../../src/engine/formats/dates';
import { localToday } from '../../../src/app/data/localTime';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';
import { paintedValue } from '../support/styles';
import { shot, screenings, timeLog } from './rows';

const inRow = (text: string) => screen.findByText(text, { selector: '.MuiDataGrid-row *' });
// By text: looking tabs up by role computes the name of everything on the page.
const tab = async (text: RegExp) =>
  await screen.findByText((_, element) => element?.getAttribute('role') === 'tab' && text.test(element.textContent));
const noRow = (text: string) =>
  waitFor(() => expect(screen.queryByText(text, { selector: '.MuiDataGrid-row *' })).toBeNull());

describe('tabs of a list', () => {
  it('count their records and are in the address', async () => {
    fakeServer({ rows: { screenings: screenings() } });
    const user = renderApp('/screenings');
    await inRow('Case 1');
    expect((await tab(/^Open Screenings \(4\)$/)).getAttribute('aria-selected')).toBe('true');
    await user.click(await tab(/^Closed Screenings \(1\)$/));
    await inRow('Case 5');
    await noRow('Case 1');
    expect(window.location.search).toBe('?tab=closed');
    expect(document.querySelector('h1')!.textContent).toBe('Screenings');
  });

  it('show cards on a phone: number and module, title, marks and person', async () => {
    onPhone();
    const marked = {
      part: { id: 2, name: 'Payments' },
      urgency_id: 1,
      urgency: { id: 1, option_name: 'Urgent' },
    };
    fakeServer({ rows: { screenings: [{ ...screenings()[0], ...marked }] } });
    renderApp('/screenings');
    const card = (await screen.findByText('Case 1', { selector: 'article h2 *' })).closest('article')!;
    expect(card.querySelector('.card-id')!.textContent).toBe('1Payments');
    expect(card.querySelector('.card-marks')!.textContent).toBe('UrgentNot run');
    expect(card.querySelector('.card-person [title="Ada King"]')).toBeTruthy();
  });

  it('show texts for missing values, in a grid and on cards', async () => {
    const blank = { ...screenings()[0], operator_id: null, operator: null, verdict_id: null, verdict: null };
    fakeServer({ rows: { screenings: [blank] } });
    renderApp('/screenings');
    await inRow('Not run');
    await inRow('Unassigned');
    cleanup();
    onPhone();
    renderApp('/screenings');
    const card = (await screen.findByText('Case 1', { selector: 'article h2 *' })).closest('article')!;
    expect(card.querySelector('.card-marks')!.textContent).toBe('Not run');
    expect(card.querySelector('.card-person')!.textContent).toBe('Operator Unassigned');
  });

  it('count under the active search', async () => {
    const server = fakeServer({ rows: { screenings: screenings() } });
    renderApp('/screenings?q=Case%205&tab=closed');
    await inRow('Case 5');
    expect(await tab(/^Open Screenings \(0\)$/)).toBeTruthy();
    expect(server.calls.some(({ query }) => query.filter?.includes('"q":"Case 5"'))).toBe(true);
  });

  it('that are empty name the records of the other tab, and link to it', async () => {
    fakeServer({ rows: { screenings: screenings() } });
    const user = renderApp('/screenings?q=Case%205');
    await screen.findByText(
      /^No screening with “Case 5” is in this tab\. Closed screenings: 1\. Without the search there are 4\./,
    );
    expect(screen.queryByText(/^All Screenings/)).toBeNull();
    await user.click(screen.getByText('Show closed screenings', { selector: 'button' }));
    await inRow('Case 5');
  });

  it('can be reachable by links only', async () => {
    fakeServer({ rows: { screenings: screenings() } });
    renderApp('/screenings?tab=all');
    expect((await tab(/^All Screenings \(5\)$/)).getAttribute('aria-selected')).toBe('true');
  });
});

describe('the bar of tabs', () => {
  it('moves the focus by arrows, Home and End, chooses by Enter, and measures nothing', async () => {
    const measured = vi.spyOn(Element.prototype, 'getBoundingClientRect');
    fakeServer({ rows: { screenings: screenings() } });
    const user = renderApp('/screenings?tab=all');
    const all = await tab(/^All Screenings \(5\)$/);
    const bar = all.closest('[role=tablist]')!;
    expect([...bar.children].map((one) => one.getAttribute('tabindex'))).toEqual(['-1', '-1', '0']);
    all.focus();
    const focused = () => document.activeElement!.textContent!.split(' ')[0];
    const walk: [string, string][] = [
      ['{ArrowRight}', 'Open'],
      ['{ArrowLeft}', 'All'],
      ['{Home}', 'Open'],
      ['{End}', 'All'],
      ['{ArrowLeft}', 'Closed'],
    ];
    for (const [key, reached] of walk) {
      await user.keyboard(key);
      expect([key, focused()]).toEqual([key, reached]);
    }
    expect(window.location.search).toBe('?tab=all');
    await user.keyboard('{Enter}');
    await inRow('Case 5');
    await noRow('Case 1');
    const closed = await tab(/^Closed Screenings/);
    const panel = document.getElementById(closed.getAttribute('aria-controls')!)!;
    expect([panel.getAttribute('role'), panel.getAttribute('aria-labelledby')]).toEqual(['tabpanel', closed.id]);
    expect(panel.querySelector('.MuiDataGrid-row')).toBeTruthy();
    const asked = measured.mock.contexts.filter((one) => (one as Element).closest('[role=tablist]'));
    expect(asked).toEqual([]);
    measured.mockRestore();
  });
});

describe('late records', () => {
  const rows = { shots: [shot({ is_late: true, ends_on: '2026-11-12' }), shot({ id: 5, name: 'Write the plan' })] };

  it('are marked in a word on the cards of a phone, and no others', async () => {
    onPhone();
    fakeServer({ rows });
    renderApp('/shots');
    const late = (await screen.findByText('Make payment idempotent', { selector: 'article h2 *' })).closest('article')!;
    expect(late.querySelector('.card-marks')!.textContent).toBe('UrgentLate');
    const other = screen.getByText('Write the plan', { selector: 'article h2 *' }).closest('article')!;
    expect(other.querySelector('.card-marks')!.textContent).toBe('Urgent');
  });
});

describe('tabs of a form', () => {
  const rows = () => ({ shots: [shot()], screenings: screenings(), shifts: [timeLog(1, 7), timeLog(2, 8)] });

  it('list related records, with counts, and keep their filters out of the address', async () => {
    const server = fakeServer({ rows: rows() });
    const user = renderApp('/shots/4');
    await screen.findByLabelText(/^Name/);
    expect(await tab(/^Shift2$/)).toBeTruthy();
    await user.click(await tab(/^Screenings2$/));
    await inRow('Case 1');
    await noRow('Case 3');
    await user.type(screen.getByPlaceholderText('Search screenings'), 'Case 2');
    await noRow('Case 1');
    expect(server.calls.map(({ query }) => JSON.parse(query.filter ?? '{}') as unknown)).toContainEqual({
      q: 'Case 2',
      shot_id: 4,
    });
    expect(window.location.pathname + window.location.search).toBe('/shots/4?tab=screenings');
  });

  it('add in a popup, with the record and the fields that its choices depend on preset', async () => {
    const server = fakeServer({ rows: rows() });
    const user = renderApp('/shots/4?tab=screenings');
    await user.click(await screen.findByText('Add Screening'));
    const popup = await screen.findByRole('dialog');
    expect(paintedValue(popup, 'width')).toBe('90%');
    expect(within(popup).getByDisplayValue('Harbour Checkout')).toBeTruthy();
    await user.type(within(popup).getByLabelText(/^Title/), 'Pays once');
    await user.click(within(popup).getByText('Save'));
    await waitFor(() => expect(server.calls.some(({ method }) => method === 'POST')).toBe(true));
    const { body } = server.calls.find(({ method }) => method === 'POST')!;
    expect(body).toMatchObject({ name: 'Pays once', film_id: 1, shot_id: 4 });
    expect(window.location.pathname).toBe('/shots/4');
  });

  it('hide the field of the shift from level 6', async () => {
    fakeServer({ level: 6, rows: rows() });
    renderApp('/shots/4');
    await tab(/^Screenings/);
    expect(screen.queryByText('Shift')).toBeNull();
  });
});

describe('forms that are dialogs', () => {
  it('add and change over the list; records of others can only be read', async () => {
    fakeServer({ rows: { shots: [shot()], shifts: [timeLog(1, 7), timeLog(2, 8)] } });
    const user = renderApp('/shifts');
    await user.click(await screen.findByText('Add Shift'));
    const dialog = await screen.findByRole('dialog', { name: /Add Shift/ });
    expect(paintedValue(dialog, 'width')).toBe('400px');
    await user.click(within(dialog).getByText('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    const row = (await inRow('Person 8')).closest<HTMLElement>('.MuiDataGrid-row')!;
    expect(within(row).getByTitle('20-Nov-2026 09:00').textContent).toBe(sayMinute('2026-11-20 09:00', localToday()));
    await user.click(await inRow('Person 8'));
    const theirs = await screen.findByRole('dialog', { name: /Shift/ });
    expect(await within(theirs).findByText('You may read this record but not change it.')).toBeTruthy();
    expect(within(theirs).queryByText('Save')).toBeNull();
    await user.click(within(theirs).getByText('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await user.click(await inRow('Person 7'));
    expect(await within(await screen.findByRole('dialog')).findByText('Save')).toBeTruthy();
    expect(window.location.pathname).toBe('/shifts/1');
  });

  it('ask before they discard changes', async () => {
    fakeServer({ rows: { shots: [shot()], shifts: [timeLog(1, 7)] } });
    const user = renderApp('/shifts');
    await user.click(await screen.findByText('Add Shift'));
    const dialog = await screen.findByRole('dialog', { name: /Add Shift/ });
    await user.type(within(dialog).getByLabelText(/^Comments/), 'Half a day');
    await user.click(within(dialog).getByLabelText('Close'));
    await user.click(within(await screen.findByRole('alertdialog', { name: 'Unsaved changes' })).getByText('Stay'));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(within(dialog).getByDisplayValue('Half a day')).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(within(await screen.findByRole('alertdialog')).getByText('Leave'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('open from a row of another list, with its record set', async () => {
    const server = fakeServer({ rows: { shots: [shot()], shifts: [] } });
    const user = renderApp('/shots');
    await inRow('Make payment idempotent');
    await user.click(screen.getByLabelText('More actions for Make payment idempotent'));
    await user.click(await screen.findByText('Add Shift'));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByDisplayValue('Make payment idempotent')).toBeTruthy();
    await user.type(within(dialog).getByLabelText(/^Start Time/), '09:00');
    await user.type(within(dialog).getByLabelText(/^End Time/), '10:00');
    await user.click(within(dialog).getByText('Save'));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
        shot_id: 4,
        is_extra: false,
      }),
    );
  });
});
