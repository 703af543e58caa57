import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import DefectDialog from '../../../custom-screens/defect/DefectDialog';
import { proposeValues } from '../../../custom-screens/defect/proposeValues';
import { useDefect } from '../../../custom-screens/defect/useDefect';
import { fakeProductServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const entry = {
  id: 12,
  name: 'Paying by card fails',
  result: 'not_run',
  run_id: 2,
  module: 'Checkout',
  test_case: { id: 5, key: 'TC-5', project_module: 8 },
  defect: null,
  pinned: null,
};
const similarTask = { id: 40, title: 'Paying fails', key: null, similarity: 80 };
const values = {
  name: 'Paying by card fails',
  project_id: 3,
  project_module_id: 8,
  description: '<p>Twice</p>',
  status_id: 1,
  priority_id: 1,
  assigned_to: 7,
  start_date: '2026-11-20',
  end_date: '2026-11-21',
};

function openScreen(draw: () => React.ReactNode, answers = {}) {
  const server = fakeProductServer({
    answers: { 'GET /tasks/similar/name': { status: 200, body: { data: [similarTask] } }, ...answers },
  });
  const user = renderApp('/runs', [{ path: '/runs', load: () => Promise.resolve({ default: draw }) }]);
  const created = () => server.calls.filter(({ method, path }) => method === 'POST' && path === '/tasks');
  return { user, created };
}

function openDialog(answers = {}) {
  const links: (() => void)[] = [];
  const opened = openScreen(
    () => (
      <DefectDialog
        {...{ values, project: 3, origin: 'from TC-5' }}
        propose={() => Promise.resolve({ values: {} })}
        onCreated={() => {}}
        onLink={() => new Promise<void>((resolve) => links.push(resolve))}
        onClose={() => {}}
      />
    ),
    answers,
  );
  return { ...opened, links };
}
const linkButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Link it instead' });

it('while a task is linked none is created beside it', async () => {
  const { user, links, created } = openDialog();
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.click(await linkButton());
  expect(links).toHaveLength(1);
  await user.type(name, '{Control>}{Enter}{/Control}');
  expect(created()).toEqual([]);
});

it('while a task is created none is linked instead', async () => {
  let answer = () => {};
  const pending = new Promise((resolve) => {
    answer = () => resolve({ status: 201, body: { data: { id: 1, ...values } } });
  });
  const { user, links, created } = openDialog({ 'POST /tasks': () => pending });
  await linkButton();
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '{Control>}{Enter}{/Control}');
  await waitFor(() => expect(created()).toHaveLength(1));
  expect((await linkButton()).disabled).toBe(true);
  expect(links).toEqual([]);
  await act(async () => answer());
});

it('a second click opens no second dialog', async () => {
  const Runner = () => {
    const { create } = useDefect({ key: 'R-2', name: 'Smoke', project_id: 3 }, () => {});
    return <button onClick={() => create?.(12)}>Report</button>;
  };
  const answers: (() => void)[] = [];
  const { user } = openScreen(Runner, {
    'GET /run-entries/12': () =>
      new Promise((resolve) => answers.push(() => resolve({ status: 200, body: { data: entry } }))),
  });
  await user.dblClick(await screen.findByText('Report'));
  await act(async () => answers.forEach((answer) => answer()));
  await screen.findByRole('textbox', { name: 'Name' });
  expect(document.querySelectorAll('[role=dialog]')).toHaveLength(1);
});

it('the latest task of the module says who is proposed, if who had the latest defect has left the project', async () => {
  openScreen(() => null, {
    'GET /run-entries': { status: 200, body: { data: [{ id: 11, defect: { id: 9, name: 'Before' } }] } },
    'GET /tasks': ({ query }: Call) => ({
      status: 200,
      body: { data: [{ id: 1, assign: query.id ? { id: 20, name: 'Gone' } : { id: 21, name: 'Here' } }] },
    }),
    'GET /tasks/choices/assigned_to': { status: 200, body: { data: [{ id: 21, title: 'Here' }] } },
  });
  expect(await proposeValues(entry as never, 3)).toMatchObject({
    values: { assigned_to: 21 },
    assigneeHint: 'Had the latest task in Checkout.',
  });
});
