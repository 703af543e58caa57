import { readHost } from './addresses';
import { type Environment, readPort, readWhole } from './read-value';
import { SettingsError } from './settings-error';

/** How the program is watched, started and stopped. */
export interface OperationSettings {
  /** Where `GET /metrics` is served; without it nowhere. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  /** Requests that take longer are logged, in milliseconds; 0: none. */
  readonly slowRequestMs: number;
  /** Statements that take longer are logged, in milliseconds; 0: none. */
  readonly slowStatementMs: number;
  /** Milliseconds for which a program that is to stop says so and yet takes new connections. */
  readonly shutdownDelay: number;
  /** Milliseconds for which the start waits for the server at DATABASE_URL. */
  readonly databaseWait: number;
}

const minute = 60_000;

/** METRICS_PORT, METRICS_HOST, SLOW_REQUEST_MS, SLOW_STATEMENT_MS, SHUTDOWN_DELAY, DATABASE_WAIT. Throws a SettingsError. */
export function readOperation(env: Environment, port: number): OperationSettings {
  const metricsPort = readPort(env, 'METRICS_PORT');
  if (metricsPort === port) throw new SettingsError('METRICS_PORT', 'must be another port than PORT');
  return {
    metricsPort,
    metricsHost: readHost(env, 'METRICS_HOST'),
    slowRequestMs: readWhole(env, 'SLOW_REQUEST_MS', 0, 10 * minute) ?? 2_000,
    slowStatementMs: readWhole(env, 'SLOW_STATEMENT_MS', 0, 10 * minute) ?? 1_000,
    shutdownDelay: 1_000 * (readWhole(env, 'SHUTDOWN_DELAY', 0, 300) ?? 0),
    databaseWait: 1_000 * (readWhole(env, 'DATABASE_WAIT', 0, 3_600) ?? 30),
  };
}
