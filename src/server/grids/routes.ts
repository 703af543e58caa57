import type { FastifyInstance } from 'fastify';
import { BadRequest } from '../errors/errors';
import type { Program } from '../program';
import { accessOf } from '../accounts/session/authenticate';
import { typedApi } from '../routing/define-call';
import { requestContextOf } from '../accounts/session/caller-context';
import { gridCalls } from './calls';
import { assertValidConfiguration, gridNameProblem } from './configuration';
import { changeFirstView, readFirstView } from './first-view';
import { onEngineTables } from '../database/engine-tables';
import { noCompany } from '../sql/company-key';

/**
 * `GET` and `POST grid-configurations`: the columns that the signed-in user chose, grid by grid. `GET` and `PUT first-view`: the
 * view that a list opens with for them.
 */
export function registerGridConfigurations(app: FastifyInstance, program: Program): void {
  const grids = typedApi(app);
  const { database, definitions } = program;
  const engineTables = () => onEngineTables(database.kysely);

  grids.get('/grid-configurations', gridCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    const { name } = request.query;
    const problem = gridNameProblem(definitions.registry(), name);
    if (problem !== undefined) throw new BadRequest(problem);
    const configurationRow = await engineTables()
      .selectFrom('grid_configurations')
      .select('configuration')
      .where('user_id', '=', actor.id)
      .where('name', '=', name)
      .executeTakeFirst();
    return { data: { name, configuration: configurationRow?.configuration ?? [] } };
  });

  grids.post('/grid-configurations', gridCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    const { name, configuration } = request.body;
    assertValidConfiguration(definitions.registry(), { name, configuration });
    const text = JSON.stringify(configuration);
    await engineTables()
      .insertInto('grid_configurations')
      .values({ site_id: actor.site_id ?? noCompany, user_id: actor.id, name, configuration: text })
      .onConflict((conflict) => conflict.columns(['user_id', 'name', 'site_id']).doUpdateSet({ configuration: text }))
      .execute();
    return { data: { name, configuration } };
  });

  grids.get('/first-view', gridCalls.readFirst, async (request) => {
    const { name } = request.query;
    return { data: { name, view: await readFirstView(await requestContextOf(program, request), name) } };
  });

  grids.put('/first-view', gridCalls.changeFirst, async (request) => {
    const { name, view } = request.body;
    await changeFirstView(await requestContextOf(program, request), name, view);
    return { data: { name, view } };
  });
}
