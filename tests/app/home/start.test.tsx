// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const fresh = {
  steps: [
    { resource: 'studios', text: 'Who makes films.', done: true },
    { resource: 'films', text: null, done: false },
  ],
  sample: { label: 'Create a sample film', text: 'A studio and a film.', created: false },
  hasColleagues: false,
};
const created = {
  ...fresh,
  steps: fresh.steps.map((step) => ({ ...step, done: true })),
  sample: { ...fresh.sample, created: true },
};
const answer = (data: object) => ({ status: 200, body: { data } });
type Answers = NonNullable<NonNullable<Parameters<typeof fakeServer>[0]>['answers']>;

function start(answers: Answers, options: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer({ ...options, answers });
  return { server, user: renderApp('/') };
}

describe('the guided start', () => {
  it('ticks off what exists, offers the next step, an import and colleagues', async () => {
    start({ 'GET /start': answer(fresh) });
    const panel = await screen.findByRole('region', { name: 'Get started' });
    expect(within(panel).getByText('1 of 2 done')).toBeTruthy();
    const steps = within(panel).getAllByRole('listitem');
    expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, 'step']);
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Done:StudiosWho makes films.',
      'To do:Add the first filmAdd Film',
    ]);
    expect(within(panel).getByRole('link', { name: 'Add Film' }).getAttribute('href')).toBe('/films/create');
    expect(within(panel).getByRole('link', { name: 'Invite a colleague' }).getAttribute('href')).toBe('/users/create');
  });

  it('creates the sample, and removes it after a question', async () => {
    let now: object = fresh;
    const { server, user } = start({
      'GET /start': () => answer(now),
      'POST /sample': () => answer((now = created)),
      'DELETE /sample': () => answer((now = fresh)),
    });
    await user.click(await screen.findByRole('button', { name: 'Create a sample film' }));
    const bar = await screen.findByRole('region', { name: 'Sample' });
    expect(within(bar).getByText(/A studio and a film\./)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await user.click(within(bar).getByRole('button', { name: 'Remove the sample' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove the sample?' });
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByRole('region', { name: 'Get started' })).toBeTruthy();
    const sent = server.calls.filter(({ path }) => path === '/sample').map(({ method }) => method);
    expect(sent).toEqual(['POST', 'DELETE']);
  });

  it('says why the sample stays', async () => {
    const message = 'Studio is used by 1 film.';
    const { user } = start({
      'GET /start': answer(created),
      'DELETE /sample': { status: 409, body: { message, code: 'CONFLICT_REFERENCED' } },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove the sample' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Sample' })).toBeTruthy();
  });

  it('is hidden by a user who does not want it', async () => {
    const { user } = start({ 'GET /start': answer(fresh) });
    await user.click(await screen.findByRole('button', { name: 'Hide the first steps' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull());
    expect(localStorage.getItem('assay.start.7')).toBe('true');
  });

  it('sends no request for a user who may create no records', async () => {
    const { server } = start({ 'GET /start': answer(fresh) }, { permissions: { films: ['list'], studios: ['list'] } });
    expect((await screen.findAllByRole('link', { name: /^Films/ })).length).toBeGreaterThan(0);
    expect(server.calls.some(({ path }) => path === '/start')).toBe(false);
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
