import type { Actor, Permissions } from '../../engine/access/actor';
import type { Account } from '../domain/accounts';
import { totalsOf } from '../domain/totals';
import { allPermissions } from '../permissions/grants';
import type { Program } from '../program';

/** The signed-in person in the shape of sign-in, registration and `me`. */
export interface Person {
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly role_id: number;
    readonly site_id: number | null;
  };
  readonly role: { readonly id: number; readonly role_name: string; readonly level: number };
  readonly totalClients: number;
  readonly totalProjects: number;
}

/** Describes an account to its owner, with the totals that it may know of. */
export async function describePerson(program: Program, account: Account, actor: Actor): Promise<Person> {
  const { id, first_name, last_name, email, role_id, role_name, level } = account;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return {
    user: { id, name, first_name, last_name, email, role_id, site_id: actor.site_id },
    role: { id: role_id, role_name, level },
    ...(await totalsOf(program, actor)),
  };
}

/** What the browser needs to decide what to show: granted actions by module. */
export function shownPermissions(program: Program, actor: Actor): Permissions {
  const registry = program.definitions.registry();
  if (actor.level === 1) return allPermissions(registry);
  const inForce = Object.entries(actor.permissions).filter(([module]) => registry.get(module));
  return Object.fromEntries(inForce);
}
