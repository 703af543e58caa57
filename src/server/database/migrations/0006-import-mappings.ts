import type { Migration } from './migration';

/** Column mappings of a company's imports; `site_id` 0 is the installation's. */
export const importMappings: Migration = {
  name: '0006-import-mappings',
  sql: `
    create table assay.import_mappings (
      site_id integer not null,
      resource text not null,
      heading text not null,
      field text,
      primary key (site_id, resource, heading)
    );
  `,
};
