import type { Migration } from './migration';

/**
 * Failed sign-ins of an account from all networks together, and the networks that somebody has signed in from. Keys are
 * hashes: neither email nor network addresses are stored.
 */
export const signInGuards: Migration = {
  name: '0015-sign-in-guards',
  sql: `
    create table assay.sign_in_guards (
      key text primary key,
      failures integer not null,
      last_at timestamptz(3) not null,
      noticed_at timestamptz(3)
    );
    create index sign_in_guards_last_at on assay.sign_in_guards (last_at);

    create table assay.known_networks (
      key text not null,
      network text not null,
      last_at timestamptz(3) not null,
      primary key (key, network)
    );
    create index known_networks_last_at on assay.known_networks (last_at);
  `,
};
