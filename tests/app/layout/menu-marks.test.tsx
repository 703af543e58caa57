// @module-tag slow
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { withMarks } from '../../../src/app/shell/menu';
import '../../../src/app/shell/MenuMarks';
import { fakeServer, type FakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const definitions = fixtureDefinitions((source) =>
  source.name === 'films' && source.menu
    ? {
        ...source,
        menu: {
          ...source.menu,
          switcher: {},
          count: { where: { stage_id: 1 }, label: 'Films that wait' },
        },
      }
    : source.name === 'shots' && source.menu
      ? { ...source, menu: { ...source.menu, alert: { resource: 'films', where: { id: 4 }, label: 'A film is late' } } }
      : source,
);
const entry = async (name: RegExp) =>
  within(await screen.findByRole('navigation', { name: 'Main' })).findByRole('link', { name });
const serve = (marks: object[], answers: FakeServer['options']['answers'] = {}) =>
  fakeServer({
    definitions,
    rows: { films: [{ id: 4, name: 'Cargo' }], shots: [] },
    answers: { ...answers, 'GET /menu-marks': { status: 200, body: { data: marks } } },
  });

it('says beside entries of the menu how much waits and what is wrong, with one call for the chosen record', async () => {
  const server = serve([
    { resource: 'films', count: 100 },
    { resource: 'shots', alert: true },
  ]);
  localStorage.setItem('assay.scope.7.1', JSON.stringify({ resource: 'films', id: 4, title: 'Cargo', short: 'CAR' }));
  renderApp('/shots');
  expect(within(await entry(/^Films 99\+ Films that wait$/)).getByTitle('Films that wait')).toBeTruthy();
  expect(within(await entry(/^Shots A film is late$/)).getByTitle('A film is late')).toBeTruthy();
  const requests = server.calls.filter(({ path }) => path === '/menu-marks');
  expect(requests.map(({ query }) => query.scope)).toEqual(['4']);
});

it.each([
  ['waits', { count: 0 }, { alert: true }, /^Shots A film is late$/, /^Films$/],
  ['is wrong', { count: 3 }, { alert: false }, /^Films 3 Films that wait$/, /^Shots$/],
])('says nothing where nothing %s', async (_, films, shots, marked, unmarked) => {
  serve([
    { resource: 'films', ...films },
    { resource: 'shots', ...shots },
  ]);
  renderApp('/shots');
  expect(await entry(marked)).toBeTruthy();
  expect(await entry(unmarked)).toBeTruthy();
});

it('says how many notifications are unread although nothing is loaded ahead where data is saved', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  const unread = { status: 200, body: { data: [] }, headers: { 'Content-Range': 'notifications 0-1/3' } };
  const server = serve([{ resource: 'films', count: 2 }], { 'GET /notifications': unread });
  renderApp('/shots');
  expect(await entry(/^Notifications 3 Unread$/)).toBeTruthy();
  expect(server.calls.filter(({ path }) => path === '/menu-marks')).toEqual([]);
});

it('warns at an entry of several tabs although an earlier one has a count', () => {
  const tabs = [
    { to: '/films', label: 'Films', icon: 'folder' },
    { to: '/shots', label: 'Shots', icon: 'folder' },
  ];
  const menu = { groups: [{ items: [{ to: '/films', label: 'Films', icon: 'folder', tabs }] }], settings: [] };
  const marks = [
    ['/shots', 'late'],
    ['/films', '7'],
  ] as const;
  expect(withMarks(menu, marks).groups[0]?.items[0]?.mark).toBe('late');
});
