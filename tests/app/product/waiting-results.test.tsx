import { render, screen, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
// Loaded on demand by the screen: here before, so that no test waits for it.
import '../../../custom-screens/test-runner/WaitingBar';
import { WaitingResults } from '../../../custom-screens/test-runner/WaitingResults';
import { saveSession, type Session } from '../../../src/app/session/session';

const person = 7;
const signedIn = (id: number): Session => ({
  token: `token-of-${id}`,
  token_type: 'Bearer',
  user: { id, name: 'Ada', first_name: 'Ada', last_name: 'Novak', email: 'ada@novak.test', role_id: 5, site_id: 1 },
  role: { id: 5, role_name: 'QA', level: 5 },
});
const key = `assay.results.${person}`;
const left = [1, 2].map((entry) => ({
  key: `key-${entry}`,
  run: 3,
  entry,
  name: `Test ${entry}`,
  found: { result: 'passed', comment: null, elapsed_seconds: null, steps: [] },
}));
let sent: string[] = [];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  answer = () => Response.json({ data: { id: 1 } });
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url);
    return Promise.resolve(answer());
  });
  localStorage.setItem(key, JSON.stringify(left));
});

const show = (path = '/tasks') =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <WaitingResults />
      </MemoryRouter>
    </QueryClientProvider>,
  );

it('any screen sends the results that an earlier tab left, in order, and forgets them', async () => {
  saveSession(signedIn(person));
  show();
  await waitFor(() => expect(localStorage.getItem(key)).toBeNull());
  expect(sent.map((url) => /run-entries\/(\d+)/.exec(url)?.[1])).toEqual(['1', '2']);
  expect(screen.queryByRole('status')).toBeNull();
});

it('a screen says how many results wait while the server does not answer', async () => {
  answer = () => Response.json({ message: 'Restarting.', code: 'UNAVAILABLE' }, { status: 503 });
  saveSession(signedIn(person));
  show();
  expect(await screen.findByText(/2 results wait/)).toBeTruthy();
  expect(JSON.parse(localStorage.getItem(key)!)).toHaveLength(2);
});

it('another user of the browser neither sends nor sees waiting results', async () => {
  saveSession(signedIn(8));
  show();
  await Promise.resolve();
  expect(sent).toEqual([]);
  expect(screen.queryByText(/wait/)).toBeNull();
  expect(JSON.parse(localStorage.getItem(key)!)).toHaveLength(2);
});

it('waiting results are left to the runner where it is open', () => {
  saveSession(signedIn(person));
  show('/test-runs/3/run');
  expect(screen.queryByText(/wait/)).toBeNull();
  expect(sent).toEqual([]);
});
