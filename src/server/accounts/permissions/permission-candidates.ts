import { describeLevels, joinNames } from '../../../engine/access/describe-levels';
import type { Actor } from '../../../engine/access/actor';
import type { Definition, Level } from '../../../engine/definitions/definition';
import { RequestContext } from '../../access/request-context';
import { NotFound } from '../../errors/errors';
import { explain, type Question } from './explain';
import { loadRolePermissions } from './grants';
import { loadRecordFacts } from './record-facts';

/** A role whose users may be among those who are allowed. */
export interface CandidateRole {
  readonly id: number;
  readonly role_name: string;
  readonly level: Level;
}

/** A user whom the rules may allow individually. */
export interface CandidateUser {
  readonly actor: Actor;
  readonly name: string;
  readonly role_name: string;
}

const mostPeople = 12;

/**
 * Describes who is allowed to do something: users whom a rule allows individually, and levels that are always allowed.
 * `people` loads users by ids, if the caller can see them; `company` is the company of the question.
 */
export async function describeAllowed(
  context: RequestContext,
  definition: Definition,
  question: Question,
  roles: readonly CandidateRole[],
  company: number | null,
  people: (ids: readonly number[]) => Promise<readonly CandidateUser[]>,
): Promise<string> {
  const { program } = context;
  const grants = await loadRolePermissions(
    program.database.kysely,
    roles.map(({ id }) => id),
  );
  const explained = async (actor: Actor, roleName: string) => {
    try {
      return await explain(new RequestContext(program, actor, context.timeZone), definition, question, roleName);
    } catch (error) {
      if (error instanceof NotFound) return { allowed: false, rule: null };
      throw error;
    }
  };
  const [whole, narrowed] = [new Set<number>(), new Set<number>()];
  for (const { id, level, role_name } of roles) {
    // No user has the id 0: what is allowed to it is allowed to everyone.
    const anybody = {
      id: 0,
      role_id: id,
      level,
      site_id: level === 1 ? null : company,
      permissions: grants.get(id) ?? {},
    };
    const { allowed, rule } = await explained(anybody, role_name);
    // A rule that this record satisfies narrows nothing; without a record, the rule decides for each record.
    if (allowed) (question.id === undefined && rule !== null ? narrowed : whole).add(id);
  }

  const names: string[] = [];
  if (question.id !== undefined) {
    const rules = definition.rules.filter((rule) => rule.actions.includes(question.action));
    const { people: ids } = await loadRecordFacts(context, definition, rules, question.id);
    for (const { actor, name, role_name } of await people(ids.slice(0, mostPeople))) {
      if (!whole.has(actor.role_id) && (await explained(actor, role_name)).allowed) names.push(name);
    }
  }
  const freely = [...names, ...describeRoles(whole, roles)];
  const byRules = describeRoles(narrowed, roles);
  const parts = [
    ...(freely.length > 0 ? [`for ${joinNames(freely)}`] : []),
    ...(byRules.length > 0 ? [`by row rules for ${joinNames(byRules)}`] : []),
  ];
  return `Allowed ${joinNames(parts) || 'for nobody'}.`;
}

/** Those who have one of `ids` among the roles: `anyone of levels 1 to 3`. Nothing for none. */
function describeRoles(ids: ReadonlySet<number>, roles: readonly CandidateRole[]): string[] {
  const levels = [...new Set(roles.map(({ level }) => level))];
  const full = levels.filter((level) => roles.every((role) => role.level !== level || ids.has(role.id)));
  if (full.length === levels.length && levels.length > 1) return ['everybody'];
  const single = roles.filter(({ id, level }) => ids.has(id) && !full.includes(level));
  const anyone = [
    ...(full.length > 0 ? [`of ${describeLevels(full, 3)}`] : []),
    ...single.map(({ role_name }) => `with the role ${role_name}`),
  ];
  return anyone.length > 0 ? [`anyone ${joinNames(anyone)}`] : [];
}
