import { Level } from '../definitions/level';
import type { EvaluationContext } from '../conditions/variables';
import type { Action, Definition, ResourceRecord } from '../definitions/definition';
import type { Actor } from './actor';
import { isAllowedOnRecord } from './access-decision';

/**
 * Whether the actor can do this to the record, to decide what to show: the grant, its rules, and the record's owner.
 * Only level 1 writes records of the installation and deletes companies.
 *
 * @example canDo(actor, definition, 'edit', record, context); // whether to show the Edit button
 */
export function canDo(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): boolean {
  if (!isAllowedOnRecord(actor, definition, action, record, evaluationContext)) return false;
  if (actor.level === Level.Installation || action === 'list' || action === 'view') return true;
  if (definition.scope === 'both') return (record.site_id ?? null) !== null;
  return definition.scope !== 'self' || action === 'edit';
}
