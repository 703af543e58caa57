import { saveSession } from '../../../src/app/session/session';
import { signedIn } from '../auth/fakeApi';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { DefinitionsContext } from '../../../src/app/data/DefinitionsContext';
import { useDraft } from '../../../src/app/studio/draft';
import { DraftProvider } from '../../../src/app/studio/draft/DraftProvider';

/** A request to the server, and its answer; undefined: it never comes. */
type Answer = (path: string, body: unknown) => unknown;

const actor = { id: 1, level: 1, permissions: {} } as unknown as Actor;
let now: Source;

function Watch() {
  now = useDraft().source;
  return null;
}

/** The draft of the shown panel. */
export function draftNow(): Source {
  return now;
}

/** Opens the inputs that are rarely used; they stay open for panels that are shown later. */
export async function openMore(user: UserEvent): Promise<void> {
  const summary = screen.getByText('More');
  if (!summary.closest('details')!.open) await user.click(summary);
}

/** Shows a panel of the studio with a draft of a definition, at a server that never answers unless told what. */
export function showPanel(
  panel: ReactNode,
  definition: Source,
  registry = createRegistry([]),
  answer: Answer = () => undefined,
) {
  saveSession(signedIn(1));
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit = {}) => {
    const answered = answer(path, typeof body === 'string' ? JSON.parse(body) : undefined);
    return answered === undefined ? new Promise(() => undefined) : Promise.resolve(Response.json(answered));
  });
  const { name, labels } = definition;
  const module: Module = {
    ...{ name, labels, definition, origin: 'custom', version: 1, customised: false },
    ...{ retired: false, changed: null, shipped: null, upgrade: null, hidden: [] },
  };
  render(
    <MemoryRouter initialEntries={[`/studio/${name}`]}>
      <QueryClientProvider client={new QueryClient()}>
        <DefinitionsContext value={{ registry, actor }}>
          <DraftProvider module={module} savedDraft={null}>
            {panel}
            <Watch />
          </DraftProvider>
        </DefinitionsContext>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return userEvent.setup({ pointerEventsCheck: 0 });
}
