import type { FastifyInstance } from 'fastify';
import { BadRequest } from '../errors/errors';
import type { Program } from '../program';
import { accessOf } from '../accounts/session/authenticate';
import { gridCalls } from './calls';
import { validateGridName, parseGridConfiguration } from './configuration';

/** `GET` and `POST grid-configurations`: the columns that the signed-in user chose, grid by grid. */
export function registerGridConfigurations(app: FastifyInstance, program: Program): void {
  const { database, definitions } = program;
  const kept = () => database.kysely.withSchema('assay');

  app.get<{ Querystring: Record<string, unknown> }>('/grid-configurations', gridCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    const name = validateGridName(definitions.registry(), request.query.name);
    if (!name.ok) throw new BadRequest(name.message);
    const found = await kept()
      .selectFrom('grid_configurations')
      .select('configuration')
      .where('user_id', '=', actor.id)
      .where('name', '=', name.name)
      .executeTakeFirst();
    return { data: { name: name.name, configuration: found?.configuration ?? [] } };
  });

  app.post('/grid-configurations', gridCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    const { name, configuration } = parseGridConfiguration(definitions.registry(), request.body);
    const text = JSON.stringify(configuration);
    await kept()
      .insertInto('grid_configurations')
      .values({ user_id: actor.id, name, configuration: text })
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ configuration: text }))
      .execute();
    return { data: { name, configuration } };
  });
}
