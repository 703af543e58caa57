import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Queries } from '../../server/database/database';
import type { Stamp } from '../answers/run-report';
import { visibleTitleSql } from '../../server/sql/operands';

/** As it is stored with the run: the person by id, so that nobody's name outlives their account. */
export interface StoredStamp {
  readonly user_id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly fingerprint: string;
  readonly comment: string | null;
}

/** The stamps that a stored run has. */
export const stampsOf = (run: ResourceRecord): readonly StoredStamp[] => (run.stamps as StoredStamp[] | null) ?? [];

/** Stamps as a reader sees them, the latest first, beside the fingerprint of the run as it is now. */
export async function showStamps(
  queries: Queries,
  registry: Registry,
  stamps: readonly StoredStamp[],
  fingerprint: string,
  reader: { readonly level: number },
): Promise<readonly Stamp[]> {
  if (stamps.length === 0) return [];
  const users = registry.getOrThrow('users');
  const { rows } = await sql<{ id: number; name: string }>`
    select o.id, ${visibleTitleSql(reader, users, 'o', registry)} as name from public.users o
    where o.id = any(${stamps.map(({ user_id }) => user_id)}::bigint[])`.execute(queries);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return stamps
    .map(({ user_id, ...stamp }) => ({
      ...stamp,
      name: names.get(user_id) ?? null,
      is_current: stamp.fingerprint === fingerprint,
    }))
    .sort((left, right) => right.at.localeCompare(left.at));
}
