import { isVariable } from '../../engine/conditions/grammar';
import { resolveVariable, unresolved } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';

/** The default values. Read-only fields have them too: nobody sends them, but a new record starts with them. */
export function defaultValues(context: RequestContext, definition: Pick<Definition, 'fields'>): ResourceRecord {
  const values: ResourceRecord = {};
  for (const field of Object.values(definition.fields)) {
    if (field.default === undefined || field.system || field.computed !== undefined) continue;
    const value = isVariable(field.default) ? resolveVariable(field.default, context.evaluationContext) : field.default;
    if (value !== unresolved) values[field.name] = value;
  }
  return values;
}
