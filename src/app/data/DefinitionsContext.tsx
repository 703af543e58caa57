import { createContext, use } from 'react';
import type { Actor } from '../../engine/access/actor';
import type { Registry } from '../../engine/registry/registry';
import type { Me } from './definitionsApi';

/** The context of every screen after sign-in: the active definitions and the current user. */
export interface Definitions {
  readonly registry: Registry;
  readonly actor: Actor;
}

export const DefinitionsContext = createContext<Definitions | null>(null);

/** The signed-in user, from one query: a list has hundreds of consumers. */
export const MeContext = createContext<Me | undefined>(undefined);

/**
 * The active definitions and the signed-in actor. A change of either re-renders the caller.
 *
 * @example const { registry } = useDefinitions();
 */
export function useDefinitions(): Definitions {
  const definitions = use(DefinitionsContext);
  if (!definitions) throw new Error('useDefinitions needs a DefinitionsProvider above it.');
  return definitions;
}
