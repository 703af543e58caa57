// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import '../../../src/app/shell/MenuMarks';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
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
const serve = (marks: object[]) =>
  fakeServer({
    definitions,
    rows: { films: [], shots: [] },
    answers: { 'GET /menu-marks': { status: 200, body: { data: marks } } },
  });

it('says beside entries of the menu how much waits and what is wrong, with one call for the chosen record', async () => {
  const server = serve([
    { resource: 'films', count: 100 },
    { resource: 'shots', alert: true },
  ]);
  localStorage.setItem('assay.scope.7.1', JSON.stringify({ resource: 'films', id: 4, title: 'Cargo', short: 'CAR' }));
  renderApp('/shots');
  expect(within(await entry(/^Films 99\+$/)).getByTitle('Films that wait')).toBeTruthy();
  expect(within(await entry(/^Shots A film is late$/)).getByTitle('A film is late')).toBeTruthy();
  const asked = server.calls.filter(({ path }) => path === '/menu-marks');
  expect(asked.map(({ query }) => query.scope)).toEqual(['4']);
});

it('says nothing where nothing waits', async () => {
  const server = serve([
    { resource: 'films', count: 0 },
    { resource: 'shots', alert: false },
  ]);
  renderApp('/shots');
  await waitFor(() => expect(server.calls.some(({ path }) => path === '/menu-marks')).toBe(true));
  expect(await entry(/^Films$/)).toBeTruthy();
  expect(await entry(/^Shots$/)).toBeTruthy();
});
