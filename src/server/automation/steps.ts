import { Level } from '../../engine/definitions/level';
import type { Reader } from '../../engine/formats/personal';
import { sql } from 'kysely';
import type { AutomationStep, Recipients, ResourceRecord } from '../../engine/definitions/definition';
import { isInverse } from '../../engine/field-types/inverse';
import { accessFilter, assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { countAttemptWithin, mailLimits } from '../accounts/session/attempts';
import { queueFinishedMail } from '../accounts/mails/mails';
import { findMailTemplate, templateAddresses } from '../accounts/mails/mail-templates';
import type { Transaction } from '../database/database';
import { BadRequest, Conflict } from '../errors/errors';
import { escapeHtml, renderMail } from '../mail/render';
import { safeMailName } from '../mail/safe-name';
import { loadReaders, loadWriter } from '../accounts/profile/readers-formats';
import { automationOccasion } from '../notifications/kinds';
import { notify } from '../notifications/notify';
import { isActiveRecipient } from '../notifications/recipients';
import { insertRecord } from '../records/write/create';
import { withPinsApart } from '../records/write/pins';
import { translateDatabaseErrors } from '../records/write/row-writes';
import { storeChanges } from '../records/write/update';
import { recordWithId } from '../sql/same-company';
import { pointsToSql } from '../sql/points-to';
import { predicateToSql } from '../sql/predicate-to-sql';
import { contextOfUser } from '../accounts/users/acting-user';
import {
  canView,
  fillText,
  idsAtPath,
  readableValues,
  valueAtPath,
  writtenValues,
  type AboutRecord,
} from './record-values';
import { fieldOf } from '../../engine/definitions/accessors';

/** The data that running a step needs. */
export interface StepContext {
  readonly context: RequestContext;
  readonly record: AboutRecord;
  readonly trx: Transaction;
  /** Who is shown what the steps did, when they are only tried out: it holds nothing that this user may not read. */
  readonly witness?: RequestContext;
  /** Hands a message to a webhook within the transaction. */
  sendWebhook(name: string): Promise<StepResult>;
}

/** The result of a step: in words for the list of runs, and in detail. */
export interface StepResult {
  readonly text: string;
  readonly effect: StepEffect;
}

export type StepEffect =
  | { readonly kind: 'notify'; readonly messages: readonly { readonly user: number; readonly text: string }[] }
  | {
      readonly kind: 'mail';
      /** Undefined if nobody gets it. */
      readonly mail?: {
        readonly user?: number;
        readonly address: string;
        readonly subject: string;
        readonly text: string;
      };
    }
  | { readonly kind: 'set' | 'create'; readonly resource: string; readonly records: readonly ResourceRecord[] }
  | { readonly kind: 'webhook'; readonly name: string; readonly body: string };

/** Who has to be allowed to read what a step shows: the user of the run, whoever it is for, and who tries it out. */
const readersOf = ({ context, witness }: Pick<StepContext, 'context' | 'witness'>, reader?: RequestContext) => [
  context,
  ...(reader ? [reader] : []),
  ...(witness ? [witness] : []),
];

/** Users that one step may notify, and records that it may create. */
const maxMany = 1_000;

/** Does a step within the transaction of the run. Throws what a request would throw. */
export function doStep(step: AutomationStep, context: StepContext): Promise<StepResult> {
  switch (step.kind) {
    case 'notify':
      return notifyUsers(step.to, step.text, context);
    case 'mail':
      return sendMail(step, context);
    case 'set':
      return setFields(step.values, context);
    case 'create':
      return createRecords(step, context);
    case 'webhook':
      return context.sendWebhook(step.name);
  }
}

const countText = (count: number, singular: string, plural = `${singular}s`) =>
  `${count} ${count === 1 ? singular : plural}`;

async function notifyUsers(recipients: Recipients, text: string, stepContext: StepContext): Promise<StepResult> {
  const { context, record, trx } = stepContext;
  const { program } = context;
  const ids = await recipientIds(recipients, { context, record, trx });
  const readers = await loadReaders(trx, ids);
  const messages = [];
  let otherRecipients = 0;
  for (const id of ids) {
    const reader = await contextOfUser(program, trx, id, { zone: context.timeZone, depth: context.depth });
    if (!reader || !(await canView(reader, record, trx))) {
      otherRecipients++;
      continue;
    }
    const title = await fillText(readersOf(stepContext, reader), record, text, trx, readers(id));
    const link = record.isDeleted ? null : `/${record.definition.name}/${record.id}`;
    messages.push({ user_id: id, title, content: null, link, occasion: automationOccasion });
  }
  await notify(program, trx, messages);
  const left =
    otherRecipients > 0 ? `; ${countText(otherRecipients, 'other')} may not view the record or cannot sign in` : '';
  return {
    text: `Notified ${countText(messages.length, 'user')}${left}.`,
    effect: { kind: 'notify', messages: messages.map(({ user_id: user, title }) => ({ user, text: title })) },
  };
}

async function recipientIds(
  { paths, roles, roleNames, levels }: Recipients,
  { context, record, trx }: Pick<StepContext, 'context' | 'record' | 'trx'>,
): Promise<number[]> {
  const ids = new Set<number>();
  for (const path of paths) for (const id of await idsAtPath(context, record, path, trx)) ids.add(id);
  if (roles.length + roleNames.length + levels.length > 0) {
    const names = roleNames.map((name) => name.toLowerCase());
    const { rows } = await sql<{ id: number }>`select u.id from public.users u join public.roles r on r.id = u.role_id
      where (r.key = any(${roles}::text[]) or lower(r.role_name) = any(${names}::text[]) or r.level = any(${levels}::bigint[])) and ${isActiveRecipient()}
        and u.site_id is not distinct from ${record.company}::bigint
      order by u.id limit ${maxMany}`.execute(trx);
    for (const { id } of rows) ids.add(id);
  }
  return [...ids].slice(0, maxMany);
}

/** How texts of records are written: in the time zone of whose permissions the automation runs with. */
const writerOf = ({ context, record, trx }: StepContext) => loadWriter(trx, context.actor.id, record.company);

async function setFields(
  configuredValues: Readonly<Record<string, unknown>>,
  stepContext: StepContext,
): Promise<StepResult> {
  const { context, record, trx } = stepContext;
  const { definition, id } = record;
  assertGranted(context, definition, 'edit');
  const values = await writtenValues(
    readersOf(stepContext),
    record,
    definition,
    configuredValues,
    await writerOf(stepContext),
    trx,
  );
  const fixedNames = new Set(Object.keys(values));
  const input = withPinsApart(definition, { values, errors: {}, kept: [], fixed: fixedNames });
  const isChanged = await translateDatabaseErrors(context, definition, () =>
    storeChanges({ context, definition, trx }, id, input),
  );
  const labels = Object.keys(values).map((name) => fieldOf(definition, name).label);
  const text = isChanged ? `Set ${labels.join(', ')}.` : `${labels.join(', ')} had these values already.`;
  return { text, effect: { kind: 'set', resource: definition.name, records: [values] } };
}

async function createRecords(
  { resource, values: configuredValues, forEach }: Extract<AutomationStep, { kind: 'create' }>,
  stepContext: StepContext,
): Promise<StepResult> {
  const { context, record, trx } = stepContext;
  const target = context.registry.getOrThrow(resource);
  assertGranted(context, target, 'create');
  const items = forEach === undefined ? [undefined] : await relatedRecords(forEach, stepContext);
  if (items.length > maxMany)
    throw new Conflict(`One step creates at most ${maxMany} records; "${forEach}" has ${items.length}.`);
  const records = [];
  const writer = await writerOf(stepContext);
  for (const item of items) {
    const values = await writtenValues(readersOf(stepContext), record, target, configuredValues, writer, trx, item);
    if (target.fields.site_id && context.actor.level === Level.Installation) values.site_id ??= record.company;
    await translateDatabaseErrors(context, target, () =>
      insertRecord(
        { context, definition: target, trx },
        { values, errors: {}, kept: [], fixed: new Set(Object.keys(values)) },
      ),
    );
    records.push(values);
  }
  return {
    text: `Created ${countText(items.length, target.labels.one.toLowerCase(), target.labels.many.toLowerCase())}.`,
    effect: { kind: 'create', resource, records },
  };
}

/** The related records of a field that the user may list, as they may read them. */
async function relatedRecords(
  name: string,
  { context, record, trx, witness }: Pick<StepContext, 'context' | 'record' | 'trx' | 'witness'>,
): Promise<ResourceRecord[]> {
  const field = record.definition.fields[name];
  const resource = field?.inverse?.resource ?? field?.to;
  if (!field || resource === undefined) throw new BadRequest(`"${name}" has no related records any more.`);
  const target = context.registry.getOrThrow(resource);
  const membership = isInverse(field)
    ? pointsToSql(target, field.inverse.field, 't', recordWithId(record.definition, sql`${record.id}::bigint`))
    : sql`t.id = any(${await idsAtPath(context, record, name, trx)}::bigint[])`;
  const condition = predicateToSql(
    accessFilter(context, target, 'list'),
    target,
    't',
    context.registry,
    context.evaluationContext,
  );
  const { rows } = await sql<{ id: number }>`select t.id from ${sql.id('public', target.table)} t
    where ${membership} and ${condition} order by t.id limit ${maxMany + 1}`.execute(trx);
  const records = [];
  for (const { id } of rows) records.push(await readableValues({ context, definition: target, trx }, id, witness));
  return records;
}

/** The mails of one occasion to one mailbox within an hour. */
const hourlyMails = 20;

async function sendMail(
  { to: recipientPath, template, subject, text }: Extract<AutomationStep, { kind: 'mail' }>,
  stepContext: StepContext,
): Promise<StepResult> {
  const { context, record, trx } = stepContext;
  const { program, actor } = context;
  const [address, reader] = await mailbox(recipientPath, stepContext);
  if (address === undefined) {
    const text = `No mail: "${recipientPath}" is empty, or cannot receive mail about this record.`;
    return { text, effect: { kind: 'mail' } };
  }
  const readers = readersOf(stepContext, reader);
  const formats = await mailFormats(stepContext, reader);
  await countAttemptWithin(
    trx,
    mailLimits({ occasion: 'automation', to: address, company: actor.site_id, confirmed: false, hourly: hourlyMails }),
  );
  const receiver = { address, name: safeMailName(address) };
  let message: Parameters<typeof queueFinishedMail>[2];
  if (template === undefined) {
    const [line, body] = [
      await fillText(readers, record, subject ?? '', trx, formats),
      await fillText(readers, record, text ?? '', trx, formats),
    ];
    const html = body
      .split('\n')
      .map((part) => `<p>${escapeHtml(part)}</p>`)
      .join('');
    const renderedMail = renderMail(
      { subject: '{{subject}}', content: html.replaceAll('{{', '&#123;&#123;') },
      { subject: line },
    );
    message = { to: receiver, cc: [], bcc: [], ...renderedMail };
  } else {
    const storedTemplate = await findMailTemplate(trx, template.toLowerCase(), actor.site_id).catch(() => undefined);
    if (!storedTemplate)
      throw new Conflict(`There is no email template with the identifier "${template}". Create it, or name another.`);
    const values: Record<string, string> = { email: address };
    for (const name of Object.keys(record.readable).filter((fieldName) => record.definition.fields[fieldName])) {
      values[name] = await fillText(readers, record, `{${name}}`, trx, formats);
    }
    const { replyTo } = templateAddresses(storedTemplate);
    message = { to: receiver, ...(replyTo && { replyTo }), cc: [], bcc: [], ...renderMail(storedTemplate, values) };
  }
  await queueFinishedMail(program, trx, message);
  const masked = maskAddress(address);
  const { subject: line, text: body } = message;
  return {
    text: `Queued a mail to ${masked}.`,
    effect: {
      kind: 'mail',
      mail: { ...(reader && { user: reader.actor.id }), address: masked, subject: line, text: body },
    },
  };
}

/** How the recipient reads a mail: an address of nobody known has the zone in which the automation runs. */
async function mailFormats({ context, trx }: StepContext, reader: RequestContext | undefined): Promise<Reader> {
  if (!reader) return { formats: undefined, timeZone: context.timeZone };
  return (await loadReaders(trx, [reader.actor.id]))(reader.actor.id);
}

/** The address at a path, with the context of the user who has it, if it is one. */
async function mailbox(
  path: string,
  stepContext: StepContext,
): Promise<[string | undefined, RequestContext | undefined]> {
  const { context, record, trx } = stepContext;
  const [id] = leadsToUsers(context, record, path) ? await idsAtPath(context, record, path, trx) : [];
  if (id !== undefined) {
    const reader = await contextOfUser(context.program, trx, id, { zone: context.timeZone, depth: context.depth });
    if (!reader || !(await canView(reader, record, trx))) return [undefined, undefined];
    const { rows } = await sql<{ email: string }>`select email from public.users where id = ${id}`.execute(trx);
    return [rows[0]?.email, reader];
  }
  const pathValue = leadsToUsers(context, record, path)
    ? null
    : await valueAtPath(readersOf(stepContext), record, path, trx);
  return [typeof pathValue?.value === 'string' && pathValue.value !== '' ? pathValue.value : undefined, undefined];
}

function leadsToUsers(context: RequestContext, { definition }: AboutRecord, path: string): boolean {
  let pathDefinition = definition;
  let resource: string | undefined;
  for (const name of path.split('.')) {
    resource = pathDefinition.fields[name]?.to;
    if (resource === undefined) return false;
    pathDefinition = context.registry.getOrThrow(resource);
  }
  return resource === fieldOf(definition, 'created_by').to;
}

/** Enough of an address to recognise it. */
function maskAddress(address: string): string {
  const separatorIndex = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(Math.max(separatorIndex, 1))}`;
}
