import { test } from './support/own-program';
import { expect, expectAccessible, title } from './support/test';

interface Named {
  id: number;
  name: string;
}

test('the page of a milestone says how it stands, with its runs, requirements, defects and the trend', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { data: milestones } = (
    await manager.send<{ data: (Named & { project_id: number })[] }>('GET', '/milestones?state=active&range=[0,99]')
  ).body;
  const { data: runs } = (
    await manager.send<{ data: (Named & { milestone_id: number })[] }>('GET', '/test-runs?range=[0,199]')
  ).body;
  const milestone = milestones.find(({ id }) => runs.some((run) => run.milestone_id === id))!;
  const ownRuns = runs.filter((run) => run.milestone_id === milestone.id);
  const { data: entries } = (
    await manager.send<{ data: Named[] }>('GET', `/run-entries?run_id=${ownRuns[0]!.id}&range=[0,0]`)
  ).body;
  const { data: tasks } = (
    await manager.send<{ data: Named[] }>(
      'GET',
      `/tasks?project_id=${milestone.project_id}&status_id=1&range=[0,0]&fields=id,name`,
    )
  ).body;
  const linked = await manager.send('PUT', `/run-entries/${entries[0]!.id}`, { defect_id: tasks[0]!.id });
  expect(linked.status, JSON.stringify(linked.body)).toBe(200);

  await signIn('manager');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/milestones/${milestone.id}/view`);
  await expect(title(page)).toContainText(milestone.name);
  await expect(page.getByRole('region', { name: 'Where it stands' })).toContainText(/% run, .*tests? in \d+ runs?/);
  await expect(
    page.getByRole('region', { name: /^Test runs/ }).getByRole('link', { name: ownRuns[0]!.name }),
  ).toBeVisible();
  const requirements = page.getByRole('region', { name: /^Requirements at risk/ });
  await expect(requirements).toContainText(
    /with a test case in a run of this milestone|it cannot be told which belong/,
  );
  const trend = page.getByRole('region', { name: 'Trend' });
  await expect(trend.getByRole('img')).toHaveAccessibleName(/tests left, \d+ failing/);
  const properties = page.getByRole('complementary', { name: 'Properties' });
  const [trendBox, propertiesBox] = [await trend.boundingBox(), await properties.boundingBox()];
  expect(trendBox!.width).toBe(424);
  expect(propertiesBox!.y).toBeGreaterThan(trendBox!.y + trendBox!.height);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  const defects = page.getByRole('region', { name: /^Open defects/ });
  await expect(defects.getByRole('link', { name: tasks[0]!.name })).toBeVisible();
  await defects.getByRole('heading').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/tasks\\?.*milestone_id=${milestone.id}`));
  await expect(page.getByRole('row', { name: new RegExp(tasks[0]!.name) })).toBeVisible();
});
