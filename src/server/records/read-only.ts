import { matchesCondition } from '../../engine/conditions/match-condition';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Input } from './input';

/**
 * Drops fields whose `readOnly` condition holds; like fields that are always read-only, they are ignored. `before` is
 * the stored record or, for a new one, its default values.
 */
export function dropReadOnlyFields(
  context: RequestContext,
  definition: Definition,
  before: ResourceRecord,
  input: Input,
): Input {
  const evaluationContext = { ...context.evaluationContext, record: before };
  const closed = new Set(
    Object.values(definition.fields)
      .filter(({ name }) => name in input.values || input.kept.includes(name))
      .filter(({ readOnlyWhen }) => readOnlyWhen && matchesCondition(readOnlyWhen, before, evaluationContext))
      .map(({ name }) => name),
  );
  if (closed.size === 0) return input;
  const values = Object.fromEntries(Object.entries(input.values).filter(([name]) => !closed.has(name)));
  return { ...input, values, kept: input.kept.filter((name) => !closed.has(name)) };
}
