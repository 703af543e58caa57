import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { readSession } from '../../../src/app/session/session';
import { runProduct, setMeta } from '../support/runProduct';
import { fakeApi, signedIn } from './fakeApi';
import { fill, renderRoot } from './renderRoot';

beforeEach(() => runProduct(product));

const rule = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';
const type = async (user: ReturnType<typeof renderRoot>, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) await fill(user, screen.getByLabelText(label), value);
};

/** Renders a page whose code is loaded when it is opened, and waits for its form. */
async function open(path: string) {
  const user = renderRoot(path);
  await screen.findAllByRole('textbox');
  return user;
}

describe('registering', () => {
  const filled = {
    'First Name': 'Ada',
    'Last Name': 'King',
    'Company Name': 'Engines Ltd',
    Email: 'ada@example.test',
    Password: 'Demo@1234',
  };

  it('sends the company with its owner, and signs the owner in', async () => {
    const answer = signedIn(2, { totalClients: 0, totalProjects: 0 });
    const calls = fakeApi({ 'POST /api/register': { body: answer } });
    const user = await open('/auth/register');
    await type(user, { ...filled, 'Phone Number': '+49 30 123456' });
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect((await screen.findByLabelText('application')).textContent).toBe('Registered Successfully!');
    expect(window.location.pathname).toBe('/flow-setup-steps');
    expect(calls.at(-1)?.body).toEqual({
      first_name: 'Ada',
      last_name: 'King',
      site_name: 'Engines Ltd',
      email: 'ada@example.test',
      password: 'Demo@1234',
      phone_number: '+49 30 123456',
      authenticateUrl: 1,
    });
  });

  it('leads to the sign-in page if the server returns no token', async () => {
    fakeApi({ 'POST /api/register': { body: { status: true, message: '' } } });
    const user = await open('/auth/register');
    await type(user, filled);
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Registered Successfully!')).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
    expect(readSession()).toBeNull();
  });

  it('shows below the form why it was rejected', async () => {
    fakeApi({ 'POST /api/register': { body: { status: false, message: 'Registration is closed.' } } });
    const user = await open('/auth/register');
    await type(user, filled);
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Registration is closed.'));
  });

  it('requires everything but the phone number, which has at most 15 characters', async () => {
    fakeApi({});
    const user = await open('/auth/register');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    for (const label of Object.keys(filled)) expect(screen.getByText(`${label} is required.`)).toBeTruthy();
    expect(screen.queryByText('Phone Number is required.')).toBeNull();
    await type(user, { 'Phone Number': '0123456789012345' });
    expect(screen.getByText('Phone Number must have at most 15 characters.')).toBeTruthy();
  });

  it('rejects a short password with the rule, and shows the strength of a longer one', async () => {
    fakeApi({});
    const user = await open('/auth/register');
    await type(user, { ...filled, Password: 'Short1!' });
    await user.click(screen.getByRole('button', { name: 'Register' }));
    const field = screen.getByLabelText('Password');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field.getAttribute('aria-describedby')!)?.textContent).toBe(rule);
    const meter = () => document.querySelector('.password-strength')?.textContent;
    await waitFor(() => expect(meter()).toMatch(/^Password strength: \S/));
    await user.clear(field);
    await type(user, { Password: 'ada@example.test' });
    expect(meter()).toBe('Password strength: Very easy to guess');
    await user.clear(field);
    await type(user, { Password: 'a quiet harbour in spring' });
    expect(meter()).toBe('Password strength: Very strong');
  });

  it('says at once what a password still needs, and sends none that the rule refuses', async () => {
    const calls = fakeApi({});
    const user = await open('/auth/register');
    await type(user, { ...filled, Password: 'summer2025' });
    expect(screen.getByText('Still needed: an upper-case letter and a special character.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
    expect(calls.filter(({ path }) => path === '/api/register')).toEqual([]);
    await user.clear(screen.getByLabelText('Password'));
    await type(user, { Password: 'Summer#2025' });
    expect(screen.queryByText(/^Still needed/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/register')).toHaveLength(1));
  });

  it('asks for a long password that is hard to guess where the server requires strong ones', async () => {
    setMeta('password-policy', 'strong');
    const calls = fakeApi({});
    const user = await open('/auth/register');
    expect(screen.getByText('At least 12 characters, and hard to guess.')).toBeTruthy();
    await type(user, { ...filled, Password: 'Summer#2025' });
    expect(screen.getByText('Still needed: at least 12 characters.')).toBeTruthy();
    await waitFor(() => expect(document.querySelector('.password-strength')?.textContent).toMatch(/\S/));
    await user.clear(screen.getByLabelText('Password'));
    await type(user, { Password: 'ada@example.test' });
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(screen.getByText(/^This password is easy to guess\./)).toBeTruthy();
    await user.clear(screen.getByLabelText('Password'));
    await type(user, { Password: 'a quiet harbour in spring' });
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/register')).toHaveLength(1));
  });

  it('shows the server’s error of a password below the field', async () => {
    const message = 'This is one of the most common passwords. Choose another one.';
    fakeApi({ 'POST /api/register': { status: 422, body: { message, errors: { password: message } } } });
    const user = await open('/auth/register');
    await type(user, filled);
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a forgotten password', () => {
  it('requests a mail and continues to the code', async () => {
    const calls = fakeApi({ 'POST /api/forgot-password': { body: { status: true, message: '' } } });
    const user = await open('/auth/forgot-password');
    await type(user, { Email: 'ada@example.test' });
    await user.click(screen.getByRole('button', { name: 'SEND' }));
    const words = 'Email sent successfully! Please check your mail box to reset your password.';
    expect(await screen.findByText(words)).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/reset-password');
    expect(calls.at(-1)?.body).toEqual({
      email: 'ada@example.test',
      resetPasswordLink: `${window.location.origin}/auth/reset-password`,
      authenticateUrl: 1,
    });
  });

  it('shows an error in a toast and stays', async () => {
    fakeApi({ 'POST /api/forgot-password': { body: { status: false, message: 'Mail is out of order.' } } });
    const user = await open('/auth/forgot-password');
    await type(user, { Email: 'ada@example.test' });
    await user.click(screen.getByRole('button', { name: 'SEND' }));
    expect((await screen.findByRole('status')).textContent).toContain('Mail is out of order.');
    expect(window.location.pathname).toBe('/auth/forgot-password');
  });

  it('leads back to the sign-in page', async () => {
    fakeApi({});
    const user = await open('/auth/forgot-password');
    await user.click(screen.getByRole('link', { name: /back to sign in/i }));
    expect(window.location.pathname).toBe('/auth/login');
  });
});

describe('a new password', () => {
  const fields = { 'New Password': 'Demo@5678', 'Confirm Password': 'Demo@5678' };
  const press = (user: ReturnType<typeof renderRoot>) =>
    user.click(screen.getByRole('button', { name: /Reset My Password|Set password/ }));

  it.each([
    ['/auth/reset-password', {}],
    ['/auth/setup-account', { setup_account: 1 }],
  ])('is set at %s with the code of the link', async (path, more) => {
    const calls = fakeApi({ 'POST /api/reset-password': { body: { status: true, message: '' } } });
    const user = await open(`${path}?verification_code=abc123`);
    expect((screen.getByLabelText('Verification Code') as HTMLInputElement).value).toBe('abc123');
    expect(document.activeElement).toBe(screen.getByLabelText('New Password'));
    await type(user, fields);
    await press(user);
    expect(await screen.findByText('Password reset successfully! Please login with new password.')).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
    expect(calls.find((call) => call.path === '/api/reset-password')?.body).toEqual({
      verification_code: 'abc123',
      new_password: 'Demo@5678',
      confirm_password: 'Demo@5678',
      authenticateUrl: 1,
      ...more,
    });
  });

  it.each(['/auth/reset-password', '/auth/setup-account'])('that the rule refuses is not sent at %s', async (path) => {
    const calls = fakeApi({});
    const user = await open(`${path}?verification_code=abc123`);
    await type(user, { 'New Password': 'summer2025', 'Confirm Password': 'summer2025' });
    expect(screen.getByText('Still needed: an upper-case letter and a special character.')).toBeTruthy();
    await press(user);
    expect(screen.getByLabelText('New Password').getAttribute('aria-invalid')).toBe('true');
    expect(calls).toEqual([]);
  });

  it('ends at the sign-in page after a rejection too', async () => {
    fakeApi({ 'POST /api/reset-password': { body: { status: false, message: 'The code is no longer valid.' } } });
    const user = await open('/auth/reset-password');
    await type(user, { 'Verification Code': 'abc123', ...fields });
    await press(user);
    expect(await screen.findByText('The code is no longer valid.')).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
  });

  it('requires letters and digits as the code, and the same password twice', async () => {
    const calls = fakeApi({});
    const user = await open('/auth/reset-password');
    await type(user, { 'Verification Code': 'abc-123', 'New Password': 'Demo@5678', 'Confirm Password': 'Demo@56789' });
    await press(user);
    expect(screen.getByText('Only letters and digits are allowed.')).toBeTruthy();
    expect(screen.getByText('The two passwords do not match.')).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('has a link back to the sign-in page', () => {
    fakeApi({});
    renderRoot('/auth/reset-password');
    expect(screen.getByText(/Already have an account\?/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Login' })).toBeTruthy();
  });
});
