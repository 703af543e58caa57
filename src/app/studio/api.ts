import type { TriedAutomation } from '../../engine/automations/trial';
import type { Source } from '../../engine/language/source';
import type { Module, ModulePlan, ModuleVersion } from '../../engine/studio/module';
import { fileNameOf, saveFile } from '../actions/download';
import { fetchApi, requestApi, type ApiInit } from '../session/api';

/** The API path, and the first part of every query key of modules: the server's events about it invalidate them. */
export const modulesKey = 'modules';

/** Query keys of all modules, of one module and of its versions. */
export const moduleKeys = {
  all: [modulesKey, 'all'] as const,
  one: (name: string) => [modulesKey, 'one', name] as const,
  versions: (name: string) => [modulesKey, 'versions', name] as const,
};

const modulePath = (name: string, rest = '') => `/${modulesKey}/${encodeURIComponent(name)}${rest}`;

async function fetchData<T>(path: string, init?: ApiInit): Promise<T> {
  return (await fetchApi<{ data: T }>(path, init)).data;
}

/** All modules including retired ones, without their hidden columns. Throws ApiError. */
export function fetchModules(signal?: AbortSignal): Promise<Module[]> {
  return fetchData(`/${modulesKey}`, { signal });
}

/** One module with its hidden columns. Throws ApiError. */
export function fetchModule(name: string, signal?: AbortSignal): Promise<Module> {
  return fetchData(modulePath(name), { signal });
}

/** The plan of publishing a definition and purging columns with it. The module does not have to exist yet. Throws ApiError. */
export function planModule(
  name: string,
  definition: Source,
  { purge = [], signal }: { purge?: readonly string[]; signal?: AbortSignal } = {},
): Promise<ModulePlan> {
  return fetchData(modulePath(name, '/plan'), { method: 'POST', json: { definition, purge }, signal, readsOnly: true });
}

/**
 * Creates a module, or restores a retired one. Throws ApiError: 409 if that would lose values and is not confirmed; the
 * definition's errors are in its `errors`, by JSON pointer.
 */
export function createModule(definition: Source, confirm = false, note = '', draft?: number): Promise<Module> {
  const json = { definition, ...(confirm && { confirm }), ...(note && { note }), draft };
  return fetchData(`/${modulesKey}`, { method: 'POST', json });
}

/** The request body of publishing a definition. */
export interface PublishRequest {
  readonly definition: Source;
  /** The version that it is based on; 409 if there is a newer one. */
  readonly version: number;
  /** Confirms changes that cannot be undone; 409 if they are not confirmed. */
  readonly confirm?: boolean;
  /** Columns to drop with it. */
  readonly purge?: readonly string[];
  /** Completes the pending upgrade: the changes are then based on what is shipped now. */
  readonly shipped?: true;
  /** The changes and their reason, for readers of the versions. */
  readonly note?: string;
  /** The revision of the stored draft that this is: it ends with the publication. */
  readonly draft?: number;
}

/** Publishes a definition for everybody. Throws ApiError with the definition's errors in `errors`, by JSON pointer. */
export function publishModule(name: string, publication: PublishRequest): Promise<Module> {
  return fetchData(modulePath(name), { method: 'PUT', json: publication });
}

/** The record and the change that automations are tried out on. */
export interface TryOutRequest {
  /** The id of a stored record. */
  readonly record: number;
  /** The event on it; default: for each automation, its own trigger. */
  readonly trigger?: string;
  /** The values that the change gives to fields; default: each field counts as just filled in. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** The author of the change; default: the caller. */
  readonly author?: number;
}

/** The result of trying out: a note on parts of the draft that were left out, and each automation. */
export interface TryOutAnswer {
  readonly note: string | null;
  readonly automations: readonly TriedAutomation[];
}

/** Computes the effects that the automations of a draft would have on a stored record, without any of them. Throws ApiError. */
export function tryAutomations(name: string, definition: Source, request: TryOutRequest): Promise<TryOutAnswer> {
  return fetchData(modulePath(name, '/try'), { method: 'POST', json: { definition, ...request }, readsOnly: true });
}

/** The body of the answer to a reading request, as if a draft were published: a record, or the records of a list. Throws ApiError. */
export function readDraft<T>(definition: Source, path: string, signal?: AbortSignal): Promise<T> {
  const json = { definition, path };
  return fetchApi(modulePath(definition.name, '/read'), { method: 'POST', json, signal, readsOnly: true });
}

/** The versions of a module, newest first. Throws ApiError. */
export function fetchVersions(name: string, signal?: AbortSignal): Promise<ModuleVersion[]> {
  return fetchData(modulePath(name, '/versions'), { signal });
}

/** Publishes an earlier version again. Throws ApiError: 409 if that cannot be undone and is not confirmed. */
export function restoreVersion(name: string, version: number, confirm = false, note = ''): Promise<Module> {
  const json = { version, ...(confirm && { confirm }), ...(note && { note }) };
  return fetchData(modulePath(name, '/restore'), { method: 'POST', json });
}

/**
 * Retires a custom module; resets a shipped one to its shipped definition. Throws ApiError: 409 if that would lose values
 * and is not confirmed, or there is a newer version.
 */
export function removeModule({ name, version }: Module, confirm = false): Promise<Module> {
  const query = new URLSearchParams({ version: String(version), ...(confirm && { confirm: '1' }) });
  return fetchData(modulePath(name, `?${query}`), { method: 'DELETE' });
}

/** Drops the table of a retired module with all of its records, irreversibly. Throws ApiError. */
export async function purgeModule(name: string): Promise<void> {
  await requestApi(modulePath(name, `?${new URLSearchParams({ purge: '1', confirm: name })}`), { method: 'DELETE' });
}

/** Downloads the values of a column as a file. Throws ApiError. */
export async function downloadColumn(name: string, column: string): Promise<void> {
  const path = modulePath(name, `/columns/${encodeURIComponent(column)}`);
  const answer = await requestApi(path, { headers: { Accept: '*/*' } });
  saveFile(await answer.blob(), fileNameOf(answer) ?? `${column}.csv`);
}
