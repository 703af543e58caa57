import type { Migration } from './migration';

/**
 * A browser session has a short-lived token (`expires_at`), renewed with a secret of two parts: the family, which
 * stays, and one that changes at each renewal. The previous token and secret are kept too: requests in flight and a
 * second tab still use them. Sessions of scripts have none of these. `proven_at`: when the user last confirmed their
 * identity.
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
