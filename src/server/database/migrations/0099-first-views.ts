import type { Migration } from './migration';

/** The view that a person's list opens with, also one that another person shared. */
export const firstViews: Migration = {
  name: '0099-first-views',
  sql: `
    alter table assay.grid_configurations add column first_view text;
    alter table assay.grid_configurations alter column configuration set default '[]';
  `,
};
