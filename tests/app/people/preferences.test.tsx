// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { setPersonalFormats } from '../../../src/engine/formats/personal';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

afterEach(() => setPersonalFormats());

const usual = { formats: null, week_start: null, density: null };
const film = { id: 1, name: 'Tide', starts_on: '2026-12-31', studio_id: 1, budget: 1234.5 };
const withBudget = () =>
  fixtureDefinitions((source) =>
    source.name === 'films'
      ? {
          ...source,
          fields: { ...source.fields, budget: { type: 'number' } },
          form: undefined,
          list: { ...source.list, columns: ['name', 'starts_on', 'budget'] },
        }
      : source,
  );
const serve = (options: Parameters<typeof fakeServer>[0] = {}) =>
  fakeServer({
    definitions: withBudget(),
    rows: { films: [{ ...film }], studios: [{ id: 1, name: 'Alder' }] },
    ...options,
  });

describe('preferences', () => {
  it('show dates and numbers of lists as the person reads them', async () => {
    serve({ preferences: { ...usual, formats: 'de-DE' } });
    renderApp('/films');
    expect(await screen.findByTitle('31.12.2026')).toBeTruthy();
    expect(screen.getByText('1.234,5')).toBeTruthy();
  });

  it('leave all formats as specified for a user without a choice', async () => {
    serve();
    renderApp('/films');
    expect(await screen.findByTitle('31-Dec-2026')).toBeTruthy();
    expect(screen.getByText('1,234.5')).toBeTruthy();
  });

  it('are understood where dates and numbers are typed', async () => {
    const server = serve({ preferences: { ...usual, formats: 'en-US' } });
    const user = renderApp('/films/1');
    const day = await screen.findByDisplayValue('Dec 31, 2026');
    await user.clear(day);
    await user.type(day, '11/30/2026');
    const budget = screen.getByLabelText(/^Budget/);
    await user.clear(budget);
    await user.type(budget, '2,500');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        starts_on: '2026-11-30',
        budget: 2500,
      }),
    );
  });

  it('make rows compact', async () => {
    serve({ preferences: { ...usual, density: 'compact' } });
    renderApp('/films');
    await screen.findByTitle('31-Dec-2026');
    expect(document.documentElement.dataset.density).toBe('compact');
  });
});

describe('the choice of preferences', () => {
  const ada = { id: 7, first_name: 'Ada', last_name: 'King', email: 'ada@example.test', phone_number: null };
  const start = (change: { status: number; body: unknown }) => {
    const server = serve({
      answers: { 'GET /profile/7': { status: 200, body: { data: ada } }, 'PATCH /preferences': change },
    });
    return { server, user: renderApp('/profile') };
  };

  it('applies at once and is stored for the person', async () => {
    const { server, user } = start({ status: 200, body: { data: usual } });
    const choice = await screen.findByRole('combobox', { name: 'Dates and numbers' });
    expect(choice.textContent).toContain('31-Dec-2026');
    await user.click(choice);
    await user.click(await screen.findByRole('option', { name: /^German \(Germany\)/ }));
    await waitFor(() => expect(choice.textContent).toContain('31.12.2026'));
    const rows = screen.getByRole('group', { name: 'Rows and forms' });
    await user.click(within(rows).getByRole('radio', { name: 'Compact' }));
    await waitFor(() => expect(document.documentElement.dataset.density).toBe('compact'));
    expect(server.calls.filter(({ path }) => path === '/preferences').map(({ body }) => body)).toEqual([
      { formats: 'de-DE' },
      { density: 'compact' },
    ]);
  });

  it('is taken back with the reason if it could not be stored', async () => {
    const { user } = start({ status: 403, body: { message: 'Only viewing.', code: 'FORBIDDEN' } });
    const rows = await screen.findByRole('group', { name: 'Rows and forms' });
    await user.click(within(rows).getByRole('radio', { name: 'Compact' }));
    expect(await screen.findByText('Your choice was not saved: Only viewing.')).toBeTruthy();
    await waitFor(() =>
      expect(within(rows).getByRole<HTMLInputElement>('radio', { name: 'Comfortable' }).checked).toBe(true),
    );
    expect(document.documentElement.dataset.density).toBe('');
  });
});
