import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CopyFromRun } from '../../../custom-screens/new-run/CopyFromRun';
import { fakeProductServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const runs = [1, 2].map((id) => ({ id, key: `R-${id}`, name: `Run ${id}`, project_id: 3 }));

function open() {
  const copied: (readonly number[])[] = [];
  const answers = new Map<string, () => void>();
  const server = fakeProductServer({
    answers: {
      'GET /test-runs': ({ query }: Call) => ({
        status: 200,
        body: { data: runs.filter(({ name }) => name.includes(query.q ?? '')) },
      }),
      'GET /test-cases': { status: 200, body: { data: [{ id: 11 }, { id: 12 }] } },
      'GET /run-entries': ({ query }: Call) =>
        new Promise((resolve) => {
          const run = query.run_id!;
          const test = {
            id: 1,
            name: 'A test',
            test_case: { id: Number(`1${run}`) },
            configuration: null,
            assigned: null,
          };
          answers.set(run, () => resolve({ status: 200, body: { data: [test] } }));
        }),
    },
  });
  const draw = () => <CopyFromRun project={3} onCopy={({ cases }) => copied.push(cases)} />;
  const user = renderApp('/plan', [{ path: '/plan', load: () => Promise.resolve({ default: draw }) }]);
  return { user, server, copied, answers };
}

it('of two runs that were chosen one after the other the last one is copied, whichever is answered last', async () => {
  const { user, copied, answers } = open();
  await user.click(await screen.findByRole('button', { name: 'Copy from a run…' }));
  for (const name of ['R-1 Run 1', 'R-2 Run 2']) {
    await user.type(screen.getByRole('combobox', { name: 'Copy from a run' }), '{ArrowDown}', { skipClick: true });
    await user.click(await screen.findByRole('option', { name }));
  }
  await waitFor(() => expect(answers.size).toBe(2));
  await act(async () => answers.get('2')!());
  await act(async () => answers.get('1')!());
  await waitFor(() => expect(copied).toEqual([[12]]));
});

it('runs are searched on the server, and it says that none fits', async () => {
  const { user, server } = open();
  await user.click(await screen.findByRole('button', { name: 'Copy from a run…' }));
  await user.type(screen.getByRole('combobox', { name: 'Copy from a run' }), 'Night');
  expect(await screen.findByText('No run fits')).toBeTruthy();
  const texts = () => server.calls.filter(({ path }) => path === '/test-runs').map(({ query }) => query.q);
  // Where letters come slowly, a part of the text is searched before.
  await waitFor(() => expect(texts()).toContain('Night'));
});
