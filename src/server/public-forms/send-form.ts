import type { Definition, PublicForm, ResourceRecord } from '../../engine/definitions/definition';
import { unavailableChoiceMessage } from '../../engine/validation/messages';
import { RequestContext } from '../access/request-context';
import { countAttempt, countAttemptWithin, mailboxKey, networkKey } from '../accounts/session/attempts';
import { queueFinishedMail } from '../accounts/mails/mails';
import { hasConfirmedOwner } from '../accounts/users/confirmed-addresses';
import type { Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { transactionDatabase } from '../database/transaction-database';
import { BadRequest, Conflict, Forbidden, Invalid, NotFound, Taken, TooManyRequests } from '../errors/errors';
import { escapeHtml, renderMail } from '../mail/render';
import { createRecord } from '../records/write/create';
import { applyDefaults, valueErrors } from '../records/write/steps';
import { parseInput, type Body } from '../records/write/input';
import { parseResponse } from '../records/read/read';
import { withStoredFiles } from '../records/files/record-files';
import type { OpenForm } from './open-form';
import { propertyOf } from '../../engine/values/lookups';
import { idOf } from '../../engine/definitions/accessors';

const hour = 60 * 60_000;
/** Forms that one network sends in an hour, also those that are refused. */
const hourlyOfNetwork = 30;
/** Mails of the forms of one company in a day. */
const dailyMails = 200;
/** A field that people do not see and programs fill in. */
export const honeypot = '_website';

const refusal = 'This could not be accepted as it is. Please check it, or tell us in another way.';

/**
 * Counts a form that is sent. Throws TooManyRequests if its network or its address has sent as many as it may.
 */
export async function countSending({ context, id, form }: OpenForm, address: string): Promise<void> {
  await countAttempt(context.program.database, [
    {
      key: `public form ${networkKey(address)}`,
      times: hourlyOfNetwork,
      within: hour,
      message: 'Many forms were sent from your network.',
    },
    {
      key: `public form of ${id}`,
      times: form.hourlyLimit,
      within: hour,
      message: 'Many people are using this form.',
    },
  ]);
}

/**
 * Stores what a visitor sent. A form whose hidden field is filled in is answered alike and not stored. Throws BadRequest
 * for a field that the form does not have, and Invalid: with the fields that are wrong, or without saying what about
 * other records stands against it.
 */
export async function sendForm(open: OpenForm, body: Body): Promise<void> {
  const { definition, form } = open;
  const { [honeypot]: trap, ...sentValues } = body.values;
  const foreign = Object.keys(sentValues).find((name) => !form.fields.includes(name));
  if (foreign !== undefined) throw new BadRequest(`The form has no field "${foreign.slice(0, 63)}".`);
  if (trap !== undefined && trap !== null && trap !== '') return;
  const completeBody: Body = { ...body, values: { ...sentValues, ...otherValues(definition, form, body.text) } };
  await assertAcceptable(open, completeBody);
  try {
    await store(open, completeBody);
  } catch (error) {
    throw withoutHidden(error, definition, form);
  }
}

/** The fixed values, and nothing for fields that would name the visitor as a user. */
function otherValues(
  { fields }: Definition,
  { fields: formFields, values }: PublicForm,
  text: boolean,
): ResourceRecord {
  const nameless = Object.values(fields).filter(
    ({ name, system, readOnly, default: initial }) =>
      !system && !readOnly && !formFields.includes(name) && typeof initial === 'string' && initial.startsWith('$actor'),
  );
  const allValues: ResourceRecord = { ...Object.fromEntries(nameless.map(({ name }) => [name, null])), ...values };
  if (!text) return allValues;
  return Object.fromEntries(
    Object.entries(allValues).map(([name, value]) => [name, value === null ? '' : String(value)]),
  );
}

/** Throws Invalid with the fields of the form whose values are wrong in themselves. */
async function assertAcceptable({ context, definition, form }: OpenForm, body: Body): Promise<void> {
  const input = parseInput(definition, body);
  const { values } = applyDefaults(context, definition, input);
  const errors = {
    ...(await valueErrors(
      { context, definition, queries: context.program.database.kysely },
      { values, changed: new Set() },
    )),
    ...input.errors,
  };
  if (Object.keys(errors).length > 0) throw new Invalid(pickFields(errors, form), refusalUnlessShown(errors, form));
}

function pickFields(errors: Readonly<Record<string, string>>, { fields }: PublicForm): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => fields.includes(name)));
}

function refusalUnlessShown(errors: Readonly<Record<string, string>>, form: PublicForm): string | undefined {
  return Object.keys(pickFields(errors, form)).length > 0 ? undefined : refusal;
}

/** An error that tells nothing of other records: only a choice that is no longer offered is named. */
function withoutHidden(error: unknown, { fields }: Definition, form: PublicForm): unknown {
  if (error instanceof Invalid && !(error instanceof Taken)) {
    const choices = Object.entries(error.errors).filter(
      ([name, message]) => form.fields.includes(name) && message === unavailableChoiceMessage(propertyOf(fields, name)),
    );
    if (choices.length > 0) return new Invalid(Object.fromEntries(choices));
  }
  const isTelling = [Invalid, Conflict, Forbidden, NotFound].some((kind) => error instanceof kind);
  return isTelling ? new Invalid({}, refusal) : error;
}

async function store(open: OpenForm, body: Body): Promise<void> {
  const { context, definition, id, company } = open;
  const { program, actor, knownZone } = context;
  await withStoredFiles({ context, definition }, body, 'create', (storedBody) =>
    program.database.transaction(async (trx) => {
      const database = transactionDatabase(program.database, trx);
      const requestContext = new RequestContext({ ...program, database }, actor, knownZone);
      const record = parseResponse(await createRecord(requestContext, definition, storedBody));
      await onEngineTables(trx)
        .insertInto('public_records')
        .values({ resource: definition.name, record_id: idOf(record), site_id: company, form_id: id })
        .execute();
      await queueConfirmation(open, record, trx);
    }),
  );
}

/**
 * Queues the mail to the address that was entered, unless it or the company has had enough, or nobody of the company has
 * confirmed an address. It says the same to everybody: whoever enters the address of somebody else cannot write to them.
 */
async function queueConfirmation({ context, form, id, company }: OpenForm, record: ResourceRecord, trx: Transaction) {
  const address = form.mail && record[form.mail.address];
  if (!form.mail || typeof address !== 'string' || !(await hasConfirmedOwner(trx, company))) return;
  const day = 24 * hour;
  try {
    await countAttemptWithin(trx, [
      { key: `public form mail ${id} ${mailboxKey(address)}`, times: 1, within: day },
      { key: `mail to ${mailboxKey(address)}`, times: 20, within: day },
      { key: `public form mails of ${company}`, times: dailyMails, within: day },
    ]);
  } catch (error) {
    if (error instanceof TooManyRequests) return;
    throw error;
  }
  const { subject, text } = form.mail;
  const content = `<p>${escapeHtml(text).replaceAll('{{', '{ {').replace(/\r?\n/g, '<br>')}</p>`;
  const renderedMail = renderMail({ subject: subject.replaceAll('{{', '{ {'), content }, {});
  await queueFinishedMail(context.program, trx, { to: { name: '', address }, ...renderedMail });
}
