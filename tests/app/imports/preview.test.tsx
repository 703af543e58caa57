// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer, type Call, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/screens/imports/Imports';

/** The preview of a file of users whose columns can be read in several ways. */
const preview = {
  columns: ['First Name', 'Last Name', 'Email', 'Role', 'Joined'].map((heading, index) => ({
    heading,
    field: ['first_name', 'last_name', 'email', 'role_id', null][index],
    label: heading,
    by: index === 4 ? null : 'name',
  })),
  rows: [
    { row: 2, last: 2, cells: ['Ada', 'King', 'a@x.test', 'Boss', '12/05/2026'], kind: 'new', changes: [], files: [] },
  ],
  errors: [{ row: 2, column: 'Role', message: 'Role: there is no “Boss”.' }],
  ...{ total: 2, ready: 1, failed: 1, created: 1, changed: 0, unchanged: 0, row_counts: [], matched_by: null },
  ...{ seen_at: '2026-11-16T12:00:00.000Z', tool: null, memory: null, sheet: null, sheets: [], is_misnamed: false },
  targets: ['first_name', 'last_name', 'email', 'role_id'].map((value) => ({ value, label: value })),
  values: [
    {
      column: 'Role',
      field: 'role_id',
      values: [{ text: 'Boss', count: 2, means: null, id: null, by: null, form: {} }],
    },
  ],
  ...{ breaks: [], heading_row: 1, merged: [], dropped: [], skipped: 0, left_out: [], left_out_count: 0 },
  files: { count: 0, bytes: 0 },
  numbered: 3,
  formats: [
    {
      ...{ column: 'Joined', kind: 'date', format: 'dmy', by: 'person' },
      samples: [{ text: '12/05/2026', means: '12-May-2026' }],
    },
    { column: 'Hours', kind: 'number', format: 'point', by: 'file', samples: [{ text: '1,234', means: '1234' }] },
  ],
};

const isPreview = ({ path, query }: Call) => path === '/users/import' && query.preview === '1';
/** The form of the last preview. */
const lastForm = ({ calls }: FakeServer) => calls.findLast(isPreview)!.body as Record<string, string>;

/** Opens the imports of users with a file whose preview has been read. */
async function openPreview(changes: object = {}, imported: object = {}) {
  const server = fakeServer({
    answers: {
      'POST /users/import': (call) => ({ status: 200, body: isPreview(call) ? { ...preview, ...changes } : imported }),
    },
  });
  const on = renderApp('/imports?type=users');
  await on.upload(await screen.findByLabelText(/^File/), new File(['x'], 'users.csv', { type: 'text/csv' }));
  // The region of the preview that is read is another one.
  await screen.findByRole('button', { name: 'Import 1 user' });
  return { server, on, region: screen.getByRole('region', { name: 'Preview' }) };
}

describe('the preview of an import', () => {
  it('shows how a column of days will be stored, and reads it as chosen', async () => {
    const { server, on } = await openPreview();
    const formats = screen.getByRole('region', { name: 'Days and numbers' });
    expect(formats.textContent).toContain('Read as you write them, “12/05/2026” is 12-May-2026.');
    expect(formats.textContent).toContain('Read as its cells show, “1,234” is 1234.');
    const choice = within(formats).getByLabelText<HTMLSelectElement>('Joined');
    expect([...choice.options].map(({ text }) => text)).toEqual(['day, month, year', 'month, day, year']);
    await on.selectOptions(choice, 'mdy');
    await waitFor(() => expect(lastForm(server).formats).toBe('{"Joined":"mdy"}'));
    await on.selectOptions(within(formats).getByLabelText('Hours'), 'comma');
    await waitFor(() => expect(JSON.parse(lastForm(server).formats!)).toEqual({ Joined: 'mdy', Hours: 'comma' }));
  });

  it('asks nothing of columns that can be read in one way alone', async () => {
    await openPreview({
      formats: [{ column: 'Joined', kind: 'date', format: 'dmy', by: 'file', samples: [] }],
      numbered: 0,
    });
    expect(screen.queryByRole('region', { name: 'Days and numbers' })).toBeNull();
    expect(screen.queryByLabelText('Split numbered text into rows')).toBeNull();
  });

  it('splits numbered text into rows if it is wanted', async () => {
    const { server, on, region } = await openPreview();
    expect(region.textContent).toContain('3 rows have text such as “1. …”, “2. …”.');
    expect(lastForm(server).split).toBeUndefined();
    const box = within(region).getByLabelText('Split numbered text into rows');
    await on.click(box);
    await waitFor(() => expect(lastForm(server).split).toBe('1'));
    await on.click(box);
    await waitFor(() => expect(lastForm(server).split).toBeUndefined());
  });

  it('maps a value that is not known, for all rows at once', async () => {
    const { server, on, region } = await openPreview();
    await on.click(within(region).getByRole('button', { name: 'Leave empty' }));
    await waitFor(() => expect(JSON.parse(lastForm(server).values!)).toEqual({ Role: { Boss: null } }));
  });

  it('leaves unknown values empty if it is wanted', async () => {
    const { server, on, region } = await openPreview();
    expect(lastForm(server).unknown).toBeUndefined();
    await on.click(within(region).getByLabelText('Leave unknown values empty'));
    await waitFor(() => expect(lastForm(server).unknown).toBe('empty'));
  });
});

describe('an import that is refused with the status 200', () => {
  it('shows the message, and that nothing is stored', async () => {
    const { on, region } = await openPreview(
      {},
      { success: false, message: 'Only 500 users can be imported at once.' },
    );
    await on.click(within(region).getByRole('button', { name: 'Import 1 user' }));
    expect(await screen.findByText('Only 500 users can be imported at once.')).toBeTruthy();
    await waitFor(() => expect(region.textContent).toContain('Nothing is stored yet.'));
    expect(region.textContent).not.toContain('The import may have started');
  });

  it('shows the message of a refused preview at the file', async () => {
    fakeServer({
      answers: {
        'POST /users/import': { status: 200, body: { success: false, message: 'The file has no sheet.' } },
      },
    });
    const on = renderApp('/imports?type=users');
    await on.upload(await screen.findByLabelText(/^File/), new File(['x'], 'users.csv', { type: 'text/csv' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The file has no sheet.');
  });
});
