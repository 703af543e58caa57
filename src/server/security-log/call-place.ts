import { currentRequest } from '../requests/current-request';

/** Where a call comes from, as the security log records it. */
export interface CallPlace {
  readonly address: string;
  readonly agent: string | null;
  readonly request_id: string | null;
}

/** Where the call that is being answered comes from; undefined for what the program does by itself. */
export function currentPlace(): CallPlace | undefined {
  const request = currentRequest();
  return request && { address: request.address, agent: request.agent, request_id: request.id };
}
