import { createContext, use } from 'react';
import type { Registry } from '../../engine/definitions/registry';
import type { SignedIn } from './definitionsCalls';

/** What every screen after sign-in stands on: the definitions in force, and who is looking. */
export interface Definitions {
  readonly registry: Registry;
  readonly actor: SignedIn;
}

export const DefinitionsContext = createContext<Definitions | null>(null);

/** The definitions in force and the signed-in actor. A change of either renders the caller anew. */
export function useDefinitions(): Definitions {
  const definitions = use(DefinitionsContext);
  if (!definitions) throw new Error('useDefinitions needs a DefinitionsProvider above it.');
  return definitions;
}
