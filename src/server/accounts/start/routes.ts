import { sql } from 'kysely';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isGranted } from '../../../engine/access/access-decision';
import { companyRowsFilter } from '../../access/access-filter';
import { RequestContext } from '../../access/request-context';
import type { Program } from '../../program';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { accessOf } from '../session/authenticate';
import { startCalls, type Start } from './calls';
import { createSample, hasSample, removeSample, sampleFor } from './sample';
import { itemAt } from '../../../engine/values/lookups';

/** `GET start`, `POST sample`, `DELETE sample`: the first steps of the caller's company. */
export function registerStart(app: FastifyInstance, program: Program): void {
  const contextOf = async (request: FastifyRequest) =>
    new RequestContext(program, (await accessOf(program, request)).actor);

  app.get('/start', startCalls.read, async (request) => ({ data: await startOf(await contextOf(request)) }));

  app.post('/sample', startCalls.create, async (request) => {
    const context = await contextOf(request);
    await createSample(context);
    return { data: await startOf(context) };
  });

  app.delete('/sample', startCalls.remove, async (request) => {
    const context = await contextOf(request);
    await removeSample(context);
    return { data: await startOf(context) };
  });
}

async function startOf(context: RequestContext): Promise<Start> {
  const { program, actor, registry } = context;
  const site = actor.site_id;
  const availableSteps = (program.product.start?.steps ?? []).filter(
    ({ resource }) => registry.get(resource) && mayBegin(context, resource),
  );
  if (site === null || availableSteps.length === 0) return { steps: [], sample: null, hasColleagues: true };
  const [completedSteps, created, hasColleagues] = await Promise.all([
    Promise.all(availableSteps.map(({ resource }) => hasRecords(context, resource))),
    hasSample(program.database.kysely, site),
    hasOthers(context),
  ]);
  const sample = sampleFor(context, created ? 'delete' : 'create');
  return {
    steps: availableSteps.map(({ resource, text = null }, index) => ({
      resource,
      text,
      done: itemAt(completedSteps, index),
    })),
    sample: sample ? { label: sample.label, text: sample.text, created } : null,
    hasColleagues,
  };
}

const mayBegin = ({ actor }: RequestContext, resource: string) =>
  isGranted(actor, resource, 'create') && isGranted(actor, resource, 'list');

/** Also where row rules hide all of them from the caller: a company that has some does not begin. */
async function hasRecords(context: RequestContext, resource: string): Promise<boolean> {
  const { program, registry, evaluationContext } = context;
  const definition = registry.getOrThrow(resource);
  const companyRows = companyRowsFilter(context, definition);
  const firstRows = await program.database.kysely
    .withSchema('public')
    .selectFrom(definition.table)
    .select(sql<number>`1`.as('found'))
    .where(predicateToSql(companyRows, definition, definition.table, registry, evaluationContext))
    .limit(1)
    .execute();
  return firstRows.length > 0;
}

async function hasOthers({ program, actor }: RequestContext): Promise<boolean> {
  const { rows } = await sql`select from public.users where site_id = ${actor.site_id} and id <> ${actor.id}
    and deleted_at is null limit 1`.execute(program.database.kysely);
  return rows.length > 0;
}
