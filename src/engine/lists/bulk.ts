import { Level } from '../definitions/level';
import type { Actor } from '../access/actor';
import { isAmong } from '../access/audience';
import { allowedFields, grantedFields, isGranted } from '../access/access-decision';
import { canDo } from '../access/can-do';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, RequestDefinition, ResourceRecord } from '../definitions/definition';
import { canRequest, isArchived } from './row-actions';

/** The actions that are possible with several records at once. */
export interface BulkPermissions {
  readonly delete: boolean;
  /** The fields that can be set on all of them. */
  readonly fields: readonly Field[];
  /** Whether records like them can be created. */
  readonly copy: boolean;
  /** The requests that set fixed values. */
  readonly requests: readonly RequestDefinition[];
}

/**
 * Whether rows can be selected, and for what.
 *
 * @example bulkPermissions(definition, actor);
 */
export function bulkPermissions(definition: Definition, actor: Actor): BulkPermissions {
  const editable = grantedFields(actor, definition, 'edit');
  const mayEdit = isGranted(actor, definition.name, 'edit') && canWrite(definition, actor);
  return {
    delete: definition.list.bulkDelete && isGranted(actor, definition.name, 'delete') && canWrite(definition, actor),
    copy: canCopy(definition, actor),
    fields: mayEdit
      ? definition.list.bulkEdit.flatMap((name) => {
          const field = definition.fields[name];
          return field && !field.readOnly && editable.has(name) ? [field] : [];
        })
      : [],
    requests: mayEdit ? Object.values(definition.requests).filter((request) => isForMany(request, actor)) : [],
  };
}

/** As a row's own action: where the list has it. */
function canCopy(definition: Definition, actor: Actor): boolean {
  return (
    definition.copy !== null &&
    definition.list.actions.some(({ name }) => name === 'copy') &&
    isGranted(actor, definition.name, 'create') &&
    canWrite(definition, actor)
  );
}

/** Whether a request can be made on several records at once: what it sets is the same for each. */
function isForMany(request: RequestDefinition, actor: Actor): boolean {
  return Object.keys(request.constants).length > 0 && !request.adds && isAmong(actor, request);
}

function canWrite(definition: Definition, actor: Actor): boolean {
  return definition.scope !== 'installation' || actor.level === Level.Installation;
}

/**
 * The records that the actor can delete, set all of these fields on, or make this request on.
 *
 * @example recordsAllowedInBulk(definition, actor, selected, 'delete', evaluationContext).length;
 */
export function recordsAllowedInBulk(
  definition: Definition,
  actor: Actor,
  records: readonly ResourceRecord[],
  change: 'delete' | readonly Field[] | RequestDefinition,
  evaluationContext: EvaluationContext,
): ResourceRecord[] {
  return records.filter((record) => {
    if (isArchived(record)) return false;
    if (change !== 'delete' && 'constants' in change)
      return canRequest(definition, change, record, actor, evaluationContext);
    if (change === 'delete') return canDo(actor, definition, 'delete', record, evaluationContext);
    const writableFields = allowedFields(actor, definition, 'edit', record, evaluationContext);
    return (
      canDo(actor, definition, 'edit', record, evaluationContext) &&
      change.every((field) => writableFields.has(field.name))
    );
  });
}
