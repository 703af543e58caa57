import type { ReactNode } from 'react';
import { isGranted } from '../../engine/access/decide';
import type { Action, Definition } from '../../engine/definitions/definition';
import { useDefinitions } from './DefinitionsContext';
import { Refused } from './Refused';
import { ScreenBoundary } from './ScreenBoundary';

interface GuardedProps {
  /** The name of the resource, from the path. */
  resource: string;
  /** The actor needs at least one of these. */
  actions: readonly Action[];
  children: (definition: Definition) => ReactNode;
}

/** Shows a resource's screen to users with one of the grants, and redirects everybody else to the home page. */
export function Guarded({ resource, actions, children }: GuardedProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.get(resource);
  if (!definition) return <Refused maybeModule />;
  if (!actions.some((action) => isGranted(actor, resource, action))) return <Refused label={definition.labels.many} />;
  return <ScreenBoundary key={`${resource}`}>{children(definition)}</ScreenBoundary>;
}
