import type { Actor } from '../access/actor';
import { allowedFields, grantedFields, isGranted } from '../access/decide';
import { mayDo } from '../access/may-do';
import type { Surroundings } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { isArchived } from './row-actions';

/** What can be done with several records at once. */
export interface BulkRights {
  readonly delete: boolean;
  /** The fields that can be set on all of them. */
  readonly fields: readonly Field[];
}

/** Whether rows can be selected, and for what. */
export function bulkRights(definition: Definition, actor: Actor): BulkRights {
  const editable = grantedFields(actor, definition, 'edit');
  const mayEdit = isGranted(actor, definition.name, 'edit');
  return {
    delete: definition.list.bulkDelete && isGranted(actor, definition.name, 'delete') && mayWrite(definition, actor),
    fields:
      mayEdit && mayWrite(definition, actor)
        ? definition.list.bulkEdit.flatMap((name) => {
            const field = definition.fields[name];
            return field && !field.readOnly && editable.has(name) ? [field] : [];
          })
        : [],
  };
}

function mayWrite(definition: Definition, actor: Actor): boolean {
  return definition.scope !== 'installation' || actor.level === 1;
}

/** The records that the actor can delete, or set this field on. */
export function bulkAllowed(
  definition: Definition,
  actor: Actor,
  records: readonly ResourceRecord[],
  change: 'delete' | Field,
  surroundings: Surroundings,
): ResourceRecord[] {
  return records.filter((record) => {
    if (isArchived(record)) return false;
    if (change === 'delete') return mayDo(actor, definition, 'delete', record, surroundings);
    return (
      mayDo(actor, definition, 'edit', record, surroundings) &&
      allowedFields(actor, definition, 'edit', record, surroundings).has(change.name)
    );
  });
}
