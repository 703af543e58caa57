import type { Migration } from './migration';

/** The records of a company that were created as a sample, so that they can be removed again in one step. */
export const sampleRecords: Migration = {
  name: '0092-sample-records',
  sql: `
    create table assay.sample_records (
      id integer generated always as identity primary key,
      site_id integer not null,
      resource text not null,
      record_id integer not null
    );
    create index sample_records_site on assay.sample_records (site_id);
  `,
};
