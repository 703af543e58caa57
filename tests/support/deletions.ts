import { sql } from 'kysely';
import type { Program } from '../../src/server/program';
import { purgeDeletions } from '../../src/server/records/write/deletions';

/** Lets the hour pass in which deleted records can be brought back: they are gone for good then, with their files. */
export async function passUndoHour(program: Program): Promise<void> {
  await sql`update assay.deletions set created_at = created_at - interval '61 minutes'`.execute(
    program.database.kysely,
  );
  await purgeDeletions(program);
}
