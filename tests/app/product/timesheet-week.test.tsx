import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { screens } from '../../../custom-screens/screens';
import '../../../custom-screens/timesheet/Timesheet';
import '../../../custom-screens/timesheet/WeekSheet';
import { firstDayOfWeekOf } from '../../../custom-screens/timesheet/weeks';
import { localToday } from '../../../src/app/data/localTime';
import { formatDate } from '../../../src/engine/formats/dates';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { fakeProductServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';

beforeEach(() => runProduct(product));

/** A week of a month with no other in it, and its second day. */
const [monday, tuesday] = ['2026-09-07', '2026-09-08'] as const;
const ownUser = { id: 7, name: 'Ada King' };
const log = (id: number, task: string, times: string, user = ownUser): ResourceRecord => {
  const [start = '', end = ''] = times.split('-');
  const minutes = (Number(end.slice(0, 2)) - Number(start.slice(0, 2))) * 60;
  return {
    ...{ id, date: tuesday, user, user_id: user.id, comments: null, warning: null },
    ...{ start: `${tuesday} ${start}`, end: `${tuesday} ${end}`, total_duration: `${minutes / 60}.00` },
    task: { id: task.charCodeAt(0), name: task },
  };
};

/** The timesheet answers with the logs of the server, as its filters say. */
function open(path: string, logs: ResourceRecord[], month: (call: Call) => object | undefined = () => undefined) {
  const server = fakeProductServer({
    rows: { 'time-logs': logs },
    answers: {
      'GET /timesheet': (call) => {
        const { query } = call;
        const shownLogs = server.rows['time-logs']!.filter(
          ({ user_id, project_id }) =>
            (query.user_id === 'all' || user_id === Number(query.user_id ?? 7)) &&
            (query.project_id === undefined || project_id === Number(query.project_id)),
        );
        const sheet = {
          month: query.month,
          label: '',
          total: 0,
          days: [],
          targets: Array(31).fill(8),
          logs: shownLogs,
        };
        return (month(call) as never) ?? { status: 200, body: { data: sheet } };
      },
    },
  });
  const user = renderApp(path, screens);
  const changes = () => server.calls.filter(({ method }) => method === 'PUT' || method === 'POST');
  return { server, user, changes };
}
const grid = () => screen.findByRole('grid', { name: 'Hours by task and day' });
const cell = async (task: string, day: string = tuesday) => {
  const row = within(await grid()).getByRole('row', { name: new RegExp(`^${task}`) });
  return within(row).getByRole('gridcell', { name: new RegExp(`^${formatDate(day)}`) });
};

describe('a cell of the week', () => {
  it('is overwritten by the first digit also where its hours are one digit', async () => {
    const { user, server } = open(`/timesheet?week=${monday}`, [log(1, 'Alpha', '09:00-10:00')]);
    await user.click(await cell('Alpha'));
    await user.keyboard('2{Enter}');
    await waitFor(() => expect(server.rows['time-logs']![0]).toMatchObject({ start: '09:00', end: '11:00' }));
  });

  it('is stored after what the cell before it was stored as, and says that it overlaps', async () => {
    const { user, server } = open(`/timesheet?week=${monday}`, [
      log(1, 'Alpha', '09:00-10:00'),
      { ...log(2, 'Beta', '10:00-11:00'), warning: 'It overlaps with another log.' },
    ]);
    await user.click(await cell('Alpha'));
    await user.keyboard('3{ArrowDown}4{Enter}');
    await waitFor(() => expect(server.rows['time-logs']![1]).toMatchObject({ start: '14:00', end: '18:00' }));
    expect(server.rows['time-logs']![0]).toMatchObject({ start: '11:00', end: '14:00' });
    expect(await screen.findByText('It overlaps with another log.')).toBeTruthy();
  });

  it('is not stored over a second log that arrived while it was typed', async () => {
    const { user, server, changes } = open(`/timesheet?week=${monday}`, [log(1, 'Alpha', '09:00-10:00')]);
    await user.click(await cell('Alpha'));
    await user.keyboard('3');
    server.rows['time-logs']!.push(log(2, 'Alpha', '12:00-13:00'));
    server.publish({ resource: 'time-logs', id: 2, event: 'created' });
    await waitFor(async () => expect((await cell('Alpha')).getAttribute('aria-label')).toContain('2 logs'));
    await user.keyboard('{Enter}');
    expect(within(await screen.findByRole('menu', { name: 'Time logs' })).getAllByRole('menuitem')).toHaveLength(2);
    expect(changes()).toEqual([]);
  });

  it('is stored also where the screen is left with what is typed', async () => {
    const { user, changes } = open(`/timesheet?week=${monday}`, [log(1, 'Alpha', '09:00-10:00')]);
    await user.click(await cell('Alpha'));
    await user.keyboard('3');
    act(() => window.history.pushState(null, '', '/clients'));
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
    await waitFor(() => expect(changes()).toMatchObject([{ path: '/time-logs/1', body: { end: '12:00' } }]));
  });

  it('keeps what is typed while the window is left, and says why it was not stored as it is left', async () => {
    const { user, changes } = open(`/timesheet?week=${monday}`, [log(1, 'Alpha', '09:00-10:00')]);
    await user.click(await cell('Alpha'));
    await user.keyboard('abc');
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: /^Hours of Alpha/ });
    document.hasFocus = () => false;
    fireEvent.blur(input);
    expect(input.value).toBe('abc');
    document.hasFocus = () => true;
    fireEvent.blur(input);
    expect((await cell('Alpha')).textContent).toBe('1h');
    expect(screen.getByRole('alert').textContent).toBe('Type hours such as 1:30, 1.5 or 90m, at most 24.');
    expect(changes()).toEqual([]);
  });
});

