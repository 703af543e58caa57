import { parseId } from '../../engine/field-types/relation';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { accessFilter, assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import type { Transaction } from '../../server/database/database';
import { Invalid } from '../../server/errors/errors';
import { insertRecord } from '../../server/records/write/create';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { idOf } from '../../engine/definitions/accessors';

/** Where results go. */
export interface Targets {
  readonly project: { readonly id: number; readonly site_id: number };
  readonly configuration: number | null;
  readonly milestone: number | null;
}

/** The targets of an upload's results: names, or ids of records. */
export interface WantedTargets {
  readonly project: string;
  readonly configuration?: string;
  readonly milestone?: string;
}

/**
 * Finds project, configuration and milestone among those that the caller may list; a configuration that is not there is
 * added. Throws Forbidden and Invalid.
 */
export async function findTargets(
  context: RequestContext,
  wantedTargets: WantedTargets,
  trx: Transaction,
): Promise<Targets> {
  const { id, site_id } = await findProject(context, wantedTargets.project, trx);
  const milestone =
    wantedTargets.milestone === undefined ? null : await findMilestone(context, id, wantedTargets.milestone, trx);
  const configuration =
    wantedTargets.configuration === undefined
      ? null
      : await findConfiguration(context, site_id, wantedTargets.configuration, trx);
  return { project: { id, site_id }, configuration, milestone };
}

/** The project with this id, name or code among those that the caller may list. Throws Forbidden and Invalid. */
export async function findProject(
  context: RequestContext,
  text: string,
  trx: Transaction,
): Promise<Targets['project']> {
  const [project] = await find(context, 'projects', ['name', 'code'], text, trx);
  if (!project) throw new Invalid({ project: `There is no project "${text}". Give its id, name or code.` });
  return project as unknown as Targets['project'];
}

async function findMilestone(context: RequestContext, project: number, text: string, trx: Transaction) {
  const milestones = await find(context, 'milestones', ['name'], text, trx);
  const ownMilestone = milestones.find((milestone) => milestone.project_id === project);
  if (!ownMilestone) throw new Invalid({ milestone: `The project has no milestone "${text}". Give its id or name.` });
  return idOf(ownMilestone);
}

/**
 * The configuration of the company with this id or name among those that the caller may list; it is added if it is not
 * there. Throws Forbidden.
 */
async function findConfiguration(
  context: RequestContext,
  company: number,
  text: string,
  trx: Transaction,
): Promise<number> {
  const findIt = async () => {
    const configurations = await find(context, 'configurations', ['name'], text, trx);
    return configurations.find(({ site_id }) => site_id === company)?.id as number | undefined;
  };
  const existingId = await findIt();
  if (existingId !== undefined) return existingId;
  // Of several uploads that bring the same one, the first adds it and the others find it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`configurations ${company} ${text.toLowerCase()}`}, 0))`.execute(
    trx,
  );
  const addedId = await findIt();
  if (addedId !== undefined) return addedId;
  const definition = context.registry.getOrThrow('configurations');
  assertGranted(context, definition, 'create');
  return insertRecord({ context, definition, trx }, { values: { name: text, site_id: company }, errors: {}, kept: [] });
}

/** The records that the caller may list with this id or, in any case of letters, this name; those with the id first. */
async function find(
  context: RequestContext,
  resource: string,
  names: readonly string[],
  text: string,
  trx: Transaction,
): Promise<ResourceRecord[]> {
  const definition = context.registry.getOrThrow(resource);
  const visibleRecords = accessFilter(context, definition, 'list');
  const condition = predicateToSql(visibleRecords, definition, 't', context.registry, context.evaluationContext);
  const id = parseId(text) ?? null;
  const nameConditions = names.map((name) => sql`lower(${sql.id('t', name)}) = lower(${text})`);
  const { rows } = await sql<ResourceRecord>`select t.* from ${sql.id('public', definition.table)} t
    where ${condition} and (t.id = ${id} or ${sql.join(nameConditions, sql` or `)})
    order by (t.id = ${id}) desc nulls last, t.id limit 50`.execute(trx);
  return rows;
}
