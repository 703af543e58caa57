import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { CoreAdminContext, testDataProvider } from 'react-admin';
import { Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RetestButton } from '../../../custom-screens/coverage/RetestButton';
import { Burndown } from '../../../custom-screens/run-overview/Burndown';
import type { Overview, OverviewRun } from '../../../custom-screens/run-overview/overviewApi';
import { DefinitionsContext, type Definitions } from '../../../src/app/data/DefinitionsContext';
import { Toasts } from '../../../src/app/layout/Toasts';
import { saveSession, type Session } from '../../../src/app/session/session';
import type { CoveredRequirement, CoveringTest } from '../../../src/product/answers/coverage';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const session: Session = {
  token: 'token',
  token_type: 'Bearer',
  user: { id: 7, name: 'Ada', first_name: 'Ada', last_name: 'Novak', email: 'ada@novak.test', role_id: 5, site_id: 1 },
  role: { id: 5, role_name: 'QA', level: 5 },
};
const definitions = {
  actor: { id: 7, level: 5, permissions: { 'run-entries': ['create'], 'test-runs': ['create'] } },
  registry: { get: () => undefined },
} as unknown as Definitions;

let sent: Sent[];
let answer: (sent: Sent) => Response;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(url, 'http://assay.test');
    const one = { method, path: pathname.replace(/^.*\/api/, ''), body: body ? JSON.parse(body as string) : undefined };
    if (method !== 'GET') sent.push(one);
    return Promise.resolve(answer(one));
  });
  location.hash = '#/coverage';
  saveSession(session);
});

const requirement = { id: 1, key: 'REQ-1', name: 'Pay' } as unknown as CoveredRequirement;
const tests = [
  { test_case_id: 11, result: 'failed' },
  { test_case_id: 12, result: 'passed' },
  { test_case_id: 13, result: 'blocked' },
] as unknown as readonly CoveringTest[];

function Place() {
  return <output>{useLocation().pathname}</output>;
}

function show(content: ReactNode) {
  render(
    <CoreAdminContext dataProvider={testDataProvider()}>
      <DefinitionsContext value={definitions}>
        <Routes>
          <Route path="*" element={content} />
        </Routes>
      </DefinitionsContext>
      <Place />
      <Toasts />
    </CoreAdminContext>,
  );
  return userEvent.setup();
}

const openRun = { id: 5, key: 'R-5', name: 'Release' };

describe('failed tests of a requirement are run again', () => {
  it('in an open run, by one call', async () => {
    answer = ({ method }) => Response.json({ data: method === 'GET' ? [openRun] : { added: 2 } });
    const user = show(<RetestButton project={3} requirement={requirement} tests={tests} />);
    await user.click(screen.getByRole('button', { name: 'Retest 2 failed' }));
    await user.click(await screen.findByRole('menuitem', { name: 'R-5 Release' }));
    expect(await screen.findByText('2 tests were added to R-5.')).toBeTruthy();
    expect(sent).toEqual([{ method: 'POST', path: '/test-runs/5/tests', body: { test_cases: [11, 13] } }]);
    expect(await screen.findByText('/test-runs/5/run')).toBeTruthy();
  });

  it('in a new run, by one call too', async () => {
    answer = ({ method }) => Response.json({ data: method === 'GET' ? [] : { ...openRun, tests: 2 } }, { status: 200 });
    const user = show(<RetestButton project={3} requirement={requirement} tests={tests} />);
    await user.click(screen.getByRole('button', { name: 'Retest 2 failed' }));
    await user.click(await screen.findByRole('menuitem', { name: 'A new run' }));
    expect(await screen.findByText('2 tests were added to R-5.')).toBeTruthy();
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/test-runs/start',
        body: { project_id: 3, name: 'Retest of REQ-1', test_cases: [11, 13] },
      },
    ]);
  });

  it('or the reason why not is shown there', async () => {
    answer = ({ method }) =>
      method === 'GET'
        ? Response.json({ data: [openRun] })
        : Response.json({ message: 'This test run is closed.', code: 'CONFLICT' }, { status: 409 });
    const user = show(<RetestButton project={3} requirement={requirement} tests={tests} />);
    await user.click(screen.getByRole('button', { name: 'Retest 2 failed' }));
    await user.click(await screen.findByRole('menuitem', { name: 'R-5 Release' }));
    expect(await screen.findByText('This test run is closed.')).toBeTruthy();
    expect(screen.queryByText('/test-runs/5/run')).toBeNull();
  });
});

describe('a burndown', () => {
  const at = '2026-11-20T10:00:00Z';
  const overview = (left: number, burndown: Overview['burndown']) =>
    ({
      ...{ total: 10, counts: { not_run: left }, burndown, forecast_at: null, remaining_seconds: null },
    }) as unknown as Overview;
  const run = (change: object) => ({ state: 'closed', source: 'machines', created_at: at, ...change }) as OverviewRun;
  const draw = (of: OverviewRun, figures: Overview) =>
    show(<Burndown run={of} overview={figures} now={Date.parse(at)} />);

  it('of results that all came at once is a sentence instead of a point', () => {
    draw(run({}), overview(0, [{ at, left: 0 }]));
    expect(screen.getByText(/^All results came at once, on .*: there is no course to draw\.$/)).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('of a run that goes on is drawn from its first result on', () => {
    draw(run({ state: 'open', source: 'people' }), overview(9, [{ at, left: 9 }]));
    expect(screen.queryByText(/came at once/)).toBeNull();
    expect(screen.getByRole('img')).toBeTruthy();
  });

  it('of no results says so', () => {
    const nothing = { ...overview(0, []), total: 0 };
    draw(run({ state: 'open', source: 'people' }), nothing);
    expect(screen.getByText('The run has no tests yet.')).toBeTruthy();
  });
});
