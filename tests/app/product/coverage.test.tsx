import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

it('the coverage of the project and the milestone in the address is opened, until the milestone is removed', async () => {
  const { calls } = fakeProductServer({
    rows: { milestones: [{ id: 8, name: 'Spring', project_id: 4 }] },
    answers: {
      'GET /requirements/choices/project_id': {
        status: 200,
        body: { data: [3, 4].map((id) => ({ id, title: `Project ${id}` })) },
      },
      'GET /requirement-coverage': { status: 200, body: { data: { requirements: [], columns: [] } } },
    },
  });
  const load = () => import('../../../custom-screens/coverage/Coverage');
  const user = renderApp('/coverage?project_id=4&milestone_id=8', [{ path: '/coverage', load }]);
  const projects = () =>
    calls.filter(({ path }) => path === '/requirement-coverage').map(({ query }) => query.project_id);
  await waitFor(() => expect(new Set(projects())).toEqual(new Set(['4'])));
  const latestQuery = () => calls.findLast(({ path }) => path === '/requirement-coverage')?.query;
  expect(latestQuery()).toMatchObject({ milestone_id: '8' });
  await screen.findByText('Tested in Spring');
  const chip = screen.getByRole('button', { name: 'Tested in Spring' });
  chip.focus();
  await user.keyboard('{Delete}');
  await waitFor(() => expect(latestQuery()).not.toHaveProperty('milestone_id'));
  expect(screen.queryByText('Tested in Spring')).toBeNull();
});
