import type { Source } from '../../src/engine/definitions/source';
import type { Module, ModulePlan, ModuleVersion } from '../../src/engine/studio/module';
import { fileNameOf, saveFile } from '../../src/app/list/export/download';
import { fetchApi, requestApi, type ApiInit } from '../../src/app/session/api';

/** Begins every key of what is read of modules, so that the server's events have it read anew. */
export const room = 'modules';

/** Keys of what is read: all modules, one of them, its versions. */
export const keys = {
  all: [room, 'all'] as const,
  one: (name: string) => [room, 'one', name] as const,
  versions: (name: string) => [room, 'versions', name] as const,
};

const pathOf = (name: string, rest = '') => `/${room}/${encodeURIComponent(name)}${rest}`;

async function read<T>(path: string, init?: ApiInit): Promise<T> {
  return (await fetchApi<{ data: T }>(path, init)).data;
}

/** Every module, also those that are retired; their hidden columns are not among it. */
export function fetchModules(signal?: AbortSignal): Promise<Module[]> {
  return read(`/${room}`, { signal });
}

/** One module, whole. */
export function fetchModule(name: string, signal?: AbortSignal): Promise<Module> {
  return read(pathOf(name), { signal });
}

/** What publishing a definition, and purging those columns with it, would do. The name may be that of a module yet to be made. */
export function planModule(
  name: string,
  definition: Source,
  { purge = [], signal }: { purge?: readonly string[]; signal?: AbortSignal } = {},
): Promise<ModulePlan> {
  return read(pathOf(name, '/plan'), { method: 'POST', json: { definition, purge }, signal, readsOnly: true });
}

/**
 * Makes a new module, or brings a retired one back; 409 where that would lose values and is not agreed to. What is wrong
 * with it is among the error's `errors`, by JSON pointer.
 */
export function createModule(definition: Source, confirm = false): Promise<Module> {
  return read(`/${room}`, { method: 'POST', json: { definition, ...(confirm && { confirm }) } });
}

/** A definition to be published. */
export interface Publication {
  readonly definition: Source;
  /** The version that it was made from; 409 where there is a newer one. */
  readonly version: number;
  /** Agrees to what cannot be undone; 409 where that is needed and missing. */
  readonly confirm?: boolean;
  /** Columns to be dropped along with it. */
  readonly purge?: readonly string[];
  /** Decides the upgrade that waits: what is shipped now becomes what the changes are made to. */
  readonly shipped?: true;
}

/** Puts a definition in force for everybody. What is wrong with it is among the error's `errors`, by JSON pointer. */
export function publishModule(name: string, publication: Publication): Promise<Module> {
  return read(pathOf(name), { method: 'PUT', json: publication });
}

/** What was published of a module, the newest first. */
export function fetchVersions(name: string, signal?: AbortSignal): Promise<ModuleVersion[]> {
  return read(pathOf(name, '/versions'), { signal });
}

/** Publishes an earlier version anew; 409 where that cannot be undone and is not agreed to. */
export function restoreVersion(name: string, version: number, confirm = false): Promise<Module> {
  return read(pathOf(name, '/restore'), { method: 'POST', json: { version, ...(confirm && { confirm }) } });
}

/**
 * Retires a module that was made here; takes one that was shipped back to what was shipped. 409 where that would lose
 * values and is not agreed to.
 */
export function removeModule(name: string, confirm = false): Promise<Module> {
  return read(pathOf(name, confirm ? '?confirm=1' : ''), { method: 'DELETE' });
}

/** Drops the table of a retired module and everything in it, for good. */
export async function purgeModule(name: string): Promise<void> {
  await requestApi(pathOf(name, `?${new URLSearchParams({ purge: '1', confirm: name })}`), { method: 'DELETE' });
}

/** Saves the values of a column as a file, as long as there are any. */
export async function downloadColumn(name: string, column: string): Promise<void> {
  const path = pathOf(name, `/columns/${encodeURIComponent(column)}`);
  const answer = await requestApi(path, { headers: { Accept: '*/*' } });
  saveFile(await answer.blob(), fileNameOf(answer) ?? `${column}.csv`);
}
