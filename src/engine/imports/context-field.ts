import { Level } from '../definitions/level';
import type { Actor } from '../access/actor';
import type { Definition, Field } from '../definitions/definition';
import { importOf } from '../definitions/accessors';

/**
 * The field that an import asks for besides the file; the company for administrators of the installation, if needed.
 *
 * @example importContextField({ level: 1 }, definition)?.name; // 'site_id'
 */
export function importContextField(actor: Pick<Actor, 'level'>, definition: Definition): Field | undefined {
  const { ask } = importOf(definition);
  if (ask !== null) return definition.fields[ask];
  const isOfCompany = definition.scope === 'company' || definition.scope === 'both';
  return actor.level === Level.Installation && isOfCompany ? definition.fields.site_id : undefined;
}
