import { useMemo, useSyncExternalStore } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
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

/** Follows choices here and in other windows: every part of a screen is narrowed to the same record. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Kept for a person in a company. */
const keyOf = ({ id, site_id: site }: Actor) => `assay.scope.${id}.${site ?? 0}`;

/** The stored choice. While another person is viewed there is none: they may not see what the viewer has chosen. */
function read(actor: Actor): string | null {
  try {
    return actor.viewer ? null : localStorage.getItem(keyOf(actor));
  } catch {
    return null;
  }
}

/** Undefined if the text is none: storage can be changed by hand. */
function parseScope(text: string | null): ChosenScope | undefined {
  try {
    const scope = JSON.parse(text ?? 'null') as Partial<ChosenScope> | null;
    return typeof scope?.resource === 'string' && Number(scope.id) > 0 ? (scope as ChosenScope) : undefined;
  } catch {
    return undefined;
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
  const text = useSyncExternalStore(subscribe, () => read(actor));
  return useMemo(() => {
    const scope = parseScope(text);
    const isOffered = scope && switcherDefinition(registry)?.name === scope.resource;
    return isOffered && isGranted(actor, scope.resource, 'list') ? scope : undefined;
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
  const context = useDefinitions();
  const scope = useListScope();
  return useMemo(
    () => filterInScope(definition, scope, context, filters, fixedFilter),
    [context, definition, filters, fixedFilter, scope],
  );
}
