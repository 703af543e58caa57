import { Level } from '../../../engine/definitions/level';
import { Type } from 'typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { Conflict, NotFound, Forbidden } from '../../errors/errors';
import {
  dataOf,
  dateTime,
  defineCall,
  id,
  idParams,
  nullable,
  rangeParameter,
  typedApi,
  type IdRequest,
} from '../../routing/define-call';
import { requestContextOf } from '../session/caller-context';
import { companyOfMail, deleteMail, listOutbox, retryMail, type OutboxMail } from '../../mail/outbox-store';
import type { Program } from '../../program';
import { parseRange } from '../../records/read/query/list-query';

const tag = 'Jobs';
const mail = Type.Object({
  id,
  occasion: Type.String(),
  label: Type.String(),
  name: nullable(Type.String()),
  address: Type.String({ description: 'Masked.' }),
  state: Type.Enum(['waiting', 'failed']),
  attempts: Type.Integer(),
  reason: nullable(Type.String()),
  created_at: dateTime,
  next_at: nullable(dateTime),
});
const audience = {
  scope: 'level',
  shownTo: (actor: Actor) => actor.level <= Level.Owner,
  refusal: 'Only company owners and administrators can see the outbox.',
} as const;
const calls = {
  list: defineCall({
    id: 'outbox',
    tag,
    summary: "List the mails that were not sent yet: your company's, or all for an administrator",
    querystring: Type.Object({ range: rangeParameter }),
    answer: dataOf(Type.Array(mail)),
    ...audience,
  }),
  retry: defineCall({
    id: 'retry-mail',
    tag,
    summary: 'Send a mail now',
    params: idParams,
    answer: Type.Object({ status: Type.Boolean() }),
    ...audience,
  }),
  discard: defineCall({
    id: 'discard-mail',
    tag,
    params: idParams,
    summary: 'Discard a mail: it will not be sent',
    answer: Type.Object({ status: Type.Boolean() }),
    ...audience,
  }),
};

const occasionLabels: Readonly<Record<string, string>> = { ready: 'Test of a template' };

/** Mails with their recipients: a user by id, or the owner of the address. */
const mailsWithReaders = sql`assay.mails m left join lateral (
  select coalesce(u.email, a.address) as address, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, u.site_id
  from (select coalesce(m.about->>'email', m.about #>> '{message,to,address}') as address) a
  left join users u on u.id = (m.about->>'user_id')::bigint
    or m.about->>'user_id' is null and lower(u.email) = lower(a.address) and u.deleted_at is null
  limit 1) r on true`;

/** `outbox`: mails that wait or were given up, for owners of companies and administrators. */
export function registerOutbox(api: FastifyInstance, program: Program): void {
  const outbox = typedApi(api);
  const { database, queue } = program;

  outbox.get('/outbox', calls.list, async (request, reply) => {
    const company = await companyOf(request);
    const { offset, limit } = parseRange(request.query.range ?? '[0,14]');
    const page = await listOutbox(database.kysely, mailsWithReaders, company, {
      from: offset,
      limit: Math.min(limit, 100),
    });
    const last = page.mails.length === 0 ? '*' : `${offset}-${offset + page.mails.length - 1}`;
    reply.header('Content-Range', `outbox ${last}/${page.total}`);
    return { data: page.mails.map(toResponse) };
  });

  outbox.post('/outbox/:id/retry', calls.retry, async (request) => {
    const mailId = await visibleMailId(request);
    const waits = await database.transaction(async (trx) => {
      const isQueued = await retryMail(trx, mailId);
      if (isQueued) await queue.send(trx, 'mails', [{ mail: mailId }]);
      return isQueued;
    });
    return { status: assertStillQueued(waits) };
  });

  outbox.delete('/outbox/:id', calls.discard, async (request) => {
    const mailId = await visibleMailId(request);
    return { status: assertStillQueued(await database.transaction((trx) => deleteMail(trx, mailId))) };
  });

  async function companyOf(request: FastifyRequest): Promise<number | 'all'> {
    const { actor } = await requestContextOf(program, request);
    // A viewer sees what both users can see.
    const viewers = [actor, ...(actor.viewer ? [actor.viewer] : [])];
    if (viewers.some(({ level }) => level > Level.Owner)) throw new Forbidden(audience.refusal);
    return viewers.find(({ level }) => level === Level.Owner)?.site_id ?? 'all';
  }

  async function visibleMailId(request: IdRequest): Promise<number> {
    const company = await companyOf(request);
    const { id: mailId } = request.params;
    const owner = await companyOfMail(database.kysely, mailsWithReaders, mailId);
    if (owner === undefined || (company !== 'all' && owner !== company)) throw new NotFound();
    return mailId;
  }
}

function assertStillQueued(waits: boolean): true {
  if (!waits) throw new Conflict('This mail is being sent right now, or was already sent.');
  return true;
}

function toResponse({
  id: mailId,
  occasion: mailOccasion,
  name,
  address,
  attempts,
  reason,
  created_at,
  next_at,
  failed_at,
}: OutboxMail) {
  const label =
    occasionLabels[mailOccasion] ?? mailOccasion.charAt(0).toUpperCase() + mailOccasion.slice(1).replaceAll('_', ' ');
  return {
    id: mailId,
    occasion: mailOccasion,
    label,
    name,
    address: maskAddress(address ?? ''),
    state: failed_at ? 'failed' : 'waiting',
    attempts,
    reason,
    created_at,
    next_at: failed_at ? null : next_at,
  };
}

/** `m•••@demo.test`: enough to recognise a known mailbox. */
function maskAddress(address: string): string {
  const separatorIndex = address.lastIndexOf('@');
  return separatorIndex < 1 ? '•••' : `${address[0]}•••${address.slice(separatorIndex)}`;
}
