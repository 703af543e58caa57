import type { Migration } from './migration';

/** The addresses of public forms, and the records that came of them. */
export const publicForms: Migration = {
  name: '0120-public-forms',
  sql: `
    create table assay.public_forms (
      id bigint generated always as identity primary key,
      resource text not null,
      site_id bigint not null,
      key text not null unique,
      created_at timestamptz(3) not null default now(),
      revoked_at timestamptz(3)
    );
    create index public_forms_site on assay.public_forms (site_id, resource);
    create table assay.public_records (
      resource text not null,
      record_id bigint not null,
      site_id bigint not null,
      form_id bigint not null,
      created_at timestamptz(3) not null default now(),
      primary key (resource, record_id)
    );
  `,
};
