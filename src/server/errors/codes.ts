/**
 * The machine-readable code of every refusal, beside its message in words: upper snake case, stable once published,
 * listed in the API document. Codes that are more exact than their status alone are given where the error is thrown.
 */
export const errorCodes = {
  BAD_REQUEST: 'The query or body cannot be read.',
  UNKNOWN_FILTER: 'A list was filtered by a name that it does not know.',
  UNKNOWN_FIELD: 'An answer was asked for a field that it does not have.',
  UNAUTHENTICATED: 'Nobody is signed in, or the sign-in has ended.',
  FORBIDDEN: 'The caller may see it, but may not do it.',
  PROOF_REQUIRED: 'The caller has to prove who they are again before this is changed.',
  NOT_FOUND: 'No such record or path, or none that the caller may see.',
  CONFLICT: 'What is stored does not allow this now.',
  CONFLICT_STALE: 'The record was changed by somebody else meanwhile.',
  CONFLICT_REFERENCED: 'The record is still used by others.',
  CONFLICT_REPEATED: 'The same file was imported before; again=1 imports it once more.',
  CONFLICT_ARCHIVED: 'The record is archived.',
  TOO_LARGE: 'The body is over its limit.',
  QUOTA_EXCEEDED: 'The storage of a person or company is used up.',
  UNSUPPORTED_TYPE: 'A body of a type that is not read here.',
  VALIDATION_FAILED: 'Fields break a rule; all of them are named in errors.',
  IDEMPOTENCY_KEY_REUSED: 'The same Idempotency-Key was sent with another body.',
  RATE_LIMITED: 'Too many attempts or calls; Retry-After says when to try again.',
  UNAVAILABLE: 'Starting, stopping, overloaded or without a database; the message says where nothing was changed.',
  OUTCOME_UNKNOWN: 'The connection was lost while the change was being stored: it may or may not be stored.',
  INTERNAL: 'An error of the server.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
