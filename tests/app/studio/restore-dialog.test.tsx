import { saveSession } from '../../../src/app/session/session';
import { signedIn } from '../auth/fakeApi';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { DefinitionsContext } from '../../../src/app/data/DefinitionsContext';
import { RestoreDialog } from '../../../src/app/studio/versions/RestoreDialog';

const boats: Source = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' } },
};
const module: Module = {
  ...{ name: 'boats', labels: boats.labels, definition: boats, origin: 'custom', version: 3, customised: false },
  ...{ retired: false, changed: null, shipped: null, upgrade: null, hidden: [] },
};
const actor = { id: 1, level: 1, permissions: {} } as unknown as Actor;

interface Sent {
  path: string;
  body: unknown;
}

function show(retired: boolean, current = false) {
  const sent: Sent[] = [];
  saveSession(signedIn(1));
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit = {}) => {
    const isPlan = path.endsWith('/plan');
    if (!isPlan) sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const plan = { valid: true, errors: [], steps: [] };
    return Promise.resolve(Response.json({ data: isPlan ? plan : { ...module, version: 4 } }));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DefinitionsContext value={{ registry: createRegistry([]), actor }}>
        <RestoreDialog
          module={{ ...module, retired }}
          side={{ key: '2', title: 'Version 2', author: '', source: boats, current, version: 2 }}
          onDone={() => undefined}
          onClose={() => undefined}
        />
      </DefinitionsContext>
    </QueryClientProvider>,
  );
  return { sent, user: userEvent.setup() };
}

it.each([
  [false, /modules\/boats\/restore$/, { version: 2, note: 'The mast is back' }],
  [true, /modules$/, { definition: boats, note: 'The mast is back' }],
] as const)('a version is restored with a note; of a retired module: %s', async (retired, path, body) => {
  const { sent, user } = show(retired);
  await screen.findByText('No changes to tables, only to screens.');
  await user.type(screen.getByRole('textbox', { name: 'Note for this version' }), '  The mast is back ');
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(sent).toEqual([{ path: expect.stringMatching(path), body }]);
});

it('a version is restored without a note if none is written', async () => {
  const { sent, user } = show(false);
  await screen.findByText('No changes to tables, only to screens.');
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(sent).toMatchObject([{ body: { version: 2 } }]);
  expect(sent[0]!.body).not.toHaveProperty('note');
});

it('a draft is discarded without a note, since nothing is published', () => {
  show(false, true);
  expect(screen.queryByRole('textbox')).toBeNull();
});
