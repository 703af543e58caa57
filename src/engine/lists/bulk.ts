import type { Actor } from '../access/actor';
import { allowedFields, grantedFields, isGranted } from '../access/access-decision';
import { canDo } from '../access/can-do';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { isArchived } from './row-actions';

/** What can be done with several records at once. */
export interface BulkPermissions {
  readonly delete: boolean;
  /** The fields that can be set on all of them. */
  readonly fields: readonly Field[];
}

/** Whether rows can be selected, and for what. */
export function bulkPermissions(definition: Definition, actor: Actor): BulkPermissions {
  const editable = grantedFields(actor, definition, 'edit');
  const mayEdit = isGranted(actor, definition.name, 'edit');
  return {
    delete: definition.list.bulkDelete && isGranted(actor, definition.name, 'delete') && canWrite(definition, actor),
    fields:
      mayEdit && canWrite(definition, actor)
        ? definition.list.bulkEdit.flatMap((name) => {
            const field = definition.fields[name];
            return field && !field.readOnly && editable.has(name) ? [field] : [];
          })
        : [],
  };
}

function canWrite(definition: Definition, actor: Actor): boolean {
  return definition.scope !== 'installation' || actor.level === 1;
}

/** The records that the actor can delete, or set this field on. */
export function recordsAllowedInBulk(
  definition: Definition,
  actor: Actor,
  records: readonly ResourceRecord[],
  change: 'delete' | Field,
  evaluationContext: EvaluationContext,
): ResourceRecord[] {
  return records.filter((record) => {
    if (isArchived(record)) return false;
    if (change === 'delete') return canDo(actor, definition, 'delete', record, evaluationContext);
    return (
      canDo(actor, definition, 'edit', record, evaluationContext) &&
      allowedFields(actor, definition, 'edit', record, evaluationContext).has(change.name)
    );
  });
}
