import type { Actor } from '../../engine/access/actor';
import { always, never } from '../../engine/conditions/variables';
import type { Predicate } from '../../engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { Forbidden } from '../errors/errors';

const equals = (left: string, right: unknown): Predicate => ({ kind: 'compare', left, operator: '$eq', right });

type ScopeSubject = Pick<Actor, 'level' | 'site_id' | 'viewer'>;

/**
 * The rows of the actor's company and, if the resource has such rows, of the installation. When viewing as another
 * user: those that both can see.
 */
export function companyScope(actor: ScopeSubject, definition: Definition): Predicate {
  const own = ownScope(actor, definition);
  if (!actor.viewer) return own;
  const viewers = companyScope(actor.viewer, definition);
  return viewers === always ? own : own === always ? viewers : { kind: 'all', of: [own, viewers] };
}

function ownScope(actor: ScopeSubject, definition: Definition): Predicate {
  if (definition.scope === 'installation' || actor.level === 1) return always;
  if (actor.site_id === null) return definition.scope === 'both' ? equals('site_id', null) : never;
  if (definition.scope === 'self') return equals('id', actor.site_id);
  const own = equals('site_id', actor.site_id);
  return definition.scope === 'both' ? { kind: 'any', of: [own, equals('site_id', null)] } : own;
}

/** The rows that a record of this company may refer to: those of the company and of the installation. */
export function referenceScope(company: number | null, definition: Definition): Predicate {
  if (definition.scope === 'installation') return always;
  if (definition.scope === 'self') return company === null ? never : equals('id', company);
  if (company === null) return equals('site_id', null);
  return { kind: 'any', of: [equals('site_id', company), equals('site_id', null)] };
}

/** Throws Refused if the actor can see a row but can't change it because it belongs to the installation. */
export function assertOwned(actor: Actor, definition: Definition, row: ResourceRecord, action: string): void {
  if (actor.level === 1 || definition.scope !== 'both' || row.site_id === actor.site_id) return;
  throw new Forbidden(
    `This ${definition.labels.one.toLowerCase()} belongs to the installation. Only its administrator can ${action} it.`,
  );
}
