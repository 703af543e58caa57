import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Transaction } from '../../server/database/database';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import type { Calendar } from './calendar';
import type { DemoClient } from './clients';
import { stamps, type DemoCompany } from './people';
import { moduleNames, type DemoProject } from './projects';
import type { Random } from './random';
import { getOrThrow, itemAt, propertyOf } from '../../engine/values/lookups';

/** The data that all steps of loading share. */
export interface DemoLoader {
  readonly trx: Transaction;
  readonly registry: Registry;
  readonly calendar: Calendar;
  readonly chance: Random;
}

/** A stored project with its description. */
export interface StoredProject {
  readonly id: number;
  readonly told: DemoProject;
}

/** Stores a company's clients. Returns their ids by code. */
export async function storeClients(
  { trx, registry, calendar }: DemoLoader,
  company: DemoCompany,
  clients: readonly DemoClient[],
): Promise<Map<string, number>> {
  const definition = registry.getOrThrow('clients');
  const locations = await readPlaces(trx, clients);
  const ids = await nextIds(trx, definition, clients.length);
  const rows = clients.map(({ country, state, since: clientSince, archived, ...client }, index) => ({
    id: ids[index],
    ...client,
    ...locations(country, state),
    site_id: company.site,
    ...stamps(calendar.at(-clientSince, 9, 5 + index), company.owner),
    archived_at: archived === undefined ? null : calendar.at(-archived, 16, 20),
  }));
  await insertRows(trx, definition, rows);
  return new Map(clients.map((client, index) => [client.code, itemAt(ids, index)]));
}

async function readPlaces(trx: Transaction, clients: readonly DemoClient[]) {
  const countries = await trx.selectFrom('countries').select(['id', 'name']).execute();
  const idOf = new Map(countries.map(({ id, name }) => [name as string, id as number]));
  const states = await trx
    .selectFrom('states')
    .select(['id', 'name', 'country_id'])
    .where('name', 'in', [...new Set(clients.map(({ state }) => state))])
    .execute();
  return (country: string, state: string) => {
    const country_id = idOf.get(country) ?? null;
    const stateRow = states.find((candidate) => candidate.name === state && candidate.country_id === country_id);
    return { country_id, state_id: stateRow?.id ?? null };
  };
}

/** Stores a company's projects with their members. Those of an archived client are archived with it. */
export async function storeProjects(
  { trx, registry, calendar }: DemoLoader,
  company: DemoCompany,
  clients: ReadonlyMap<string, number>,
  archived: ReadonlyMap<string, string>,
  projectFacts: readonly DemoProject[],
): Promise<StoredProject[]> {
  const definition = registry.getOrThrow('projects');
  const ids = await nextIds(trx, definition, projectFacts.length);
  const maker = company.people.manager ?? company.owner;
  const rows = projectFacts.map((project, index): ResourceRecord => {
    const client_id = getOrThrow(clients, project.client);
    const archived_at = archived.get(project.client) ?? null;
    return {
      id: ids[index],
      name: project.name,
      code: project.code,
      client_id,
      type_id: project.type,
      project_status_id: project.status,
      start_date: calendar.day(project.start),
      end_date: project.end === null ? null : calendar.day(project.end),
      technologies_used: project.technologies,
      user_ids: project.members.map((name) => propertyOf(company.people, name)),
      site_id: company.site,
      ...stamps(calendar.at(Math.min(project.start - 14, -2), 10, 3 * index), maker),
      ...(project.status !== 1 && { updated_at: calendar.at(lastStep(project), 9, 30) }),
      archived_at,
      archived_with: archived_at === null ? null : client_id,
    };
  });
  await insertRows(trx, definition, rows);
  return projectFacts.map((project, index) => ({ id: itemAt(ids, index), told: project }));
}

/** The day when a project got its current status. */
function lastStep({ status, start, end }: DemoProject): number {
  return status === 2 ? start : (end ?? -1);
}

/** A stored module of a project; one without `parent` is at the top level. */
export interface StoredModule {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  readonly project: number;
}

/** Stores modules and, beneath them, sub-modules of every project. */
export async function storeModules(
  { trx, registry, calendar, chance }: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
): Promise<StoredModule[]> {
  const definition = registry.getOrThrow('project-modules');
  const maker = company.people.manager ?? company.owner;
  const plannedModules = projects.flatMap(({ id, told: project }) => {
    const parts = propertyOf(moduleNames, String(project.type));
    const stamp = (index: number) => stamps(calendar.at(Math.min(project.start - 10, -1), 11, index), maker);
    return chance
      .some(parts, Math.min(parts.length, 4))
      .map(([name, children], index) => ({ name, below: children, project_id: id, stamp: stamp(index) }));
  });
  const count = plannedModules.reduce((sum, { below: children }) => sum + 1 + children.length, 0);
  const ids = await nextIds(trx, definition, count);
  let next = 0;
  const rows = plannedModules.flatMap(({ name, below: children, project_id, stamp }) => {
    const parent = itemAt(ids, next++);
    const commonValues = { project_id, site_id: company.site, ...stamp };
    return [
      { id: parent, name, parent_module: null, ...commonValues },
      ...children.map((part) => ({ id: itemAt(ids, next++), name: part, parent_module: parent, ...commonValues })),
    ];
  });
  await insertRows(trx, definition, rows);
  return rows.map(({ id, name, parent_module, project_id }) => ({
    id,
    name,
    parent: parent_module,
    project: project_id,
  }));
}
