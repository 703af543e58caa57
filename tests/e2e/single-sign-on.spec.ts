import type { Page } from '@playwright/test';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider';
import { startNameServer, type NameServer } from '../support/name-server';
import { startProgram, type Program } from './support/program';
import { accounts, expect, expectAccessible, expectToast, password, test as shared, title } from './support/test';

interface World {
  program: Program;
  names: NameServer;
  provider: IdentityProvider;
}

async function startWorld(): Promise<World & { stop(): Promise<void> }> {
  const names = await startNameServer();
  const program = await startProgram({ OIDC_PRIVATE_ISSUERS: 'allowed', DNS_SERVERS: names.address });
  const provider = await startIdentityProvider(`${program.url}/auth/single-sign-on`);
  const stop = async () => {
    await Promise.all([program.stop(), names.stop(), provider.stop()]);
  };
  return { program, names, provider, stop };
}

/** A program that uses a DNS server of this test, and a provider that redirects browsers to it. */
const test = shared.extend<{ world: World }>({
  world: [async ({ programs }, use, { file }) => use(await programs.ofFile(file, startWorld)), { timeout: 100_000 }],
  baseURL: async ({ world }, use) => use(world.program.url),
});

async function signInByPassword(page: Page, email: string): Promise<void> {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/(dashboard|flow-setup-steps)$/);
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

test('an owner connects a provider by keyboard, signs in through it, confirms their identity there, and disables passwords', async ({
  page,
  world: { provider, names },
}) => {
  await signInByPassword(page, accounts.owner);
  await page.goto('/single-sign-on');
  await expect(title(page)).toHaveText('Single Sign-on');
  await page.getByLabel('Domain', { exact: true }).focus();
  await page.keyboard.type('demo.test');
  await page.keyboard.press('Enter');
  await expectToast(page, 'The domain was added. Verify it next.');
  await expectAccessible(page);
  const [name, value] = await page.locator('.sso-record code').allInnerTexts();
  await page.getByRole('button', { name: 'Check demo.test' }).press('Enter');
  await expect(page.getByText(/There is no TXT record named _assay\.demo\.test yet/).first()).toBeVisible();
  names.records.set(name!, value!);
  await page.getByRole('button', { name: 'Check demo.test' }).press('Enter');
  await expectToast(page, 'demo.test was verified.');

  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Demo Directory');
  await page.keyboard.press('Tab');
  await page.keyboard.type('http://127.0.0.1:9');
  await page.keyboard.press('Tab');
  await page.keyboard.type(provider.client.client_id);
  await page.keyboard.press('Tab');
  await page.keyboard.type(provider.client.client_secret);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Demo Directory is not responding/)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.keyboard.press('Enter');
  await expectToast(page, 'The provider is connected. Test it by signing in in another window.');
  await expect(page.getByLabel('Client secret')).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Disable them' })).toBeDisabled();
  await leave(page);

  // Sign-in through the provider: first cancelled, then as the owner.
  provider.next = 'cancel';
  await expect(page.getByRole('button', { name: 'Continue with single sign-on' })).toBeVisible();
  await page.getByLabel('Email').fill(accounts.owner);
  await expect(page.getByText('Demo Directory offers single sign-on for demo.test.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue with Demo Directory' }).press('Enter');
  await expect(page.getByText('You cancelled at Demo Directory. You were not signed in.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Back to sign in' }).press('Enter');
  provider.next = { sub: 'owner', email: accounts.owner, email_verified: true };
  provider.age = 3600;
  await page.getByLabel('Email').fill(accounts.owner);
  await page.getByRole('button', { name: 'Continue with Demo Directory' }).click();
  await expect(page).toHaveURL(/\/(dashboard|flow-setup-steps)$/);
  // The redirect can be used only once: going back to it does not sign in.
  await page.goto('/single-sign-on');

  // The user did not sign in at the provider just now: disabling asks to confirm the identity, in a separate window.
  provider.age = 0;
  await page.getByRole('button', { name: 'Disable them' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable them' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(dialog.getByRole('button', { name: 'Continue with Demo Directory' })).toBeVisible();
  await expectAccessible(page);
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Continue with Demo Directory' }).click();
  await opened;
  await expectToast(page, 'Passwords and passkeys are disabled.');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Only Demo Directory can be used to sign in')).toBeVisible();
  await leave(page);

  await page.getByLabel('Email').fill('nobody@demo.test');
  await expect(page.getByText("Demo Directory requires single sign-on. You don't need a password.")).toBeVisible();
  await expect(page.getByPlaceholder('Not used for demo.test')).not.toBeEditable();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'use a recovery code' }).press('Enter');
  await expect(page.getByLabel('Recovery code')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'single sign-on' }).last().press('Enter');
  await page.getByLabel('Email').press('Enter');
  await expect(page).toHaveURL(/\/(dashboard|flow-setup-steps)$/);
});

test('an administrator of the installation enables passwords of a company again', async ({ page }) => {
  await signInByPassword(page, accounts.admin);
  await page.goto('/single-sign-on');
  await page.getByRole('link', { name: /^Open Demo Testing/ }).press('Enter');
  await expect(page.getByText('Only Demo Directory can be used to sign in')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Enable them' }).press('Enter');
  await expectToast(page, 'Passwords and passkeys are enabled again.');
});
