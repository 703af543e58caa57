// @module-tag slow
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { agentName } from '../../../src/app/screens/profile/agentName';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const ada = {
  id: 7,
  first_name: 'Ada',
  last_name: 'King',
  email: 'ada@example.test',
  phone_number: null,
  role_id: 5,
  site_id: 1,
  status: 'Active',
  updated_at: '2026-11-20T10:00:00.000Z',
};
const signIns = [
  {
    id: 1,
    created_at: '2026-11-20T10:00:00.000Z',
    last_used_at: new Date().toISOString(),
    agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
    current: true,
  },
  {
    id: 2,
    created_at: '2026-11-19T10:00:00.000Z',
    last_used_at: '2026-11-19T11:00:00.000Z',
    agent: 'curl/8',
    current: false,
  },
];

function start(path = '/profile') {
  const ended = new Set<number>();
  const server = fakeServer({
    level: 5,
    permissions: {},
    answers: {
      'GET /profile/7': { status: 200, body: { data: ada } },
      'PUT /profile/7': ({ body }) => ({ status: 200, body: { data: { ...ada, ...(body as object) } } }),
      'GET /me/second-factor': {
        status: 200,
        body: { data: { authenticator_since: null, recovery_codes_left: 0, passkeys: [], required: null } },
      },
      'GET /sign-ins': () => ({ status: 200, body: { data: signIns.filter(({ id }) => !ended.has(id)) } }),
      'DELETE /sign-ins/2': () => {
        ended.add(2);
        return { status: 200, body: { data: signIns[1] } };
      },
    },
  });
  return { server, user: renderApp(path) };
}

describe('the profile', () => {
  it('changes names without any grant, and keeps the address', async () => {
    const { server, user } = start();
    const last = await screen.findByRole('textbox', { name: /Last Name/ });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Email/ }).readOnly).toBe(true);
    expect(screen.queryByLabelText(/New Password/)).toBeNull();
    await user.clear(last);
    await user.type(last, 'Lovelace');
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Updated Successfully')).toBeTruthy();
    expect(server.calls.find(({ method }) => method === 'PUT')!.body).toEqual({
      last_name: 'Lovelace',
      isProfile: 1,
      updated_at: ada.updated_at,
    });
  });

  it('asks for a new password twice, behind a switch', async () => {
    const { server, user } = start();
    await user.click(await screen.findByRole('switch', { name: 'Change password' }));
    await user.type(screen.getByLabelText(/New Password/), 'weak2025');
    expect(screen.getByText('Still needed: an upper-case letter and a special character.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('Password:8+ chars,1 upper,1 lower,1 digit,1 special.')).toBeTruthy();
    expect(screen.getByText('3 fields need attention')).toBeTruthy();
    await user.type(screen.getByLabelText(/Current Password/), 'Demo@1234');
    expect(screen.getByLabelText(/Current Password/).getAttribute('autocomplete')).toBe('current-password');
    await user.clear(screen.getByLabelText(/New Password/));
    await user.type(screen.getByLabelText(/New Password/), 'Strong@123');
    await user.type(screen.getByLabelText(/Confirm Password/), 'Strong@124');
    await user.click(screen.getByRole('button', { name: 'Update' }));
    expect(await screen.findByText('The two passwords do not match.')).toBeTruthy();
    expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('ends another sign-in', async () => {
    const { user } = start('/profile/security');
    const list = (await screen.findByText('Chrome on Linux')).closest('ul')!;
    expect(within(list).getByText('This one')).toBeTruthy();
    await user.click(within(list).getByRole('button', { name: /^End curl/ }));
    expect(await screen.findByText('The sign-in was ended.')).toBeTruthy();
    expect(within(list).queryByText('curl')).toBeNull();
  });

  it('chooses the theme', async () => {
    const { user } = start();
    await user.click(await screen.findByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await user.click(screen.getByRole('radio', { name: 'As the system' }));
  });

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    [null, 'Unknown program'],
  ])('calls %s %s', (agent, name) => expect(agentName(agent)).toBe(name));
});
