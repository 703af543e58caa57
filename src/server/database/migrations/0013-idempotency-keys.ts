import type { Migration } from './migration';

/** Responses to requests with an `Idempotency-Key`, by user, for as long as they may be repeated. */
export const idempotencyKeys: Migration = {
  name: '0013-idempotency-keys',
  sql: `
    create table assay.idempotency_keys (
      user_id integer not null,
      key text not null,
      fingerprint bytea not null,
      status smallint,
      answer text,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, key)
    );
    create index idempotency_keys_created_at on assay.idempotency_keys (created_at);`,
};
