// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

it('a filter by people offers deleted ones who have records there, and says that they are deleted', async () => {
  const server = fakeServer({
    answers: {
      'GET /users/choices': {
        status: 200,
        body: {
          data: [
            { id: 8, title: 'Ada King' },
            { id: 9, title: 'Nia Larsen', deleted: true, detail: 'Deleted' },
          ],
        },
      },
    },
  });
  const user = renderApp('/shots');
  await user.click(await screen.findByLabelText('Filters'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('combobox', { name: 'User' }));
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent!.includes('Deleted'))).toEqual([false, true]);
  await waitFor(() =>
    expect(server.calls.find(({ path }) => path === '/users/choices')!.query.referred_by).toBe('shots.operator_id'),
  );
});
