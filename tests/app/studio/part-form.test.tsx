import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { PartForm } from '../../../src/app/studio/properties/PartForm';
import { draftNow, showPanel } from './showPanel';

const chart = { name: 'sizes', label: 'Sizes', kind: 'number', later: true };
const boats = (more: object = {}) =>
  ({
    name: 'boats',
    labels: { one: 'Boat', many: 'Boats' },
    fields: { name: { type: 'text' }, built_on: { type: 'date' }, mast: { type: 'number' } },
    list: { charts: [{ ...chart, ...more }] },
  }) as unknown as Source;
const form = <PartForm pointer="/list/charts/0" />;

it('a form shows the inputs that apply, and keeps keys that it does not know', async () => {
  const user = showPanel(form, boats());
  const has = (name: string) => screen.queryByRole('combobox', { name }) !== null;
  expect([has('Kind'), has('Sum of'), has('Labels'), has('Series'), has('Periods')]).toEqual([
    true,
    true,
    ...Array<boolean>(3).fill(false),
  ]);
  await user.click(screen.getByRole('combobox', { name: 'Kind' }));
  await user.click(screen.getByRole('option', { name: 'Bars' }));
  expect([has('Labels'), has('Series'), has('Periods')]).toEqual([true, true, false]);
  await user.click(screen.getByRole('combobox', { name: 'Labels' }));
  await user.click(screen.getByRole('option', { name: 'Built On' }));
  expect(has('Periods')).toBe(true);
  expect(draftNow().list!.charts).toEqual([{ ...chart, kind: 'bar', group: 'built_on' }]);
});

it('an input that does not apply is shown while its key has a value, so that it can be taken away', async () => {
  const user = showPanel(form, boats({ series: 'name' }));
  await user.click(screen.getByRole('combobox', { name: 'Series' }));
  await user.click(screen.getByRole('option', { name: 'None' }));
  expect(draftNow().list!.charts).toEqual([chart]);
  expect(screen.queryByRole('combobox', { name: 'Series' })).toBeNull();
});

it('an input has its explanation, and a fault of the plan, as its description', async () => {
  const errors = [{ path: '/list/charts/0/sum', message: 'Only numbers can be added up.' }];
  const user = showPanel(form, boats(), undefined, (path) =>
    path.endsWith('/plan') ? { data: { valid: false, steps: [], errors } } : undefined,
  );
  await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
  const sum = screen.getByRole('combobox', { name: 'Sum of' });
  await waitFor(() => expect(screen.getByText('Only numbers can be added up.')).toBeTruthy());
  const described = sum
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)!.textContent);
  expect(described).toEqual([expect.stringContaining('duration field to add up'), 'Only numbers can be added up.']);
});
