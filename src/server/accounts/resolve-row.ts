import { isVariable } from '../../engine/conditions/grammar';
import { resolveVariable } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';

/**
 * The values of a row in a file of a product: keys in relations become the ids of what was stored before, and relative
 * days and times the ones of today. Throws if there is nothing of a key.
 */
export function resolveRow(
  context: RequestContext,
  { fields }: Definition,
  row: ResourceRecord,
  ids: ReadonlyMap<string, number>,
): ResourceRecord {
  const id = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const found = ids.get(value);
    if (found === undefined) throw new Error(`there is no row or account "${value}".`);
    return found;
  };
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (fields[name]?.to) return [name, Array.isArray(value) ? value.map(id) : id(value)];
      return [name, isVariable(value) ? resolveVariable(value, context.evaluationContext) : value];
    }),
  );
}
