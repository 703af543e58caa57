import { grantedFields } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { formAccess } from '../../engine/forms/form-access';
import { keyFields } from '../../engine/lists/inline-edit';
import { recordTitle } from '../../engine/lists/row-actions';

interface Surroundings {
  actor: Actor;
  registry: Registry;
  evaluationContext: EvaluationContext;
}

/**
 * Why somebody cannot change what a key is for, as text: `a` the person of a record, `s` its state, `e` the record. Undefined
 * where the module has nothing of the kind, or they may not see it.
 */
export function refusalWords(
  definition: Definition,
  record: ResourceRecord,
  keys: string,
  { actor, registry, evaluationContext }: Surroundings,
): string | undefined {
  const { fields, list } = definition;
  const readable = grantedFields(actor, definition, 'list');
  const { person, state } = keyFields(
    definition,
    registry,
    list.inlineEdit.flatMap((name) => (readable.has(name) && fields[name]) || []),
  );
  const field = keys === 'a' ? person : keys === 's' ? state : undefined;
  if (!field && !(keys === 'e' && list.actions.some(({ name }) => name === 'edit'))) return undefined;
  const title = recordTitle(definition, record);
  const { refusal } = formAccess(definition, 'edit', actor, record, evaluationContext);
  if (refusal !== undefined) return `${title} was not changed. ${refusal}`;
  return field ? `You may not change ${field.label} of ${title}.` : `You may not edit ${title}.`;
}
