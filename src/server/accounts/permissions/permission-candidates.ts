import { Level } from '../../../engine/definitions/level';
import { joinNames } from '../../../engine/formats/join-names';
import type { Actor } from '../../../engine/access/actor';
import type { Definition } from '../../../engine/definitions/definition';
import { RequestContext } from '../../access/request-context';
import { NotFound } from '../../errors/errors';
import { explain, type Question } from './explain';
import { loadRolePermissions } from './grants';
import { loadRecordFacts } from './record-facts';

/** A role whose users may be among those who are allowed. */
export interface CandidateRole {
  readonly id: number;
  readonly role_name: string;
  readonly key: string;
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
 * Describes who is allowed to do something: users whom a rule allows individually, and roles that are always allowed.
 * `people` loads users by ids, if the caller can see them; `company` is the company of the question, and
 * `distinguishCompanies` whether the asked user is denied because it is not theirs.
 */
export async function describeAllowed(
  context: RequestContext,
  definition: Definition,
  question: Question,
  roles: readonly CandidateRole[],
  company: number | null,
  distinguishCompanies: boolean,
  people: (ids: readonly number[]) => Promise<readonly CandidateUser[]>,
): Promise<string> {
  const { program } = context;
  const grants = await loadRolePermissions(
    program.database.kysely,
    roles.map(({ id }) => id),
  );
  const explainFor = async (actor: Actor, roleName: string) => {
    try {
      return await explain(
        { context: new RequestContext(program, actor, context.timeZone), definition },
        question,
        roleName,
      );
    } catch (error) {
      if (error instanceof NotFound) return { allowed: false, rule: null };
      throw error;
    }
  };
  const [unrestrictedRoles, restrictedRoles] = [new Set<number>(), new Set<number>()];
  for (const { id, level, key, role_name } of roles) {
    // No user has the id 0: what is allowed to it is allowed to everyone.
    const placeholderActor = {
      id: 0,
      role_id: id,
      role: key,
      roles: roles.map(({ key, role_name: name, level }) => ({ key, name, level })),
      level,
      site_id: level === Level.Installation ? null : company,
      permissions: grants.get(id) ?? {},
    };
    const { allowed: isAllowed, rule } = await explainFor(placeholderActor, role_name);
    // A rule that this record satisfies narrows nothing; without a record, the rule decides for each record.
    if (isAllowed) (question.id === undefined && rule !== null ? restrictedRoles : unrestrictedRoles).add(id);
  }

  const names: string[] = [];
  if (question.id !== undefined) {
    const rules = definition.rules.filter((rule) => rule.actions.includes(question.action));
    const { people: ids } = await loadRecordFacts({ context, definition }, rules, question.id);
    for (const { actor, name, role_name } of await people(ids.slice(0, mostPeople))) {
      if (!unrestrictedRoles.has(actor.role_id) && (await explainFor(actor, role_name)).allowed) names.push(name);
    }
  }
  const freely = [...names, ...describeRoles(unrestrictedRoles, roles, distinguishCompanies)];
  const byRules = describeRoles(restrictedRoles, roles, distinguishCompanies);
  const parts = [
    ...(freely.length > 0 ? [`for ${joinNames(freely)}`] : []),
    ...(byRules.length > 0 ? [`by row rules for ${joinNames(byRules)}`] : []),
  ];
  return `Allowed ${joinNames(parts) || 'for nobody'}.`;
}

/**
 * Those who have one of `ids` among the roles: `anyone with the role Manager or QA`. Nothing for none.
 * `distinguishCompanies`: the asked user is of another company than the record, so those of the record's company are
 * told from the rest.
 */
function describeRoles(
  ids: ReadonlySet<number>,
  roles: readonly CandidateRole[],
  distinguishCompanies: boolean,
): string[] {
  const allowedRoles = roles.filter(({ id }) => ids.has(id));
  if (allowedRoles.length === roles.length && roles.length > 1)
    return [distinguishCompanies ? 'everybody of its company' : 'everybody'];
  const describeGroup = (groupRoles: readonly CandidateRole[], suffix = '') =>
    groupRoles.length > 0 ? [`anyone${suffix} with the role ${joinNames(namesOf(groupRoles), 'or')}`] : [];
  if (!distinguishCompanies) return describeGroup(allowedRoles);
  const installation = allowedRoles.filter(({ level }) => level === Level.Installation);
  const companyRoles = allowedRoles.filter(({ level }) => level !== Level.Installation);
  return [...describeGroup(installation), ...describeGroup(companyRoles, ' of its company')];
}

const namesOf = (roles: readonly CandidateRole[]) => roles.map(({ role_name }) => role_name);
