import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi, type Mock } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { fakeApi } from '../auth/fakeApi';
import { renderRoot } from '../auth/renderRoot';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { screenings, shot, timeLog } from '../work/rows';

let warnings: Mock[];
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  warnings = (['error', 'warn'] as const).map((kind) => vi.spyOn(console, kind));
});

const withViews = (source: Source): Source =>
  source.name !== 'shots'
    ? { ...source, ...(source.name === 'films' && { page: {} }) }
    : {
        ...source,
        list: {
          ...source.list,
          views: ['list', 'kanban', 'calendar', 'timeline', 'gallery'],
          calendar: { start: 'starts_on', end: 'ends_on' },
          timeline: { start: 'starts_on', end: 'ends_on' },
          gallery: { fields: ['status_id'] },
        },
      };
const serve = () =>
  fakeServer({
    level: 1,
    definitions: fixtureDefinitions(withViews),
    rows: {
      shots: [shot({ starts_on: '2026-11-20', ends_on: '2026-11-21' })],
      screenings: screenings(),
      shifts: [timeLog(1, 7)],
      territories: [{ id: 1, name: 'Norway' }],
      films: [{ id: 1, name: 'Harbour Checkout' }],
    },
    answers: {
      'GET /shots/choices/status_id': { status: 200, body: { data: [{ id: 2, title: 'In Progress' }] } },
      'GET /profile/7': { status: 200, body: { data: { id: 7, first_name: 'Ada', last_name: 'King' } } },
    },
  });

/** React's development build says on the console what is wrong with a component. */
const expectNoWarnings = () => expect(warnings.flatMap(({ mock }) => mock.calls)).toEqual([]);

it.each([
  ['/', 'Welcome, Ada'],
  ['/shots?view=list', 'Make payment idempotent'],
  ['/shots?view=kanban', 'Make payment idempotent'],
  ['/shots?view=calendar&shown=2026-11-16', 'Make payment idempotent'],
  ['/shots?view=timeline&shown=2026-11-16', 'Make payment idempotent'],
  ['/shots?view=gallery', 'Make payment idempotent'],
  ['/shots/create', 'Save'],
  ['/shots/4/view', 'Edit'],
  ['/films/1/view', 'Harbour Checkout'],
  ['/films?view=cards', 'Harbour Checkout'],
  ['/profile', 'First Name'],
  ['/notifications', 'Notifications'],
  ['/permissions', 'Permissions'],
  ['/studio', 'Studio'],
])('%s opens in strict mode without a warning', async (path, text) => {
  serve();
  renderApp(path);
  expect((await screen.findAllByText(text, { exact: false })).length).toBeGreaterThan(0);
  expectNoWarnings();
});

it('a list is sorted, a form saved and a dialog cancelled in strict mode without a warning', async () => {
  const server = serve();
  let user = renderApp('/territories');
  await user.click(await screen.findByText('Name', { selector: '.MuiDataGrid-columnHeaderTitle' }));
  await waitFor(() => expect(server.lastList('territories')?.sort).toEqual(['name', 'DESC']));
  cleanup();

  user = renderApp('/shots/4');
  await user.type(await screen.findByLabelText(/^Name/), '!');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      name: 'Make payment idempotent!',
    }),
  );
  cleanup();

  user = renderApp('/shifts');
  await user.click(await screen.findByText('Add Shift'));
  const dialog = await screen.findByRole('dialog', { name: /Add Shift/ });
  await user.click(within(dialog).getByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expectNoWarnings();
});

it('a sign-in is refused in strict mode without a warning', async () => {
  fakeApi({ 'POST /api/login': { body: { status: false, message: 'Email or password is wrong.' } } });
  const user = renderRoot('/auth/login');
  await user.keyboard('ada@example.test{Tab}Demo@1234{Enter}');
  expect(await screen.findByText('Email or password is wrong.')).toBeTruthy();
  expectNoWarnings();
});
