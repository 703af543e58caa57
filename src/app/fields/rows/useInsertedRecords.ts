import { skipToken, useQuery } from '@tanstack/react-query';
import { useDataProvider, useNotify } from 'react-admin';
import { decideAccess } from '../../../engine/access/access-decision';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedField } from '../../../engine/field-types/row-definition';
import { isInverse } from '../../../engine/field-types/inverse';
import { insertsRecord, rowsIn } from '../../../engine/field-types/rows';
import { insertingRow } from '../../../engine/forms/row-edits';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useOpenDialog } from '../../dialogs/openDialog';

/** The records whose rows a field inserts, as the grid sees them. */
export interface InsertedRecords {
  readonly definition: Definition;
  readonly mayOpen: boolean;
  readonly mayCreate: boolean;
  /** In how many records a record is used; undefined if that is not known. */
  usedIn(id: unknown): { count: number; definition: Definition } | undefined;
  /** The row that inserts a record; undefined, with a message, if it cannot be read. */
  rowOf(id: unknown): Promise<ResourceRecord | undefined>;
  /** Asks for a new record with these rows, and calls back with the row that inserts it. */
  create(rows: readonly ResourceRecord[], onMade: (row: ResourceRecord) => void): void;
}

/** The records whose rows a field inserts, and what can be done with them; undefined for a field that inserts none. */
export function useInsertedRecords(
  field: FieldOf<'rows'>,
  rows: readonly ResourceRecord[],
): InsertedRecords | undefined {
  const { registry, actor } = useDefinitions();
  const provider = useDataProvider();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const { insertedRows } = field;
  const target = insertedRows && insertedField(registry, field);
  const usage =
    target &&
    Object.values(target.definition.fields)
      .filter(isInverse)
      .find(({ inverse }) => inverse.field === `${field.name}.${insertedRows.by}`);
  const mayOpen = target !== undefined && decideAccess(actor, target.definition, 'view').allowed;
  const ids = insertedRows
    ? [...new Set(rows.filter((row) => insertsRecord(field, row)).map((row) => row[insertedRows.by]))].sort()
    : [];
  const { data } = useQuery({
    queryKey: [target?.definition.name, 'getList', 'inserted', ids],
    queryFn:
      target && usage && mayOpen && ids.length > 0 && decideAccess(actor, target.definition, 'list').allowed
        ? () =>
            provider.getList(target.definition.name, {
              filter: { id: ids },
              pagination: { page: 1, perPage: 100 },
              sort: { field: 'id', order: 'ASC' },
            })
        : skipToken,
    meta: { quiet: true },
  });
  if (!insertedRows || !target) return undefined;
  const { definition } = target;
  return {
    definition,
    mayOpen,
    mayCreate: decideAccess(actor, definition, 'create').allowed,
    usedIn: (id) => {
      const record = data?.data.find((candidate: ResourceRecord) => candidate.id === id) as ResourceRecord | undefined;
      const count = usage && record?.[usage.countName];
      const usageDefinition = usage && registry.get(usage.inverse.resource);
      return typeof count === 'number' && count > 0 && usageDefinition
        ? { count, definition: usageDefinition }
        : undefined;
    },
    rowOf: async (id) => {
      try {
        const { data: record } = await provider.getOne<ResourceRecord & { id: number }>(definition.name, {
          id: id as number,
        });
        return insertingRow(field, id, record[insertedRows.rows]);
      } catch (error) {
        notify(error instanceof Error ? error.message : String(error), { type: 'error' });
        return undefined;
      }
    },
    create: (ownRows, onMade) => {
      const names = Object.keys(target.field.columns);
      const preset = {
        [insertedRows.rows]: ownRows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
      };
      openDialog({
        kind: 'form',
        definition,
        mode: 'create',
        preset,
        onSaved: (record) => onMade(insertingRow(field, record.id, rowsIn(record[insertedRows.rows]))),
      });
    },
  };
}
