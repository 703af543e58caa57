import type { Surroundings } from '../conditions/variables';
import type { Action, Definition, ResourceRecord } from '../definitions/definition';
import type { Actor } from './actor';
import { allowsRecord } from './decide';

/**
 * Whether the actor may do this to the record, for deciding what to show: the grant and its rules, and whose record it
 * is. What belongs to the installation is written by level 1 alone, and so are companies themselves deleted.
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
