import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { Queries } from './database';

/** A column of the engine's tables: its type in PostgreSQL, and what is read from it and written to it. */
interface Column<Type> {
  readonly type: string;
  readonly isNullable: boolean;
  /** It has a value without one being given. */
  readonly hasDefault: boolean;
  /** For the compiler alone. */
  readonly values?: Type;
}

const column = <Type>(type: string): Column<Type> => ({ type, isNullable: false, hasDefault: false });
const bigint = column<number>('bigint');
const boolean = column<boolean>('boolean');
const bytes = column<Buffer>('bytea');
/** `YYYY-MM-DD` */
const day = column<string>('date');
/** Read as ISO 8601 in UTC. */
const instant = column<ColumnType<string, Date | string, Date | string>>('timestamp with time zone');
const integer = column<number>('integer');
/** Read as a value, written as JSON text. */
const json = column<ColumnType<unknown, string, string>>('jsonb');
const smallint = column<number>('smallint');
const text = column<string>('text');
const integerList = column<number[]>('ARRAY');
const textList = column<string[]>('ARRAY');
/** The number of a transaction. */
const transaction = column<string>('xid8');
const uuid = column<string>('uuid');

const nullable = <Type>({ type, hasDefault }: Column<Type>): Column<Nullable<Type>> => ({
  type,
  isNullable: true,
  hasDefault,
});
const withDefault = <Type>({ type, isNullable }: Column<Type>): Column<WithDefault<Type>> => ({
  type,
  isNullable,
  hasDefault: true,
});
const identity = <Type>({ type }: Column<Type>): Column<GeneratedAlways<Type>> => ({
  type,
  isNullable: false,
  hasDefault: true,
});

type Nullable<Type> = [Type] extends [ColumnType<infer Read, infer Written, unknown>]
  ? ColumnType<Read | null, Written | null | undefined, Written | null>
  : ColumnType<Type | null, Type | null | undefined, Type | null>;

type WithDefault<Type> = [Type] extends [ColumnType<unknown, unknown, unknown>]
  ? ColumnType<Type['__select__'], Type['__insert__'] | undefined, Type['__update__']>
  : Generated<Type>;

