import type { Migration } from './migration';

/** How each person wants to read dates and numbers, and how close lists and forms are; who chose nothing has no row. */
export const userPreferences: Migration = {
  name: '0091-user-preferences',
  sql: `
    create table assay.user_preferences (
      user_id integer primary key,
      formats text,
      week_start smallint,
      density text
    );
  `,
};
