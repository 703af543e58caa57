import { chromium, type Page } from '@playwright/test';
import { measureColumns } from '../../tests/e2e/support/columns';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase, Finding } from '../case';
import type { BenchProgram } from '../program';

const widths = [1024, 1440, 1920] as const;
/** The most pixels above the first row of a list without and with tabs, and above the tests of a run. */
const mostAbove = { plain: 150, tabs: 190, run: 260 } as const;
/** The most keys of a test case with three steps beside its text, and the most clicks from a filter to a started run. */
const [mostKeys, mostClicks] = [14, 4];

/** Cut texts, pixels above the first row, keys and clicks: the price of a screen for those who work in it. */
export const layout: BenchmarkCase = async ({ site }) => {
  const { program } = await site('small');
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), program.session);
    // The compiler names functions by a helper that pages do not have.
    await context.addInitScript('globalThis.__name = (target) => target');
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return [
      ...(await measureLists(page, program)),
      await measureRun(page, program),
      await countClicks(page, program),
      await countKeys(page, program),
    ];
  } finally {
    await browser.close();
  }
};

async function readList<T>({ address, token }: BenchProgram, path: string): Promise<T> {
  const response = await fetch(`${address}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function measureLists(page: Page, program: BenchProgram): Promise<Finding[]> {
  interface Module {
    readonly name: string;
    readonly menu: object | null;
  }
  const { data: modules } = await readList<{ data: Module[] }>(program, '/definitions');
  const texts = new Map(widths.map((width) => [width, { titles: 0, others: 0 }]));
  const highest = { plain: { top: 0, name: '' }, tabs: { top: 0, name: '' } };
  let listCount = 0;
  for (const { name } of modules.filter(({ menu }) => menu)) {
    await page.goto(`${program.address}/${name}`);
    await page.locator('.MuiDataGrid-row, .state').first().waitFor();
    if ((await page.locator('.MuiDataGrid-row').count()) === 0) continue;
    listCount++;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const { cutTitles, cutTexts, firstRow } = await measureColumns(page);
      const counts = texts.get(width)!;
      counts.titles += cutTitles.length;
      counts.others += cutTexts.length;
      const kind = (await page.locator('#content [role=tablist]').count()) > 0 ? 'tabs' : 'plain';
      if (firstRow > highest[kind].top) highest[kind] = { top: firstRow, name };
    }
  }
  const figures = [...texts].map(
    ([width, { titles, others: otherCount }]) => `${width} px: ${titles} titles, ${otherCount} other texts`,
  );
  return [
    { title: `cut texts in ${listCount} lists`, figures: figures.join('; ') },
    {
      title: 'above the first row',
      figures: `${highest.plain.top} px without tabs (${highest.plain.name}; at most ${mostAbove.plain}), ${highest.tabs.top} with (${highest.tabs.name}; at most ${mostAbove.tabs})`,
      isReached: highest.plain.top <= mostAbove.plain && highest.tabs.top <= mostAbove.tabs,
    },
  ];
}

async function measureRun(page: Page, program: BenchProgram): Promise<Finding> {
  const [run] = await readList<{ id: number }[]>(program, '/test-runs?source=people&range=[0,0]&envelope=none');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${program.address}/test-runs/${run!.id}/overview`);
  const table = page.getByRole('table').first();
  await table.waitFor();
  const top = Math.round((await table.boundingBox())!.y);
  return {
    title: 'above the tests of a run',
    figures: `${top} px (at most ${mostAbove.run})`,
    isReached: top <= mostAbove.run,
  };
}

async function countClicks(page: Page, program: BenchProgram): Promise<Finding> {
  const [testCase] = await readList<{ project_module: number }[]>(program, '/test-cases?range=[0,0]&envelope=none');
  await page.goto(`${program.address}/test-cases?project_module=${testCase!.project_module}`);
  let clicks = 0;
  for (const name of [/^Run these \d+$/, 'Start run']) {
    await page.getByRole('button', { name }).click();
    clicks++;
  }
  await page.getByText(/^Test 1 of \d+$/).waitFor();
  return {
    title: 'from a filter to a started run',
    figures: `${clicks} clicks (at most ${mostClicks})`,
    isReached: clicks <= mostClicks,
  };
}

const steps = ['Enter the voucher', 'Enter it again', 'Remove it'];

async function countKeys(page: Page, program: BenchProgram): Promise<Finding> {
  const [project] = await readList<{ name: string }[]>(program, '/projects?range=[0,0]&envelope=none');
  let keys = 0;
  const press = async (name: string) => {
    keys += name.split('+').length;
    await page.keyboard.press(name);
  };
  // The first one says where the next ones belong.
  await page.goto(`${program.address}/test-cases/create`);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('The first of the morning');
  await page.getByRole('combobox', { name: 'Project', exact: true }).fill(project!.name);
  await page.getByRole('option', { name: project!.name }).first().click();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Added Successfully').waitFor();
  await page.goto(`${program.address}/test-cases`);
  await page.locator('.MuiDataGrid-row').first().waitFor();
  await press('n');
  await title.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Voucher is taken once');
  await press('Tab');
  await page.keyboard.type('A basket with one item');
  await press('Tab');
  for (const [index, step] of steps.entries()) {
    await page
      .getByRole('textbox', { name: `Action, row ${index + 1}` })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.type(step);
    await press('Tab');
    await press('Tab');
    await page.keyboard.type('As expected');
    if (index < steps.length - 1) await press('Enter');
  }
  await press('Control+Enter');
  await page.getByText('Added Successfully').waitFor();
  return {
    title: 'a test case with three steps, beside its text',
    figures: `${keys} keys (at most ${mostKeys})`,
    isReached: keys <= mostKeys,
  };
}