describe('the week of the timesheet', () => {
  it('of everybody has no target, names the people of a cell, and leaves none of their rows in one’s own', async () => {
    const colleague = { id: 8, name: 'Ben Low' };
    const { user } = open(`/timesheet?week=${monday}&everybody=1`, [
      log(1, 'Alpha', '09:00-10:00'),
      log(2, 'Beta', '09:00-10:00', colleague),
      log(3, 'Beta', '12:00-13:00'),
      log(4, 'Gamma', '13:00-14:00', colleague),
    ]);
    expect(within(await grid()).queryByText(/^Target/)).toBeNull();
    await user.click(await cell('Beta'));
    const items = within(await screen.findByRole('menu', { name: 'Time logs' })).getAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent?.split(' · ')[0])).toEqual(['Ben Low', 'Ada King']);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Show my hours' }));
    expect(await screen.findByText(/^Target/)).toBeTruthy();
    const rows = within(await grid()).getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent).filter((text) => text?.includes('#'))).toEqual([
      'Alpha#65',
      'Beta#66',
    ]);
  });

  it('of a project takes no new rows', async () => {
    open(`/timesheet?week=${monday}&project_id=3`, [{ ...log(1, 'Alpha', '09:00-10:00'), project_id: 3 }]);
    expect((await cell('Alpha')).textContent).toBe('1h');
    expect(screen.queryByRole('button', { name: 'Add a task' })).toBeNull();
    expect(screen.queryByText(/^Target/)).toBeNull();
  });

  it('that ends in a month that cannot be loaded says so, and is tried again', async () => {
    let isBroken = true;
    const { user } = open('/timesheet?week=2026-09-28', [], ({ query }) =>
      isBroken && query.month === '2026-10' ? { status: 500, body: { message: 'October is broken.' } } : undefined,
    );
    expect(await screen.findByText('October is broken.')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await grid()).toBeTruthy();
  });

  it('gets rows for the tasks of the week before, each once, without their hours', async () => {
    const before = (id: number, task: string, date: string) => ({ ...log(id, task, '09:00-10:00'), date });
    const { user, changes } = open(`/timesheet?week=${monday}`, [
      log(1, 'Alpha', '09:00-10:00'),
      before(2, 'Alpha', '2026-09-01'),
      before(3, 'Beta', '2026-09-01'),
      before(4, 'Beta', '2026-09-06'),
      before(5, 'Gamma', '2026-08-30'),
    ]);
    await grid();
    await user.click(screen.getByRole('button', { name: 'Copy the tasks of last week' }));
    await waitFor(async () => expect((await cell('Beta')).textContent).toBe(''));
    const rows = within(await grid()).getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent).filter((text) => text?.includes('#'))).toEqual([
      'Alpha#65',
      'Beta#66',
    ]);
    expect(changes()).toEqual([]);
  });

  it('leads to its first day where it is without today', async () => {
    const month = localToday().slice(0, 7);
    const week = firstDayOfWeekOf(`${month}-${Number(localToday().slice(8)) < 15 ? '22' : '08'}`);
    const { user } = open(`/timesheet?week=${week}`, []);
    await grid();
    await user.click(screen.getByRole('button', { name: 'Day' }));
    await waitFor(() => expect(window.location.search).toContain(`day=${week}`));
  });
});
