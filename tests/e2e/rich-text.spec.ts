import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test, type ApiCaller } from './support/test';

interface TestCase {
  id: number;
  sharable_link: string;
}

/** Markup that would run scripts or call other hosts. */
const hostile = `<p onclick="window.harmed=1" style="background:url(https://elsewhere.test/style)">Pay<strong>twice</strong></p>
<script>window.harmed=1</script><script src="https://elsewhere.test/script.js"></script>
<img src="https://elsewhere.test/pixel.png" onerror="window.harmed=1"><img src=x onerror=window.harmed=1>
<svg onload="window.harmed=1"><script>window.harmed=1</script></svg><iframe src="https://elsewhere.test/frame"></iframe>
<iframe srcdoc="<script>parent.harmed=1</script>"></iframe><object data="https://elsewhere.test/o"></object>
<link rel="stylesheet" href="https://elsewhere.test/sheet.css"><style>@import "https://elsewhere.test/import.css"</style>
<video src="https://elsewhere.test/video" autoplay></video><a href="javascript:window.harmed=1">a link</a>
<details open ontoggle="window.harmed=1">more</details><input autofocus onfocus="window.harmed=1">
<math><mtext><table><mglyph><style><img src=x onerror=window.harmed=1></style></mglyph></table></mtext></math>`;

/** Records calls to other hosts. */
function callsElsewhere(page: Page, own: string): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (/^https?:$/.test(address.protocol) && address.host !== new URL(own).host) calls.push(address.href);
  });
  return calls;
}

async function storeHostile(owner: ApiCaller): Promise<TestCase> {
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,49]');
  const values = {
    name: 'Harmless <img src=x onerror=window.harmed=1>',
    project_id: body.data[0]!.project_id,
    steps_to_reproduce: hostile,
    expected_result: hostile,
  };
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', { ...values, description: '<p>Before</p>' });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const { id } = made.body.data;
  const changed = await owner.send('PUT', `/test-cases/${id}`, { ...values, description: hostile });
  expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300);
  const { assigned_to } = body.data.find((one) => one.assigned_to)!;
  const commented = await owner.send('PATCH', `/test-case/${id}`, { status_id: 2, assigned_to, comments: hostile });
  expect(commented.status, JSON.stringify(commented.body)).toBeLessThan(300);
  return made.body.data;
}

test('a text with scripts, event handlers and remote pictures is harmless wherever it is shown', async ({
  page,
  baseURL,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const stored = await storeHostile(owner);
  const read = await owner.send<{ data: { description: string } }>('GET', `/test-cases/${stored.id}`);
  expect(read.body.data.description).toContain('<strong>twice</strong>');
  expect(read.body.data.description).not.toMatch(/script|onerror|onclick|onload|elsewhere\.test|<img|<iframe|style=/i);
  await visitEveryPage(page, baseURL!, stored, () => signIn('owner'));
});

test.describe('without the server’s sanitising', () => {
  // The browser logs this when the sanitiser parses the text in an inert document.
  test.use({ alsoExpected: /^Executing inline event handler violates/ });

  test('a text with scripts is harmless in the browser too', async ({ page, baseURL, signIn, api }) => {
    const owner = await api('owner');
    const stored = await storeHostile(owner);
    const read = await owner.send<{ data: { description: string } }>('GET', `/test-cases/${stored.id}`);
    let replaced = 0;
    await page.route(/\/api\/(test-cases?|test-case-history|sharable-test-case)\b/, async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      const harmful = text.replaceAll(inJson(read.body.data.description), inJson(hostile));
      if (harmful !== text) replaced += 1;
      await route.fulfill({ response: answer, body: harmful });
    });
    await visitEveryPage(page, baseURL!, stored, () => signIn('owner'));
    expect(replaced).toBeGreaterThanOrEqual(4);
  });
});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Opens all screens that show the texts of a test case, first as a visitor, and expects no active content in them. */
async function visitEveryPage(
  page: Page,
  baseURL: string,
  stored: TestCase,
  signIn: () => Promise<void>,
): Promise<void> {
  const calls = callsElsewhere(page, baseURL);
  const expectHarmless = async (there: string) => {
    await expect(page.getByText(there).first()).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(await page.evaluate(() => (window as { harmed?: number }).harmed)).toBeUndefined();
    const live = page.locator(
      'iframe, object, embed, img[src="x"], img[src*=elsewhere], [onclick], [onerror], [onload], [ontoggle]',
    );
    await expect(live).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
    expect(calls).toEqual([]);
  };
  await page.goto(`/testcase/${stored.sharable_link}`);
  await expectHarmless('twice');
  await signIn();
  await page.goto('/test-cases?q=Harmless');
  await expectHarmless('Harmless <img');
  await page.goto(`/test-cases/${stored.id}`);
  await expectHarmless('twice');
  await page.getByRole('button', { name: /^Comments/ }).click();
  await expect(page.getByRole('dialog').getByRole('grid')).toBeVisible();
  await expectHarmless('twice');
  await page.goto(`/test-cases/${stored.id}/view`);
  await expectHarmless('twice');
  await page.goto(`/test-case-history/${stored.id}`);
  await expectHarmless('Pay');
}

