/** The documentation of the header in calls that accept it. */
export const idempotencyHeader = {
  'Idempotency-Key':
    'Makes retries safe: within 24 hours, a call with the same key runs only once, and repeating it returns ' +
    'the same response with Idempotency-Replayed: true. 1 to 255 printable characters; use a new key for each new action.',
} as const;
