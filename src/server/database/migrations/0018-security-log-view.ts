import type { Migration } from './migration';

/** The security log as a view with the standard columns of resources. */
export const securityLogView: Migration = {
  name: '0018-security-log-view',
  sql: `
    create view public.security_log as
      select id, site_id, user_id as created_by, null::integer as updated_by, at as created_at, at as updated_at,
        event, viewed_id, subject, resource, record_id, times, address, agent, request_id, detail
      from assay.security_log;
  `,
};
