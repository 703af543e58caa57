import type { IncomingMessage, ServerResponse } from 'node:http';
import { accessCacheOf, type Access } from '../accounts/session/access-cache';
import { hashTokenText, parseBearerToken } from '../accounts/session/tokens';
import type { FairShares } from '../limits/fair-shares';
import type { Program } from '../program';
import { admissionRequestOf } from './lanes';
import { sendRefusal, type Refusal } from './send-refusal';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** All unconfirmed registrations share one account: whoever registers often has no more for it. */
const unconfirmedKey = 'unconfirmed';

const refusal: Refusal = {
  status: 429,
  code: 'RATE_LIMITED',
  message: 'Your requests have taken more than half of the time of the server while others need it. Please slow down.',
  retryAfter: 2,
};

/** The key of the account to which the work of a caller is counted. */
export function shareKeyOf({ actor, isUnconfirmed }: Access): number | string {
  return isUnconfirmed ? unconfirmedKey : actor.id;
}

/**
 * Wraps a handler: calls of somebody who took more than their share of the server wait while calls of others are in
 * progress, before anything is read of them. Visitors have no share, and what is always admitted does not count.
 */
export function withFairTurns(program: Program, shares: FairShares, handler: Handler): Handler {
  const accountOf = ({ headers }: IncomingMessage) => {
    const token = parseBearerToken(headers.authorization);
    const access = token === undefined ? undefined : accessCacheOf(program.database).peek(hashTokenText(token));
    return access && shares.accountOf(shareKeyOf(access));
  };
  return (request, response) => {
    if (!admissionRequestOf(request.method ?? '', request.url ?? '')) return handler(request, response);
    const begin = (leave: (() => void) | undefined) => {
      if (!leave) return response.destroyed ? undefined : sendRefusal(request, response, refusal);
      if (response.closed) return leave();
      response.once('close', leave);
      handler(request, response);
    };
    const entered = shares.enter(accountOf(request));
    if (entered instanceof Promise) void entered.then(begin);
    else begin(entered);
  };
}
