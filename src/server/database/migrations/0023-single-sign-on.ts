import type { Migration } from './migration';

/**
 * Single sign-on: a company's provider, its verified email domains, which identity at a provider (0: the
 * installation's) belongs to which account, and sign-ins in progress, of which only hashes are stored. Sessions
 * remember how they started.
 */
export const singleSignOn: Migration = {
  name: '0023-single-sign-on',
  sql: `
    create table assay.identity_providers (
      id integer generated always as identity primary key,
      site_id integer not null unique,
      name text not null,
      issuer text not null,
      client_id text not null,
      client_secret bytea,
      trusts_second_factor boolean not null default false,
      new_people_role integer,
      local_closed boolean not null default false,
      connected_at timestamptz(3) not null,
      changed_at timestamptz(3) not null
    );

    create table assay.identity_domains (
      id integer generated always as identity primary key,
      site_id integer not null,
      domain text not null,
      token text not null,
      proven_at timestamptz(3),
      proven_by text,
      unique (site_id, domain)
    );
    create unique index identity_domains_proven on assay.identity_domains (domain) where proven_at is not null;

    create table assay.identities (
      provider_id integer not null,
      issuer text not null,
      subject text not null,
      user_id integer not null,
      email text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      primary key (provider_id, issuer, subject)
    );
    create unique index identities_user on assay.identities (user_id, provider_id, issuer);

    create table assay.sign_on_flows (
      hash bytea primary key,
      browser bytea not null,
      provider_id integer not null,
      issuer text not null,
      purpose text not null,
      sign_in_id bigint,
      begun_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3)
    );
    create index sign_on_flows_expires_at on assay.sign_on_flows (expires_at);

    alter table assay.tokens add column method text;
    alter table assay.challenges add column first_method text;
  `,
};
