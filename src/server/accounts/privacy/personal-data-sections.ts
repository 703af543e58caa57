import { sql, type RawBuilder } from 'kysely';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { readableFields } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';

/** A section of the data stored about a user: one statement, and how to convert its rows. */
export interface PersonalDataSection {
  readonly name: string;
  readonly rows: RawBuilder<unknown>;
  readonly show?: (row: ResourceRecord) => ResourceRecord;
}

/**
 * The data stored about a user besides records, each section in chronological order. Secrets (hashes of tokens,
 * passwords and codes) and data about others (the address of a colleague who changed something) are left out.
 */
export function personalDataSections(context: RequestContext, id: number): PersonalDataSection[] {
  return [
    {
      name: 'profile',
      rows: sql`select u.id, u.first_name, u.last_name, u.email, u.phone_number, u.created_at, u.updated_at,
          r.role_name as role, s.name as company, st.option_name as status, u.password is not null as has_password,
          c.email as confirmed_address, c.confirmed_at as address_confirmed_at, a.email as new_address_waiting
        from users u left join roles r on r.id = u.role_id left join sites s on s.id = u.site_id
          left join user_status st on st.id = u.status_id
          left join assay.confirmed_addresses c on c.user_id = u.id
          left join assay.address_changes a on a.user_id = u.id where u.id = ${id}`,
    },
    {
      name: 'profile_changes',
      rows: sql`select h.event, h.created_at, h.old_values, h.new_values, h.user_id = ${id} as by_yourself
        from users u join assay.history h on h.site_id = coalesce(u.site_id, 0) and h.resource = 'users' and h.record_id = u.id
        where u.id = ${id} order by h.id`,
      show: (line) => ({
        ...line,
        old_values: readableValues(context, line.old_values),
        new_values: readableValues(context, line.new_values),
      }),
    },
    {
      name: 'sign_ins',
      rows: sql`select id, created_at, last_used_at, renewed_at, proven_at, agent, method from assay.tokens
        where user_id = ${id} order by id`,
    },
    {
      name: 'single_sign_on',
      rows: sql`select p.name as provider, i.issuer, i.subject, i.email, i.created_at, i.last_used_at
        from assay.identities i left join assay.identity_providers p on p.id = i.provider_id
        where i.user_id = ${id} order by i.created_at`,
    },
    {
      name: 'authenticators',
      rows: sql`select confirmed_at as in_use_since, pending_at as set_up_begun_at from assay.authenticators where user_id = ${id}`,
    },
    {
      name: 'passkeys',
      rows: sql`select id, name, created_at, last_used_at, transports from assay.passkeys where user_id = ${id} order by id`,
    },
    {
      name: 'recovery_codes',
      rows: sql`select count(*)::integer as made, count(used_at)::integer as used from assay.recovery_codes
        where user_id = ${id} having count(*) > 0`,
    },
    {
      name: 'trusted_devices',
      rows: sql`select expires_at from assay.trusted_devices where user_id = ${id} order by expires_at`,
    },
    {
      name: 'view_settings',
      rows: sql`select name, configuration, first_view from assay.grid_configurations where user_id = ${id} order by name`,
    },
    {
      name: 'preferences',
      rows: sql`select formats, week_start, density, time_zone from assay.user_preferences where user_id = ${id}`,
    },
    {
      name: 'notification_choices',
      rows: sql`select channels, digest_hour, digest_day, digested_on from assay.notice_choices where user_id = ${id}`,
    },
    {
      name: 'import_mappings',
      rows: sql`select resource, mapping, meanings, at from assay.import_memories where user_id = ${id} order by at`,
    },
    {
      name: 'timer',
      rows: sql`select resource, record_id, started_at from assay.timers where user_id = ${id}`,
    },
    {
      name: 'notifications',
      rows: sql`select id, title, content, link, created_at, read_at from assay.notifications where user_id = ${id} order by id`,
    },
    {
      name: 'comments',
      rows: sql`select id, resource, record_id, text, created_at, edited_at, deleted_at,
        (select json_agg(file - 'key') from jsonb_array_elements(files) file) as files from assay.comments
        where user_id = ${id} order by id`,
    },
    {
      name: 'comments_before_changes',
      rows: sql`select v.comment_id, v.text, v.written_at from assay.comment_versions v
        join assay.comments c on c.id = v.comment_id where c.user_id = ${id} order by v.comment_id, v.version`,
    },
    {
      name: 'deleted_records',
      rows: sql`select resource, record_id, created_at as deleted_at from assay.deletions where user_id = ${id} order by id`,
    },
    {
      name: 'watched_records',
      rows: sql`select resource, record_id, state, since from assay.watches where user_id = ${id}
        order by resource, record_id`,
    },
    {
      name: 'mails_waiting',
      rows: sql`select occasion, created_at, attempts, next_at, failed_at from assay.mails
        where about->>'user_id' = ${String(id)} order by id`,
    },
    {
      name: 'jobs',
      rows: sql`select id, kind, title, state, done, total, message, created_at, started_at, finished_at
        from assay.jobs where user_id = ${id} order by id`,
    },
    {
      name: 'files',
      rows: sql`select name, type, size, resource, field, created_at from assay.files where user_id = ${id} order by created_at, key`,
    },
    {
      name: 'repeatable_calls',
      rows: sql`select key, created_at from assay.idempotency_keys where user_id = ${id} order by created_at`,
    },
    {
      name: 'definition_drafts',
      rows: sql`select name, base_version, text, updated_at from assay.module_drafts where user_id = ${id} order by name`,
    },
    {
      name: 'definitions_published',
      rows: sql`select name, version, event, created_at from assay.module_versions where user_id = ${id} order by created_at`,
    },
    {
      name: 'changes',
      rows: sql`select h.id, h.resource, h.record_id, h.event, h.created_at,
          array(select distinct jsonb_object_keys(coalesce(h.old_values, '{}') || coalesce(h.new_values, '{}'))) as fields
        from assay.history h where h.user_id = ${id} order by h.id`,
      show: (line) => ({ ...line, fields: readableNames(context, line) }),
    },
    {
      name: 'security_log',
      rows: sql`select id, at, event, resource, record_id, subject, times, viewed_id, user_id = ${id} as by_yourself,
          case when user_id = ${id} then address end as address, case when user_id = ${id} then agent end as agent,
          case when user_id = ${id} then request_id end as request_id, case when user_id = ${id} then detail end as detail
        from assay.security_log
        where user_id = ${id} or viewed_id = ${id} or (resource = 'users' and record_id = ${String(id)}) order by id`,
    },
  ];
}

function readableValues(context: RequestContext, values: unknown): ResourceRecord | null {
  const readable = readableFields(context.actor, context.registry.getOrThrow('users'), 'view').sometimes;
  if (values === null || typeof values !== 'object') return null;
  return Object.fromEntries(Object.entries(values).filter(([name]) => readable.has(name)));
}

function readableNames({ registry, actor }: RequestContext, { resource, fields }: ResourceRecord): string[] {
  const definition = registry.definitions.get(String(resource));
  if (!definition) return [];
  const { sometimes: conditionalFields } = readableFields(actor, definition, 'view');
  return (fields as string[]).filter((name) => conditionalFields.has(name)).sort();
}
