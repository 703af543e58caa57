// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

function start(level: 2 | 3, confirmed: boolean) {
  const user = {
    id: 7,
    name: 'Ada King',
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada@example.test',
    role_id: level,
    site_id: 1,
    confirmed,
  };
  const role = { id: level, role_name: 'Some Role', level };
  const me = { user, role, totalStudios: 1, totalFilms: 1, permissions: { studios: ['list'] } };
  const server = fakeServer({
    level,
    rows: { studios: [] },
    answers: {
      'GET /me': { status: 200, body: { data: me } },
      'POST /resend-confirmation': { status: 200, body: { status: true, message: 'Email sent successfully!' } },
    },
  });
  return { server, user: renderApp('/studios') };
}
const reminder = () => screen.queryByRole('complementary', { name: 'Your email address' });

describe('the mail that confirms an address', () => {
  it('is sent to an owner again', async () => {
    const { server, user } = start(2, false);
    await user.click(await screen.findByRole('button', { name: 'Send it again' }));
    expect(reminder()!.textContent).toContain('ada@example.test');
    expect(await screen.findByText('Email sent successfully!')).toBeTruthy();
    expect(server.calls.filter(({ path }) => path === '/resend-confirmation')).toHaveLength(1);
  });

  it.each([
    [2, true],
    [3, false],
  ] as const)('is no matter for level %i with a confirmed address: %s', async (level, confirmed) => {
    start(level, confirmed);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Studios'));
    expect(reminder()).toBeNull();
  });
});
