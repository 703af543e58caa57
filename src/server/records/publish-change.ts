import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import type { Program } from '../program';
import type { LiveEvent } from '../live/live-hub';
import { recordCompany } from './references';
import { queryCacheOf } from '../sql/query-cache';

/** Announces a committed change: invalidates cached counts and notifies subscribers. */
export function publishRecordChange(
  program: Program,
  definition: Definition,
  record: ResourceRecord,
  event: LiveEvent['event'],
  trx?: Transaction,
): void {
  program.database.afterWrite(() => queryCacheOf(program.database).invalidate(definition.table), trx);
  const { name } = definition;
  program.live.publish(
    { resource: name, id: record.id as number, event, site_id: recordCompany(definition, record) },
    trx,
  );
}
