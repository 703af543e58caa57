import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Actor } from '../../engine/access/actor';
import type { Action } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { CallScope } from './call-scope';

/**
 * The documentation of an API call, part of its declaration (`defineCall`). Calls on records are documented from their
 * definitions.
 */
export interface CallDescription {
  /** Unique id of the call. */
  readonly id: string;
  /** The heading in the API document. */
  readonly tag: string;
  readonly summary: string;
  /** Who may make it, unless a grant decides; with a grant, `person` excludes service accounts. */
  readonly scope?: CallScope;
  /** The parameters in the path, and those of the query, as `defineCall` declares them. */
  readonly params?: TObject;
  readonly querystring?: TObject;
  /** Request headers with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Allowed while viewing as another user, though it does not only read. */
  readonly allowedWhileViewing?: boolean;
  readonly body?: TObject;
  /** Content type of the body if it is not JSON. */
  readonly bodyType?: string;
  readonly answer: TSchema;
  /** Content type of the response if it is not JSON. */
  readonly answerType?: string;
  readonly created?: boolean;
  /** Whether a user sees the call in the API document; without it everybody does. */
  readonly shownTo?: (actor: Actor, registry: Registry) => boolean;
  /**
   * The message for users to whom it is not shown; without it, and without a grant, the handler decides who may call.
   */
  readonly refusal?: string;
  /** The grant that callers need; it is shown to those who have it. */
  readonly grant?: { readonly resource: string; readonly action: Action };
  /**
   * The modules that can replace `:type` in the path for a user, each documented as its own path, and what is specific
   * to it.
   */
  readonly variants?: (actor: Actor, registry: Registry) => readonly CallVariant[];
}

/** The documentation of a call on one module. */
export interface CallVariant extends Pick<CallDescription, 'body' | 'querystring' | 'summary'> {
  readonly type: string;
}

/** A documented call with its method and path. */
export interface DocumentedCall extends CallDescription {
  readonly method: string;
  /** The path after `/api`, with parameters as `:id`. */
  readonly path: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    described?: CallDescription;
    /** Why a route of the API is not a declared call. */
    undeclared?: 'follows from definitions' | 'is a file of the documentation';
  }
  interface FastifyInstance {
    /** The calls documented so far. */
    describedCalls: DocumentedCall[];
  }
}

/**
 * Collects the documentation of all calls registered after this call, under the prefix of the API. Throws for a route
 * there that is neither declared (`defineCall`) nor says why.
 */
export function collectDescriptions(app: FastifyInstance, api: string): void {
  const calls: DocumentedCall[] = [];
  app.decorate('describedCalls', calls);
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!url.startsWith(`${api}/`) || method === 'OPTIONS') return;
    const { described: description, undeclared: undeclaredReason } = config ?? {};
    if (!description && !undeclaredReason) throw new Error(`Declare ${String(method)} ${url} with defineCall.`);
    if (!description) return;
    for (const httpMethod of [method].flat().filter((name) => name !== 'HEAD')) {
      calls.push({ ...description, method: httpMethod.toLowerCase(), path: url.slice(api.length) });
    }
  });
}
