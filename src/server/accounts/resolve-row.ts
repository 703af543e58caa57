import { isVariable } from '../../engine/conditions/grammar';
import { resolveVariable } from '../../engine/conditions/variables';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRows } from '../../engine/field-types/rows';
import type { RequestContext } from '../access/request-context';

/**
 * The values of a row in a file of a product: keys in relations become the ids of what was stored before, and relative
 * days and times the ones of today, also in the columns of its own rows. Throws if there is nothing of a key.
 */
export function resolveRow(
  context: RequestContext,
  { fields }: { readonly fields: Readonly<Record<string, Field>> },
  row: ResourceRecord,
  ids: ReadonlyMap<string, number>,
): ResourceRecord {
  const id = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const referencedId = ids.get(value);
    if (referencedId === undefined) throw new Error(`there is no row or account "${value}".`);
    return referencedId;
  };
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const field = fields[name];
      if (field && isRows(field) && Array.isArray(value)) {
        return [name, value.map((line: ResourceRecord) => resolveRow(context, { fields: field.columns }, line, ids))];
      }
      if (field?.to) return [name, Array.isArray(value) ? value.map(id) : id(value)];
      return [name, isVariable(value) ? resolveVariable(value, context.evaluationContext) : value];
    }),
  );
}
