import type { FastifyInstance } from 'fastify';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { typedApi } from '../../routing/define-call';
import { accessOf } from '../session/authenticate';
import { preferenceCalls, type Preferences } from './preference-calls';

const defaultPreferences: Preferences = { formats: null, week_start: null, density: null };

/** `PATCH preferences`: the caller's own. `GET me` says them. */
export function registerPreferences(app: FastifyInstance, program: Program): void {
  typedApi(app).patch('/preferences', preferenceCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    await onEngineTables(program.database.kysely)
      .insertInto('user_preferences')
      .values({ ...defaultPreferences, ...request.body, user_id: actor.id })
      .onConflict((conflict) =>
        // Without a change there is nothing to set, which is no statement.
        conflict.column('user_id').doUpdateSet({ user_id: actor.id, ...request.body }),
      )
      .execute();
    return { data: await preferencesOf(program, actor.id) };
  });
}

/** The preferences of a user. */
export async function preferencesOf(program: Program, user: number): Promise<Preferences> {
  const preferenceRow = await onEngineTables(program.database.kysely)
    .selectFrom('user_preferences')
    .select(['formats', 'week_start', 'density'])
    .where('user_id', '=', user)
    .executeTakeFirst();
  return { ...defaultPreferences, ...(preferenceRow as Preferences | undefined) };
}
