import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useMoveLog } from '../../../custom-screens/timesheet/DayGrid';
import { useDefinitions } from '../../../src/app/data/DefinitionsContext';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// What becomes of a time log that was dragged in the timesheet; the dragging itself is FullCalendar's.

const at = (hours: number, day = 2) => new Date(2026, 2, day, hours);
const revert = vi.fn();
function Dragged() {
  const move = useMoveLog(useDefinitions().registry.getOrThrow('time-logs'));
  const event = { id: '1', start: at(13, 3), end: at(15, 3) };
  const oldEvent = { id: '1', start: at(9), end: at(10) };
  return <button onClick={() => void move({ event, oldEvent, revert } as never)}>Drag</button>;
}
const log = () => ({ id: 1, date: '2026-03-02', start: '09:00', end: '10:00', updated_at: '2026-03-02T10:00:00.000Z' });
const after = { date: '2026-03-03', start: '13:00', end: '15:00' };
const before = { date: '2026-03-02', start: '09:00', end: '10:00' };

function begin(put?: object) {
  revert.mockClear();
  const server = fakeProductServer({
    rows: { 'time-logs': [log()] },
    answers: put && { 'PUT /time-logs/1': put as never },
  });
  const user = renderApp('/dragged', [{ path: '/dragged', load: () => Promise.resolve({ default: Dragged }) }]);
  const puts = () => server.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { server, user, puts };
}

it.each(['the button', 'Ctrl+Z'])('a dragged log gets its former times back by %s, once', async (way) => {
  const { server, user, puts } = begin();
  await user.click(await screen.findByText('Drag'));
  const undo = await screen.findByText('Undo', { selector: 'button' });
  expect(server.rows['time-logs']![0]).toMatchObject(after);
  if (way === 'the button') await user.click(undo);
  else await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(server.rows['time-logs']![0]).toMatchObject(before));
  await user.keyboard('{Control>}z{/Control}');
  // Not over a change that somebody made since.
  expect(puts()).toEqual([after, { ...before, updated_at: log().updated_at }]);
  expect(revert).not.toHaveBeenCalled();
});

it('a log whose move is refused is where it was, with the reason and without Undo', async () => {
  const { user, puts } = begin({
    status: 422,
    body: { code: 'VALIDATION_FAILED', message: 'Refused.', errors: { end: 'You have another log then.' } },
  });
  await user.click(await screen.findByText('Drag'));
  expect(await screen.findByText('You have another log then.')).toBeTruthy();
  expect(revert).toHaveBeenCalledOnce();
  expect(screen.queryByText('Undo', { selector: 'button' })).toBeNull();
  await user.keyboard('{Control>}z{/Control}');
  expect(puts()).toEqual([after]);
});
