import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { screens } from '../../../custom-screens/screens';
import { fakeProductServer as fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';

beforeEach(() => runProduct(product));

describe('the start page', () => {
  it('is the dashboard, first in the menu, which shows an error and retries', async () => {
    const answers = { 'GET /dashboard': { status: 500, body: { message: 'The counters are broken.' } } };
    fakeServer({ answers });
    const user = renderApp('/', screens);
    const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(menu.getAllByRole('link')[0]!.textContent).toBe('Dashboard');
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard: 7-Day Activity Overview' })).toBeTruthy();
    expect(await screen.findByText('The counters are broken.')).toBeTruthy();
    answers['GET /dashboard'] = {
      status: 200,
      body: { data: { projects: { active: 4, recently_updated: 0, by_status: [] } } },
    } as never;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    const counts = within(await screen.findByRole('region', { name: 'Projects: counts' }));
    expect(counts.getAllByRole('link', { name: /^\d/ }).map(({ textContent }) => textContent)).toEqual([
      '4Total Active',
      '0Recently Updated',
    ]);
    expect(screen.queryByRole('region', { name: 'Tasks: Upcoming Deadlines' })).toBeNull();
  });

  it('is the list of modules for users without access to the counted modules', async () => {
    const server = fakeServer({ level: 5, permissions: { countries: ['list'] } });
    renderApp('/', screens);
    expect(await screen.findByText('Welcome, Ada')).toBeTruthy();
    expect(server.calls.map(({ path }) => path)).not.toContain('/dashboard');
  });
});
