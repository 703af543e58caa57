import type { Source } from '../../../src/engine/language/source';
import type { Module, ModulePlan, ModuleVersion } from '../../../src/engine/studio/module';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../../support/program';

export interface Refusal {
  readonly message: string;
  readonly errors?: Readonly<Record<string, string>>;
}

type Data<T> = { readonly data: T };

/** What the studio does, as somebody. */
export interface Studio {
  modules(): Promise<Module[]>;
  module(name: string): Promise<Module>;
  versions(name: string): Promise<ModuleVersion[]>;
  plan(name: string, definition: unknown, more?: object): Promise<ModulePlan>;
  /** A new module of fields; it must come about. */
  make(name: string, fields?: Source['fields'], more?: Partial<Source>): Promise<Module>;
  /** Publishes what becomes of the definition in force; must be accepted. */
  publish(name: string, change: (source: Source) => void, more?: object): Promise<Module>;
  /** As `publish`, with what was said to it. */
  tryPublish(name: string, change: (source: Source) => void, more?: object): Promise<ApiResponse<Refusal>>;
  restore(name: string, version: number, more?: object): Promise<ApiResponse<Data<Module> & Refusal>>;
  remove(name: string, query?: string): Promise<ApiResponse<Data<Module> & Refusal>>;
}

/** The calls of the studio through somebody's client. */
export function studioOf(call: Client): Studio {
  const must = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await call<Data<T>>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const module = (name: string) => must<Module>('GET', `/modules/${name}`);
  const changed = async (name: string, change: (source: Source) => void, more: object) => {
    const { definition, version } = await module(name);
    const draft = structuredClone(definition);
    change(draft);
    return { definition: draft, version, ...more };
  };
  return {
    modules: () => must('GET', '/modules'),
    module,
    versions: (name) => must('GET', `/modules/${name}/versions`),
    plan: (name, definition, more = {}) => must('POST', `/modules/${name}/plan`, { definition, ...more }),
    make: (name, fields = { name: {} }, more = {}) =>
      must('POST', '/modules', { definition: sourceOf(name, fields, { scope: 'company', ...more }) }),
    publish: async (name, change, more = {}) => must('PUT', `/modules/${name}`, await changed(name, change, more)),
    tryPublish: async (name, change, more = {}) => call('PUT', `/modules/${name}`, await changed(name, change, more)),
    restore: (name, version, more = {}) => call('POST', `/modules/${name}/restore`, { version, ...more }),
    remove: (name, query = '') => call('DELETE', `/modules/${name}${query}`),
  };
}

/** A program with the studio's administrator, an owner, and its database to look into. */
export interface StudioProgram {
  readonly program: DemoProgram;
  readonly admin: Client;
  readonly owner: Client;
  readonly studio: Studio;
  query(text: string): Promise<Record<string, unknown>[]>;
}

/** Starts a program on demo data for tests of the studio. */
export async function startStudio(): Promise<StudioProgram> {
  const program = await startFixtureProgram();
  const admin = await program.signIn(accounts.admin);
  const owner = await program.signIn(accounts.owner);
  const query = async (text: string) => (await program.program.database.pool.query(text)).rows as never;
  return { program, admin, owner, studio: studioOf(admin), query };
}
