import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useAssign } from '../../../custom-screens/run-overview/useAssign';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const entries = [
  { id: 1, assigned: { id: 5, name: 'Dina Haddad' } },
  { id: 2, assigned: null },
];
function Overview() {
  const { assign } = useAssign({ id: 3 } as never);
  return <button onClick={() => assign(entries as never, { id: 9, title: 'Quentin Marsh' })}>Assign</button>;
}

it('an assignment of tests is taken back in the stored versions, so never over a later change', async () => {
  const conflict = 'Somebody changed this in the meantime.';
  const server = fakeProductServer({
    answers: {
      'POST /run-entries/bulk': ({ body }) => {
        const { update } = body as { update: { id: number; updated_at?: string }[] };
        if (update[0]!.updated_at) return { status: 409, body: { message: conflict } };
        const updated = update.map(({ id }) => ({ id, updated_at: `2026-11-20T10:00:0${id}.000Z` }));
        return { status: 200, body: { data: { created: [], updated, deleted: [] } } };
      },
    },
  });
  const user = renderApp('/runs', [{ path: '/runs', load: () => Promise.resolve({ default: Overview }) }]);
  const sent = () => server.calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await user.click(await screen.findByText('Assign'));
  await user.click(await screen.findByText('Undo', { selector: 'button' }));
  expect((await screen.findByText(conflict)).closest('[role="alert"]')).toBeTruthy();
  await waitFor(() =>
    expect(sent()).toEqual([
      {
        update: [
          { id: 1, assigned_to: 9 },
          { id: 2, assigned_to: 9 },
        ],
      },
      {
        update: [
          { id: 1, assigned_to: 5, updated_at: '2026-11-20T10:00:01.000Z' },
          { id: 2, assigned_to: null, updated_at: '2026-11-20T10:00:02.000Z' },
        ],
      },
    ]),
  );
});