/** The engine's own tables, in the schema `assay`, as the migrations make them. */
export const engineTables = {
  address_changes: {
    user_id: integer,
    email: text,
    requested_by: integer,
    requested_at: withDefault(instant),
  },
  attempts: {
    key: text,
    at: withDefault(instant),
  },
  authenticators: {
    user_id: integer,
    secret: nullable(bytes),
    confirmed_at: nullable(instant),
    last_step: nullable(bigint),
    pending_secret: nullable(bytes),
    pending_at: nullable(instant),
  },
  automation_runs: {
    id: identity(integer),
    site_id: nullable(integer),
    resource: text,
    automation: text,
    label: text,
    record_id: nullable(integer),
    subject: nullable(text),
    trigger: text,
    reason: text,
    depth: smallint,
    as_whom: text,
    user_id: nullable(integer),
    snapshot: nullable(json),
    state: text,
    attempts: withDefault(integer),
    next_at: withDefault(instant),
    steps: nullable(json),
    message: nullable(text),
    created_at: withDefault(instant),
    finished_at: nullable(instant),
    due_at: nullable(instant),
  },
  automation_schedules: {
    resource: text,
    automation: text,
    rule: text,
    period: text,
    seen_at: instant,
  },
  challenges: {
    hash: bytes,
    kind: text,
    user_id: nullable(integer),
    tries: withDefault(integer),
    expires_at: instant,
    first_method: nullable(text),
  },
  codes: {
    user_id: integer,
    purpose: text,
    hash: bytes,
    expires_at: instant,
  },
  comment_versions: {
    comment_id: integer,
    version: integer,
    text: text,
    written_at: instant,
  },
  comments: {
    id: identity(integer),
    resource: text,
    record_id: integer,
    site_id: nullable(integer),
    user_id: integer,
    text: text,
    mentioned: withDefault(integerList),
    files: withDefault(json),
    created_at: withDefault(instant),
    edited_at: nullable(instant),
    deleted_at: nullable(instant),
    deleted_by: nullable(integer),
  },
  confirmed_addresses: {
    user_id: integer,
    email: text,
    confirmed_at: withDefault(instant),
  },
  deleted_files: {
    key: text,
    deletion_id: integer,
  },
  deleted_rows: {
    deletion_id: integer,
    source: text,
    part: text,
    row: json,
  },
  deletions: {
    id: identity(integer),
    resource: text,
    record_id: integer,
    site_id: nullable(integer),
    user_id: integer,
    created_at: withDefault(instant),
  },
  files: {
    key: text,
    resource: text,
    field: text,
    name: text,
    type: text,
    size: integer,
    created_at: withDefault(instant),
    site_id: nullable(integer),
    user_id: nullable(integer),
    is_waiting: withDefault(boolean),
  },
  grants: {
    role_id: integer,
    module: text,
    action: text,
  },
  grid_configurations: {
    user_id: integer,
    name: text,
    configuration: withDefault(json),
    first_view: nullable(text),
  },
  history: {
    id: identity(bigint),
    resource: text,
    record_id: integer,
    event: text,
    old_values: nullable(json),
    new_values: nullable(json),
    user_id: nullable(integer),
    created_at: withDefault(instant),
    restored_version: nullable(integer),
  },
  idempotency_keys: {
    user_id: integer,
    key: text,
    fingerprint: bytes,
    status: nullable(smallint),
    answer: nullable(text),
    created_at: withDefault(instant),
  },
  identities: {
    provider_id: integer,
    issuer: text,
    subject: text,
    user_id: integer,
    email: text,
    created_at: withDefault(instant),
    last_used_at: withDefault(instant),
  },
  identity_domains: {
    id: identity(integer),
    site_id: integer,
    domain: text,
    token: text,
    proven_at: nullable(instant),
    proven_by: nullable(text),
  },
  identity_providers: {
    id: identity(integer),
    site_id: integer,
    name: text,
    issuer: text,
    client_id: text,
    client_secret: nullable(bytes),
    trusts_second_factor: withDefault(boolean),
    trusts_addresses: withDefault(boolean),
    new_people_role: nullable(integer),
    local_closed: withDefault(boolean),
    connected_at: instant,
    changed_at: instant,
  },
  import_failures: {
    job_id: bigint,
    place: integer,
    failures: json,
  },
  import_mappings: {
    site_id: integer,
    resource: text,
    heading: text,
    field: nullable(text),
  },
  import_memories: {
    user_id: integer,
    site_id: integer,
    resource: text,
    headings: bytes,
    mapping: json,
    meanings: json,
    at: withDefault(instant),
  },
  jobs: {
    id: identity(bigint),
    kind: text,
    title: text,
    site_id: nullable(integer),
    user_id: integer,
    state: withDefault(text),
    input: json,
    place: nullable(json),
    done: withDefault(integer),
    total: nullable(integer),
    result: nullable(json),
    message: nullable(text),
    attempts: withDefault(integer),
    repeatable: withDefault(boolean),
    cancel_wanted: withDefault(boolean),
    holder: nullable(uuid),
    lease_until: nullable(instant),
    next_at: withDefault(instant),
    created_at: withDefault(instant),
    started_at: nullable(instant),
    finished_at: nullable(instant),
  },
  known_networks: {
    key: text,
    network: text,
    last_at: instant,
  },
  mails: {
    id: identity(bigint),
    occasion: text,
    about: json,
    attempts: withDefault(integer),
    last_error: nullable(text),
    created_at: withDefault(instant),
    next_at: withDefault(instant),
    failed_at: nullable(instant),
    retried_at: nullable(instant),
    reason: nullable(text),
  },
  meta: {
    key: text,
    value: json,
  },
  module_drafts: {
    name: text,
    user_id: integer,
    base_version: integer,
    base: text,
    source: text,
    text: text,
    purge: textList,
    takes_shipped: boolean,
    revision: integer,
    updated_at: withDefault(instant),
  },
  module_versions: {
    name: text,
    version: integer,
    source: text,
    event: text,
    user_id: nullable(integer),
    user_name: nullable(text),
    created_at: withDefault(instant),
    note: nullable(text),
  },
  modules: {
    name: text,
    origin: text,
    source: nullable(text),
    base: nullable(text),
    retired_at: nullable(instant),
    version: integer,
  },
  notice_choices: {
    user_id: integer,
    channels: withDefault(json),
    digest_hour: withDefault(smallint),
    digest_day: nullable(smallint),
    digested_on: nullable(day),
  },
  notifications: {
    id: identity(integer),
    user_id: integer,
    title: text,
    content: nullable(text),
    link: nullable(text),
    created_at: withDefault(instant),
    read_at: nullable(instant),
    occasion: nullable(text),
    in_digest: withDefault(boolean),
    changes_from: nullable(bigint),
    changed_by: nullable(integer),
    made_in: withDefault(nullable(transaction)),
    comment_id: nullable(integer),
  },
  passkeys: {
    id: identity(bigint),
    user_id: integer,
    credential_id: text,
    public_key: bytes,
    counter: bigint,
    transports: textList,
    name: text,
    created_at: withDefault(instant),
    last_used_at: nullable(instant),
  },
  periodic_work: {
    name: text,
    next_at: instant,
  },
  recovery_codes: {
    user_id: integer,
    hash: bytes,
    used_at: nullable(instant),
  },
  security_log: {
    id: identity(integer),
    at: withDefault(instant),
    event: text,
    user_id: nullable(integer),
    viewed_id: nullable(integer),
    site_id: nullable(integer),
    resource: nullable(text),
    record_id: nullable(text),
    subject: nullable(text),
    detail: nullable(json),
    address: nullable(text),
    agent: nullable(text),
    request_id: nullable(text),
    times: withDefault(integer),
  },
  presence: {
    user_id: integer,
    stream: text,
    resource: text,
    record_id: integer,
    site_id: nullable(integer),
    seen_at: withDefault(instant),
    editing: withDefault(boolean),
  },
  releases: {
    number: identity(integer),
    fingerprint: text,
    shipped: json,
    owned_at: withDefault(instant),
  },
  seeded_modules: {
    module: text,
    seeded_at: withDefault(instant),
  },
  sequences: {
    resource: text,
    field: text,
    scope: integer,
    last: bigint,
  },
  servers: {
    id: uuid,
    release: integer,
    since: withDefault(instant),
    seen_at: withDefault(instant),
  },
  service_accounts: {
    service_account_id: integer,
    user_id: integer,
    hash: nullable(bytes),
  },
  service_scopes: {
    service_account_id: integer,
    module: text,
    action: text,
  },
  shipped_rows: {
    resource: text,
    record_id: integer,
    protected: boolean,
  },
  sign_in_guards: {
    key: text,
    failures: integer,
    last_at: instant,
    noticed_at: nullable(instant),
  },
  sign_on_flows: {
    hash: bytes,
    browser: bytes,
    provider_id: integer,
    issuer: text,
    purpose: text,
    sign_in_id: nullable(bigint),
    begun_at: instant,
    expires_at: instant,
    used_at: nullable(instant),
  },
  tokens: {
    id: identity(bigint),
    user_id: integer,
    hash: bytes,
    created_at: withDefault(instant),
    last_used_at: withDefault(instant),
    agent: nullable(text),
    expires_at: nullable(instant),
    former_hash: nullable(bytes),
    former_expires_at: nullable(instant),
    renewal_family: nullable(bytes),
    renewal_hash: nullable(bytes),
    former_renewal_hash: nullable(bytes),
    renewed_at: nullable(instant),
    proven_at: withDefault(nullable(instant)),
    method: nullable(text),
  },
  timers: {
    user_id: integer,
    resource: text,
    record_id: integer,
    started_at: instant,
  },
  told_deadlines: {
    resource: text,
    record_id: integer,
    user_id: integer,
    day: day,
  },
  trusted_devices: {
    hash: bytes,
    user_id: integer,
    expires_at: instant,
  },
  sample_records: {
    id: identity(integer),
    site_id: integer,
    resource: text,
    record_id: integer,
  },
  user_preferences: {
    user_id: integer,
    formats: nullable(text),
    week_start: nullable(smallint),
    density: nullable(text),
    time_zone: nullable(text),
  },
  watched_changes: {
    history_id: bigint,
    made_in: withDefault(transaction),
  },
  watches: {
    resource: text,
    record_id: integer,
    user_id: integer,
    state: text,
    since: withDefault(instant),
  },
  webhook_deliveries: {
    id: identity(integer),
    message_id: text,
    site_id: nullable(integer),
    webhook_id: integer,
    run_id: nullable(integer),
    replay_of: nullable(integer),
    type: text,
    url: text,
    body: text,
    state: text,
    attempts: withDefault(integer),
    next_at: nullable(instant),
    attempted_at: nullable(instant),
    milliseconds: nullable(integer),
    status: nullable(integer),
    answer: nullable(text),
    message: nullable(text),
    user_id: nullable(integer),
    created_at: withDefault(instant),
    finished_at: nullable(instant),
  },
  webhook_secrets: {
    webhook_id: integer,
    secret: bytes,
    created_at: withDefault(instant),
  },
} as const;

type Values<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Type> ? Type : never;
};

/** The types of the engine's tables. */
export type EngineTables = { [Table in keyof typeof engineTables]: Values<(typeof engineTables)[Table]> };

/**
 * Queries of the engine's own tables, whose columns the compiler knows.
 *
 * @example
 *   await onEngineTables(trx).selectFrom('grants').select('action').where('role_id', '=', 3).execute();
 */
export function onEngineTables(queries: Queries): Kysely<EngineTables> {
  return queries.withSchema('assay') as Kysely<EngineTables>;
}
