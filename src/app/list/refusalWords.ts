import type { Actor } from '../../engine/access/actor';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { formAccess } from '../../engine/forms/form-access';
import { recordTitle } from '../../engine/lists/row-actions';
import type { KeyedPart } from './recordCommands';

/** Why somebody cannot change a record, or one of its fields, as text. */
export function refusalWords(
  definition: Definition,
  record: ResourceRecord,
  part: KeyedPart,
  actor: Actor,
  evaluationContext: EvaluationContext,
): string {
  const title = recordTitle(definition, record);
  const { refusal } = formAccess(definition, 'edit', actor, record, evaluationContext);
  if (refusal !== undefined) return `${title} was not changed. ${refusal}`;
  return part ? `You may not change ${part.label} of ${title}.` : `You may not edit ${title}.`;
}
