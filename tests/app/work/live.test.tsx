// @module-tag slow
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { shot } from './rows';

const later = '2026-11-21T10:00:00.000Z';
const by = (id: number, name: string) => ({
  'GET /shots/4/history': {
    status: 200,
    body: { data: [{ old_values: {}, new_values: {}, event: 'updated', user: { id, name }, created_at: later }] },
  },
});
const open = async (who: ReturnType<typeof by> = by(8, 'Priya Raman')) => {
  const server = fakeServer({ rows: { shots: [shot()] }, answers: who });
  const user = renderApp('/shots/4');
  const name = await screen.findByLabelText<HTMLInputElement>(/^Name/);
  const change = (values: object) => {
    server.rows.shots = [shot({ updated_at: later, ...values })];
    act(() => server.publish({ resource: 'shots', id: 4, event: 'updated' }));
  };
  return { server, user, name, change };
};

describe('changes by others', () => {
  it('show in an open list, and in lists that reference the record', async () => {
    const rows = { shots: [shot()], urgencies: [{ id: 1, option_name: 'Urgent', site_id: 1 }] };
    const server = fakeServer({ rows });
    renderApp('/shots');
    await screen.findByText('Make payment idempotent', { selector: '.MuiDataGrid-row *' });
    server.rows.shots = [shot({ name: 'Pay once' })];
    act(() => server.publish({ resource: 'shots', id: 4, event: 'updated' }));
    await screen.findByText('Pay once', { selector: '.MuiDataGrid-row *' });
    server.rows.shots = [shot({ shotstatus: { id: 2, option_name: 'Under way' } })];
    act(() => server.publish({ resource: 'stages', id: 2, event: 'updated' }));
    expect(await screen.findByText('Under way')).toBeTruthy();
  });

  it('show in a form without unsaved changes', async () => {
    const { name, change } = await open();
    change({ name: 'Pay once' });
    await waitFor(() => expect(name.value).toBe('Pay once'));
    expect(screen.queryByText(/changed this shot/)).toBeNull();
  });

  it('are announced by name above unsaved changes, which stay until the user decides', async () => {
    const { user, name, change } = await open();
    await user.type(name, '!');
    change({ name: 'Pay once', milestone: 'R2' });
    expect(await screen.findByText('Priya Raman changed this shot while you were editing it.')).toBeTruthy();
    expect(name.value).toBe('Make payment idempotent!');
    await user.click(screen.getByText('Keep editing'));
    expect(name.value).toBe('Make payment idempotent!');
    expect(screen.getByLabelText<HTMLInputElement>(/^Milestone/).value).toBe('R2');
    expect(screen.queryByText(/changed this shot/)).toBeNull();
  });

  it('can replace typed values, which stay beside the form', async () => {
    const { user, name, change } = await open();
    await user.type(name, '!');
    change({ name: 'Pay once' });
    await user.click(await screen.findByText('Load theirs'));
    expect(name.value).toBe('Pay once');
    expect(screen.getByText('Make payment idempotent!')).toBeTruthy();
  });

  it('by the same user elsewhere are announced as from another window', async () => {
    const { user, name, change } = await open(by(7, 'Ada King'));
    await user.type(name, '!');
    change({ milestone: 'R2' });
    expect(await screen.findByText('You changed this shot in another window while editing it here.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^Milestone/).value).toBe('');
    await user.click(screen.getByText('Keep editing'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Milestone/).value).toBe('R2');
    expect(name.value).toBe('Make payment idempotent!');
  });

  it('are polled every 30 s if the stream is silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-11-20T12:00:00Z') });
    const { server, name } = await open();
    server.rows.shots = [shot({ name: 'Pay once', updated_at: later })];
    act(() => void vi.advanceTimersByTime(61_000));
    await waitFor(() => expect(name.value).toBe('Pay once'));
  });
});
