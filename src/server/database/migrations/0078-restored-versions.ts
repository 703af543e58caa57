import type { Migration } from './migration';

/** Which version of its record a change brought back: the first entry of a history is version 1. */
export const restoredVersions: Migration = {
  name: '0078-restored-versions',
  sql: `alter table assay.history add column restored_version integer;`,
};
