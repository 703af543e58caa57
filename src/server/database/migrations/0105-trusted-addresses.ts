import type { Migration } from './migration';

/** Companies can trust their own provider for addresses of their proved domains where it never says that it verified them. */
export const trustedAddresses: Migration = {
  name: '0105-trusted-addresses',
  sql: `alter table assay.identity_providers add column trusts_addresses boolean not null default false;`,
};
