import type { Logger } from 'pino';
import type { Session } from './statements';

/** Characters to log from the start and from the end of a statement: what it selects, and its conditions. */
const maxPartLength = 1_500;

/**
 * Returns connections that log each statement that takes longer than `slowAfter` milliseconds (0: none) as a warning,
 * and every statement at the level `trace`: its text, but not its parameters.
 */
export function logSlowStatements(
  session: () => Promise<Session>,
  slowAfter: number,
  log: Logger,
): () => Promise<Session> {
  const logsAll = log.isLevelEnabled('trace');
  if (slowAfter === 0 && !logsAll) return session;
  return async () => {
    const inner = await session();
    return {
      async query(sql, parameters, form) {
        const startTime = performance.now();
        try {
          return await inner.query(sql, parameters, form);
        } finally {
          const ms = Math.round(performance.now() - startTime);
          if (slowAfter > 0 && ms > slowAfter) log.warn({ ms, sql: withoutLiterals(sql) }, 'A statement was slow');
          else if (logsAll) log.trace({ ms, sql: withoutLiterals(sql) }, 'A statement');
        }
      },
      release: () => inner.release(),
    };
  };
}

/** Few statements contain string literals, and those are names; none should get into a log by mistake. */
function withoutLiterals(sql: string): string {
  const text = sql.replace(/'(?:[^']|'')*'/g, "'…'");
  return text.length <= 2 * maxPartLength ? text : `${text.slice(0, maxPartLength)} … ${text.slice(-maxPartLength)}`;
}
