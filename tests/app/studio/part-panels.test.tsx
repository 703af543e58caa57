import { act, cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createRegistry } from '../../../src/engine/definitions/registry';
import { normalise } from '../../../src/engine/definitions/normalise';
import type { Source } from '../../../src/engine/definitions/source';
import { BoardPanel } from '../../../src/app/screens/studio/parts/BoardPanel';
import { ConditionProperty } from '../../../src/app/screens/studio/conditions/ConditionProperty';
import { DataPanel } from '../../../src/app/screens/studio/parts/DataPanel';
import { draftNow, showPanel } from './showPanel';

const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, harbour_id: { type: 'relation', to: 'harbours' } },
  requests: { move: { label: 'Move', path: '/boat/move' } },
} as unknown as Source;
it('a board begins with a column, and ends without a trace', async () => {
  const user = showPanel(<BoardPanel />, boats);
  const board = screen.getByRole('switch', { name: 'The list has a board' });
  await act(() => user.click(board));
  expect(draftNow().list?.kanban).toEqual({ column: 'harbour_id' });
  expect(screen.getByRole('combobox', { name: 'Columns' }).textContent).toBe('Harbour');
  await act(() => user.click(board));
  expect(draftNow().list?.kanban).toBeUndefined();
});

it('without a select or relation there can be no board, and the panel says why', () => {
  showPanel(<BoardPanel />, { ...boats, fields: { name: { type: 'text' } } } as unknown as Source);
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'The list has a board' }).disabled).toBe(true);
  expect(screen.getByText(/needs a select or a relation as its columns/)).toBeTruthy();
});

it('imports and rules of a record have inputs', async () => {
  const user = showPanel(<DataPanel />, boats);
  await act(() => user.click(screen.getByRole('switch', { name: 'Records can be imported' })));
  expect(draftNow().import).toEqual({});
  await act(() => user.click(screen.getByRole('combobox', { name: 'A row finds its record by' })));
  await act(() => user.click(screen.getByRole('option', { name: 'Name' })));
  expect(draftNow().import).toEqual({ match: ['name'] });
  await act(() => user.click(screen.getByRole('button', { name: 'Add a rule of a record' })));
  expect(draftNow().validate).toHaveLength(1);
});

it('a condition offers what is below a record only where the records are a tree', async () => {
  const harbours = (isTree: boolean) =>
    createRegistry([
      normalise({
        name: 'harbours',
        labels: { one: 'Harbour', many: 'Harbours' },
        fields: { name: { type: 'text' }, ...(isTree && { parent_id: { type: 'relation', to: 'harbours' } }) },
      } as unknown as Source),
    ]);
  const definition = {
    ...boats,
    rules: [{ levels: [6], action: 'list', where: { harbour_id: { $exists: true } } }],
  } as unknown as Source;
  for (const isTree of [true, false]) {
    const user = showPanel(<ConditionProperty at="/rules/0/where" label="Where" />, definition, harbours(isTree));
    await act(() => user.click(screen.getByRole('combobox', { name: 'Where: operator' })));
    expect(screen.queryByRole('option', { name: 'is or is below' }) !== null).toBe(isTree);
    cleanup();
  }
});
