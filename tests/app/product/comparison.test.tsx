import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ComparedTest, RunComparison, TestChange } from '../../../src/product/answers/run-comparison';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const counts = { passed: 0, failed: 2, blocked: 0, skipped: 0, flaky: 0, not_run: 0 };
const runOf = (id: number) => ({
  ...{ id, key: `R-${id}`, name: `Run ${id}`, created_at: '2026-11-20T10:00:00.000Z', counts, seconds: 0 },
});
const failureOf = (id: number, name: string, change: TestChange): ComparedTest => {
  const emptyResult = { seconds: null, run_at: null, person: null, comment: null };
  return {
    ...{
      key: `TC-${id}`,
      name,
      test_case_id: id,
      automated_test_id: null,
      configuration_id: 4,
      configuration: null,
      change,
      cause: null,
      carried_from: null,
      note: null,
      defect: null,
    },
    first: { id, result: change === 'new_failure' ? 'passed' : 'failed', ...emptyResult },
    second: { id: id + 100, result: 'failed', ...emptyResult },
    age: { runs: change === 'new_failure' ? 1 : 2, days: 1, since: 'R-1' },
  };
};
const comparison: RunComparison = {
  runs: [runOf(1), runOf(2)],
  tests: [failureOf(11, 'Stays broken', 'still_failing'), failureOf(12, 'Breaks', 'new_failure')],
};

function open(state: string, tests = comparison.tests) {
  const run = { id: 2, key: 'R-2', name: 'Run 2', project_id: 3, state, source: 'people' };
  const entry = { id: 112, name: 'Breaks', result: 'failed', run_id: 2, test_case: null, defect: null, pinned: null };
  const server = fakeProductServer({
    rows: {
      'test-runs': [run, { ...run, id: 1, key: 'R-1', name: 'Run 1' }, { ...run, id: 7, key: 'R-7', name: 'Nightly' }],
      'run-entries': [entry],
    },
    answers: {
      'GET /run-entries': ({ query }) =>
        query.filter === undefined
          ? { status: 200, body: { data: [entry] } }
          : { status: 200, body: { data: [{ result: 'failed' }, { result: 'passed' }] } },
      'POST /test-runs/retest': { status: 201, body: { data: { id: 9 } } },
      'GET /test-runs/2/compare/1': { status: 200, body: { data: { ...comparison, tests } } },
      'GET /test-runs/1/compare/2': { status: 200, body: { data: { ...comparison, tests } } },
      'GET /test-runs/2/compare/7': { status: 200, body: { data: { ...comparison, tests } } },
      'PUT /run-entries/112': { status: 200, body: { data: {} } },
    },
  });
  const load = () => import('../../../custom-screens/run-comparison/Comparison');
  const user = renderApp('/test-runs/2/compare/1', [
    { path: '/test-runs/:id/compare/:other', load },
    { path: '/test-runs/:id/run', load: () => Promise.resolve({ default: () => 'The runner' }) },
  ]);
  const causes = () => server.calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => ({ path, body }));
  const lastCompared = () => server.calls.findLast(({ path }) => path.includes('/compare/'));
  return { user, causes, server, lastCompared };
}

