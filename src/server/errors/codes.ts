/**
 * The machine-readable error codes of the API: upper snake case, stable once published, listed in the API document.
 * Codes more specific than their status alone are set where the error is thrown.
 */
export const errorCodes = {
  BAD_REQUEST: 'The query or body is malformed.',
  UNKNOWN_FILTER: 'Unknown filter of a list.',
  UNKNOWN_FIELD: 'Unknown name in the fields parameter.',
  TREE_TOO_LARGE: 'The tree beside the list has too many records; filter the list to narrow it.',
  UNAUTHENTICATED: 'Not signed in, or the session has ended.',
  FORBIDDEN: 'You can see it, but you have no permission to do this.',
  PROOF_REQUIRED: 'Confirm your identity again before you change this.',
  NOT_FOUND: 'No such record or path, or you have no access to it.',
  CONFLICT: 'The stored data does not allow this now.',
  CONFLICT_IN_PROGRESS:
    'A request with the same Idempotency-Key is still in progress; Retry-After says when to ask again.',
  CONFLICT_STALE: 'Somebody else has changed the record in the meantime.',
  CONFLICT_REFERENCED: 'Other records still refer to this record.',
  CONFLICT_REPEATED: 'The same file was already imported; again=1 imports it again.',
  PART_EXISTS: 'This part of a run is stored with other content; give another part, or a higher attempt.',
  CONFLICT_ARCHIVED: 'The record is archived.',
  TOO_LARGE: 'The body exceeds its size limit.',
  QUOTA_EXCEEDED: 'The storage quota of a user or company is used up.',
  UNSUPPORTED_TYPE: 'The content type of the body is not supported.',
  VALIDATION_FAILED: 'Some fields are invalid; errors lists all of them.',
  IDEMPOTENCY_KEY_REUSED: 'The same Idempotency-Key was used with a different request.',
  RATE_LIMITED: 'Too many attempts or requests; Retry-After says when to try again.',
  UNAVAILABLE: 'Starting, stopping, overloaded or without a database; the message says if nothing was changed.',
  OUTCOME_UNKNOWN: 'The connection was lost while the change was being saved: it may or may not have been saved.',
  INTERNAL: 'An unexpected error of the server.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
