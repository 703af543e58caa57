import { AuthContext, ResourceDefinitionContext, type AuthProvider, type ResourceDefinition } from 'react-admin';
import { useMemo, type ReactNode } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Action } from '../../engine/definitions/definition';
import { authProvider } from '../data/authProvider';
import { useDefinitions, type Definitions } from '../data/DefinitionsContext';

/** The actions of react-admin, each by the grants of which one suffices. */
const grantsOf: Readonly<Record<string, readonly Action[]>> = {
  list: ['list'],
  export: ['list'],
  create: ['create'],
  clone: ['create'],
  edit: ['edit'],
  show: ['list', 'view', 'edit'],
  delete: ['delete'],
};

/** Every definition as a resource of react-admin, each with its four routes, and what the user may do with it. */
export function ResourcesProvider({ children }: { children: ReactNode }) {
  const definitions = useDefinitions();
  const resources = useMemo(
    () => ({ definitions: resourcesOf(definitions), register: ignore, unregister: ignore }),
    [definitions],
  );
  const auth = useMemo<AuthProvider>(
    () => ({
      ...authProvider,
      canAccess: ({ action, resource }) => Promise.resolve(canAccess(definitions, resource, action)),
    }),
    [definitions],
  );
  return (
    <AuthContext value={auth}>
      <ResourceDefinitionContext value={resources}>{children}</ResourceDefinitionContext>
    </AuthContext>
  );
}

/** A product's screens need not register resources: all have been. */
const ignore = () => undefined;

function resourcesOf({ registry }: Definitions): Record<string, ResourceDefinition> {
  return Object.fromEntries(
    [...registry.definitions.values()].map(({ name, labels, titleField }) => [
      name,
      {
        ...{ name, hasList: true, hasCreate: true, hasEdit: true, hasShow: true },
        recordRepresentation: titleField,
        options: { label: labels.many },
      },
    ]),
  );
}

function canAccess({ registry, actor }: Definitions, resource: string, action: string): boolean {
  const definition = registry.get(resource);
  if (!definition || (action === 'export' && definition.export === null)) return false;
  return (grantsOf[action] ?? []).some((grant) => isGranted(actor, resource, grant));
}
