import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

it('the coverage of the project in the address is opened', async () => {
  const { calls } = fakeProductServer({
    answers: {
      'GET /requirements/choices/project_id': {
        status: 200,
        body: { data: [3, 4].map((id) => ({ id, title: `Project ${id}` })) },
      },
      'GET /requirement-coverage': { status: 200, body: { data: { requirements: [], columns: [] } } },
    },
  });
  const load = () => import('../../../custom-screens/coverage/Coverage');
  renderApp('/coverage?project_id=4', [{ path: '/coverage', load }]);
  const projects = () =>
    calls.filter(({ path }) => path === '/requirement-coverage').map(({ query }) => query.project_id);
  await waitFor(() => expect(new Set(projects())).toEqual(new Set(['4'])));
});
