import type { Migration } from './migration';

/** What the author of a version of a definition says about it. */
export const versionNotes: Migration = {
  name: '0059-version-notes',
  sql: `
    alter table assay.module_versions add column note text;
  `,
};
