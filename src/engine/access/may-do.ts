import type { Surroundings } from '../conditions/variables';
import type { Action, Definition, ResourceRecord } from '../definitions/definition';
import type { Actor } from './actor';
import { allowsRecord } from './decide';

/**
 * Whether the actor can do this to the record, to decide what to show: the grant, its rules, and the record's owner.
 * Only level 1 writes records of the installation and deletes companies.
 */
export function mayDo(
  actor: Actor,
  definition: Definition,
  action: Action,
  record: ResourceRecord,
  surroundings: Surroundings,
): boolean {
  if (!allowsRecord(actor, definition, action, record, surroundings)) return false;
  if (actor.level === 1 || action === 'list' || action === 'view') return true;
  if (definition.scope === 'both') return (record.site_id ?? null) !== null;
  return definition.scope !== 'self' || action === 'edit';
}
