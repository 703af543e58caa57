// @module-tag slow
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/definitions/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/list/OtherView';

const dates = { start: 'starts_on', end: 'ends_on' };
const withViews = (source: Source): Source =>
  source.name !== 'shots'
    ? source
    : {
        ...source,
        list: {
          ...source.list,
          views: ['list', 'kanban', 'calendar', 'timeline', 'gallery'],
          calendar: { ...dates, colour: 'urgency_id', person: 'operator_id', done: { status_id: { $in: [3, 4] } } },
          timeline: { ...dates, group: 'operator_id' },
          gallery: { fields: ['status_id', 'film.name'] },
        },
      };
const definitions = () => fixtureDefinitions(withViews);

const shot = (id: number, name: string, starts_on: string | null, ends_on: string | null, more: object = {}) => ({
  ...{ id, name, starts_on, ends_on, status_id: 1, site_id: 1, created_by: 7, film_id: 3 },
  film: { id: 3, name: 'Checkout' },
  ...more,
});
const grace = { operator_id: 9, operator: { id: 9, name: 'Grace Hopper' } };
const shots = () => [
  shot(1, 'Charge once', '2026-03-03', '2026-03-05', {
    ...{ urgency_id: 1, urgency: { id: 1, option_name: 'Urgent' } },
    ...grace,
  }),
  shot(2, 'Refund', '2026-03-06', '2026-03-10'),
  shot(3, 'Sign in', '2026-03-03', null, { status_id: 3 }),
  shot(4, 'Sign out', '2026-05-01', '2026-05-02'),
  shot(5, 'Someday', null, null),
];

const barsOf = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-bar]')].filter((bar) => bar.textContent.includes(name));
const barOf = async (name: string) => waitFor(() => barsOf(name)[0] ?? expect.fail(`no bar ${name}`));
const puts = (server: ReturnType<typeof fakeServer>) =>
  server.calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);

describe('a calendar', () => {
  const open = (more = '') => renderApp(`/shots?view=calendar&shown=2026-03-02${more}`);

  it('shows the records of its weeks alone, with their days, colour and state in words', async () => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    open();
    expect((await barOf('Charge once')).textContent).toBe('Charge once, 3 – 5 Mar 2026, Urgent, Grace HopperGH');
    expect((await barOf('Sign in')).textContent).toContain('done');
    expect((await barOf('Sign in')).dataset.done).toBe('true');
    // It goes on in the next week.
    expect(barsOf('Refund')).toHaveLength(2);
    expect([barsOf('Sign out'), barsOf('Someday')]).toEqual([[], []]);
    expect(screen.getByRole('heading', { name: 'March 2026' })).toBeTruthy();
    const filter = server.calls.findLast(({ query }) => query.filter?.includes('where'))!.query;
    expect(JSON.parse(JSON.parse(filter.filter!).where as string).$or[0]).toEqual({
      starts_on: { $gte: '2026-02-23', $lte: '2026-04-05' },
    });
    expect(filter.range).toBe('[0,199]');
  });

  it('keeps the filters and the search of the list, and says when there is nothing on these days', async () => {
    fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    open('&q=sign');
    await barOf('Sign in');
    expect(barsOf('Refund')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Previous month' }));
    expect(await screen.findByText('No shots on these days.')).toBeTruthy();
    expect(window.location.search).toContain('shown=2026-02-01');
    expect(window.location.search).toContain('q=sign');
    fireEvent.click(screen.getByRole('button', { name: 'Week' }));
    expect(await screen.findByRole('heading', { name: '26 Jan – 1 Feb 2026' })).toBeTruthy();
    expect(window.location.search).toContain('scale=week');
  });

  it('is moved by keys: at once, stored, and taken back', async () => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    const user = open();
    const bar = await barOf('Charge once');
    bar.focus();
    fireEvent.keyDown(bar, { key: 'ArrowRight', altKey: true });
    await waitFor(() =>
      expect(puts(server)).toEqual([['/shots/1', { starts_on: '2026-03-04', ends_on: '2026-03-06' }]]),
    );
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(puts(server)[1]![1]).toMatchObject({ starts_on: '2026-03-03', ends_on: '2026-03-05' }));
    fireEvent.keyDown(await barOf('Charge once'), { key: 'ArrowRight', shiftKey: true });
    await waitFor(() => expect(puts(server)[2]).toEqual(['/shots/1', { ends_on: '2026-03-06' }]));
  });

  it('leads from bar to bar by arrows, with a single stop for Tab', async () => {
    fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    open();
    const bar = await barOf('Charge once');
    expect([...document.querySelectorAll('[data-bar][tabindex="0"]')]).toHaveLength(1);
    bar.focus();
    fireEvent.keyDown(bar, { key: 'ArrowDown' });
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Sign in'));
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Refund'));
    expect(document.activeElement?.getAttribute('tabindex')).toBe('0');
  });

  it('shows a record that was refused where it was, and says why', async () => {
    const server = fakeServer({
      definitions: definitions(),
      rows: { shots: shots() },
      answers: {
        'PUT /shots/2': {
          status: 422,
          body: { message: 'Wrong', code: 'VALIDATION_FAILED', errors: { ends_on: 'Ends On is too late.' } },
        },
      },
    });
    open();
    fireEvent.keyDown(await barOf('Refund'), { key: 'ArrowDown', altKey: true });
    expect(await screen.findByText(/Refund was not moved: Ends On is too late\./)).toBeTruthy();
    await waitFor(() => expect(barsOf('Refund')[0]!.textContent).toContain('6 – 10 Mar 2026'));
    expect(puts(server)).toHaveLength(1);
  });

  it('has no handles on what the user may not write, and says so when a key is pressed', async () => {
    const server = fakeServer({
      definitions: definitions(),
      rows: { shots: shots() },
      permissions: { shots: ['list', 'view'] },
      level: 4,
    });
    open();
    const bar = await barOf('Charge once');
    expect(bar.querySelector('[data-grip]')).toBeNull();
    fireEvent.keyDown(bar, { key: 'ArrowRight', altKey: true });
    expect(await screen.findByText('Charge once cannot be moved: you may not change these dates.')).toBeTruthy();
    expect(puts(server)).toEqual([]);
  });

  it('hides the fourth bar of a week behind a button that lists the day', async () => {
    const many = Array.from({ length: 5 }, (_, at) => shot(at + 1, `Shot ${at + 1}`, '2026-03-04', '2026-03-04'));
    fakeServer({ definitions: definitions(), rows: { shots: many } });
    const user = open();
    await user.click(await screen.findByRole('button', { name: '2 more on 4 Mar' }));
    const list = within(await screen.findByRole('dialog', { name: '4 Mar 2026' }));
    expect(list.getAllByRole('link')).toHaveLength(5);
  });

  it('says how many more there are than were loaded, and loads them', async () => {
    const many = Array.from({ length: 230 }, (_, at) => shot(at + 1, `Shot ${at + 1}`, '2026-03-04', '2026-03-04'));
    const server = fakeServer({ definitions: definitions(), rows: { shots: many } });
    open();
    const note = await screen.findByRole('note');
    expect(note.textContent).toContain('The first 200 shots of these days are shown.');
    fireEvent.click(within(note).getByRole('button', { name: '30 more' }));
    expect(await screen.findByRole('button', { name: '227 more on 4 Mar' })).toBeTruthy();
    expect(server.calls.some(({ query }) => query.range === '[200,399]')).toBe(true);
  });
});

