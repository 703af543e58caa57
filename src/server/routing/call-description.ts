import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';

/** A JSON Schema or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The documentation of an API call, written next to its route. Calls on records are documented from their definitions.
 */
export interface CallDescription {
  /** Unique id of the call. */
  readonly id: string;
  /** The heading in the API document. */
  readonly tag: string;
  readonly summary: string;
  /** Can be called without signing in. */
  readonly isPublic?: boolean;
  /** The parameters in the path, and those of the query, as `defineCall` declares them. */
  readonly params?: TObject;
  readonly querystring?: TObject;
  /** Query parameters with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** Request headers with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Allowed while viewing as another user, though it does not only read. */
  readonly allowedWhileViewing?: boolean;
  /** The request body: the fields of a form, or a schema. */
  readonly form?: Definition;
  readonly body?: JsonSchema | TSchema;
  /** Content type of the body if it is not JSON. */
  readonly bodyType?: string;
  readonly answer: JsonSchema | TSchema;
  /** Content type of the response if it is not JSON. */
  readonly answerType?: string;
  readonly created?: boolean;
  /** Whether a user sees the call in the API document; without it everybody does. */
  readonly shownTo?: (actor: Actor, registry: Registry) => boolean;
  /** The message for users to whom it is not shown; without it the handler decides who may call. */
  readonly refusal?: string;
  /**
   * The modules that can replace `:type` in the path for a user, each documented as its own path, and what is specific
   * to it.
   */
  readonly variants?: (actor: Actor, registry: Registry) => readonly CallVariant[];
}

/** The documentation of a call on one module. */
export interface CallVariant extends Pick<CallDescription, 'body' | 'query' | 'summary'> {
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
  }
  interface FastifyInstance {
    /** The calls documented so far. */
    describedCalls: DocumentedCall[];
  }
}

/** Route options that attach documentation to a route. */
export function describeCall(description: CallDescription): { config: { described: CallDescription } } {
  return { config: { described: description } };
}

/** Collects the documentation of all routes registered after this call. */
export function collectDescriptions(api: FastifyInstance): void {
  const calls: DocumentedCall[] = [];
  api.decorate('describedCalls', calls);
  api.addHook('onRoute', ({ config, method, url, prefix }) => {
    const description = config?.described;
    if (!description) return;
    const path = url.slice(prefix.length);
    for (const one of [method].flat().filter((name) => name !== 'HEAD')) {
      calls.push({ ...description, method: one.toLowerCase(), path });
    }
  });
}
