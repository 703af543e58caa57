// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import type { Definition } from '../../src/engine/definitions/definition';
import { columnTypeOf } from '../../src/engine/field-types';
import { findAccountById, createActor } from '../../src/server/accounts/users/accounts';
import { visibleEvents } from '../../src/server/events/visible-events';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../support/program';

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

let demo: DemoProgram;
let definitions: Definition[];
/** Every row there is, by resource. */
const stored = new Map<string, readonly Row[]>();
const viewers = new Map<string, Viewer>();

interface Viewer {
  readonly call: Client;
  readonly actor: Actor;
  /** What its lists answer, archived records too; nothing of what it may not list. */
  readonly listed: ReadonlyMap<string, ReadonlySet<number>>;
  /** What the records that it lists relate to: that stands beside them, by its title. */
  readonly named: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A mark for each record, in its title: wherever an answer shows one, it tells of that record. */
const markOf = ({ table }: Definition, id: number | string) => `zz${table}q${id}zz`;
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const idsIn = (body: unknown): number[] => {
  const rows = Array.isArray(body) ? body : (body as { data?: unknown }).data;
  return Array.isArray(rows) ? (rows as Row[]).map(({ id }) => id) : [];
};

beforeAll(async () => {
  demo = await startFixtureProgram();
  const { kysely } = demo.program.database;
  definitions = [...demo.program.definitions.registry().definitions.values()];
  const calls = new Map<string, Client>();
  for (const [name, email] of Object.entries(accounts)) calls.set(name, await demo.signIn(email));
  const restricted = await demo.restricted();
  await restricted.grant(['shots.list', 'shots.view', 'shots.edit', 'imports.list', 'imports.view', 'roles.view']);
  calls.set('restricted', restricted.call);

  await sql`insert into imports (site_id, type, file_key, state, created_by, created_at)
    select 1, type, 'key-of-' || type, 'done', (select id from users where email = ${accounts.owner}), now()
    from unnest(array['users', 'shots']) type`.execute(kysely);
  await sql`update urgencies set created_by = (select id from users where email = ${accounts.admin})`.execute(kysely);
  for (const definition of definitions) {
    const title = [definition.titleField, 'last_name'].find((name) => {
      const field = definition.fields[name];
      return field && field.computed === undefined && columnTypeOf(field) === 'text' && field.type !== 'email';
    });
    const [before, after] = markOf(definition, ' ').split(' ') as [string, string];
    const table = sql.id('public', definition.table);
    if (title !== undefined && !definition.system)
      await sql`update ${table} set ${sql.id(title)} = ${before}::text || id || ${after}::text`.execute(kysely);
    if (definition.fields.email?.unique)
      await sql`update ${table} set email = ${'zzmailq'}::text || id || 'zz@people.test'`.execute(kysely);
    const { rows } = await sql<Row>`select * from ${table} order by id`.execute(kysely);
    stored.set(definition.name, rows);
  }
  for (const [name, call] of calls) viewers.set(name, await viewerOf(call));
});
afterAll(() => demo?.close());

async function viewerOf(call: Client): Promise<Viewer> {
  const { kysely } = demo.program.database;
  const me = await call<{ data: { user: { id: number } } }>('GET', '/me');
  const actor = await createActor(kysely, (await findAccountById(kysely, me.body.data.user.id))!);
  const listed = new Map<string, Set<number>>();
  const named = new Map<string, Set<number>>(definitions.map(({ name }) => [name, new Set()]));
  for (const definition of definitions) {
    const ids = new Set<number>();
    for (const query of ['', ...(definition.archive ? ['&archive=1'] : [])]) {
      const answer = await call('GET', `/${definition.name}?fields=id${query}`);
      if (answer.status === 200) for (const id of idsIn(answer.body)) ids.add(id);
    }
    listed.set(definition.name, ids);
    const rows = stored.get(definition.name)!.filter(({ id }) => ids.has(id));
    for (const field of Object.values(definition.fields)) {
      if (!field.to || rows.length === 0) continue;
      const pairs = sql.id('public', `${definition.table}__${field.name}`);
      const targets =
        field.type === 'relations'
          ? (
              await sql<{
                id: number;
              }>`select target_id as id from ${pairs} where record_id = any(${[...ids]}::bigint[])`.execute(kysely)
            ).rows.map(({ id }) => id)
          : rows.map((row) => row[field.name]);
      for (const id of targets) if (typeof id === 'number') named.get(field.to)!.add(id);
    }
  }
  return { call, actor, listed, named };
}

/** Whether a record is of the viewer's company, or of the installation and shared with all. */
function isOfCompany({ actor }: Viewer, { scope }: Definition, row: Row): boolean {
  if (actor.level === 1 || scope === 'installation') return true;
  if (scope === 'self') return row.id === actor.site_id;
  return row.site_id === actor.site_id || (scope === 'both' && row.site_id === null);
}

const isNarrowed = ({ actor }: Viewer, { rules }: Definition) =>
  rules.some(({ levels, actions, where }) => where && levels!.includes(actor.level) && actions.includes('view'));

/** Archived, deleted, or within something that is: what is hidden there is another matter. */
function isPutAway(definition: Definition, row: Row): boolean {
  if (row.archived_at || row.deleted_at) return true;
  return Object.values(definition.fields).some((field) => {
    const above = field.container && stored.get(field.to!)!.find(({ id }) => id === row[field.name]);
    return above
      ? isPutAway(
          definitions.find(({ name }) => name === field.to)!,
          above,
        )
      : false;
  });
}

/** The records that do not exist for a viewer: of another company, or kept from it by a row rule. */
function hiddenFrom(viewer: Viewer, definition: Definition): Row[] {
  const listed = viewer.listed.get(definition.name)!;
  const isListing = listed.size > 0;
  return stored.get(definition.name)!.filter((row) => {
    if (isPutAway(definition, row)) return false;
    if (!isOfCompany(viewer, definition, row)) return true;
    return isListing && isNarrowed(viewer, definition) && !listed.has(row.id);
  });
}

/** Fails where a text shows the mark of a record that the viewer may not know of, or somebody's address. */
function expectNothingHidden(viewer: Viewer, body: unknown, place: string): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { actor, listed, named } = viewer;
  const around = (found: string) => text.slice(Math.max(0, text.indexOf(found) - 150), text.indexOf(found) + 60);
  for (const [found, table, id] of text.matchAll(/zz([a-z_]+)q(\d+)zz/g)) {
    const isAddress = table === 'mail';
    const definition = definitions.find((one) => one.table === (isAddress ? 'users' : table))!;
    const row = stored.get(definition.name)!.find((one) => one.id === Number(id))!;
    const isKnown =
      isOfCompany(viewer, definition, row) &&
      (!isNarrowed(viewer, definition) ||
        listed.get(definition.name)!.has(row.id) ||
        named.get(definition.name)!.has(row.id) ||
        isColleague(viewer, definition, row));
    const mayWrite = !isAddress || actor.level < 6 || row.id === actor.id;
    if (!isKnown || !mayWrite) expect.fail(`${place} shows ${found}: ${around(found)}`);
  }
}

