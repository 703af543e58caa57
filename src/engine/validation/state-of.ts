import type { EvaluationContext } from '../conditions/variables';
import type { Field, ResourceRecord } from '../definitions/definition';

/**
 * The state that a value of a field means: the value itself, or what transitions call the record that it refers to;
 * undefined if the context does not tell.
 *
 * @example stateOf(stageId, 3, { ...evaluationContext, record: { stage: { id: 3, name: 'Won' } } }); // 'Won'
 */
export function stateOf(
  field: Field,
  value: unknown,
  { states, record }: Pick<EvaluationContext, 'states' | 'record'>,
): unknown {
  if (field.to === undefined || value === null) return value;
  const knownState = states?.[field.name]?.get(value);
  if (knownState) return knownState.name;
  const embed = record?.[field.embed ?? ''] as ResourceRecord | null | undefined;
  return embed?.id === value ? embed?.[field.transitionsBy ?? ''] : undefined;
}
