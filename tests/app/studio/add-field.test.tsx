import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { AddFieldDialog } from '../../../src/app/studio/fields/AddFieldDialog';
import { isShownInList, listColumns } from '../../../src/app/studio/fields/listFields';
import { draftNow, showPanel } from './showPanel';

const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, sail: { type: 'text' }, mast: { type: 'text' } },
  list: { columns: ['name', 'mast'] },
} as unknown as Source;

const columns = () => listColumns(draftNow()).map(({ field }) => field);

async function add(label: string, asColumn: boolean) {
  const user = showPanel(<AddFieldDialog onClose={() => undefined} />, boats);
  await user.type(screen.getByRole('textbox', { name: 'Label' }), label);
  if (asColumn) await user.click(screen.getByRole('checkbox', { name: 'Show it as a column of the list' }));
  await user.click(screen.getByRole('button', { name: 'Add field' }));
}

it('a new field becomes a column at once where that is chosen, after that of the field which was open', async () => {
  await add('Keel', true);
  expect(draftNow().fields.keel).toEqual({ type: 'text' });
  expect(columns()).toEqual(['name', 'keel', 'mast']);
  expect(isShownInList(draftNow(), 'keel')).toBe(true);
});

it('a new field is no column unless that is chosen', async () => {
  await add('Keel', false);
  expect(draftNow().fields).toHaveProperty('keel');
  expect(columns()).toEqual(['name', 'mast']);
});
