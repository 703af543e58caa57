import { useEffect } from 'react';
import { useGetList, type RaRecord } from 'react-admin';
import type { SwitcherDefinition } from '../../../engine/lists/list-scope';
import { useDefinitions } from '../../data/DefinitionsContext';
import { chooseScope, useListScope } from '../../preferences/listScope';
import { switcherFields, scopeOf } from './scopeOf';

/** Follows the chosen record: its present title, or none where it is archived, deleted or hidden from the user. */
export default function ScopeCheck({ definition }: { definition: SwitcherDefinition }) {
  const { actor } = useDefinitions();
  const scope = useListScope();
  const { data, isPlaceholderData } = useGetList<RaRecord<number>>(
    definition.name,
    {
      filter: { id: scope?.id },
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'id', order: 'ASC' },
      meta: { fields: switcherFields(definition) },
    },
    { enabled: scope !== undefined, meta: { quiet: true } },
  );
  useEffect(() => {
    if (!data || !scope || isPlaceholderData) return;
    const [record] = data;
    const current = record && scopeOf(definition, record);
    if (current && current.id !== scope.id) return;
    if (current?.title !== scope.title || current.short !== scope.short) chooseScope(actor, current);
  }, [actor, data, definition, isPlaceholderData, scope]);
  return null;
}
