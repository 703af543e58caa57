import type { Page } from '@playwright/test';
import { startProgram } from './support/program';
import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, testOn, title } from './support/test';

/** A product of JSON alone with demo data. */
const test = testOn((programs, file) =>
  programs.ofFile(file, () => startProgram({ ASSAY_PRODUCT: 'examples/helpdesk' })),
);

async function signIn(page: Page, email: RegExp): Promise<void> {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: email }).click();
  await expect(title(page)).toHaveText(/^Welcome|^Support today/);
}

test('a customer sends a ticket, an agent talks about it internally and solves it, and the customer is satisfied', async ({
  page,
  browser,
}) => {
  await signIn(page, /customer@demo\.test/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tickets' }).click();
  await page.getByRole('link', { name: 'Add Ticket' }).first().click();
  await fill(page, 'Subject', 'The crane has no radio');
  await choose(page, 'About', 'Networks');
  await page.getByRole('textbox', { name: 'Description' }).fill('Since noon.');
  await expect(page.getByRole('combobox', { name: 'Assignee' })).toHaveCount(0);
  await save(page);
  const line = page.getByRole('grid').getByRole('row').filter({ hasText: 'The crane has no radio' });
  await expect(line).toContainText('New');
  await expect(line).toContainText('Bergen Harbour');
  await expectAccessible(page);

  const context = await browser.newContext();
  const agent = await context.newPage();
  await signIn(agent, /agent@demo\.test/);
  await expect(title(agent)).toHaveText('Support today');
  await agent.getByRole('link', { name: 'The crane has no radio' }).click();
  await agent.getByRole('button', { name: 'Write a comment…' }).click();
  await agent.getByRole('switch', { name: 'Internal' }).check();
  await agent.getByRole('textbox', { name: 'New comment' }).fill('They never pay.');
  await agent.keyboard.press('Control+Enter');
  await expect(agent.getByRole('article', { name: /^Internal comment/ })).toContainText('They never pay.');
  await agent.getByRole('button', { name: 'Edit', exact: true }).click();
  await choose(agent, 'Assignee', 'Ola Vik');
  await save(agent);
  const act = async (action: string) => {
    await agent.getByRole('button', { name: /^State: / }).click();
    await agent.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await act('Accept');
  await act('Solve');
  const question = agent.getByRole('dialog');
  await question.getByRole('textbox', { name: 'Solution' }).fill('A new battery.');
  await question.getByRole('button', { name: 'Solve', exact: true }).click();
  await expect(agent.getByText('Solved', { exact: true }).first()).toBeVisible();
  await agent.goto('/tickets?view=kanban');
  await expect(agent.getByRole('region', { name: 'Solved', exact: true })).toContainText('The crane has no radio');
  await expectAccessible(agent);
  await context.close();

  await expect(line).toContainText('Solved');
  await line.getByText('The crane has no radio').click();
  await expect(page.getByText('A new battery.')).toBeVisible();
  await expect(page.getByText('They never pay.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await choose(page, 'Satisfaction', 'Good');
  await save(page);
  await expect(page.getByText('Good', { exact: true }).first()).toBeVisible();
});

test('an agent goes on where the last work of the day ended, and a ticket shows the steps of a procedure', async ({
  page,
}) => {
  await signIn(page, /agent@demo\.test/);
  await page.goto('/work-times');
  const worked = page.getByRole('grid').getByRole('row').filter({ hasText: '11:00' });
  const day = await worked.locator('[data-field=date] [title]').getAttribute('title');
  await page.getByRole('link', { name: 'Add Work Time' }).first().click();
  await fill(page, 'Date', day!);
  await page.getByRole('button', { name: 'Start at 11:00' }).click();
  await expect(page.getByRole('textbox', { name: 'Start', exact: true })).toHaveValue('11:00');
  await fill(page, 'End', '30m');
  await page.getByRole('combobox', { name: 'Ticket', exact: true }).fill('Radio link');
  await page.getByRole('option', { name: /Radio link to the ferry/ }).click();
  await save(page);
  await expect(page.getByRole('grid').getByRole('row').filter({ hasText: '11:30' })).toContainText('30m');

  await page.goto('/tickets?q=Radio link');
  await page.getByRole('grid').getByText('Radio link to the ferry is down').click();
  const checklist = page.getByRole('table', { name: 'Checklist' });
  await expect(checklist).toContainText('Check a line');
  await checklist.getByRole('button', { name: 'Unfold rows 1 to 2' }).click();
  await expect(checklist).toContainText('Measure the line from the exchange');
  await expect(checklist).toContainText('Call the bridge back');
  await expectAccessible(page);
});
