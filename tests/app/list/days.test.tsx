// @module-tag slow
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRecordContext } from 'react-admin';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as initials from '../../../src/app/chips/Initials';
import type { Source } from '../../../src/engine/language/source';
import { setPersonalFormats } from '../../../src/engine/formats/personal';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/fields/Calendar';
import '../../../src/app/list/OtherView';
import '../../../src/app/list/days/CalendarGrid';

// The part of a bar that says whose it is, with the record that it finds around it.
vi.mock('../../../src/app/chips/Initials', async (original) => {
  const { Initials } = await original<typeof initials>();
  return {
    Initials: (props: Parameters<typeof Initials>[0]) => (
      <span data-record={useRecordContext()?.id}>
        <Initials {...props} />
      </span>
    ),
  };
});

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
    const filter = server.calls.findLast(({ query }) => query.filter?.includes('$gte'))!.query;
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

  it('counts each of several keys that are pressed before the screen shows the first', async () => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: shots() } });
    open();
    const bar = await barOf('Charge once');
    bar.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
      fireEvent.keyDown(bar, { key, altKey: true });
    await waitFor(() =>
      expect(puts(server).at(-1)).toEqual(['/shots/1', { starts_on: '2026-03-05', ends_on: '2026-03-07' }]),
    );
    expect((await barOf('Charge once')).textContent).toContain('5 – 7 Mar 2026');
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

  it('has no handles on records that the user may not write, and says so when a key is pressed', async () => {
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

it.each(['calendar', 'timeline&scale=weeks'])(
  'a bar of the view %s has its record as react-admin’s context',
  async (view) => {
    const withPeople = fixtureDefinitions((source) => {
      const changed = withViews(source);
      return changed.list?.timeline
        ? { ...changed, list: { ...changed.list, timeline: { ...dates, person: 'operator_id' } } }
        : changed;
    });
    fakeServer({ definitions: withPeople, rows: { shots: shots() } });
    renderApp(`/shots?view=${view}&shown=2026-03-02`);
    const bar = await barOf('Charge once');
    expect(bar.querySelector<HTMLElement>('[data-record]')!.dataset.record).toBe('1');
  },
);

it('a gallery shows a page of records as cards, with their values', async () => {
  fakeServer({ definitions: definitions(), rows: { shots: shots() } });
  renderApp('/shots?view=gallery');
  expect(await screen.findByText('Charge once', { selector: 'h2 a' })).toBeTruthy();
  const cards = [...document.querySelectorAll('[data-card]')];
  expect(cards).toHaveLength(5);
  expect(cards[0]!.textContent).toContain('Checkout');
  expect(document.querySelector('.list-foot')).toBeTruthy();
});

it('a view whose dates the role may not see says so instead of loading', async () => {
  const hidden = fixtureDefinitions((source) =>
    source.name === 'shots'
      ? { ...withViews(source), rules: [{ levels: [4], action: 'list', exceptFields: ['starts_on'] }] }
      : source,
  );
  const server = fakeServer({ definitions: hidden, rows: { shots: shots() }, level: 4 });
  renderApp('/shots?view=calendar');
  expect(
    await screen.findByText(/This view needs .*, which your role may not see\. Choose another view\./),
  ).toBeTruthy();
  expect(server.calls.some(({ query }) => query.filter?.includes('where'))).toBe(false);
});

describe('records without dates', () => {
  const version = '2026-01-01T00:00:00.000Z';
  const someday = (more: object = {}) => shot(5, 'Someday', null, null, { updated_at: version, ...grace, ...more });
  const panel = () => screen.findByRole('region', { name: 'Without dates' });
  const listed = async () => [...(await panel()).querySelectorAll('li a')].map((link) => link.textContent);
  const isGone = () => waitFor(() => expect(document.querySelector('[data-undated]')).toBeNull());
  const open = (more = '') => renderApp(`/shots?view=calendar&shown=2026-03-02${more}`);
  const dated = { starts_on: '2026-03-11', ends_on: '2026-03-11' };
  const none = { starts_on: null, ends_on: null };

  afterEach(() => {
    Reflect.deleteProperty(document, 'elementFromPoint');
  });

  const cells = () => [...document.querySelectorAll<HTMLElement>('[role=cell][data-date]')];
  /** Lays the weeks out: 100 pixels for each day, one row below the other. What is under the pointer is given. */
  const layOut = () => {
    const under: { element?: Element | null } = {};
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const index = cells().indexOf(this as HTMLElement);
      return index < 0 ? new DOMRect() : new DOMRect((index % 7) * 100, Math.floor(index / 7) * 100, 100, 100);
    });
    document.elementFromPoint = () => under.element ?? null;
    return under;
  };
  const at = (day: string) => {
    const index = cells().findIndex(({ dataset }) => dataset.date === day);
    return { clientX: (index % 7) * 100 + 50, clientY: Math.floor(index / 7) * 100 + 50, pointerId: 1 };
  };

  it('are listed beside the days, within the filters of the list, one window at a time', async () => {
    const many = Array.from({ length: 203 }, (_, at) => shot(at + 10, `Later ${at}`, null, null));
    const server = fakeServer({ definitions: definitions(), rows: { shots: [...shots(), ...many] } });
    const user = open('&q=Later');
    await waitFor(async () => expect(await listed()).toHaveLength(200));
    expect((await panel()).querySelector('small')!.textContent).toBe('203');
    const calls = server.calls.filter(({ query }) => query.filter?.includes('where') && !query.filter.includes('$'));
    for (const { query } of calls) {
      expect(JSON.parse(query.filter!)).toEqual({ q: 'Later', where: JSON.stringify(none) });
      expect(query.range).toBe('[0,199]');
    }
    await user.click(within(await panel()).getByText('3 more'));
    await waitFor(async () => expect(await listed()).toHaveLength(203));
    // Closed, it is a button, and stays so.
    await user.click(within(await panel()).getByLabelText('Hide those without dates'));
    await user.click(await screen.findByRole('button', { name: 'Without dates 203' }));
    expect(await listed()).toHaveLength(203);
  });

  it('are not listed where all have dates, and not requested where dates are required', async () => {
    const server = fakeServer({
      definitions: fixtureDefinitions((source) =>
        source.name === 'shots'
          ? {
              ...withViews(source),
              fields: { ...source.fields, starts_on: { ...source.fields!.starts_on!, required: true } },
            }
          : source,
      ),
      rows: { shots: shots().slice(0, 4) },
    });
    open();
    const bar = await barOf('Charge once');
    fireEvent.keyDown(bar, { key: 'Delete' });
    expect(await screen.findByText('Charge once needs its dates.')).toBeTruthy();
    expect(screen.queryByText(/^Without dates/)).toBeNull();
    expect(server.calls.some(({ query }) => query.filter?.includes('starts_on":null'))).toBe(false);
    expect(puts(server)).toEqual([]);
  });

  it.each(['button', 'Ctrl+Z'])('get a date from a calendar, and lose it again by %s', async (way) => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: [...shots().slice(0, 4), someday()] } });
    const user = open();
    expect(await listed()).toEqual(['Someday']);
    await user.click(within(await panel()).getByLabelText('Choose a date for Someday'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Date of Someday' }));
    await user.click(await dialog.findByText('Today'));
    await isGone();
    await waitFor(() => expect(puts(server)).toHaveLength(1));
    const { starts_on, ends_on } = puts(server)[0]![1] as typeof dated;
    expect([starts_on, ends_on]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), starts_on]);
    // The day is another one than those that were shown: the view follows.
    await barOf('Someday');
    const undo = await screen.findByText('Undo', { selector: 'button' });
    if (way === 'button') await user.click(undo);
    else await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(puts(server)[1]).toEqual(['/shots/5', { ...none, updated_at: version }]));
    await waitFor(async () => expect(await listed()).toEqual(['Someday']));
    expect(barsOf('Someday')).toEqual([]);
  });

  it('include the record in focus after Delete, until that is taken back', async () => {
    const server = fakeServer({
      definitions: definitions(),
      rows: { shots: [shot(1, 'Charge once', '2026-03-03', null, { updated_at: version })] },
    });
    const user = open();
    const bar = await barOf('Charge once');
    expect(screen.queryByText(/^Without dates/)).toBeNull();
    bar.focus();
    fireEvent.keyDown(bar, { key: 'Delete' });
    expect(await listed()).toEqual(['Charge once']);
    expect(await screen.findByText('Charge once has no dates')).toBeTruthy();
    await user.click(await screen.findByText('Undo', { selector: 'button' }));
    await barOf('Charge once');
    await isGone();
    expect(puts(server)).toEqual([
      ['/shots/1', { starts_on: null }],
      ['/shots/1', { starts_on: '2026-03-03', updated_at: version }],
    ]);
  });

  it.each(['mouse', 'touch'])('are dragged onto a day and back by %s', async (pointerType) => {
    const server = fakeServer({ definitions: definitions(), rows: { shots: [...shots().slice(0, 4), someday()] } });
    open();
    await barOf('Charge once');
    const card = await waitFor(() => document.querySelector<HTMLElement>('[data-undated="5"]') ?? expect.fail());
    const under = layOut();
    const [start, day] = [{ clientX: 900, clientY: 10, pointerId: 1, pointerType, button: 0 }, at('2026-03-11')];
    fireEvent.pointerDown(card, start);
    // A finger that has rested on it drags it.
    if (pointerType === 'touch') await waitFor(() => expect(card.dataset.dragged).toBe('true'));
    under.element = document.querySelector('[data-days]');
    fireEvent.pointerMove(window, day);
    expect(barsOf('Someday')).toHaveLength(1);
    fireEvent.pointerUp(window, day);
    await isGone();
    await waitFor(() => expect(puts(server)).toEqual([['/shots/5', dated]]));
    await screen.findByText('Someday: 11 Mar 2026');

    // Nothing is without dates: while it is dragged there is a place to put it.
    fireEvent.pointerDown(await barOf('Someday'), { ...start, ...day });
    const place = () => document.querySelector<HTMLElement>('[data-without-days]');
    if (pointerType === 'mouse') fireEvent.pointerMove(window, { ...day, clientX: day.clientX + 20 });
    under.element = await waitFor(() => place() ?? expect.fail());
    fireEvent.pointerMove(window, { ...day, clientX: 900 });
    await waitFor(() => expect(place()!.dataset.takes).toBe('over'));
    fireEvent.pointerUp(window, { ...day, clientX: 900 });
    expect(await listed()).toEqual(['Someday']);
    await waitFor(() => expect(puts(server)[1]).toEqual(['/shots/5', none]));
  });

  it('are not dragged by a finger that scrolls, nor by a user who may not write the dates', async () => {
    const server = fakeServer({
      definitions: definitions(),
      rows: { shots: shots() },
      permissions: { shots: ['list', 'view'] },
      level: 4,
    });
    open();
    await barOf('Charge once');
    const card = await waitFor(() => document.querySelector<HTMLElement>('[data-undated="5"]') ?? expect.fail());
    expect(card.dataset.movable).toBeUndefined();
    expect(within(await panel()).queryByLabelText(/^Choose a date/)).toBeNull();
    const under = layOut();
    under.element = document.querySelector('[data-days]');
    fireEvent.pointerDown(card, { clientX: 900, clientY: 10, pointerId: 1, pointerType: 'mouse', button: 0 });
    fireEvent.pointerMove(window, at('2026-03-11'));
    fireEvent.pointerUp(window, at('2026-03-11'));
    expect([barsOf('Someday'), puts(server)]).toEqual([[], []]);
  });
});

