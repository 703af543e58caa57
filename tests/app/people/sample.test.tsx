import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/screens/imports/Imports';

test('a sample file that cannot be downloaded is only logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = fakeServer({
    answers: {
      'GET /imports': { status: 200, body: { data: [] } },
      'GET /imports/users/download-sample': { status: 500, body: { message: 'The disk is full.' } },
    },
  });
  const user = renderApp('/imports?type=users');
  await user.click(await screen.findByRole('button', { name: 'Download sample' }));
  await waitFor(() => expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'The disk is full.' })));
  expect(server.calls.filter(({ path }) => path.endsWith('/download-sample'))).toHaveLength(1);
  expect(screen.queryByText('The disk is full.')).toBeNull();
  expect(window.location.pathname).toBe('/imports');
});