describe('a timeline', () => {
  const open = () => renderApp('/shots?view=timeline&shown=2026-03-02');

  it('has a row for each record below its heading; headings fold', async () => {
    fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    const user = open();
    await barOf('Charge once');
    const headings = [...document.querySelectorAll('[aria-expanded].day-group')];
    expect(headings.map((one) => one.textContent)).toEqual(['GHGrace Hopper1', 'Unassigned2']);
    await user.click(headings[1]!);
    expect([barsOf('Charge once').length, barsOf('Refund').length]).toEqual([1, 0]);
    expect(screen.getByRole('heading', { name: '23 Feb – 22 Mar 2026' })).toBeTruthy();
  });

  it('moves by left and right, its end with Shift; up and down lead to other rows', async () => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    open();
    const bar = await barOf('Charge once');
    bar.focus();
    fireEvent.keyDown(bar, { key: 'ArrowLeft' });
    await waitFor(() =>
      expect(puts(server)).toEqual([['/shots/1', { starts_on: '2026-03-02', ends_on: '2026-03-04' }]]),
    );
    fireEvent.keyDown(await barOf('Charge once'), { key: 'ArrowRight', shiftKey: true });
    await waitFor(() => expect(puts(server)[1]).toEqual(['/shots/1', { ends_on: '2026-03-05' }]));
    fireEvent.keyDown(await barOf('Charge once'), { key: 'ArrowDown' });
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Sign in'));
  });
});

it('a gallery shows a page of records as cards, with their values', async () => {
  fakeServer({ definitions: definitions(), rows: { shots: shots() } });
  renderApp('/shots?view=gallery');
  expect(await screen.findByText('Charge once', { selector: 'h3 a' })).toBeTruthy();
  const cards = [...document.querySelectorAll('[data-card]')];
  expect(cards).toHaveLength(5);
  expect(cards[0]!.textContent).toContain('Checkout');
  expect(document.querySelector('.list-foot')).toBeTruthy();
});

it('a view whose dates the role may not see says so instead of loading', async () => {
  const hidden = fixtureDefinitions((source) =>
    source.name === 'shots'
      ? { ...withViews(source), rules: [{ levels: [4], action: 'list', except: ['starts_on'] }] }
      : source,
  );
  const server = fakeServer({ definitions: hidden, rows: { shots: shots() }, level: 4 });
  renderApp('/shots?view=calendar');
  expect(
    await screen.findByText(/This view needs .*, which your role may not see\. Choose another view\./),
  ).toBeTruthy();
  expect(server.calls.some(({ query }) => query.filter?.includes('where'))).toBe(false);
});
