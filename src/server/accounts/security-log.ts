import { companyOf, idOf } from '../../engine/definitions/accessors';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Hook, HookContext } from '../program';
import { recordSecurityEvent, type SecurityEntry } from '../security-log/security-log';
import type { SecurityEvent } from '../security-log/events';
import { propertyOf } from '../../engine/values/lookups';

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
  const { program, trx, definition, previousRow, values, event } = context;
  const [created, updateEvent, deleted] =
    events[definition.name] ?? (['settings_changed', 'settings_changed', 'settings_changed'] as const);
  const record: ResourceRecord = { ...previousRow, ...values };
  const entry = (securityEvent: SecurityEvent, detail?: SecurityEntry['detail']): SecurityEntry => ({
    event: securityEvent,
    actor: context.actor,
    site_id: companyOfEntry(context, record),
    resource: definition.name,
    record_id: idOf(record),
    subject: titleOf(definition, record),
    ...(detail && { detail }),
  });
  if (event === 'afterDelete') return recordSecurityEvent(program, entry(deleted), trx);
  if (!previousRow) return recordSecurityEvent(program, entry(created, detailOf(definition, {}, record)), trx);
  const names = Object.keys(definition.fields).filter((name) => isChanged(definition, name, previousRow, record));
  const permissions = permissionsChanged(previousRow, record, context.input);
  if (permissions) await recordSecurityEvent(program, entry('permissions_changed', permissions), trx);
  if (names.includes('password')) await recordSecurityEvent(program, entry('password_changed'), trx);
  if (definition.name === 'users' && names.includes('email'))
    await recordSecurityEvent(program, entry('address_changed', { from: previousRow.email, to: record.email }), trx);
  const otherNames = names.filter((name) => !(definition.name === 'users' && ['password', 'email'].includes(name)));
  if (otherNames.length > 0)
    await recordSecurityEvent(program, entry(updateEvent, detailOf(definition, previousRow, record, otherNames)), trx);
};

function isChanged(
  { fields }: Definition,
  name: string,
  previousRow: ResourceRecord,
  changedRow: ResourceRecord,
): boolean {
  const field = propertyOf(fields, name);
  if (stamps.has(name) || field.virtual || field.computed !== undefined || field.inverse) return false;
  return JSON.stringify(previousRow[name] ?? null) !== JSON.stringify(changedRow[name] ?? null);
}

function detailOf(
  { fields }: Definition,
  previousRow: ResourceRecord,
  changedRow: ResourceRecord,
  names?: readonly string[],
) {
  const changedNames =
    names ?? Object.keys(fields).filter((name) => loggedValueFields.has(name) && changedRow[name] !== undefined);
  const values = changedNames
    .filter((name) => loggedValueFields.has(name))
    .map((name) => [name, { from: previousRow[name] ?? null, to: changedRow[name] ?? null }]);
  return {
    ...(names && { changed: names.map((name) => propertyOf(fields, name).label) }),
    ...Object.fromEntries(values),
  };
}

/** The permissions that a role gained and lost, if they were sent. */
function permissionsChanged(previousRow: ResourceRecord, changedRow: ResourceRecord, input: Readonly<ResourceRecord>) {
  if (!('modulePermission' in input) || !Array.isArray(changedRow.modulePermission)) return undefined;
  const [previousIds, currentIds] = [
    (previousRow.modulePermission as string[] | undefined) ?? [],
    changedRow.modulePermission as string[],
  ];
  const grantedIds = currentIds.filter((id) => !previousIds.includes(id));
  const revokedIds = previousIds.filter((id) => !currentIds.includes(id));
  return grantedIds.length + revokedIds.length > 0 ? { granted: grantedIds, taken: revokedIds } : undefined;
}

/** The company of an entry: the record's company, or the record itself if it is one. */
function companyOfEntry({ definition, actor }: HookContext, record: ResourceRecord): number | null {
  return definition.scope === 'self' ? idOf(record) : (companyOf(record) ?? actor.site_id);
}

function titleOf(definition: Definition, record: ResourceRecord): string {
  const title = definition.recordTitle.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { computed: computedKind } = definition.fields[name] ?? {};
    const template = typeof computedKind === 'string' ? computedKind : `{${name}}`;
    return template.replace(/\{(\w+)\}/g, (_all, part: string) => String(record[part] ?? ''));
  });
  return title.trim() || `${definition.labels.one} ${String(record.id)}`;
}
