import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { RequestContext } from '../../access/request-context';
import { TooManyRequests, Unavailable } from '../../errors/errors';
import { defineCall } from '../../routing/define-call';
import { SlotLimiter } from '../../limits/slot-limiter';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { countAttempt } from '../session/attempts';
import { accessOf } from '../session/authenticate';
import { assertRecentProof } from '../session/identity-proof';
import { streamPersonalData } from './personal-data';

const hour = 60 * 60_000;
/** Each uses a database connection. */
const mostAtOnce = 2;
/** Each reads the whole history. */
const anHour = 10;

const call = defineCall({
  id: 'own-data',
  scope: 'person',
  tag: 'Profile',
  summary:
    'Download everything that is stored about you as a JSON file; requires a recent confirmation of your identity',
  answer: Type.Object({}, { additionalProperties: true }),
});

/** `GET profile/data`: downloads everything stored about the caller. */
export function registerPersonalData(app: FastifyInstance, program: Program): void {
  const slots = new SlotLimiter(1, mostAtOnce);
  app.get('/profile/data', call, async (request, reply) => {
    // A viewer gets their own data.
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const leave = slots.acquire(actor.id);
    if (!leave && slots.inUse(actor.id) > 0)
      throw new TooManyRequests(10, 'This download is already in progress. Please wait until it is complete.');
    if (!leave) throw new Unavailable('Several downloads are in progress. Please try again in a moment.');
    try {
      const refusal = `You can download your data ${anHour} times an hour.`;
      await countAttempt(program.database, [
        { key: `own data ${actor.id}`, times: anHour, within: hour, message: refusal },
      ]);
      await recordSecurityEvent(
        program,
        { event: 'data_downloaded', actor, resource: 'users', record_id: actor.id },
        program.database.kysely,
      );
      const bytes = await streamPersonalData(new RequestContext(program, actor), leave);
      return await reply
        .type('application/json; charset=utf-8')
        .header('Content-Disposition', 'attachment; filename="my-data.json"')
        .send(bytes);
    } catch (error) {
      leave();
      throw error;
    }
  });
}
