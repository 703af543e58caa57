import type { FastifyInstance } from 'fastify';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isInverse } from '../../../engine/field-types/inverse';
import { unknownProperties } from '../../../engine/validation/messages';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import type { TransactionScope } from '../../access/record-scope';
import { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { Invalid, NotFound } from '../../errors/errors';
import { typedApi } from '../../routing/define-call';
import { runIdempotentPrepared } from '../../idempotency/run-idempotent';
import type { Program } from '../../program';
import { publishRecordChange, translateDatabaseErrors, updateRow } from '../../records/write/row-writes';
import { parseInput, type Body } from '../../records/write/input';
import { lockOwnRow } from '../../records/write/stored-row';
import { storeChanges } from '../../records/write/update';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from '../session/access-cache';
import { accessOf } from '../session/authenticate';
import { proofLimits, countAttempt } from '../session/attempts';
import { hashNewPassword } from '../../secrets/new-password';
import { verifyPassword } from '../../secrets/passwords';
import { endOtherSignIns } from '../session/sign-ins';
import { loadAccount } from '../users/accounts';
import { queueOccasionMail } from '../mails/mails';
import { profileCalls, type ProfileForm } from './profile-calls';
import { propertyOf } from '../../../engine/values/lookups';

/** The properties of a profile, besides its status. */
const profileFields = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'role_id',
  'site_id',
  'updated_at',
] as const;
/** The own fields of a user that can be changed here, and what guards against overwriting. */
const recordFields = ['first_name', 'last_name', 'phone_number', 'updated_at'];

/** `GET profile/{id}`, `PUT profile/{id}`: only the caller's own; any other is not found. */
export function registerProfile(app: FastifyInstance, program: Program): void {
  const profiles = typedApi(app);
  profiles.get('/profile/:id', profileCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    assertOwnProfile(request.params.id, actor.id);
    return { data: toProfile(await loadUser(program.database.kysely as unknown as Transaction, actor.id)) };
  });

  profiles.put('/profile/:id', profileCalls.change, async (request, reply) => {
    const { actor, signInId } = await accessOf(program, request);
    assertOwnProfile(request.params.id, actor.id);
    const body = { values: request.body, text: false };
    assertKnownProperties(body.values, program.definitions.registry().getOrThrow('users'));
    const change = passwordChangeOf(request.body);
    const context = new RequestContext(program, actor);
    // Wrong guesses count, although nothing is stored then.
    const prepare = async () => (change ? hashOwnNewPassword(program, actor.id, change) : undefined);
    return runIdempotentPrepared(context, request, reply, body, prepare, async (idempotentContext, password) => ({
      data: await changeProfile(idempotentContext, { body, password, signInId }),
    }));
  });
}

interface ProfileChange {
  readonly body: Body;
  /** The hash of a new password. */
  readonly password: string | undefined;
  /** The sign-in that stays. */
  readonly signInId: number;
}

/**
 * Stores a user's changes to their own record, with its validation, read-only fields, hooks and history. Returns the
 * profile. Throws what `PUT users/{id}` throws.
 */
function changeProfile(
  context: RequestContext,
  { body: { values, text }, password, signInId }: ProfileChange,
): Promise<ResourceRecord> {
  const { program, actor } = context;
  const definition = context.registry.getOrThrow('users');
  const recordValues = Object.entries(values).filter(([name]) => recordFields.includes(name));
  const input = parseInput(definition, { values: Object.fromEntries(recordValues), text });
  return translateDatabaseErrors(context, definition, () =>
    program.database.transaction(async (trx) => {
      await storeChanges(
        { context, definition, trx },
        actor.id,
        input,
        await lockOwnRow({ context, definition, trx }, actor.id),
      );
      if (password !== undefined) await storePassword({ context, definition, trx }, password, signInId);
      return toProfile(await loadUser(trx, actor.id));
    }),
  );
}

/** The hooks of users refuse password changes by anyone else; here the current password is required. */
async function storePassword(
  { context: { program, actor }, definition, trx }: TransactionScope,
  password: string,
  signInId: number,
): Promise<void> {
  const previousRow = await loadUser(trx, actor.id);
  const updated_at = new Date(Math.max(Date.now(), Date.parse(String(previousRow.updated_at)) + 1)).toISOString();
  const changedRow = { ...previousRow, password, updated_at, updated_by: actor.id };
  await updateRow(definition, actor.id, changedRow, new Set(['password', 'updated_at', 'updated_by']), trx);
  await endOtherSignIns(trx, actor.id, signInId);
  await clearAccessCache(program.database, trx);
  await queueOccasionMail(program, trx, 'password_changed', { user_id: actor.id });
  await recordSecurityEvent(
    program,
    { event: 'password_changed', actor, resource: 'users', record_id: actor.id, detail: { by: 'profile' } },
    trx,
  );
  publishRecordChange(program, definition, changedRow, 'updated', trx);
}

/** A change of the own password. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** The new password of a form, if it is to change. Throws Invalid unless it is complete. */
function passwordChangeOf(form: ProfileForm): PasswordChange | undefined {
  if (!form.change_password) return undefined;
  const { current_password: current, new_password: next, confirm_password: repeatedPassword } = form;
  const errors: FieldErrors = {};
  if (!current) errors.current_password = 'Current Password is required.';
  if (!next) errors.new_password = 'New Password is required.';
  if (!repeatedPassword) errors.confirm_password = 'Confirm Password is required.';
  else if (repeatedPassword !== next) errors.confirm_password = 'The two passwords do not match.';
  if (!current || !next || Object.keys(errors).length > 0) throw new Invalid(errors);
  return { current, next };
}

/** Records that come with a profile are ignored; throws Invalid for any other property. */
function assertKnownProperties(givenValues: Readonly<Record<string, unknown>>, { fields }: Definition): void {
  const { properties } = profileCalls.change.schema.body;
  const knownNames = new Set([
    ...Object.keys(properties),
    ...Object.keys(fields).filter((name) => isInverse(propertyOf(fields, name))),
  ]);
  const unknown = Object.keys(givenValues).filter((name) => !knownNames.has(name));
  const errors: FieldErrors = {};
  const addUnknown = unknownProperties(errors);
  for (const name of unknown) addUnknown(name);
  if (unknown.length > 0) throw new Invalid(errors);
}

/** The hash of a new password, after checking the current one. Throws Invalid, or TooMany after too many guesses. */
async function hashOwnNewPassword(program: Program, id: number, { current, next }: PasswordChange): Promise<string> {
  const account = await loadAccount(program.database.kysely, id);
  const attempt = await countAttempt(program.database, proofLimits(id));
  if (!account.password || !(await verifyPassword(account.password, current))) {
    throw new Invalid({ current_password: 'This is not your current password.' });
  }
  await attempt.takeBack();
  const personal = [account.first_name, account.last_name, account.email, account.site_name];
  return hashNewPassword(program, 'new_password', next, personal);
}

function assertOwnProfile(requestedId: number, id: number): void {
  if (requestedId !== id) throw new NotFound();
}

async function loadUser(trx: Transaction, id: number): Promise<ResourceRecord> {
  const row = await trx
    .selectFrom('users')
    .innerJoin('user_status', 'user_status.id', 'users.status_id')
    .selectAll('users')
    .select('user_status.option_name as status')
    .where('users.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row as ResourceRecord;
}

function toProfile(user: ResourceRecord): ResourceRecord {
  return { ...Object.fromEntries(profileFields.map((name) => [name, user[name]])), status: user.status };
}
