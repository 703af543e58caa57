import { setImmediate as turn } from 'node:timers/promises';
import { PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { replanMarker } from '../../src/server/database/statements';
import { currentRequest } from '../../src/server/requests/current-request';
import type { ApiResponse, Client } from './program';

/** What a call has PostgreSQL and Kysely do, besides the work of its statements. */
export interface CallCost {
  /** Texts that were sent to PostgreSQL, the ends of transactions included. */
  readonly statements: string[];
  /** Texts that Kysely compiled. */
  readonly compiled: string[];
  /** Texts that no connection had prepared before. */
  readonly unprepared: string[];
}

/** What the driver is given: a text, or a statement, which has a name if it is prepared. */
type DriverQuery = string | { readonly text: string; readonly name?: string };
type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Watches what Kysely compiles and what is sent to PostgreSQL, told apart by the request that it is for: what runs in the
 * background meanwhile does not count. `stop` ends it.
 */
export function watchStatements() {
  const costs = new Map<string, CallCost>();
  const restores: (() => void)[] = [];
  const prepared = new Set<string>();
  let calls = 0;
  const patch = (
    prototype: object,
    name: string,
    note: (cost: CallCost | undefined, args: unknown[], result: unknown) => void,
  ) => {
    const methods = prototype as Methods;
    const original = methods[name]!;
    methods[name] = function (this: unknown, ...args: unknown[]) {
      const result = original.apply(this, args);
      note(costs.get(currentRequest()?.id ?? ''), args, result);
      return result;
    };
    restores.push(() => (methods[name] = original));
  };
  patch(PostgresQueryCompiler.prototype, 'compileQuery', (cost, _, result) =>
    cost?.compiled.push((result as { sql: string }).sql),
  );
  patch(pg.Client.prototype, 'query', (cost, [query]) => {
    const { text, name } = describeQuery(query as DriverQuery);
    cost?.statements.push(text);
    if (!isPrepared(text)) return;
    // Which connection of the pool serves a request is chance: each prepares a statement for itself.
    if (name === undefined || !prepared.has(name)) cost?.unprepared.push(text);
    if (name !== undefined) prepared.add(name);
  });
  return {
    /** Sends a request, and returns its response with what it cost. */
    async costOf(
      call: Client,
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ): Promise<ApiResponse<unknown> & { readonly cost: CallCost }> {
      const id = `counted-${++calls}`;
      const cost: CallCost = { statements: [], compiled: [], unprepared: [] };
      costs.set(id, cost);
      const response = await call(method, path, body, { ...headers, 'x-request-id': id });
      // What follows a response without being awaited begins in the same turn.
      await turn();
      costs.delete(id);
      return { ...response, cost };
    },
    stop: () => restores.forEach((restore) => restore()),
  };
}

/** Queries whose columns are known are objects of our own, with what the driver was given in them. */
function describeQuery(query: DriverQuery): { text: string; name?: string } {
  return typeof query === 'string' ? { text: query } : query;
}

/** Whether a statement is one of those that are prepared: no end of a transaction, and not planned for its values. */
function isPrepared(text: string): boolean {
  return /^\s*(select|with|insert|update|delete)\b/i.test(text) && !text.endsWith(replanMarker);
}
