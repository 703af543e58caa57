import type { Migration } from './migration';

/** Whether somebody at a record has changed something there that is not stored yet. */
export const presenceEditing: Migration = {
  name: '0101-presence-editing',
  sql: `alter table assay.presence add column editing boolean not null default false;`,
};
