import type { Page } from '@playwright/test';
import { renderMail, type MailTemplate, type MailValues } from '../../src/server/mail/render';
import { shippedFiles } from '../support/definitions';
import { openPostOffice, type PostOffice, type Received } from '../server/mail/mailbox';
import { startProgram, type Program } from './support/program';
import { choose, fill } from './support/steps';
import { expect, expectAccessible, expectToast, test as shared, title } from './support/test';

interface World {
  program: Program;
  office: PostOffice;
}

async function startWorld(): Promise<World & { stop(): Promise<void> }> {
  const office = await openPostOffice();
  const program = await startProgram({ SMTP_URL: office.url });
  const stop = async () => {
    await program.stop();
    await office.close();
  };
  return { program, office, stop };
}

/** A program that sends its mail to a test mail server. */
const test = shared.extend<World>({
  office: [
    async ({ programs }, use, { file }) => use((await programs.ofFile(file, startWorld)).office),
    { timeout: 100_000 },
  ],
  program: [
    async ({ programs }, use, { file }) => use((await programs.ofFile(file, startWorld)).program),
    { timeout: 100_000 },
  ],
  baseURL: async ({ program }, use) => use(program.url),
});
test.describe.configure({ mode: 'serial' });

/** Waits for the next mail to an address. */
async function mailTo(office: PostOffice, address: string): Promise<Received> {
  for (;;) {
    const mail = await office.next();
    if (mail.to.includes(address)) return mail;
  }
}

const linkIn = (mail: Received) => /https?:\/\/\S+/.exec(mail.text)![0];

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /Reset My Password|Set password/ }).click();
  await expectToast(page, 'Password reset successfully! Please login with new password.');
  await expect(page).toHaveURL(/\/auth\/login$/);
}

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectToast(page, 'Login Successfully!');
}

test('an owner invites a user, sends the invitation again, and the user sets up the account', async ({
  page,
  browser,
  signIn,
  office,
  baseURL,
}) => {
  await signIn('owner');
  await page.goto('/users/create');
  await fill(page, 'First Name', 'Nia');
  await fill(page, 'Last Name', 'Larsen');
  await fill(page, 'Email', 'nia@demo.test');
  await choose(page, 'Role', 'QA');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  expect((await office.next()).to).toEqual(['nia@demo.test']);

  await page.goto('/users?q=nia');
  await page.getByRole('button', { name: 'More actions for Nia Larsen' }).click();
  await page.getByRole('menuitem', { name: 'Resend Invitation' }).click();
  await expectToast(page, 'Invitation request sent successfully!');
  const link = linkIn(await office.next());
  expect(link).toContain(`${baseURL}/auth/setup-account?verification_code=`);

  const visitor = await browser.newPage();
  await visitor.goto(link);
  await expect(title(visitor)).toHaveText('Set up your account');
  await setPassword(visitor, 'First@1234');
  await enter(visitor, 'nia@demo.test', 'First@1234');
  await visitor.close();
});

test('a forgotten password is replaced', async ({ page, office }) => {
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await page.getByLabel('Email').fill('qa@demo.test');
  await page.getByRole('button', { name: 'SEND' }).click();
  await expectToast(page, 'Email sent successfully! Please check your mail box to reset your password.');
  await expect(page).toHaveURL(/\/auth\/reset-password$/);
  const mail = await office.next();
  await page.goto(linkIn(mail));
  await setPassword(page, 'Fresh@1234');
  await enter(page, 'qa@demo.test', 'Fresh@1234');
});

test('a new owner confirms the address', async ({ page, office }) => {
  await page.goto('/auth/register');
  await fill(page, 'First Name', 'Ada');
  await fill(page, 'Last Name', 'Novak');
  await fill(page, 'Company Name', 'Novak Testing');
  await fill(page, 'Email', 'ada@novak.test');
  await page.getByLabel('Password', { exact: true }).fill('Quiet#Harbour7');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  const first = linkIn(await mailTo(office, 'ada@novak.test'));
  const reminder = page.getByRole('complementary', { name: 'Your email address' });
  await expect(reminder).toContainText('ada@novak.test');
  await expectAccessible(page);
  await reminder.getByRole('button', { name: 'Send it again' }).click();
  await expectToast(page, 'Email sent successfully! Please check your mail box.');
  const second = linkIn(await mailTo(office, 'ada@novak.test'));
  expect(second).not.toBe(first);
  await page.goto(second);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm My Address' }).click();
  await expectToast(page, 'Your email address is confirmed. Thank you!');
  await expect(reminder).toBeHidden();
});

test('a template is previewed and sent as a test', async ({ page, signIn, office }) => {
  await signIn('admin');
  await page.goto('/email-templates/1');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset your Assay password' });
  await expect(dialog.frameLocator('iframe').getByText('Hello Amara Okafor,')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Send a Test' }).click();
  await expectToast(page, 'Sent to admin@demo.test.');
  expect((await office.next()).headers.subject).toBe('Reset your Assay password');
});

const arabic = 'تم تغيير كلمة المرور الخاصة بك على جميع الأجهزة، يرجى تسجيل الدخول مرة أخرى';
const templates = [
  ...shippedFiles()
    .rows.filter(({ file }) => file.endsWith('email-templates.json'))
    .flatMap(({ text }) => JSON.parse(text) as (MailTemplate & { identifier: string })[]),
  {
    identifier: 'with a table, a list and code',
    subject: '{{name}}',
    content:
      '<table><tr><td>{{name}}</td><td>{{name}}</td></tr></table><ul><li>{{name}}</li></ul><pre>{{name}} {{name}}</pre>',
  },
];

/** The same text for each placeholder of a template; sections that only repeat have one entry with all of them. */
function valuesOf(template: MailTemplate, text: string): MailValues {
  const source = Object.values(template).join(' ');
  const namesIn = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name]) => name!);
  const texts = Object.fromEntries(namesIn(/\{\{(\w+)\}\}/g).map((name) => [name, text]));
  const lists = namesIn(/\{\{#(\w+)\}\}/g).filter((name) => !(name in texts));
  const isPlain = source.includes('{{.}}');
  return { ...texts, ...Object.fromEntries(lists.map((name) => [name, isPlain ? [text] : [texts]])) };
}

test('a mail is no wider than a phone, whatever its texts, and Arabic is read from the right', async ({ page }) => {
  await page.goto('about:blank');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const template of templates)
    for (const text of ['W'.repeat(255), arabic]) {
      await page.setContent(renderMail(template, valuesOf(template, text)).html);
      const found = await page.evaluate((wanted) => {
        const blocks = [...document.querySelectorAll('p, h3, li, td')].filter((block) =>
          block.textContent.startsWith(wanted),
        );
        return {
          width: document.documentElement.scrollWidth,
          directions: [...new Set(blocks.map((block) => getComputedStyle(block).direction))],
        };
      }, arabic);
      expect(found.width, `${template.identifier}: ${text.slice(0, 10)}`).toBeLessThanOrEqual(390);
      expect(found.directions, template.identifier).not.toContain('ltr');
    }
});
