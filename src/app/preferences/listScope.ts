import { useMemo, useSyncExternalStore } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import { realUser, type Actor } from '../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { filterInScope, switcherDefinition, type ListScope } from '../../engine/lists/list-scope';
import type { ListState } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';

/** The chosen record as it was called when it was chosen. */
export interface ChosenScope extends ListScope {
  readonly title: string;
  /** A few letters that stand for it. */
  readonly short: string;
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Kept for a person in a company. */
const keyOf = (actor: Actor) => `assay.scope.${realUser(actor).id}.${actor.site_id ?? 0}`;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Narrows lists to a record, until another one is chosen on this device; undefined: shows all. */
export function chooseScope(actor: Actor, scope: ChosenScope | undefined): void {
  try {
    if (scope) localStorage.setItem(keyOf(actor), JSON.stringify(scope));
    else localStorage.removeItem(keyOf(actor));
  } catch {
    // Without storage nothing is narrowed.
  }
  for (const listener of listeners) listener();
}

/**
 * The record to which the user has narrowed lists on this device; undefined: none.
 *
 * @example const scope = useListScope(); // { resource: 'projects', id: 3, title: 'Website', short: 'WEB' }
 */
export function useListScope(): ChosenScope | undefined {
  const { registry, actor } = useDefinitions();
  const text = useSyncExternalStore(subscribe, () => read(keyOf(actor)));
  return useMemo(() => {
    if (text === null) return undefined;
    const scope = JSON.parse(text) as ChosenScope;
    const isOffered = switcherDefinition(registry)?.name === scope.resource && isGranted(actor, scope.resource, 'list');
    return isOffered ? scope : undefined;
  }, [actor, registry, text]);
}

/**
 * The fixed filters of a list within the chosen scope. Everything that asks for records of the list uses these: its pages,
 * counts, groups, boards, downloads, and what selects all of them.
 *
 * @example const fixedFilter = useScopedFilter(definition, state, tab.filter);
 */
export function useScopedFilter(
  definition: Definition,
  { filters }: Pick<ListState, 'filters'>,
  fixedFilter: Readonly<ResourceRecord>,
): Readonly<ResourceRecord> {
  const { actor } = useDefinitions();
  const scope = useListScope();
  return useMemo(
    () => filterInScope(definition, scope, actor, filters, fixedFilter),
    [actor, definition, filters, fixedFilter, scope],
  );
}
