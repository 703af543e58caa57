/** How a call that accepts the header describes it. */
export const idempotencyHeader = {
  'Idempotency-Key':
    'Makes repeating the call safe: within 24 hours the same key with the same call is carried out once, and answered ' +
    'the same again with Idempotency-Replayed: true. 1 to 255 printable characters, new for each intent.',
} as const;
