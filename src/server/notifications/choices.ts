import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isKnownZone } from '../access/request-context';
import { accessOf } from '../accounts/session/authenticate';
import { hasConfirmedAddress } from '../accounts/users/confirmed-addresses';
import type { Queries, Transaction } from '../database/database';
import { Invalid } from '../errors/errors';
import type { Program } from '../program';
import { typedApi } from '../routing/define-call';
import { noticeChoiceCalls, type NoticeChoicesChange } from './choice-calls';
import { awaitNextDigest } from './digests';
import { channelOf, noticeKinds, type ChosenChannels } from './kinds';
import { usableZone } from '../accounts/profile/readers-formats';

/** When the digest comes to who chose no hour. */
const usualHour = 8;

/** `GET preferences/notifications`, `PATCH preferences/notifications`: the caller's own. */
export function registerNoticeChoices(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  // The product's kinds are checked at the start, not with the first notification.
  noticeKinds(program.product);

  api.get('/preferences/notifications', noticeChoiceCalls.read, async (request) => {
    const { actor } = await accessOf(program, request);
    return { data: await noticeChoicesOf(program, program.database.kysely, actor.id) };
  });

  api.patch('/preferences/notifications', noticeChoiceCalls.change, async (request) => {
    const { actor } = await accessOf(program, request);
    assertKnown(program, request.body);
    return program.database.transaction(async (trx) => {
      await storeChoices(program, trx, actor.id, request.body);
      return { data: await noticeChoicesOf(program, trx, actor.id) };
    });
  });
}

function assertKnown({ product }: Program, { channels = {}, time_zone: zone }: NoticeChoicesChange): void {
  const kinds = noticeKinds(product);
  const unknown = Object.keys(channels).find((key) => !kinds.has(key));
  if (unknown !== undefined)
    throw new Invalid({
      channels: `Channels has "${unknown}", which is no kind of notification. Use ${[...kinds.keys()].join(', ')}.`,
    });
  if (typeof zone === 'string' && !isKnownZone(zone))
    throw new Invalid({ time_zone: 'Time Zone must be a name such as Europe/Berlin.' });
}

async function storeChoices(
  program: Program,
  trx: Transaction,
  user: number,
  { channels = {}, digest_hour: hour, digest_day: day, time_zone: zone }: NoticeChoicesChange,
): Promise<void> {
  const storedText = JSON.stringify(channels);
  await sql`insert into assay.notice_choices as c (user_id, channels, digest_hour, digest_day)
    values (${user}, jsonb_strip_nulls(${storedText}::jsonb), ${hour ?? usualHour}, ${day ?? null})
    on conflict (user_id) do update set channels = jsonb_strip_nulls(c.channels || ${storedText}::jsonb),
      digest_hour = ${hour ?? sql.ref('c.digest_hour')}, digest_day = ${day === undefined ? sql.ref('c.digest_day') : day}`.execute(
    trx,
  );
  if (zone !== undefined)
    await sql`insert into assay.user_preferences (user_id, time_zone) values (${user}, ${zone})
      on conflict (user_id) do update set time_zone = excluded.time_zone`.execute(trx);
  await awaitNextDigest(trx, user, { force: hour !== undefined || day !== undefined || zone !== undefined });
  await withdrawFromDigest(program, trx, user);
}

/** Takes notifications out of the digest whose kind no longer comes in it; they stay in the program. */
async function withdrawFromDigest({ product }: Program, trx: Transaction, user: number): Promise<void> {
  const chosenChannels = await loadChannels(trx, user);
  const occasions = [...noticeKinds(product).values()].flatMap((kind) => kind.occasions);
  const digestOccasions = occasions.filter((name) => channelOf(product, name, chosenChannels) === 'digest');
  await sql`update assay.notifications set in_digest = false where user_id = ${user} and in_digest and read_at is null
    and occasion <> all(${digestOccasions}::text[])`.execute(trx);
}

async function loadChannels(queries: Queries, user: number): Promise<ChosenChannels> {
  const { rows } = await sql<{ channels: ChosenChannels }>`select channels from assay.notice_choices
    where user_id = ${user}`.execute(queries);
  return rows[0]?.channels ?? {};
}

interface StoredChoices {
  readonly channels: ChosenChannels | null;
  readonly digest_hour: number | null;
  readonly digest_day: number | null;
  readonly time_zone: string | null;
  readonly company_zone: string | null;
}

async function noticeChoicesOf({ product }: Program, queries: Queries, user: number) {
  const { rows } = await sql<StoredChoices>`select c.channels, c.digest_hour, c.digest_day, p.time_zone,
      s.time_zone as company_zone
    from public.users u left join public.sites s on s.id = u.site_id
      left join assay.notice_choices c on c.user_id = u.id left join assay.user_preferences p on p.user_id = u.id
    where u.id = ${user}`.execute(queries);
  const storedChoices = rows[0];
  const kinds = [...noticeKinds(product)].map(
    ([key, { label, description, occasions, defaultChannel = 'notice' }]) => ({
      key,
      label,
      description: description ?? null,
      channel: channelOf(product, occasions[0], storedChoices?.channels ?? {}),
      usual: defaultChannel,
    }),
  );
  return {
    kinds,
    digest_hour: storedChoices?.digest_hour ?? usualHour,
    digest_day: storedChoices?.digest_day ?? null,
    time_zone: storedChoices?.time_zone ?? null,
    company_time_zone: usableZone(storedChoices?.company_zone ?? null),
    address_confirmed: await hasConfirmedAddress(queries, user),
  };
}
