import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import type { LiveEvent, Program } from '../program';
import { companyOf } from './references';
import { totalsOf } from './totals';

/** Announces a committed change: invalidates cached counts and notifies subscribers. */
export function publish(
  program: Program,
  definition: Definition,
  record: ResourceRecord,
  event: LiveEvent['event'],
  trx?: Transaction,
): void {
  program.database.afterWrite(() => totalsOf(program.database).touch(definition.table), trx);
  const { name } = definition;
  program.live.publish({ resource: name, id: record.id as number, event, site_id: companyOf(definition, record) }, trx);
}
