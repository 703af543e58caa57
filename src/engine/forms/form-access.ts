import type { Actor } from '../access/actor';
import { allowedFields, grantedFields, allowsRecord, decide } from '../access/decide';
import type { Surroundings } from '../conditions/variables';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { isNew, type FormMode } from './form-fields';

/** What an actor may do in a form. */
export interface FormAccess {
  /** Nothing can be changed here. */
  readonly readOnly: boolean;
  /** Why the actor may change nothing; undefined where they may, be it on another screen. */
  readonly refusal?: string;
  /** The fields that the rules leave. */
  readonly fields: ReadonlySet<string>;
}

/** Said on a form that may be read but not changed. */
export const readOnlyMessage = 'You may read this record but not change it.';

/** Decides what of a form may be changed: create permission for a new record, edit permission on an existing one. */
export function formAccess(
  definition: Definition,
  mode: FormMode,
  actor: Actor,
  record: ResourceRecord | undefined,
  surroundings: Surroundings,
): FormAccess {
  if (isNew(mode)) {
    const decision = decide(actor, definition, 'create');
    return decision.allowed
      ? { readOnly: false, fields: grantedFields(actor, definition, 'create') }
      : { readOnly: true, refusal: decision.reason, fields: new Set() };
  }
  const refusal = refusalToEdit(definition, actor, record ?? {}, surroundings);
  const readOnly = mode === 'view' || refusal !== undefined;
  return {
    readOnly,
    refusal,
    fields: readOnly ? new Set() : allowedFields(actor, definition, 'edit', record ?? {}, surroundings),
  };
}

/** Why an actor may not change a record, in words; undefined where they may. */
export function refusalToEdit(
  definition: Definition,
  actor: Actor,
  record: ResourceRecord,
  surroundings: Surroundings,
): string | undefined {
  if (definition.archive && record.archive === true) {
    return `This ${definition.labels.one.toLowerCase()} is archived. Unarchive it to change it.`;
  }
  if (!allowsRecord(actor, definition, 'edit', record, surroundings)) return readOnlyMessage;
  const isShared = definition.scope === 'both' && record.site_id === null;
  return isShared && actor.level !== 1 ? readOnlyMessage : undefined;
}
