import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { createRegistry } from '../../../src/engine/definitions/registry';
import { normalise } from '../../../src/engine/definitions/normalise';
import type { Source } from '../../../src/engine/definitions/source';
import type { Module } from '../../../src/engine/studio/module';
import { DefinitionsContext } from '../../../src/app/admin/DefinitionsContext';
import { useDraft } from '../../../src/app/screens/studio/draft';
import { DraftProvider } from '../../../src/app/screens/studio/draft/DraftProvider';
import { BoardPanel } from '../../../src/app/screens/studio/parts/BoardPanel';
import { ConditionProperty } from '../../../src/app/screens/studio/conditions/ConditionProperty';
import { DataPanel } from '../../../src/app/screens/studio/parts/DataPanel';

const boats = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, harbour_id: { type: 'relation', to: 'harbours' } },
  requests: { move: { label: 'Move', path: '/boat/move' } },
} as unknown as Source;
const actor = { id: 1, level: 1, permissions: {} } as unknown as Actor;
let now: Source;

function Watch() {
  now = useDraft().source;
  return null;
}

function show(panel: ReactNode, definition = boats, registry = createRegistry([])) {
  const module: Module = {
    ...{ name: 'boats', labels: definition.labels, definition, origin: 'custom', version: 1, customised: false },
    ...{ retired: false, changed: null, shipped: null, upgrade: null, hidden: [] },
  };
  render(
    <MemoryRouter initialEntries={['/studio/boats']}>
      <DefinitionsContext value={{ registry, actor }}>
        <DraftProvider module={module} user={1} kept={null}>
          {panel}
          <Watch />
        </DraftProvider>
      </DefinitionsContext>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('a board begins with a relation and a request, and ends without a trace', async () => {
  const user = show(<BoardPanel />);
  const board = screen.getByRole('switch', { name: 'The list has a board' });
  await act(() => user.click(board));
  expect(now.list?.kanban).toEqual({ column: 'harbour_id', request: 'move', field: 'name' });
  expect(screen.getByRole('combobox', { name: 'Columns' }).textContent).toBe('Harbour');
  await act(() => user.click(board));
  expect(now.list?.kanban).toBeUndefined();
});

it('without a request there can be no board, and the panel says why', () => {
  show(<BoardPanel />, { ...boats, requests: undefined });
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'The list has a board' }).disabled).toBe(true);
  expect(screen.getByText(/needs a relation as its columns, and a request/)).toBeTruthy();
});

it('imports and rules of a record have inputs', async () => {
  const user = show(<DataPanel />);
  await act(() => user.click(screen.getByRole('switch', { name: 'Records can be imported' })));
  expect(now.import).toEqual({});
  await act(() => user.click(screen.getByRole('combobox', { name: 'A row finds its record by' })));
  await act(() => user.click(screen.getByRole('option', { name: 'Name' })));
  expect(now.import).toEqual({ match: ['name'] });
  await act(() => user.click(screen.getByRole('button', { name: 'Add a rule of a record' })));
  expect(now.validate).toHaveLength(1);
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
    const user = show(<ConditionProperty at="/rules/0/where" label="Where" />, definition, harbours(isTree));
    await act(() => user.click(screen.getByRole('combobox', { name: 'Where: operator' })));
    expect(screen.queryByRole('option', { name: 'is or is below' }) !== null).toBe(isTree);
    cleanup();
  }
});
