import type { ReactNode } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Action, Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { NoAccess } from '../states/NoAccess';
import { ScreenBoundary } from '../states/ScreenBoundary';

interface RequireAccessProps {
  definition: Definition;
  /** The actor needs at least one of these. */
  actions: readonly Action[];
  children: ReactNode;
}

/** Shows a resource's screen to users with one of the grants, and redirects everybody else to the home page. */
export function RequireAccess({ definition, actions, children }: RequireAccessProps) {
  const { actor } = useDefinitions();
  const isAllowed = actions.some((action) => isGranted(actor, definition.name, action));
  return isAllowed ? <ScreenBoundary>{children}</ScreenBoundary> : <NoAccess label={definition.labels.many} />;
}
