import type { Migration } from './migration';

/** The owner of each file, so that the storage used by a company or a user is a sum over one index. */
export const fileOwners: Migration = {
  name: '0009-file-owners',
  sql: `
    alter table assay.files add column site_id integer, add column user_id integer;
    create index files_site_id on assay.files (site_id) include (size);
    create index files_user_id on assay.files (user_id) include (size);
    create index files_resource on assay.files (resource, field, created_at);
  `,
};