describe('weeks that begin on another day', () => {
  afterEach(() => setPersonalFormats());

  it('begin so in the calendar and in the timeline', async () => {
    setPersonalFormats(undefined, 0);
    fakeServer({ definitions: definitions(), rows: { shots: shots() }, preferences: { week_start: 0 } as never });
    const user = renderApp('/shots?view=calendar&shown=2026-03-02');
    await barOf('Charge once');
    const days = () =>
      [...document.querySelectorAll<HTMLElement>('[role=cell][data-date], .day-ground [data-date]')].map(
        ({ dataset }) => dataset.date,
      );
    expect(days().filter((_, index) => index % 7 === 0)).toEqual([
      ...['2026-03-01', '2026-03-08', '2026-03-15', '2026-03-22', '2026-03-29'],
    ]);
    const names = [...document.querySelectorAll('.day-names span')].map(({ textContent }) => textContent);
    expect(names.join('')).toBe('SunMonTueWedThuFriSat');
    await user.click(screen.getByRole('button', { name: 'Week' }));
    expect(await screen.findByRole('heading', { name: '1 – 7 Mar 2026' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Timeline' }));
    await waitFor(() => expect([days()[0], days().length]).toEqual(['2026-02-22', 28]));
    expect(document.querySelector('.day-weeks')!.textContent).toContain('1 Mar, week 10');
  });
});
