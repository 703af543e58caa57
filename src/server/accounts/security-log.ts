import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Hook, HookContext } from '../program';
import { recordSecurityEvent, type SecurityEntry } from '../security-log/security-log';
import type { SecurityEvent } from '../security-log/events';

/** beforeValidate, beforeDelete: only the program writes the log, and entries are immutable. */
export const refuseWritingSecurityLog: Hook = async ({ forbid }) => forbid('The security log cannot be changed.');

/**
 * The events for creating, changing and deleting a record, by resource; any other resource counts as a company setting.
 */
const events: Readonly<Record<string, readonly [SecurityEvent, SecurityEvent, SecurityEvent]>> = {
  users: ['user_created', 'user_changed', 'user_deleted'],
  roles: ['role_created', 'role_changed', 'role_deleted'],
};

/** Stamps change with every change. */
const stamps: ReadonlySet<string> = new Set(['updated_at', 'updated_by', 'created_at', 'created_by', 'id']);
/** Fields whose values are logged, because they are ids. Of others only the names are logged. */
const loggedValueFields: ReadonlySet<string> = new Set(['role_id', 'status_id', 'level']);

/** afterSave, afterDelete: records who changed what, with the names of the fields. */
export const recordForSecurity: Hook = async (context) => {
  const { program, trx, definition, before, values, event } = context;
  const [created, changed, deleted] =
    events[definition.name] ?? (['settings_changed', 'settings_changed', 'settings_changed'] as const);
  const record: ResourceRecord = { ...before, ...values };
  const entry = (one: SecurityEvent, detail?: SecurityEntry['detail']): SecurityEntry => ({
    event: one,
    actor: context.actor,
    site_id: companyOf(context, record),
    resource: definition.name,
    record_id: record.id as number,
    subject: titleOf(definition, record),
    ...(detail && { detail }),
  });
  if (event === 'afterDelete') return recordSecurityEvent(program, entry(deleted), trx);
  if (!before) return recordSecurityEvent(program, entry(created, detailOf(definition, {}, record)), trx);
  const names = Object.keys(definition.fields).filter((name) => isChanged(definition, name, before, record));
  const permissions = permissionsChanged(before, record, context.input);
  if (permissions) await recordSecurityEvent(program, entry('permissions_changed', permissions), trx);
  if (names.includes('password')) await recordSecurityEvent(program, entry('password_changed'), trx);
  if (definition.name === 'users' && names.includes('email'))
    await recordSecurityEvent(program, entry('address_changed', { from: before.email, to: record.email }), trx);
  const others = names.filter((name) => !(definition.name === 'users' && ['password', 'email'].includes(name)));
  if (others.length > 0)
    await recordSecurityEvent(program, entry(changed, detailOf(definition, before, record, others)), trx);
};

function isChanged({ fields }: Definition, name: string, before: ResourceRecord, after: ResourceRecord): boolean {
  const field = fields[name]!;
  if (stamps.has(name) || field.virtual || field.computed !== undefined || field.inverse) return false;
  return JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null);
}

function detailOf({ fields }: Definition, before: ResourceRecord, after: ResourceRecord, names?: readonly string[]) {
  const changed =
    names ?? Object.keys(fields).filter((name) => loggedValueFields.has(name) && after[name] !== undefined);
  const values = changed
    .filter((name) => loggedValueFields.has(name))
    .map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]);
  return { ...(names && { changed: names.map((name) => fields[name]!.label) }), ...Object.fromEntries(values) };
}

/** The permissions that a role gained and lost, if they were sent. */
function permissionsChanged(before: ResourceRecord, after: ResourceRecord, input: Readonly<ResourceRecord>) {
  if (!('modulePermission' in input) || !Array.isArray(after.modulePermission)) return undefined;
  const [was, is] = [(before.modulePermission as string[] | undefined) ?? [], after.modulePermission as string[]];
  const granted = is.filter((id) => !was.includes(id));
  const taken = was.filter((id) => !is.includes(id));
  return granted.length + taken.length > 0 ? { granted, taken } : undefined;
}

/** The company of an entry: the record's company, or the record itself if it is one. */
function companyOf({ definition, actor }: HookContext, record: ResourceRecord): number | null {
  if (definition.scope === 'self') return record.id as number;
  return (record.site_id as number | null | undefined) ?? actor.site_id;
}

function titleOf(definition: Definition, record: ResourceRecord): string {
  const title = definition.recordTitle.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { computed } = definition.fields[name] ?? {};
    const template = typeof computed === 'string' ? computed : `{${name}}`;
    return template.replace(/\{(\w+)\}/g, (_all, part: string) => String(record[part] ?? ''));
  });
  return title.trim() || `${definition.labels.one} ${String(record.id)}`;
}
