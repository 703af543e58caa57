import type { Migration } from './migration';

/**
 * A browser's sign-in has a token of minutes (`expires_at`), which is renewed with a secret of two parts: the family,
 * which stays, and one that changes at each renewal. Of token and secret the former one is kept too: requests on their
 * way and a second tab still carry it. A script's sign-in has none of these. `proven_at`: when the person last proved who
 * they are.
 */
export const renewedTokens: Migration = {
  name: '0019-renewed-tokens',
  sql: `
    alter table assay.tokens
      add column expires_at timestamptz(3),
      add column former_hash bytea,
      add column former_expires_at timestamptz(3),
      add column renewal_family bytea,
      add column renewal_hash bytea,
      add column former_renewal_hash bytea,
      add column renewed_at timestamptz(3),
      add column proven_at timestamptz(3);
    alter table assay.tokens alter column proven_at set default now();
    create index tokens_former_hash on assay.tokens (former_hash) where former_hash is not null;
    create unique index tokens_renewal_family on assay.tokens (renewal_family) where renewal_family is not null;
  `,
};