/** People are known to those with whom they share a film: so says the films' own list. */
function isColleague({ actor, named }: Viewer, definition: Definition, row: Row): boolean {
  return row.id === actor.id && definition.name === 'users' ? true : named.get(definition.name)!.has(row.id);
}

it('lists imports of every type that the caller may list, and of no other', async () => {
  const typesOf = async (name: string, query = '') => {
    const { status, body } = await viewers.get(name)!.call<{ data: { type: string }[] }>('GET', `/imports${query}`);
    return status === 200 ? body.data.map(({ type }) => type).sort() : status;
  };
  expect(await typesOf('owner')).toEqual(['shots', 'users']);
  expect(await typesOf('restricted')).toEqual(['shots']);
  for (const query of ['?type=users', '?type=users&type=shots', '?type=users,shots'])
    expect(await typesOf('restricted', query), query).toBe(403);
  expect(await typesOf('restricted', `?filter=${json({ type: ['users', 'shots'] })}`)).toEqual(['shots']);
  expect((await viewers.get('restricted')!.call<object>('GET', '/imports/1')).status).toBe(404);
});

describe.each([...Object.keys(accounts), 'restricted'])('%s', (name) => {
  const viewer = () => viewers.get(name)!;

  it('lists only records of their company', () => {
    for (const definition of definitions) {
      const ids = viewer().listed.get(definition.name)!;
      const rows = stored.get(definition.name)!.filter(({ id }) => ids.has(id));
      expect(
        rows.filter((row) => !isOfCompany(viewer(), definition, row)),
        definition.name,
      ).toEqual([]);
    }
  });

  it('sees hidden records in no list, record, choice, download, history or figure', async () => {
    const { call, listed } = viewer();
    const check = async (path: string) => {
      const answer = await call('GET', path);
      expect(answer.status, path).toBeLessThan(500);
      expectNothingHidden(viewer(), answer.body, path);
    };
    for (const definition of definitions) {
      const fields = Object.values(definition.fields);
      await check(`/${definition.name}?range=[0,199]`);
      for (const id of [...listed.get(definition.name)!].slice(0, 2)) {
        await check(`/${definition.name}/${id}`);
        await check(`/${definition.name}/${id}/history?names=1`);
      }
      await check(`/${definition.name}/choices`);
      for (const { name: field } of fields.filter(({ to }) => to)) await check(`/${definition.name}/choices/${field}`);
      if (!definition.export || listed.get(definition.name)!.size === 0) continue;
      const download = `/${definition.export.path}?format=csv&columns=`;
      for (const { name: field } of fields.filter(({ secret }) => secret))
        expect((await call('GET', download + field)).status, field).toBe(400);
      // Every download is a thread: those are worth one of which some rows, or people, are hidden.
      const columns = fields
        .filter(({ secret, type, to }) => !secret && (to || type === 'text'))
        .map((one) => one.name);
      if (isNarrowed(viewer(), definition) || definition.scope === 'both') await check(download + columns.join());
    }
    for (const path of [
      ...['dashboard', 'dashboard/deadlines', 'timesheet?month=2026-11', 'shot-analytics', 'screening-analytics'],
      ...['permissions', 'view-as/choices/person', 'view-as/choices/role', 'notifications/choices/user_ids'],
      ...['imports?type=users&type=shots', 'imports?type=users,shots'],
    ]) {
      await check(`/${path}`);
    }
  });

  it('learns nothing about hidden records from ids, searches, filters or sorting', async () => {
    const { call, listed } = viewer();
    for (const definition of definitions) {
      const path = `/${definition.name}`;
      const known = listed.get(definition.name)!;
      const hidden = hiddenFrom(viewer(), definition);
      const isHidden = new Set(hidden.map(({ id }) => id));
      const last = hidden.at(-1);
      if (last) {
        const at = async (id: number) =>
          [
            await call('GET', `${path}/${id}`),
            await call('GET', `${path}/${id}/history`),
            await call('PUT', `${path}/${id}`, {}),
            await call('DELETE', `${path}/${id}`),
            await call('GET', `/permissions/why?module=${definition.name}&action=view&id=${id}`),
            await call('GET', `${path}?q=${markOf(definition, id)}`),
            await call('GET', `${path}?filter=${json({ id: [id] })}`),
          ].map(({ status, body }) => ({ status, body }));
        expect(await at(last.id), `${path}/${last.id}`).toEqual(await at(999_999));
      }
      if (known.size === 0) continue;
      for (const field of Object.values(definition.fields).filter((one) => one.filterable && !one.secret)) {
        const target = definitions.find((one) => one.name === (field.to ?? field.inverse?.resource));
        const values = target
          ? hiddenFrom(viewer(), target).map(({ id }) => id)
          : hidden.map((row) => row[field.name]).filter((value) => typeof value === 'string');
        if (values.length === 0 || field.computed !== undefined) continue;
        const answer = await call('GET', `${path}?filter=${json({ [field.name]: values.slice(-50) })}`);
        const found = idsIn(answer.body);
        const isOpen = field.inverse ? found.length > 0 : found.some((id) => isHidden.has(id));
        expect(isOpen, `${path} by ${field.name}`).toBe(false);
      }
      if (hidden.length === 0) continue;
      for (const field of Object.values(definition.fields).filter((one) => one.sortable && !one.secret)) {
        const answer = await call('GET', `${path}?sort_by=-${field.name}&range=[0,1]`);
        expect(
          idsIn(answer.body).filter((id) => isHidden.has(id)),
          `${path} by ${field.name}`,
        ).toEqual([]);
      }
    }
  });

  it('is notified of changes of what they list, and of no others', async () => {
    const { actor, listed } = viewer();
    for (const definition of definitions) {
      const hears = ({ id, site_id = null }: Row) =>
        visibleEvents(demo.program, actor, [
          { resource: definition.name, id, event: 'updated', site_id: site_id as number | null },
        ]).then(({ length }) => length > 0);
      const known = stored.get(definition.name)!.filter(({ id }) => listed.get(definition.name)!.has(id));
      for (const row of known.slice(0, 2)) expect(await hears(row), `${definition.name} ${row.id}`).toBe(true);
      for (const row of hiddenFrom(viewer(), definition).slice(-2))
        expect(await hears(row), `${definition.name} ${row.id}`).toBe(false);
    }
  });
});
