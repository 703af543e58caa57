import type { CDPSession, Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { test } from './support/fresh-program';
import { accounts, expect, expectAccessible, expectToast, password, title } from './support/test';

test.use({ ownContext: true });

/** Starts signing in on the sign-in page. */
async function begin(page: Page, email: string): Promise<void> {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret: secret.replace(/\s/g, ''), epoch: Math.floor(Date.now() / 1000) + steps * 30 });

/** A virtual authenticator of the browser, like a fingerprint sensor. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return client;
}

test('an authenticator is set up, and required at the next sign-in: by keyboard, with a pasted code', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await begin(page, accounts.qa);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Security' }).click();
  await expect(page.getByText('Signed-in devices')).toBeVisible();
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator' })).toBeVisible();
  await expectAccessible(page);
  const secret = await page.locator('.authenticator-key code').innerText();
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type('00000');
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('This code is wrong. Enter the digits that your authenticator app shows now.'),
  ).toBeVisible();
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(codeOf(secret, -1));
  await page.keyboard.press('Enter');
  await expectToast(page, 'The authenticator is in use.');
  const codes = await page.locator('.recovery-codes li').allInnerTexts();
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  const stored = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await stored).suggestedFilename()).toBe('assay-recovery-codes.txt');
  await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled();
  await page.getByLabel('I have kept them in a safe place').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 codes are left')).toBeVisible();
  await leave(page);

  await begin(page, accounts.qa);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter all six digits; 3 are missing.')).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(page.getByLabel('Digit 3 of 6')).toHaveValue('');
  await page.keyboard.type('3456');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(/That code was not right\. Codes change every 30 seconds; four tries are left\./),
  ).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${codeOf(secret).replace(/(...)/, '$1 ')}`);
  await page.getByLabel('Digit 4 of 6').focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(page.getByLabel('Digit 6 of 6')).not.toHaveValue('');
  await page.getByLabel('Trust this device for 30 days').check();
  await page.getByLabel('Digit 6 of 6').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  await leave(page);

  // This device is trusted now; another one uses a recovery code.
  await begin(page, accounts.qa);
  await expect(page).toHaveURL(/\/dashboard$/);
  await leave(page);
  await context.clearCookies();
  await begin(page, accounts.qa);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a passkey is added, is used to sign in alone and as the second step, and is removed', async ({ page }) => {
  await addAuthenticator(page);
  await begin(page, accounts.developer);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Finger on the laptop');
  await page.keyboard.press('Enter');
  await expectToast(page, 'The passkey was added.');
  await expect(page.locator('.recovery-codes li')).toHaveCount(10);
  await leave(page);

  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await leave(page);
  await begin(page, accounts.developer);
  await page
    .getByRole('button', { name: /Use (a|the) passkey/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Rename Finger on the laptop' }).click();
  await page.getByLabel('Name of the passkey').fill('Left hand');
  await page.keyboard.press('Enter');
  await expectToast(page, 'The passkey was renamed.');
  await page.getByRole('button', { name: 'Remove Left hand' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, 'The passkey was removed.');
  await leave(page);
  await begin(page, accounts.developer);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a user who must have a second factor sets it up before anything else', async ({ page, api }) => {
  const owner = await api('owner');
  const { status } = await owner.send('PUT', '/sites/1', { second_factor: 3 });
  expect(status).toBe(200);
  await begin(page, accounts.manager);
  await expect(page.getByRole('heading', { name: 'Set up your second step' })).toBeVisible();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page);
  const secret = await page.locator('.authenticator-key code').innerText();
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(codeOf(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await page.getByLabel('I have kept them in a safe place').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(title(page)).toBeVisible();
  await owner.send('PUT', '/sites/1', { second_factor: null });
});