test('a text from a word processor keeps its lists and tables when it is pasted, and its pictures are named', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', {
    name: 'Pasted from Word',
    project_id: body.data[0]!.project_id,
    description: '<table><tbody><tr><th>Kept</th></tr></tbody></table><p>Before</p>',
  });
  const { id } = made.body.data;
  await signIn('owner');
  await page.goto(`/test-cases/${id}`);
  const editor = page.getByRole('textbox', { name: 'Description' });
  await editor.click();
  const html = await readFile(new URL('word-clipboard.html', import.meta.url), 'utf8');
  await editor.evaluate((element, markup) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', markup);
    clipboardData.setData('text/plain', 'plain');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  await expect(page.getByText('A picture was not pasted')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  const stored = async () =>
    String((await owner.send<{ data: { description: string } }>('GET', `/test-cases/${id}`)).body.data.description);
  await expect.poll(stored).toContain('<td><p>Cell B2</p></td>');
  const text = await stored();
  expect(text).toContain('<th><p>Kept</p></th>');
  expect(text).toContain('<ul><li><p>First bullet</p><ul><li><p>Nested bullet</p></li></ul></li></ul>');
  expect(text).toContain('<ol><li><p>Numbered one</p></li></ol>');
});

test('the rows and columns of a table are changed by buttons in words, and Tab goes through its cells', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', {
    name: 'With a table',
    project_id: body.data[0]!.project_id,
    description:
      '<p>Before</p><table><tbody><tr><th>A1</th><th>B1</th></tr><tr><td>A2</td><td>B2</td></tr></tbody></table>',
  });
  const { id } = made.body.data;
  await signIn('owner');
  await page.goto(`/test-cases/${id}`);
  const editor = page.getByRole('textbox', { name: 'Description' });
  const tools = page.getByRole('toolbar', { name: 'Table in Description' });
  const cells = () =>
    editor.locator('tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  await editor.getByText('Before').click();
  await expect(tools).toHaveCount(0);
  await editor.getByText('A2').click();
  await tools.getByRole('button', { name: 'Add row below' }).click();
  await tools.getByRole('button', { name: 'Add column right' }).click();
  expect(await cells()).toEqual([
    ['A1', '', 'B1'],
    ['A2', '', 'B2'],
    ['', '', ''],
  ]);
  await page.keyboard.press('Tab');
  await page.keyboard.type('new');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  await page.keyboard.type('er');
  expect((await cells())[1]).toEqual(['A2', 'newer', 'B2']);
  // By keys alone: to the buttons, among them, and back.
  await page.keyboard.press('Alt+F10');
  await expect(tools.getByRole('button', { name: 'Add row below' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(editor).toBeFocused();
  expect(await cells()).toEqual([
    ['A1', '', 'B1'],
    ['', '', ''],
  ]);
  await page.keyboard.press('Alt+F10');
  await page.keyboard.press('Escape');
  await expect(editor).toBeFocused();
  await tools.getByRole('button', { name: 'Delete column' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const stored = async () =>
    String((await owner.send<{ data: { description: string } }>('GET', `/test-cases/${id}`)).body.data.description);
  await expect.poll(stored).toContain('<th><p>B1</p></th>');
  expect((await stored()).match(/<t[hd]/g)).toHaveLength(4);
  await page.goto(`/test-cases/${id}`);
  await editor.getByText('B1').click();
  await tools.getByRole('button', { name: 'Delete table' }).click();
  await expect(editor.locator('table')).toHaveCount(0);
  await expect(editor).toHaveText('Before');
});

test('a wide table keeps its words whole on a phone, and scrolls by itself', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', {
    name: 'With a wide table',
    project_id: body.data[0]!.project_id,
    description: `<table><tbody><tr>${'<th>Prerequisites</th>'.repeat(6)}</tr></tbody></table>`,
  });
  await signIn('owner');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [`/test-cases/${made.body.data.id}`, `/test-cases/${made.body.data.id}/view`]) {
    await page.goto(path);
    const table = page.locator('main table').filter({ hasText: 'Prerequisites' });
    await expect(table).toBeVisible();
    const measure = () =>
      table.evaluate((node) => [
        node.scrollWidth > node.clientWidth,
        node.querySelector('th')!.getBoundingClientRect().height < 48,
        document.documentElement.scrollWidth,
      ]);
    await expect.poll(measure, path).toEqual([true, true, 390]);
    await expect(page.getByRole('toolbar', { name: 'Table in Description' })).toHaveCount(0);
  }
  await expectAccessible(page);
});

test('a pasted text beyond the limit is refused before it is laid out, and says so', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const { body } = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', {
    name: 'With long texts',
    project_id: body.data[0]!.project_id,
    description: '<p>Before</p>',
    pre_conditions: 'Before',
  });
  await signIn('owner');
  await page.goto(`/test-cases/${made.body.data.id}`);
  for (const [name, most] of [
    ['Description', '100,000'],
    ['Pre-conditions', '10,000'],
  ] as const) {
    const box = page.getByRole('textbox', { name });
    await box.click();
    const isTaken = await box.evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'word '.repeat(400_000));
      return !element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
      );
    });
    expect(isTaken).toBe(true);
    await expect(
      page.getByText(`Nothing was pasted: the text has 2,000,000 characters, ${name} at most ${most}.`),
    ).toBeVisible();
    expect(await box.evaluate((element) => (element as HTMLTextAreaElement).value ?? element.textContent)).toBe(
      'Before',
    );
  }
});
