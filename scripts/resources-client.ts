import type { Module, ModulePlan, ModuleVersion } from '../src/engine/studio/module';
import type { Source } from '../src/engine/language/source';

/** Ends a command with a one-line message, without a stack. */
export class CommandError extends Error {}

/** A call without a response from a server that had responded before: its change may have been applied. */
export class UnknownOutcomeError extends CommandError {}

/** A role of the installation with its grants, such as `tasks.edit`. */
export interface RoleGrants {
  readonly role_id: number;
  readonly role_name: string;
  readonly modulePermission: readonly string[];
  /** Why nobody can change its permissions; null if the caller can. */
  readonly fixed: string | null;
  /** Who changed the role last; null: nobody since it was shipped. */
  readonly updated_by: number | null;
}

/** A running Assay as the commands on definitions see it. */
export interface ApiClient {
  readonly url: string;
  modules(): Promise<readonly Module[]>;
  plan(name: string, definition: Source): Promise<ModulePlan>;
  /** Newest first; none for a module that does not exist yet. */
  versions(name: string): Promise<readonly ModuleVersion[]>;
  /** Publishes a definition: a new module where `version` is undefined. */
  publish(definition: Source, version: number | undefined, confirm: boolean): Promise<Module>;
  /** The roles of the installation: those of its companies are no part of its definitions. */
  roles(): Promise<readonly RoleGrants[]>;
  /** The modules that roles can grant, in their order. */
  grantableModules(): Promise<readonly string[]>;
  /** Replaces what roles grant, all at once; refused if one of them grants something else than `before` by now. */
  grant(
    changes: readonly { role_id: number; modulePermission: readonly string[]; before: readonly string[] }[],
  ): Promise<void>;
  /** Ends the session, if there is one. */
  leave(): Promise<void>;
}

interface RoleRow {
  readonly id: number;
  readonly site_id: number | null;
  readonly updated_by: number | null;
}

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/**
 * Signs in to the Assay at `ASSAY_URL` (default: this machine, at `PORT` or 3000) with `ASSAY_TOKEN`, or with
 * `ASSAY_EMAIL` and `ASSAY_PASSWORD`. Throws Stop.
 */
export async function openApiClient(env: Readonly<Record<string, string | undefined>>): Promise<ApiClient> {
  const url = (env.ASSAY_URL || `http://127.0.0.1:${env.PORT || 3000}`).replace(/\/+$/, '');
  let token = env.ASSAY_TOKEN;
  let isReached = false;
  const call: Call = async (method, path, body) => {
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { cause } = error as { cause?: { message?: string } };
      const reason = cause?.message || error.message;
      if (isReached) throw new UnknownOutcomeError(`The connection to ${url} was lost (${reason}).`);
      throw new CommandError(`No response from ${url} (${reason}). Set ASSAY_URL to the address of Assay.`);
    });
    isReached = true;
    const received: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return received as never;
    const words = wordsOf(answer.status, received);
    // Something in front of the server responded instead, after the request was sent.
    const isForeign = answer.status >= 500 && (received as { code?: unknown } | null)?.code === undefined;
    throw isForeign ? new UnknownOutcomeError(words) : new CommandError(words);
  };

  const ownsSession = !token;
  if (ownsSession) token = await signIn(call, env);
  const modulePath = (name: string) => `modules/${encodeURIComponent(name)}`;
  return {
    url,
    modules: async () => (await call<{ data: Module[] }>('GET', 'modules')).data,
    plan: async (name, definition) =>
      (await call<{ data: ModulePlan }>('POST', `${modulePath(name)}/plan`, { definition })).data,
    versions: async (name) => (await call<{ data: ModuleVersion[] }>('GET', `${modulePath(name)}/versions`)).data,
    async publish(definition, version, confirm) {
      const answer =
        version === undefined
          ? await call<{ data: Module }>('POST', 'modules', { definition, confirm })
          : await call<{ data: Module }>('PUT', modulePath(definition.name), { definition, version, confirm });
      return answer.data;
    },
    async roles() {
      const { data: roles } = await call<{ data: Omit<RoleGrants, 'updated_by'>[] }>('GET', 'permissions');
      const rows = await call<RoleRow[]>('GET', 'roles?envelope=none&range=[0,999]');
      const ownRoles = new Map(rows.filter(({ site_id }) => site_id === null).map((row) => [row.id, row]));
      return roles
        .filter(({ role_id }) => ownRoles.has(role_id))
        .map((role) => ({ ...role, updated_by: ownRoles.get(role.role_id)!.updated_by }));
    },
    grantableModules: async () =>
      (await call<{ data: { module: string }[] }>('GET', 'module-permissions')).data.map(({ module }) => module),
    grant: async (changes) => void (await call('PUT', 'permissions', { roles: changes })),
    async leave() {
      // The work is done, whether or not the session could be ended: it expires anyway.
      if (ownsSession)
        await call('POST', 'logout').catch((error: Error) => console.error(`Not signed out: ${error.message}`));
    },
  };
}

async function signIn(
  call: Call,
  { ASSAY_EMAIL: email, ASSAY_PASSWORD: password }: Readonly<Record<string, string | undefined>>,
) {
  if (!email || !password)
    throw new CommandError(
      'Set ASSAY_EMAIL and ASSAY_PASSWORD of an administrator of the installation, or ASSAY_TOKEN.',
    );
  const answer = await call<{ token?: string; message: string }>('POST', 'login', { email, password });
  if (!answer.token) throw new CommandError(answer.message);
  return answer.token;
}

function wordsOf(status: number, received: unknown): string {
  const { message, errors = {} } = (received ?? {}) as { message?: string; errors?: Record<string, string> };
  const problems = Object.entries(errors).map(([path, words]) => `\n  ${path} ${words}`);
  return `${message ?? `It answered ${status}.`}${problems.join('')}`;
}
