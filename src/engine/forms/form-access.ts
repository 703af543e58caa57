import { Level } from '../definitions/level';
import type { Actor } from '../access/actor';
import {
  allowedFields,
  grantedFields,
  isAllowedOnRecord,
  decideAccess,
  viewingMessage,
} from '../access/access-decision';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { createsRecord, type FormMode } from './form-fields';

/** The permissions of an actor in a form. */
export interface FormAccess {
  /** Nothing can be changed here. */
  readonly readOnly: boolean;
  /** Why the actor cannot change anything; undefined if they can, perhaps on another screen. */
  readonly refusal?: string;
  /** The fields that the rules leave. */
  readonly fields: ReadonlySet<string>;
}

/** Shown on a form that can be read but not changed. */
const readOnlyMessage = 'You may read this record but not change it.';

/**
 * Decides what can be changed in a form: create permission for a new record, edit permission for an existing one.
 *
 * @example formAccess(definition, 'edit', actor, record, evaluationContext);
 */
export function formAccess(
  definition: Definition,
  mode: FormMode,
  actor: Actor,
  record: ResourceRecord | undefined,
  evaluationContext: EvaluationContext,
): FormAccess {
  if (createsRecord(mode)) {
    const decision = decideAccess(actor, definition, 'create');
    return decision.allowed
      ? { readOnly: false, fields: grantedFields(actor, definition, 'create') }
      : { readOnly: true, refusal: decision.reason, fields: new Set() };
  }
  const refusal = editRefusal(definition, actor, record ?? {}, evaluationContext);
  const readOnly = mode === 'view' || refusal !== undefined;
  return {
    readOnly,
    refusal,
    fields: readOnly ? new Set() : allowedFields(actor, definition, 'edit', record ?? {}, evaluationContext),
  };
}

/** Why an actor cannot change a record, as text; undefined if they can. */
function editRefusal(
  definition: Definition,
  actor: Actor,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): string | undefined {
  const { viewer, ...ownActor } = actor;
  if (viewer) return editRefusal(definition, ownActor, record, evaluationContext) ?? viewingMessage;
  if (definition.archive && record.archive === true) {
    return `This ${definition.labels.one.toLowerCase()} is archived. Unarchive it to change it.`;
  }
  if (!isAllowedOnRecord(actor, definition, 'edit', record, evaluationContext)) return readOnlyMessage;
  const isShared = definition.scope === 'both' && record.site_id === null;
  return isShared && actor.level !== Level.Installation ? readOnlyMessage : undefined;
}
