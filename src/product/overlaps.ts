import { sql } from 'kysely';
import { toClock } from '../engine/field-types/time';
import type { Hook } from '../server/program';
import { idOf } from '../engine/definitions/accessors';

interface Overlap {
  readonly id: number;
  readonly start: string;
  readonly end: string;
  readonly others: number;
}

/** afterRead: adds a warning to a time log that overlaps with another one of the same user; nothing is refused. */
export const addOverlapWarnings: Hook = async ({ trx, records }) => {
  const ids = records.map(({ id }) => id as number);
  const { rows } = await sql<Overlap>`
    select a.id, (array_agg(b."start" order by b."start", b.id))[1] as "start",
      (array_agg(b."end" order by b."start", b.id))[1] as "end", count(*)::integer as others
    from time_logs a
    join time_logs b on b.user_id = a.user_id and b.date = a.date and b.id <> a.id
      and b."start" < a."end" and b."end" > a."start"
    where a.id = any(${ids}::bigint[]) group by a.id`.execute(trx);
  const overlaps = new Map(rows.map((row) => [row.id, row]));
  for (const record of records) {
    const overlap = overlaps.get(idOf(record));
    record.warning = overlap ? warningOf(overlap) : null;
  }
};

function warningOf({ start, end, others: otherCount }: Overlap): string {
  const otherText = otherCount === 1 ? '' : `, and ${otherCount - 1} more`;
  return `Overlaps with another time log of the same person: ${start} to ${toClock(end)}${otherText}.`;
}
