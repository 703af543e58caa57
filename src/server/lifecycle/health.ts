/** The life cycle of the process. */
type Phase = 'starting' | 'running' | 'stopping';

export interface HealthResponse {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Whether the process is alive, and whether it can serve requests. */
export interface Health {
  /** The response to a health path; undefined for any other path. */
  respond(path: string): Promise<HealthResponse> | undefined;
  phase(): Phase;
  /** From now on readiness depends only on the database: on its trouble, to follow the words "the database". */
  markRunning(trouble: () => Promise<string | undefined>): void;
  /** From now on no new requests should be sent here. */
  markStopping(): void;
}

const okResponse: HealthResponse = { status: 200, body: { status: 'ok' } };

/** Creates the health checks of a starting process. */
export function createHealth(): Health {
  let phase: Phase = 'starting';
  let troubleOf: () => Promise<string | undefined> = () => Promise.resolve(undefined);

  async function readiness(detailed: boolean): Promise<HealthResponse> {
    const database = phase === 'running' ? await troubleOf().catch(() => 'cannot be checked') : 'not checked';
    const checks = {
      program: phase === 'running' ? 'ok' : phase,
      definitions: phase === 'starting' ? 'not loaded yet' : 'ok',
      database: database ?? 'ok',
    };
    if (database === undefined) return detailed ? { status: 200, body: { status: 'ok', checks } } : okResponse;
    const reason = phase === 'running' ? `the database ${database}` : `it is ${phase}`;
    return {
      status: 503,
      body: { status: 'unavailable', checks, message: `Assay is not ready: ${reason}.`, code: 'UNAVAILABLE' },
    };
  }

  return {
    respond(path) {
      const [, name] = /^\/api\/health(?:\/(live|ready))?\/?$/.exec(path) ?? [undefined, 'none'];
      if (name === 'none') return undefined;
      return name === 'live' ? Promise.resolve(okResponse) : readiness(name === 'ready');
    },
    phase: () => phase,
    markRunning(ask) {
      troubleOf = ask;
      if (phase === 'starting') phase = 'running';
    },
    markStopping() {
      phase = 'stopping';
    },
  };
}
