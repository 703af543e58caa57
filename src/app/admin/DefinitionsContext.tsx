import { createContext, use } from 'react';
import type { Registry } from '../../engine/definitions/registry';
import type { Me, SignedIn } from './definitionsCalls';

/** What every screen after sign-in stands on: the definitions in force, and who is looking. */
export interface Definitions {
  readonly registry: Registry;
  readonly actor: SignedIn;
}

export const DefinitionsContext = createContext<Definitions | null>(null);

/** Who is signed in, read by one query for all who ask: there are hundreds of them in a list. */
export const MeContext = createContext<Me | undefined>(undefined);

/** The definitions in force and the signed-in actor. A change of either renders the caller anew. */
export function useDefinitions(): Definitions {
  const definitions = use(DefinitionsContext);
  if (!definitions) throw new Error('useDefinitions needs a DefinitionsProvider above it.');
  return definitions;
}
