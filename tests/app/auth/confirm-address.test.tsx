import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { saveSession } from '../../../src/app/session/session';
import { fakeApi, signedIn } from './fakeApi';
import { renderRoot } from './renderRoot';

const path = '/auth/confirm-address?verification_code=abcdefghijklmnopqrst';
const good = { 'POST /api/confirm-address': { body: { status: true, message: 'Thank you!' } } };
const press = () => screen.findByRole('button', { name: 'Confirm My Address' });

describe('confirming the address', () => {
  it('sends the code of the link, and leads to the sign-in page', async () => {
    const calls = fakeApi(good);
    const user = renderRoot(path);
    await user.click(await press());
    expect(await screen.findByText('Thank you!')).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
    expect(calls.find(({ path: called }) => called.endsWith('confirm-address'))?.body).toEqual({
      verification_code: 'abcdefghijklmnopqrst',
      authenticateUrl: 1,
    });
  });

  it('stays on the page and shows the error of an invalid code', async () => {
    fakeApi({ 'POST /api/confirm-address': { body: { status: false, message: 'This code is wrong.' } } });
    const user = renderRoot(path);
    await user.click(await press());
    expect(await screen.findByText('This code is wrong.')).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/confirm-address');
  });

  it('is open to signed-in users, and continues in the application', async () => {
    fakeApi(good);
    saveSession(signedIn(2) as never);
    const user = renderRoot(path);
    await user.click(await press());
    expect((await screen.findByLabelText('application')).textContent).toBe('Thank you!');
  });
});
