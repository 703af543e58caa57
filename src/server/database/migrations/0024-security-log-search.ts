import type { Migration } from './migration';

/**
 * Indexes of the security log: by any text (exactly the expression that its shipped list searches), by address, by
 * subject, and by the user that somebody was viewed as. With more statistics than usual, so that a search for a rare
 * text does not read all entries.
 */
export const securityLogSearch: Migration = {
  name: '0024-security-log-search',
  sql: `
    create index security_log_search on assay.security_log using gin ((lower((coalesce(subject, '') || E'\\n' ||
      coalesce(resource, '') || E'\\n' || coalesce(record_id, '') || E'\\n' || coalesce(address, '') || E'\\n' ||
      coalesce(agent, '') || E'\\n' || coalesce(request_id, '')) collate "und-x-icu")) gin_trgm_ops);
    alter index assay.security_log_search alter column 1 set statistics 1000;
    create index security_log_address_at on assay.security_log (address, at, id);
    create index security_log_record_at on assay.security_log (resource, record_id, at, id);
    create index security_log_viewed_at on assay.security_log (viewed_id, at, id) where viewed_id is not null;
  `,
};
