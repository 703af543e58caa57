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
/** Each holds a connection to the database. */
const mostAtOnce = 2;
/** Each reads the whole history. */
const anHour = 10;

const call = described({
  id: 'own-data',
  tag: 'Profile',
  summary: 'Everything that is stored about you, as a JSON file; within ten minutes of a proof of who you are',
  answer: { type: 'object', additionalProperties: true },
});

/** `GET profile/data`: what is stored about whoever asks, as a download. */
export function registerOwnData(app: FastifyInstance, program: Program): void {
  const places = new Places(1, mostAtOnce);
  app.get('/profile/data', call, async (request, reply) => {
    // Whoever views as another gets their own.
    const { actor } = await accessOf(program, request);
    assertRecentProof(actor);
    const leave = places.enter(actor.id);
    if (!leave && places.of(actor.id) > 0)
      throw new TooMany(10, 'This download is already in progress. Please wait until it has finished.');
    if (!leave) throw new Unavailable('Several downloads are in progress. Please try again in a moment.');
    try {
      const refusal = `Your data can be downloaded ${anHour} times an hour.`;
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
