import type { Migration } from './migration';

/** At whose charge a file is stored, so that what a company or a person has stored is a sum over one index. */
export const fileOwners: Migration = {
  name: '0009-file-owners',
  sql: `
    alter table assay.files add column site_id integer, add column user_id integer;
    create index files_site_id on assay.files (site_id) include (size);
    create index files_user_id on assay.files (user_id) include (size);
    create index files_resource on assay.files (resource, field, created_at);
  `,
};
