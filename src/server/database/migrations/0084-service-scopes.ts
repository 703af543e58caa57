import type { Migration } from './migration';

/** The grants to which service accounts are limited, beside what their roles allow. */
export const serviceScopes: Migration = {
  name: '0084-service-scopes',
  sql: `
    create table assay.service_scopes (
      service_account_id integer not null,
      module text not null,
      action text not null,
      primary key (service_account_id, module, action)
    );
  `,
};
