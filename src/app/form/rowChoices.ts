import type { Definition, Field, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { rowsIn } from '../../engine/field-types/rows';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import type { ChoiceSource } from '../fields/choices/choice';
import { loadChoices, optionSource } from '../fields/choices/loadChoices';
import type { ApiClient } from '../session/apiClient';

/** The choices of a column of rows: those of the record's company. Titles of stored rows are known. */
export function rowChoices(
  definition: Definition,
  registry: Registry,
  field: FieldOf<'rows'>,
  column: Field,
  { record, values, ask }: { record: ResourceRecord; values: ResourceRecord; ask: ApiClient },
): ChoiceSource | undefined {
  if (column.options) return optionSource(column.options);
  if (column.to === undefined) return undefined;
  const target = registry.get(column.to);
  const site = values.site_id === undefined || values.site_id === null ? {} : { site_id: values.site_id };
  const query = { resource: definition.name, field: `${field.name}.${column.name}`, parents: site };
  const embeds = rowsIn(record[field.name]).flatMap((row) => embedsOf(column, row));
  return {
    key: [definition.name, query.field, site],
    load: (text, signal) => loadChoices({ ...query, text }, signal, ask),
    find: (ids, signal) => loadChoices({ ...query, ids }, signal, ask),
    knownChoices: [...new Map(embeds.map((embed) => [embed.id, embed])).values()].map((embed) => ({
      id: embed.id as number,
      title: recordTitleOf(target, embed),
    })),
    target,
  };
}
