import type { ReactNode } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Action, Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { NoAccess } from '../states/NoAccess';
import { ScreenBoundary } from '../states/ScreenBoundary';

interface RequireAccessProps {
  /** The name of the resource, from the path. */
  resource: string;
  /** The actor needs at least one of these. */
  actions: readonly Action[];
  children: (definition: Definition) => ReactNode;
}

/** Shows a resource's screen to users with one of the grants, and redirects everybody else to the home page. */
export function RequireAccess({ resource, actions, children }: RequireAccessProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.get(resource);
  if (!definition) return <NoAccess mayBeModule />;
  if (!actions.some((action) => isGranted(actor, resource, action))) return <NoAccess label={definition.labels.many} />;
  return <ScreenBoundary key={`${resource}`}>{children(definition)}</ScreenBoundary>;
}
