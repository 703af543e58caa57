import type { ReactNode } from 'react';
import { isGranted } from '../../engine/access/decide';
import type { Action, Definition } from '../../engine/definitions/definition';
import { useDefinitions } from './DefinitionsContext';
import { Refused } from './Refused';
import { ScreenBoundary } from './ScreenBoundary';

interface GuardedProps {
  /** The name of the resource, as the path says it. */
  resource: string;
  /** Any of these opens the screen. */
  actions: readonly Action[];
  children: (definition: Definition) => ReactNode;
}

/** Shows a resource's screen to whoever holds one of the grants, and leads everybody else to the root. */
export function Guarded({ resource, actions, children }: GuardedProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.get(resource);
  if (!definition) return <Refused maybeModule />;
  if (!actions.some((action) => isGranted(actor, resource, action))) return <Refused label={definition.labels.many} />;
  return <ScreenBoundary key={`${resource}`}>{children(definition)}</ScreenBoundary>;
}
