import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import type { Definition } from '../../../engine/definitions/definition';
import { assertGranted, accessFilter, visibleRowsFilter } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { RequestContext } from '../../access/request-context';
import { titleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { BadRequest, NotFound } from '../../errors/errors';
import { describeAllowed, type CandidateUser, type CandidateRole } from './permission-candidates';
import type { PermissionQuery } from './permission-calls';
import { findServiceAccount } from '../service-accounts/service-users';
import { explain, type Explanation, type Question } from './explain';
import { findAccountById, createActor, type Account } from '../users/accounts';
import { idOf } from '../../../engine/definitions/accessors';

/** An explanation with its subject. */
interface Answer extends Explanation {
  /** Who else is allowed, as text; null if the caller cannot know. */
  readonly allowedFor: string | null;
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly role_id: number;
    readonly role_name: string;
    readonly level: number;
  };
  readonly record: { readonly id: number; readonly title: string } | null;
}

/**
 * `GET permissions/why`: explains step by step whether a user can do something. Throws BadRequest, NotFound.
 */
export async function explainPermission(context: RequestContext, query: PermissionQuery): Promise<Answer> {
  const { definition, userId, serviceAccountId, ...question } = readQuestion(context, query);
  const record = question.id === undefined ? undefined : await findVisibleRecord(context, definition, question.id);
  const subject =
    serviceAccountId === undefined
      ? await findUser(context, userId)
      : await findServiceSubject(context, serviceAccountId);
  const subjects = { user: subject.user, record: record ? { id: idOf(question), title: record.title ?? '' } : null };
  if (!subject.actor) {
    const reason = 'The account is not active.';
    const steps = [
      { kind: 'grant', outcome: 'failed', text: reason },
      { kind: 'row', outcome: 'notReached', text: 'Not reached' },
      { kind: 'field', outcome: 'notReached', text: 'Not reached' },
    ] as const;
    return { allowed: false, reason, grant: null, rule: null, steps, allowedFor: null, ...subjects };
  }
  const subjectContext = new RequestContext(context.program, subject.actor, context.timeZone);
  const explanation = await explain({ context: subjectContext, definition }, question, subject.user.role_name);
  return {
    ...explanation,
    allowedFor: await describeOthers({ context, definition }, question, {
      company: record?.site_id ?? subject.actor.site_id,
      distinguishCompanies:
        explanation.steps.some(({ kind, outcome }) => kind === 'company' && outcome === 'failed') && !!record?.site_id,
    }),
    ...subjects,
  };
}

/** Whom a question is about; without an actor while they cannot do anything at all. */
interface Subject {
  readonly user: Answer['user'];
  readonly actor: Actor | undefined;
}

async function findUser(context: RequestContext, userId: number): Promise<Subject> {
  if (userId !== context.actor.id) {
    assertGranted(context, context.registry.getOrThrow('roles'), 'view');
    await findVisibleRecord(context, context.registry.getOrThrow('users'), userId);
  }
  const { kysely } = context.program.database;
  const account = await findAccountById(kysely, userId);
  if (!account) throw new NotFound();
  const { id, role_id, role_name, level } = account;
  return {
    user: { id, name: nameOf(account), role_id, role_name, level },
    actor: account.canSignIn ? await createActor(kysely, account) : undefined,
  };
}

async function findServiceSubject(context: RequestContext, accountId: number): Promise<Subject> {
  assertGranted(context, context.registry.getOrThrow('roles'), 'view');
  await findVisibleRecord(context, context.registry.getOrThrow('service-accounts'), accountId);
  const account = await findServiceAccount(context.program.database.kysely, accountId);
  if (!account) throw new NotFound();
  const { id, role_id, level } = account.actor;
  return {
    user: { id, name: account.name, role_id, role_name: account.role_name, level },
    actor: account.isActive ? account.actor : undefined,
  };
}

/** Who is allowed, as far as the caller can see roles and users. */
async function describeOthers(
  { context, definition }: RecordScope,
  question: Question,
  { company, distinguishCompanies }: { company: number | null; distinguishCompanies: boolean },
) {
  const { actor, registry } = context;
  const [roles, users] = [registry.getOrThrow('roles'), registry.getOrThrow('users')];
  if (!isGranted(actor, roles.name, 'view') || !isGranted(actor, users.name, 'view')) return null;
  const { kysely } = context.program.database;
  const site = actor.level === Level.Installation ? company : actor.site_id;
  const rows = await kysely
    .selectFrom(roles.table)
    .select(['id', 'role_name', 'key', 'level'])
    .where(
      predicateToSql(accessFilter(context, roles, 'view'), roles, roles.table, registry, context.evaluationContext),
    )
    .where((eb) => eb.or([eb('site_id', 'is', null), eb('site_id', '=', site)]))
    .orderBy('level')
    .orderBy('id')
    .limit(40)
    .execute();
  const people = async (ids: readonly number[]): Promise<CandidateUser[]> => {
    const accounts = await Promise.all(ids.map((id) => findAccountById(kysely, id)));
    const visibleAccounts = accounts.flatMap((account) =>
      account?.canSignIn && (actor.level === Level.Installation || account.site_id === actor.site_id) ? [account] : [],
    );
    return Promise.all(
      visibleAccounts.map(async (account) => ({
        actor: await createActor(kysely, account),
        name: nameOf(account),
        role_name: account.role_name,
      })),
    );
  };
  return describeAllowed(context, definition, question, rows as CandidateRole[], site, distinguishCompanies, people);
}

const nameOf = ({ first_name, last_name }: Account) => [first_name, last_name].filter(Boolean).join(' ');

interface VisibleRecord {
  readonly title: string | null;
  readonly site_id: number | null;
}

/** A record's title and company. Throws NotFound if the caller cannot see it, so that nothing is revealed. */
async function findVisibleRecord(context: RequestContext, definition: Definition, id: number): Promise<VisibleRecord> {
  const { actor, registry, evaluationContext } = context;
  const action = (['view', 'list'] as const).find((possibleAction) =>
    isGranted(actor, definition.name, possibleAction),
  );
  if (!action) throw new NotFound();
  const rowCondition = predicateToSql(
    visibleRowsFilter(context, definition, action),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const company = definition.fields.site_id ? sql.id('t', 'site_id') : sql`null::bigint`;
  const { rows } =
    await sql<VisibleRecord>`select ${titleSql(definition, 't', registry)} as title, ${company} as site_id
    from ${sql.id('public', definition.table)} t where t.id = ${id} and ${rowCondition}`.execute(
      context.program.database.kysely,
    );
  if (!rows[0]) throw new NotFound();
  return rows[0];
}

function readQuestion({ registry, actor }: RequestContext, query: PermissionQuery) {
  const { module, action, user_id: userId = actor.id, service_account_id: serviceAccountId, id, field } = query;
  const definition = registry.get(module);
  if (!definition) throw new BadRequest('module must be the name of a module.');
  if (field !== undefined && !Object.hasOwn(definition.fields, field)) {
    throw new BadRequest(`field must be a field of ${definition.labels.many}.`);
  }
  return { definition, userId, serviceAccountId, action, id, field };
}
