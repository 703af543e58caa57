import { sql } from 'kysely';
import type { Actor } from '../engine/access/actor';
import { isGranted } from '../engine/access/access-decision';
import { accessFilter } from '../server/access/access-filter';
import { RequestContext } from '../server/access/request-context';
import { predicateToSql } from '../server/sql/predicate-to-sql';
import type { Program } from '../server/program';

/** How far the setup of a company has come: its clients and projects, those in the archive too. */
export interface SetupTotals {
  readonly totalClients: number;
  readonly totalProjects: number;
}

/** Counts the records that the actor can list; 0 without the grant. */
export async function countSetupTotals(program: Program, actor: Actor): Promise<SetupTotals> {
  const context = new RequestContext(program, actor);
  const [totalClients, totalProjects] = await Promise.all([
    countRecords(context, 'clients'),
    countRecords(context, 'projects'),
  ]);
  return { totalClients, totalProjects };
}

async function countRecords(context: RequestContext, name: string): Promise<number> {
  const definition = context.registry.getOrThrow(name);
  if (!isGranted(context.actor, name, 'list')) return 0;
  const visibleRows = accessFilter(context, definition, 'list', { archived: 'any' });
  const { count } = await context.program.database.kysely
    .withSchema('public')
    .selectFrom(definition.table)
    .select(sql<number>`count(*)`.as('count'))
    .where(predicateToSql(visibleRows, definition, definition.table, context.registry, context.evaluationContext))
    .executeTakeFirstOrThrow();
  return count;
}
