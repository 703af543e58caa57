import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { decideAccess, isGranted } from '../../../engine/access/access-decision';
import type { Definition, Kanban, ResourceRecord, Tone } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { choiceOrder } from '../../../engine/lists/choice-order';
import { hasEmptyColumn, type BoardColumnId } from '../../../engine/lists/kanban';
import { recordTitleOf } from '../../../engine/lists/titles';
import { fieldOf } from '../../../engine/definitions/accessors';
import { useDefinitions } from '../../data/DefinitionsContext';
import { loadChoices } from '../../fields/choices/loadChoices';
import { useApi } from '../../session/apiClient';

/** A column of the board: a choice of the column field, or what has none. */
export interface BoardChoice {
  readonly id: BoardColumnId;
  readonly title: string;
  /** The state that its record is, where the field has transitions. */
  readonly state?: string;
  /** Of an option. */
  readonly tone?: Tone;
}

interface BoardColumns {
  /** Undefined while loading. */
  choices: readonly BoardChoice[] | undefined;
  error: Error | null;
  retry: () => void;
}

const maxColumns = 50;

/** The resource whose records are a board's columns; undefined if the options of a select are. */
export function boardTarget(registry: Registry, { fields }: Definition, { column }: Kanban): Definition | undefined {
  return registry.get(fields[column]?.to);
}

/**
 * The columns of a board, in the order of their choices, limited by a filter on the column field; last what has no value
 * of it, where there may be such records. Users who may only
 * read records have no choices, so the column's resource is listed instead.
 */
export function useBoardColumns(
  definition: Definition,
  kanban: Kanban,
  filters: Readonly<ResourceRecord>,
): BoardColumns {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const ask = useApi();
  const { name } = definition;
  const target = boardTarget(registry, definition, kanban);
  const mayChoose =
    decideAccess(actor, definition, 'create').allowed || decideAccess(actor, definition, 'edit').allowed;
  const mayList = target !== undefined && isGranted(actor, target.name, 'list');
  const field = fieldOf(definition, kanban.column);
  const { options } = field;
  const { data, error, refetch } = useQuery({
    queryKey: mayChoose || !mayList ? ['choices', name, kanban.column, 'board'] : [target.name, 'getList', 'board'],
    enabled: options === undefined,
    queryFn: async ({ signal }): Promise<readonly BoardChoice[]> => {
      if (mayChoose || !mayList)
        return (await loadChoices(
          { resource: name, field: kanban.column, recentIds: 'none' },
          signal,
          ask,
        )) as readonly BoardChoice[];
      const pagination = { page: 1, perPage: maxColumns };
      const page = await dataProvider.getList<RaRecord>(target.name, {
        pagination,
        sort: { ...choiceOrder(target) },
        filter: {},
        signal,
      });
      return page.data.map((record) => ({ id: Number(record.id), title: recordTitleOf(target, record) }));
    },
    meta: { quiet: true },
  });
  const filterValue = filters[kanban.column];
  const choices = useMemo(() => {
    const allChoices =
      options?.map(({ value, label, tone }): BoardChoice => ({ id: value, title: label, tone })) ?? data;
    if (!allChoices) return allChoices;
    if (filterValue === undefined)
      return hasEmptyColumn(field) ? [...allChoices, { id: null, title: field.emptyText ?? 'None' }] : allChoices;
    const ids = Array.isArray(filterValue) ? filterValue : [filterValue];
    return allChoices.filter(({ id }) => ids.some((chosenId) => String(chosenId) === String(id)));
  }, [filterValue, data, field, options]);
  return { choices, error: choices ? null : error, retry: () => void refetch() };
}
