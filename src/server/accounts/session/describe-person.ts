import { Level } from '../../../engine/definitions/level';
import type { Actor, Permissions } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import type { Account } from '../users/accounts';
import { allPermissions } from '../permissions/grants';
import type { Program } from '../../program';

/** The signed-in user in the format of sign-in, registration and `me`. */
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
  /** Facts that the product adds. */
  readonly [fact: string]: unknown;
}

/** Describes an account to its owner, with what the product says of it. */
export async function describePerson(
  program: Program,
  account: Omit<Account, 'password' | 'canSignIn'>,
  actor: Actor,
): Promise<Person> {
  const { id, first_name, last_name, email, role_id, role_name, level } = account;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return {
    user: { id, name, first_name, last_name, email, role_id, site_id: actor.site_id },
    role: { id: role_id, role_name, level },
    ...(await program.product.signInFacts?.load(program, actor)),
  };
}

/** The roles that rules and messages of the browser need: the user's own with its key, and the names of all. */
export function describeRoles(
  { role_id, role_name, role: key, level }: Omit<Account, 'password' | 'canSignIn'>,
  { roles = [] }: Actor,
) {
  return { role: { id: role_id, role_name, key, level }, roles };
}

/** The granted actions by module, for the browser to decide what to show. */
export function visiblePermissions(program: Program, actor: Actor): Permissions {
  const registry = program.definitions.registry();
  const permissions = actor.level === Level.Installation ? allPermissions(registry) : actor.permissions;
  const inForce = Object.entries(permissions).filter(([module]) => registry.get(module));
  if (!actor.viewer) return Object.fromEntries(inForce);
  const sharedPermissions = inForce.map(
    ([module, moduleActions]) => [module, moduleActions.filter((action) => isGranted(actor, module, action))] as const,
  );
  return Object.fromEntries(sharedPermissions.filter(([, moduleActions]) => moduleActions.length > 0));
}
