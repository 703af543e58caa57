import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { Datagrid, List, TextField, useCanAccess, useResourceDefinition } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import type { Source } from '../../../src/engine/language/source';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import { createDataProvider } from '../../../src/app/data/dataProvider';
import { DefinitionsContext } from '../../../src/app/data/DefinitionsContext';
import { IsolatedApp } from '../../../src/app/studio/preview/IsolatedApp';
import type { PreviewServer } from '../../../src/app/studio/preview/previewServer';
import type { PreviewWorld } from '../../../src/app/studio/preview/previewWorld';
import { AppTheme } from '../../../src/app/theme/AppTheme';

const source: Source = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text', label: 'Name of the boat' } },
};

/** A screen of react-admin's own components. */
function Boats() {
  const definition = useResourceDefinition({ resource: 'boats' });
  const { canAccess: mayDelete } = useCanAccess({ resource: 'boats', action: 'delete' });
  return (
    <>
      <p>{`${definition.options?.label}, may delete: ${mayDelete}`}</p>
      <List resource="boats" title={false} actions={false}>
        <Datagrid bulkActionButtons={false}>
          <TextField source="name" />
        </Datagrid>
      </List>
    </>
  );
}

it('stock components in a preview find the draft as their resource, with its labels and the grants of the viewer', async () => {
  const definition = normalise(source);
  const registry = createRegistry([definition]);
  const viewer = { id: 3, level: 4, permissions: { boats: ['list'] }, site_id: 1 } as unknown as Actor;
  const world = {
    ...{ definition, source, registry, actor: viewer, publishedDefinition: undefined },
    ...{ content: '', viewAs: 'user 3', company: 1 },
  } satisfies PreviewWorld;
  const ask = () =>
    Promise.resolve(Response.json([{ id: 7, name: 'Petrel' }], { headers: { 'Content-Range': 'boats 0-0/1' } }));
  const server = { ask, dataProvider: createDataProvider(ask), update: () => {} } as unknown as PreviewServer;
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <DefinitionsContext value={{ registry: createRegistry([]), actor: { ...viewer, level: 1 } }}>
          <AppTheme>
            <IsolatedApp world={world} server={server}>
              <Boats />
            </IsolatedApp>
          </AppTheme>
        </DefinitionsContext>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  expect((await screen.findByText('Boats, may delete: false')).tagName).toBe('P');
  expect(await screen.findByText('Petrel')).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: /Name of the boat/ })).toBeTruthy();
});
