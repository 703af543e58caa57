import { useMemo } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { requestedFields } from '../../engine/lists/requested-fields';
import { useDefinitions } from '../admin/DefinitionsContext';
import { useColumnChoices } from '../preferences/useColumnChoices';

/** The fields that a resource's list, cards and board need. */
export interface RequestedFields {
  fields?: readonly string[];
}

/** The user's columns, or the definition's. */
export type ColumnSet = 'chosen' | 'defined';

/** The fields that a resource's list, cards and board need. */
export function useRequestedFields(
  resource: string,
  filters: ResourceRecord,
  columns: ColumnSet = 'chosen',
): RequestedFields {
  const { registry, actor } = useDefinitions();
  const isChosen = columns === 'chosen';
  const { choices: kept } = useColumnChoices(resource, isChosen);
  const choices = isChosen ? kept : null;
  const filtered = Object.keys(filters).join();
  return useMemo(() => {
    const definition = registry.get(resource);
    return definition ? { fields: requestedFields(definition, registry, actor, choices, filtered.split(',')) } : {};
  }, [actor, choices, filtered, registry, resource]);
}
