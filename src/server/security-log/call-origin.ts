import { currentRequest } from '../requests/current-request';

/** The origin of a call, as logged. */
export interface CallOrigin {
  readonly address: string;
  readonly agent: string | null;
  readonly request_id: string | null;
}

/** The origin of the current call; undefined for what the program does by itself. */
export function currentOrigin(): CallOrigin | undefined {
  const request = currentRequest();
  return request && { address: request.address, agent: request.agent, request_id: request.id };
}
