// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { timerParts } from '../../../src/app/timer/useEndTimer';
import { fakeServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

/** An instant of a wall clock in the zone of this program. */
const at = (year: number, month: number, day: number, hour: number, minute: number) =>
  new Date(year, month - 1, day, hour, minute).toISOString();

describe('the days of a timer', () => {
  test.each<[string, string, string, string[]]>([
    ['within a day', at(2026, 11, 16, 9, 5), at(2026, 11, 16, 10, 30), ['2026-11-16 09:05-10:30']],
    ['a few seconds', at(2026, 11, 16, 9, 59), at(2026, 11, 16, 9, 59), ['2026-11-16 09:59-10:00']],
    ['a clock that is behind', at(2026, 11, 16, 9, 5), at(2026, 11, 16, 9, 0), ['2026-11-16 09:05-09:06']],
    [
      'past midnight',
      at(2026, 11, 30, 22, 0),
      at(2026, 12, 1, 1, 30),
      ['2026-11-30 22:00-00:00', '2026-12-01 00:00-01:30'],
    ],
    ['until midnight', at(2026, 12, 31, 22, 0), at(2027, 1, 1, 0, 0), ['2026-12-31 22:00-00:00']],
    ['in the last minute', at(2026, 11, 16, 23, 59), at(2026, 11, 16, 23, 59), ['2026-11-16 23:59-00:00']],
    [
      'over days',
      at(2026, 2, 27, 22, 0),
      at(2026, 3, 1, 8, 0),
      ['2026-02-27 22:00-00:00', '2026-02-28 00:00-00:00', '2026-03-01 00:00-08:00'],
    ],
  ])('%s', (_, start, now, parts) =>
    expect(timerParts(start, now).map(({ date, start: from, end }) => `${date} ${from}-${end}`)).toEqual(parts),
  );
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const timerOf = (started_at: string) => ({ resource: 'shifts', record: { id: 5, title: 'Storm' }, started_at });

/** A server on which a timer runs, until a call ends it. */
function serveTimer(started_at: string) {
  let timer: ReturnType<typeof timerOf> | null = timerOf(started_at);
  const answers = {
    'GET /timer': () => ({ status: 200, body: { data: timer } }),
    'PATCH /timer': ({ body }: Call) => {
      timer = timerOf((body as { from: string }).from);
      return { status: 200, body: { data: timer } };
    },
    'DELETE /timer': () => {
      timer = null;
      return { status: 200, body: { data: true } };
    },
  };
  return fakeServer({ rows: { shots: [{ id: 5, name: 'Storm' }], genres: [] }, answers });
}
const sent = ({ calls }: ReturnType<typeof fakeServer>) =>
  calls.filter(({ method, path }) => method !== 'GET' && /^\/(timer|shifts)$/.test(path));

test('stopping opens the form of the record, and the timer ends when that is saved', async () => {
  const server = serveTimer(minutesAgo(0));
  const user = renderApp('/genres');
  await user.click(await screen.findByRole('button', { name: /^Timer, .*min, Storm$/ }));
  await user.click(await screen.findByRole('button', { name: 'Stop' }));
  const form = await screen.findByRole('dialog', { name: 'Add Shift' });
  await within(form).findByDisplayValue('Storm');
  expect(sent(server)).toEqual([]);
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server).map(({ method }) => method)).toEqual(['POST', 'DELETE']));
  const [made, ended] = sent(server);
  expect(made!.body).toMatchObject({ shot_id: 5, date: expect.stringMatching(/^\d{4}-/) as string });
  expect(Object.keys(ended!.query)).toEqual(['started_at']);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Timer/ })).toBeNull());
});

test('discarding asks, and says how much is not recorded', async () => {
  const server = serveTimer(minutesAgo(65));
  const user = renderApp('/genres');
  await user.click(await screen.findByRole('button', { name: /^Timer, 1 h [56] min, Storm$/ }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  const question = await screen.findByRole('alertdialog', { name: 'Discard timer' });
  expect(question.textContent).toMatch(/1 h [56] min of Storm will not be recorded/);
  expect(sent(server)).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Discard timer' }));
  await waitFor(() => expect(sent(server).map(({ method }) => method)).toEqual(['DELETE']));
});
