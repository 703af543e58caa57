import { readHost } from './addresses';
import { type Environment, readPort, readWhole } from './read-value';
import { SettingsError } from './settings-error';

/** Settings of monitoring, start and stop. */
export interface OperationSettings {
  /** The port of `GET /metrics`; without it, metrics are off. */
  readonly metricsPort?: number;
  readonly metricsHost: string;
  /** Requests that take longer are logged, in milliseconds; 0: none. */
  readonly slowRequestMs: number;
  /** Statements that take longer are logged, in milliseconds; 0: none. */
  readonly slowStatementMs: number;
  /** How long a stopping program reports that it is not ready but still accepts connections, in milliseconds. */
  readonly shutdownDelay: number;
  /** How long the start waits for the server at DATABASE_URL, in milliseconds. */
  readonly databaseWait: number;
}

const minute = 60_000;

/**
 * Reads METRICS_PORT, METRICS_HOST, SLOW_REQUEST_MS, SLOW_STATEMENT_MS, SHUTDOWN_DELAY and DATABASE_WAIT. Throws a
 * SettingsError.
 */
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
