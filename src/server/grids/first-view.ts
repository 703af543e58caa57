import { parseId } from '../../engine/field-types/relation';
import { sql } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import { realUser } from '../../engine/access/actor';
import type { RequestContext } from '../access/request-context';
import { BadRequest, Invalid, NotFound } from '../errors/errors';
import { readRecord } from '../records/read/read';
import { noCompany } from '../sql/company-key';

/** The view that a list opens with for the person who calls, whoever they view as: its id or its name in the definition; null: they chose none. */
export async function readFirstView(context: RequestContext, name: string): Promise<string | null> {
  listOf(context, name);
  const { rows } = await sql<{ view: string | null }>`select first_view as view from assay.grid_configurations
    where user_id = ${realUser(context.actor).id} and name = ${name}`.execute(context.program.database.kysely);
  return rows[0]?.view ?? null;
}

/** Stores the caller's choice: a view of this list that they may see, or null for none. */
export async function changeFirstView(context: RequestContext, name: string, view: string | null): Promise<void> {
  const definition = listOf(context, name);
  if (view !== null && !definition.list.saved.some((savedView) => savedView.name === view))
    await assertSaved(context, name, view);
  await sql`insert into assay.grid_configurations (site_id, user_id, name, first_view)
    values (${context.actor.site_id ?? noCompany}, ${context.actor.id}, ${name}, ${view})
    on conflict (user_id, name, site_id) do update set first_view = excluded.first_view`.execute(
    context.program.database.kysely,
  );
}

function listOf({ registry, actor }: RequestContext, name: string) {
  const definition = registry.get(name);
  if (!definition || !isGranted(actor, name, 'list'))
    throw new BadRequest(`You have no list named ${name.slice(0, 63)}.`);
  return definition;
}

/** A view that is not shared with the caller reads like one that there is not. */
async function assertSaved(context: RequestContext, name: string, view: string): Promise<void> {
  const views = context.registry.get('views');
  const id = parseId(view);
  const fieldOfPath =
    views && id !== undefined && isGranted(context.actor, 'views', 'view')
      ? await readRecord({ context, definition: views }, id, new Set(['id', 'module'])).catch((error: unknown) => {
          if (error instanceof NotFound) return undefined;
          throw error;
        })
      : undefined;
  if (fieldOfPath?.module !== name)
    throw new Invalid({ view: `There is no view ${view.slice(0, 63)} of this list, or it is not shared with you.` });
}
