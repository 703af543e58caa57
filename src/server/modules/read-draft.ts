import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { parseId } from '../../engine/field-types/relation';
import { RequestContext } from '../access/request-context';
import { parseViewAsHeader } from '../accounts/view-as/view-as-header';
import { resolveViewed } from '../accounts/view-as/viewed-actor';
import { aggregateRecords } from '../aggregates/aggregate-records';
import { countTree } from '../aggregates/count-tree';
import type { LiveDefinitions } from '../definitions/live-definitions';
import { NotFound } from '../errors/errors';
import { listChoices, listFilterChoices } from '../records/choices/choices';
import { listRecords } from '../records/read/list';
import { parseRequestedFields, parseResponse, readRecordResponse } from '../records/read/read';
import { contentRange } from '../routing/content-range';
import { draftTables } from '../sync/draft-tables';
import { assertNoProblems } from './change-modules';
import { draftDatabase } from './draft-database';
import { parseDraft } from './plan-draft';
import { asTrial } from './trial-registry';

/** A reading request to the API, answered as if a draft were in force. */
export interface DraftRead {
  readonly definition: unknown;
  /** The user or role that it is read as, in the form of X-View-As; otherwise the caller. */
  readonly as?: string;
  /** The path of a list, a record, an aggregate, a tree or choices, with its query. */
  readonly path: string;
}

/** The answer to a reading request: its body, and its Content-Range. */
export interface ReadAnswer {
  readonly body: unknown;
  readonly range?: string;
}

/** Definitions with a draft, and the tables that it changes, as they would be. */
interface DraftWorld {
  readonly registry: Registry;
  readonly isNew: boolean;
  readonly tables: ReadonlyMap<string, string>;
}

/** Milliseconds for one statement, and for a lock that publishing holds: the preview is read while somebody edits. */
const [statementLimit, lockLimit] = [3_000, 1_000];
/** The latest drafts that are not validated again. */
const maxWorlds = 8;

/** By the definitions in force, since a draft means something else among others. */
const worlds = new WeakMap<Registry, LRUCache<string, Promise<DraftWorld>>>();

/**
 * Answers a reading request as the API would if a draft were published, by the same code, from the stored rows as
 * publishing would leave them. Its transaction is read-only, so nothing can be stored, and it waits for no other and
 * no other waits for it. Throws what the request would, Invalid for a draft with faults, and NotFound for other paths.
 */
export async function readDraft(
  caller: RequestContext,
  name: string,
  { definition, as: viewedName, path }: DraftRead,
): Promise<ReadAnswer> {
  const { program, timeZone } = caller;
  const world = await draftWorld(program.definitions, name, definition);
  const viewContext =
    viewedName === undefined ? caller : await resolveViewed(program, caller.actor, parseViewAsHeader(viewedName));
  const actor = world.isNew ? withDefaultGrants(viewContext.actor, world.registry.getOrThrow(name)) : viewContext.actor;
  return program.database.transaction(async (trx) => {
    await sql`set transaction read only`.execute(trx);
    await sql
      .raw(`set local statement_timeout = ${statementLimit}; set local lock_timeout = ${lockLimit}`)
      .execute(trx);
    const { database, end } = draftDatabase(program.database, trx, world.tables);
    const definitions = { ...program.definitions, registry: () => world.registry };
    try {
      return await answerRead(new RequestContext({ ...program, definitions, database }, actor, timeZone), path);
    } finally {
      end();
    }
  });
}

function draftWorld(definitions: LiveDefinitions, name: string, draft: unknown): Promise<DraftWorld> {
  const { text } = parseDraft(draft, name);
  const registry = definitions.registry();
  let worldsByText = worlds.get(registry);
  if (!worldsByText) worlds.set(registry, (worldsByText = new LRUCache({ max: maxWorlds })));
  const storedWorld = worldsByText.get(text);
  if (storedWorld) return storedWorld;
  const world = definitions.dryRun(async (stage) => {
    const proposal = stage.propose(name, text);
    assertNoProblems(name, proposal);
    const { registry: currentRegistry } = stage.current;
    const tables = await draftTables(stage.trx, name, currentRegistry, proposal.registry);
    return { registry: asTrial(proposal.registry), isNew: !currentRegistry.get(name), tables };
  });
  worldsByText.set(text, world);
  world.catch(() => worldsByText.delete(text));
  return world;
}

/** Grants of a new module are stored when it is published. */
function withDefaultGrants(actor: Actor, definition: Definition): Actor {
  const { level, permissions, viewer } = actor;
  const { name, grants } = definition;
  return {
    ...actor,
    permissions: { ...permissions, [name]: grants[level] },
    ...(viewer && { viewer: withDefaultGrants(viewer, definition) }),
  };
}

async function answerRead(context: RequestContext, path: string): Promise<ReadAnswer> {
  const { steps, query } = parsePath(path);
  const [resource = '', kind, field, ...otherSteps] = steps;
  const definition = context.registry.get(resource);
  if (!definition || otherSteps.length > 0) throw new NotFound();
  if (kind === 'choices') {
    const page =
      field === undefined
        ? await listFilterChoices(context, definition, query)
        : await listChoices({ context, definition }, field, query);
    return { body: { data: page.records }, range: contentRange('choices', page) };
  }
  if (field !== undefined) throw new NotFound();
  if (kind === undefined) {
    const page = await listRecords(context, definition, query);
    return { body: page.records, range: contentRange(definition.name, page) };
  }
  if (kind === 'aggregate') {
    const page = await aggregateRecords(context, definition, query);
    const body = { data: page.records, ...(page.totals && { totals: page.totals }) };
    return { body, range: contentRange('groups', page) };
  }
  if (kind === 'tree') return { body: { data: await countTree(context, definition, query) } };
  const id = parseId(kind);
  if (id === undefined) throw new NotFound();
  const fields = parseRequestedFields(definition, 'one', query.fields);
  return { body: parseResponse(await readRecordResponse({ context, definition }, id, fields)) };
}

/** The steps of a path, and its query as HTTP would give it. Throws NotFound. */
function parsePath(path: string): { readonly steps: readonly string[]; readonly query: Record<string, unknown> } {
  const [steps = '', text = ''] = path.split(/\?(.*)/s);
  const parameters = new URLSearchParams(text);
  const names = [...new Set(parameters.keys())].filter((name) => name !== 'envelope');
  const values = names.map((name) => [name, parameters.getAll(name)] as const);
  const query = Object.fromEntries(
    values.map(([name, parameterValues]) => [
      name,
      parameterValues.length === 1 ? parameterValues[0] : parameterValues,
    ]),
  );
  try {
    return { steps: steps.replace(/^\//, '').split('/').map(decodeURIComponent), query };
  } catch {
    throw new NotFound();
  }
}
