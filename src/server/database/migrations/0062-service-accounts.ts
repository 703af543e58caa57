import type { Migration } from './migration';

/**
 * The secrets of service accounts, and the user in whose name each acts: what it writes refers to a user as everything
 * else does. These users count as deleted, so that nobody can choose, assign or invite them.
 */
export const serviceAccounts: Migration = {
  name: '0062-service-accounts',
  sql: `
    create table assay.service_accounts (
      service_account_id integer primary key,
      user_id integer not null unique,
      hash bytea unique
    );
  `,
};
