import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/decide';
import { reach } from '../access/reach';
import { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Program } from '../program';

/** How far the setup of a company has come: its clients and projects, those in the archive too. */
export interface Totals {
  readonly totalClients: number;
  readonly totalProjects: number;
}

/** Counts the records that the actor can list; 0 without the grant. */
export async function totalsOf(program: Program, actor: Actor): Promise<Totals> {
  const context = new RequestContext(program, actor);
  const [totalClients, totalProjects] = await Promise.all([count(context, 'clients'), count(context, 'projects')]);
  return { totalClients, totalProjects };
}

async function count(context: RequestContext, name: string): Promise<number> {
  const definition = context.registry.need(name);
  if (!isGranted(context.actor, name, 'list')) return 0;
  const where = reach(context, definition, 'list', { archived: 'any' });
  const { count } = await context.program.database.kysely
    .selectFrom(definition.table)
    .select(sql<number>`count(*)`.as('count'))
    .where(predicateToSql(where, definition, definition.table, context.registry, context.surroundings))
    .executeTakeFirstOrThrow();
  return count;
}