describe('the comparison of two runs', () => {
  it('moves through the tests as they stand on the screen, and takes a cause by its key', async () => {
    const { user, causes } = open('open');
    await screen.findByRole('region', { name: 'New failures' });
    await user.keyboard('j');
    expect(await screen.findByRole('complementary', { name: 'Breaks' })).toBeTruthy();
    await user.keyboard('1');
    expect(causes()).toEqual([{ path: '/run-entries/112', body: { cause: 'product' } }]);
    await user.keyboard('j');
    expect(await screen.findByRole('complementary', { name: 'Stays broken' })).toBeTruthy();
  });

  it('keeps a note with the cause, lists the others with the same cause, and begins a defect with D', async () => {
    const cause = { cause: 'product', note: { text: 'Found before', carried_from: null } };
    const { user, causes } = open(
      'open',
      comparison.tests.map((test) => ({ ...test, ...cause })),
    );
    await screen.findByRole('region', { name: 'New failures' });
    await user.keyboard('j');
    const details = within(await screen.findByRole('complementary', { name: 'Breaks' }));
    const note = details.getByRole('textbox', { name: 'Note on the cause' });
    expect((note as HTMLTextAreaElement).value).toBe('Found before');
    await user.type(note, ', and again');
    await user.tab();
    expect(causes()).toEqual([{ path: '/run-entries/112', body: { cause_note: 'Found before, and again' } }]);
    const sameCauseList = within(details.getByRole('region', { name: 'Same cause' }));
    await user.click(sameCauseList.getByRole('button', { name: 'Stays broken' }));
    expect(await screen.findByRole('complementary', { name: 'Stays broken' })).toBeTruthy();
    await user.keyboard('k');
    await screen.findByRole('complementary', { name: 'Breaks' });
    await user.keyboard('d');
    const dialog = within(await screen.findByRole('dialog', { name: /^Create defect/ }));
    // Keys that are pressed while it opens are typed into its name.
    const name = await dialog.findByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(document.activeElement).toBe(name));
    await user.type(name, ' twice');
    await waitFor(() => expect((name as HTMLInputElement).value).toBe('Breaks twice'));
  });

  it('stores a note that is still being typed when its box is removed', async () => {
    const { user, causes } = open('open');
    await screen.findByRole('region', { name: 'New failures' });
    await user.keyboard('j');
    await user.type(await screen.findByRole('textbox', { name: 'Note on the cause' }), 'The card expired');
    // As with Alt+Left, the box is removed before it loses the focus.
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() =>
      expect(causes()).toEqual([{ path: '/run-entries/112', body: { cause_note: 'The card expired' } }]),
    );
  });

  it('is swapped: what is compared becomes the base, and the address says so', async () => {
    const { user, lastCompared } = open('open');
    await screen.findByRole('region', { name: 'New failures' });
    expect(lastCompared()).toMatchObject({ query: { base: '1' } });
    await user.click(screen.getByRole('button', { name: 'Swap' }));
    await waitFor(() => expect(window.location.href).toContain('/test-runs/1/compare/2?base=2'));
    expect(lastCompared()).toMatchObject({ path: '/test-runs/1/compare/2', query: { base: '2' } });
  });

  it('runs what got worse again in a new run, and shows the latest results of a test', async () => {
    const { user, server } = open('open');
    await user.click(await screen.findByRole('button', { name: 'Breaks' }));
    const results = await screen.findByRole('region', { name: 'Last 2 results' });
    expect(
      within(results).getByRole('img', { name: 'The last 2: 1 Passed, 1 Failed; the latest is Failed' }),
    ).toBeTruthy();
    const { filter } = server.lastList('run-entries')!;
    expect(filter).toMatchObject({ configuration_id: 4 });
    // Those of its automated tests too.
    expect(JSON.parse(String(filter.where))).toEqual({
      $or: [{ test_case_id: 12 }, { automated_test_id: { $some: { test_case_id: 12 } } }],
    });
    await user.click(screen.getByRole('button', { name: 'Retest one test' }));
    await waitFor(() => expect(window.location.href).toContain('/test-runs/9/run'));
    const sentBodies = server.calls.filter(({ path }) => path === '/test-runs/retest').map(({ body }) => body);
    expect(sentBodies).toEqual([{ entries: [112] }]);
  });

  it('finds the runs to compare on the server', async () => {
    const { user, server } = open('open');
    const box = await screen.findByRole('combobox', { name: 'Base run' });
    expect((box as HTMLInputElement).value).toBe('R-1 Run 1');
    await user.click(box);
    await user.clear(box);
    await user.type(box, 'Nightly');
    await waitFor(() =>
      expect(server.calls.some(({ path, query }) => path === '/test-runs' && query.q === 'Nightly')).toBe(true),
    );
    expect(screen.getByRole('option', { name: 'R-2 Run 2' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('option', { name: 'R-7 Nightly' }));
    await waitFor(() => expect(window.location.href).toContain('/test-runs/2/compare/7?base=7'));
  });

  it('offers no cause where it cannot be stored: in a closed run', async () => {
    const { user, causes } = open('closed');
    await screen.findByRole('region', { name: 'New failures' });
    expect(screen.queryByText('environment')).toBeNull();
    await user.keyboard('j');
    const details = within(await screen.findByRole('complementary', { name: 'Breaks' }));
    expect(details.queryByRole('button', { name: 'Product' })).toBeNull();
    expect(details.getByText('This run is closed. Reopen it to say why the test failed.')).toBeTruthy();
    await user.keyboard('1');
    expect(causes()).toEqual([]);
  });
});
