import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** A call of the API as its room describes it, next to the route itself. Calls on records describe themselves. */
export interface CallDescription {
  /** Names the call among all others. */
  readonly id: string;
  /** The heading that it stands under. */
  readonly tag: string;
  readonly summary: string;
  /** Visitors may call it too. */
  readonly open?: boolean;
  /** The names of the query, with what each of them means. */
  readonly query?: Readonly<Record<string, string>>;
  /** The headers of its own, with what each of them means. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Open also to whoever views as another, though it does not merely read. */
  readonly whileViewing?: boolean;
  /** What is sent: the fields of a form, or a schema. */
  readonly form?: Definition;
  readonly body?: Schema;
  /** How the body travels, where it is not as JSON. */
  readonly bodyType?: string;
  readonly answer: Schema;
  /** How the answer travels, where it is not as JSON. */
  readonly answerType?: string;
  readonly created?: boolean;
  /** Whether it is of use to somebody; without it, to everybody. */
  readonly shownTo?: (actor: Actor, registry: Registry) => boolean;
  /** The modules that the path's `:type` may name for somebody, each a path of its own, and what is said of it alone. */
  readonly types?: (actor: Actor, registry: Registry) => readonly CallOfType[];
}

/** What is said of a call on one module. */
export interface CallOfType extends Pick<CallDescription, 'body' | 'query' | 'summary'> {
  readonly type: string;
}

/** A described call at its place. */
export interface DescribedCall extends CallDescription {
  readonly method: string;
  /** As it follows `/api`, with parameters as `:id`. */
  readonly path: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    described?: CallDescription;
  }
  interface FastifyInstance {
    /** The calls that were described so far. */
    describedCalls: DescribedCall[];
  }
}

/** The options of a route that is described. */
export function described(description: CallDescription): { config: { described: CallDescription } } {
  return { config: { described: description } };
}

/** Keeps what is described of the routes that are registered from now on. */
export function keepDescriptions(api: FastifyInstance): void {
  const calls: DescribedCall[] = [];
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
