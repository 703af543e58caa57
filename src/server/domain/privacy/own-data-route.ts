import type { FastifyInstance } from 'fastify';
import { RequestContext } from '../../access/request-context';
import { TooMany, Unavailable } from '../../errors/errors';
import { described } from '../../http/described';
import { Places } from '../../limits/places';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { takeAttempt } from '../../session/attempts';
import { accessOf } from '../../session/authenticate';
import { assertRecentProof } from '../../session/proof';
import { openOwnData } from './own-data';

const hour = 60 * 60_000;
/** Each uses a database connection. */
const mostAtOnce = 2;
/** Each reads the whole history. */
const anHour = 10;

const call = described({
  id: 'own-data',
  tag: 'Profile',
  summary:
    'Download everything that is stored about you as a JSON file; requires a recent confirmation of your identity',
  answer: { type: 'object', additionalProperties: true },
});

/** `GET profile/data`: downloads everything stored about the caller. */
export function registerOwnData(app: FastifyInstance, program: Program): void {
  const places = new Places(1, mostAtOnce);
  app.get('/profile/data', call, async (request, reply) => {
    // A viewer gets their own data.
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const leave = places.enter(actor.id);
    if (!leave && places.of(actor.id) > 0)
      throw new TooMany(10, 'This download is already in progress. Please wait until it is complete.');
    if (!leave) throw new Unavailable('Several downloads are in progress. Please try again in a moment.');
    try {
      const refusal = `You can download your data ${anHour} times an hour.`;
      await takeAttempt(program.database, [{ key: `own data ${actor.id}`, times: anHour, within: hour, refusal }]);
      await recordSecurityEvent(
        program,
        { event: 'data_downloaded', actor, resource: 'users', record_id: actor.id },
        program.database.kysely,
      );
      const bytes = await openOwnData(new RequestContext(program, actor), leave);
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
