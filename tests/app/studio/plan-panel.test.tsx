import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { PlanPanel } from '../../../src/app/studio/plan/PlanPanel';
import type { Publishing } from '../../../src/app/studio/plan/usePublish';
import { TextProperty } from '../../../src/app/studio/properties/TextProperty';
import { showPanel } from './showPanel';

const boats = { name: 'boats', labels: { one: 'Boat', many: 'Boats' }, fields: { name: { type: 'text' } } } as Source;
const step = { text: 'Add the column hull', sql: 'alter table', kind: 'addColumn', destructive: false, rows: 0 };
const publishing = { publish: () => undefined, isBusy: false, note: '', setNote: () => undefined };

it('the plan folds: its summary and Publish stay, and it comes back as it was', async () => {
  const user = showPanel(
    <>
      <TextProperty pointer="/labels/many" label="Many" />
      <PlanPanel publishing={publishing as unknown as Publishing} />
    </>,
    boats,
    undefined,
    (path) => (path.includes('/plan') ? { data: { valid: true, errors: [], steps: [step] } } : undefined),
  );
  const plan = within(screen.getByRole('region', { name: 'Migration plan' }));
  // Without changes there is nothing to fold.
  expect(plan.queryByRole('button', { name: 'Hide the steps' })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Many' }), 's');
  expect(await plan.findByText('Add the column hull')).toBeTruthy();
  const fold = plan.getByRole('button', { name: 'Hide the steps', expanded: true });
  fold.focus();
  await user.keyboard('{Enter}');
  expect(plan.queryByRole('region', { name: 'Steps' })).toBeNull();
  expect(plan.getByRole('status').textContent).toBe('1 step, reversible, no rows lost');
  expect(plan.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false);
  const unfold = plan.getByRole('button', { name: 'Show the steps', expanded: false });
  expect(document.activeElement).toBe(unfold);
  await user.keyboard('{Enter}');
  expect(plan.getByText('Add the column hull')).toBeTruthy();
});
