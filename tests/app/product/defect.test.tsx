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

function openDialog(answers = {}, more: object = {}) {
  const links: (() => void)[] = [];
  const retests: boolean[] = [];
  const opened = openScreen(
    () => (
      <DefectDialog
        {...{ values, project: 3, origin: 'from TC-5' }}
        propose={() => Promise.resolve({ values: {} })}
        onCreated={(_, isRetested) => retests.push(isRetested)}
        onLink={() => new Promise<void>((resolve) => links.push(resolve))}
        onClose={() => {}}
        {...more}
      />
    ),
    answers,
  );
  return { ...opened, links, retests };
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

const createdAnswer = { 'POST /tasks': { status: 201, body: { data: { id: 1, ...values } } } };

it('the test is run again when the task is completed, unless that is not wanted', async () => {
  const { user, retests } = openDialog(createdAnswer, { retested: 'TC-5' });
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Retest TC-5 when the task is completed' });
  expect(box.checked).toBe(true);
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Create and link' }));
  await waitFor(() => expect(retests).toEqual([false]));
});

it('only the evidence that is taken goes into the task', async () => {
  const file = (name: string) => ({ name, type: 'text/plain', size: 2048, url: `/api/files/${name}?key=a` });
  const attachments = ['console.log', 'network.log', 'trace.log'].map(file);
  const { user, created } = openDialog(createdAnswer, {
    values: { ...values, attachments },
    noteOf: ({ name }: { name: string }) => (name === 'network.log' ? 'Step 3' : undefined),
  });
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox');
  await screen.findByRole('checkbox', { name: 'Take console.log' });
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true, true]);
  expect(screen.getByText(/^Step 3 · /)).toBeTruthy();
  expect(screen.getByText(/^3 of 3 taken\./)).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Take console.log' }));
  await user.click(screen.getByRole('checkbox', { name: 'Take network.log' }));
  expect(screen.getByText(/^1 of 3 taken\./)).toBeTruthy();
  // A file that is taken again stands where it stood.
  await user.click(screen.getByRole('checkbox', { name: 'Take console.log' }));
  expect(boxes().map(({ checked }) => checked)).toEqual([true, false, true]);
  await user.click(screen.getByRole('button', { name: 'Create and link' }));
  await waitFor(() => expect(created()).toHaveLength(1));
  const { attachments: sentFiles } = created()[0]!.body as { attachments: { name: string }[] };
  expect(sentFiles.map(({ name }) => name)).toEqual(['console.log', 'trace.log']);
});

it('of a failure of a build, the message, the file and the module of the covered test case are filled in', async () => {
  const build = { key: 'R-9', name: 'Nightly', project_id: 3, build_url: 'https://ci.example.test/9' };
  const result = { ...entry, result: 'failed', test_case: null, module: null, automated_test: { id: 4, name: 'pays' } };
  const Page = () => {
    const { create } = useDefect(build, () => {});
    return <button onClick={() => create?.(12)}>Report</button>;
  };
  const list = (...data: object[]) => ({ status: 200, body: { data } });
  const { user } = openScreen(Page, {
    'GET /run-entries/12': { status: 200, body: { data: result } },
    'GET /automated-tests': list({ id: 4, file: 'pay.spec.ts', suite: null, test_case: { id: 5, key: 'TC-5' } }),
    'GET /attempts': list({ id: 1, result: 'failed', comment: null, message: 'Timeout', details: null, steps: null }),
    'GET /test-cases': list({ id: 5, module: { id: 8, name: 'Checkout' } }),
    'GET /project-modules': list({ id: 8, project_module: 'Checkout', project_id: 3 }),
    'GET /tasks/choices/project_module_id': list({ id: 8, title: 'Checkout' }),
  });
  await user.click(await screen.findByText('Report'));
  expect(await screen.findByRole('dialog', { name: 'Create defect from TC-5 in R-9' })).toBeTruthy();
  const description = await screen.findByRole('textbox', { name: 'Description' });
  for (const text of ['https://ci.example.test/9', 'pay.spec.ts', 'Timeout'])
    expect(description.textContent).toContain(text);
  const module = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Project Module' });
  await waitFor(() => expect(module.value).toBe('Checkout'));
  // A build tests it again anyway.
  expect(screen.queryByRole('checkbox', { name: /^Retest/ })).toBeNull();
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
