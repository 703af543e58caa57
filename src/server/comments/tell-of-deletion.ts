import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { sendNotifications, type NotificationEvent } from '../notifications/send-notifications';
import type { Program } from '../program';
import { authorName, groupByPerson, isToldTogether, loadWatched, manyRecords, titleFor } from './tell-of-changes';
import { firstOf } from '../../engine/values/lookups';

const deletionOccasion = 'record_deleted';

/**
 * Tells those who chose to watch records, and may view them, that they are deleted: before that is done, as nobody may
 * view them afterwards. One statement for records that nobody watches.
 */
export async function tellOfDeletion(
  program: Program,
  actor: Actor,
  definition: Definition,
  ids: readonly number[],
  trx: Transaction,
): Promise<void> {
  if (!definition.comments) return;
  const watchedRecords = await loadWatched(program, definition, actor.id, ids, trx);
  const authors = new Map<number, string>();
  const authorFor = async (person: Actor) => {
    const actorName =
      authors.get(person.level) ??
      (await authorName({ context: new RequestContext(program, person), definition, trx }, actor.id));
    authors.set(person.level, actorName);
    return actorName;
  };
  const events: NotificationEvent[] = [];
  for (const personRecords of groupByPerson(watchedRecords)) {
    const { person, record } = firstOf(personRecords);
    const baseEvent = { occasion: deletionOccasion, company: record.company, recipients: [person.id], link: null };
    const author = await authorFor(person);
    const texts = isToldTogether(personRecords)
      ? [manyRecords(definition, personRecords)]
      : personRecords.map((watchedRecord) => ({ title: titleFor(definition, watchedRecord), text: '' }));
    events.push(...texts.map((text) => ({ ...baseEvent, values: { actor: author, ...text } })));
  }
  await sendNotifications(program, trx, ...events);
}
