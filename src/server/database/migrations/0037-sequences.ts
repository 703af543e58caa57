import type { Migration } from './migration';

/** The last number that each sequence gave; `scope` is the id of what its numbers belong to, or 0. */
export const sequences: Migration = {
  name: '0037-sequences',
  sql: `
    create table assay.sequences (
      resource text not null,
      field text not null,
      scope integer not null,
      last bigint not null,
      primary key (resource, field, scope)
    );
  `,
};
