// @module-tag slow
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { pantry, sent, servePantry } from './pantry';

const definitions = pantry({
  day: { type: 'date' },
  opened: { type: 'time', dateField: 'day', suggestedFrom: 'closed' },
  closed: { type: 'time', dateField: 'day', laterThan: 'opened' },
});
const last = {
  id: 7,
  created_by: 7,
  name: 'Pepper',
  day: '2026-11-16',
  opened: '2026-11-16 09:00',
  closed: '2026-11-16 11:00',
};
const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const values = async () => [(await box('Opened')).value, (await box('Closed')).value];
const start = async (jars: object[], permissions?: Parameters<typeof servePantry>[0]) => {
  const server = servePantry({ definitions, rows: { jars: jars as never, shelves: [], boxes: [] }, ...permissions });
  const user = renderApp('/jars/create');
  await user.type(await box('Name'), 'Salt');
  return { server, user };
};
/** What was asked of the list for the offer. */
const asked = (server: ReturnType<typeof servePantry>) =>
  server.calls.filter(({ method, path, query }) => method === 'GET' && path === '/jars' && query.fields === 'closed');

test('a duration sets the end, which follows the start until it is typed as a time', async () => {
  const { server, user } = await start([]);
  fireEvent.change(await box('Day'), { target: { value: '16.11.2026' } });
  await user.type(await box('Closed'), '1h30');
  await screen.findByText('A duration counts from Opened: enter that too.');
  await user.type(await box('Opened'), '9:00');
  await user.tab();
  await waitFor(async () => expect(await values()).toEqual(['09:00', '10:30']));
  expect(screen.queryByText(/A duration counts/)).toBeNull();
  await user.clear(await box('Opened'));
  await user.type(await box('Opened'), '23:00');
  await screen.findByText(/1h30 after 23:00 is past midnight/);
  // An hour is until midnight, which is the end of the day.
  await user.clear(await box('Closed'));
  await user.type(await box('Closed'), '1h');
  await user.tab();
  await waitFor(async () => expect(await values()).toEqual(['23:00', '00:00']));
  await user.clear(await box('Closed'));
  await user.type(await box('Closed'), '23:45');
  await user.clear(await box('Opened'));
  await user.type(await box('Opened'), '22:00');
  await user.tab();
  expect(await values()).toEqual(['22:00', '23:45']);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toMatchObject([{ opened: '22:00', closed: '23:45' }]));
});

test('a time that cannot be read is refused with an example, and is not sent', async () => {
  const { server, user } = await start([]);
  await user.type(await box('Closed'), 'soon');
  await user.tab();
  await screen.findByText('Enter a time such as 14:30, or a duration such as 1h30, 90m or 1.5h.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent(server, 'POST')).toEqual([]);
  await user.clear(await box('Closed'));
  expect(screen.queryByText(/Enter a time such as/)).toBeNull();
});

test("the last end of one's own records of the day is offered, by one call, and filled in by a click or a key", async () => {
  const { server, user } = await start([last]);
  expect(asked(server)).toEqual([]);
  fireEvent.change(await box('Day'), { target: { value: '16.11.2026' } });
  const offer = await screen.findByRole('button', { name: 'Start at 11:00' });
  const [call, ...others] = asked(server);
  expect(others).toEqual([]);
  expect(JSON.parse(call!.query.filter!)).toEqual({ created_by: 7, day: '2026-11-16' });
  expect([call!.query.sort, call!.query.range]).toEqual(['["closed","DESC"]', '[0,0]']);
  expect(await values()).toEqual(['', '']);
  await user.click(offer);
  expect(await values()).toEqual(['11:00', '']);
  const opened = await box('Opened');
  expect(document.activeElement).toBe(opened);
  await user.clear(opened);
  fireEvent.keyDown(opened, { key: 'ArrowDown' });
  expect(await values()).toEqual(['11:00', '']);
});

test('the last end of the day is not asked for without the right to list records', async () => {
  const { server, user } = await start([last], { permissions: { jars: ['create'] } });
  fireEvent.change(await box('Day'), { target: { value: '16.11.2026' } });
  await user.tab();
  expect([asked(server), screen.queryByText(/Start at/)]).toEqual([[], null]);
});
