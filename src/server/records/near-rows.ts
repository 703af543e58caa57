import { sql } from 'kysely';
import { decideAccess } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { relevanceOf } from '../../engine/lists/relevance';
import { readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { pairTable } from '../database/identifiers';
import type { NearRows } from './choice-page';

/** The maximum number of recent ids in a query. */
export const maxRecentIds = 20;

/** The field being edited, its definition, and the other values of its record. */
interface EditedField {
  readonly definition: Definition;
  readonly field: Field;
  readonly form: ResourceRecord;
}

/**
 * The rows of `target` that should come first for the caller: those that share a relation with the current record, the
 * caller's own, and those chosen recently (`recent`, newest first). Uses only fields that the caller may read on every
 * record, so that the order reveals nothing hidden.
 */
export function nearRows(
  context: RequestContext,
  target: Definition,
  recent: readonly number[],
  editedField?: EditedField,
): readonly NearRows[] {
  const { actor, registry } = context;
  const nearness = relevanceOf(registry, target, editedField);
  if (!nearness) return [];
  const readable = readableFields(actor, target).always;
  const isListed = decideAccess(actor, target, 'list').allowed;
  const shared = nearness.shared.flatMap(({ own, theirs }) => {
    const ids = own.map((name) => editedField!.form[name]).filter((id) => typeof id === 'number');
    if (ids.length === 0 || !isListed) return [];
    return theirs.filter((name) => readable.has(name)).map((name) => ({ name, ids }));
  });
  return [
    ...shared.map(({ name, ids }) => ({
      near: 'shared' as const,
      where: sql`${sql.id('t', name)} = any(${ids}::integer[])`,
    })),
    ...nearness.yours
      .filter((name) => readable.has(name))
      .map((name) => ({ near: 'yours' as const, where: belongsToSql(target, target.fields[name]!, actor.id) })),
    ...(recent.length > 0
      ? [
          {
            near: 'recent' as const,
            where: sql`t.id = any(${recent}::integer[])`,
            order: sql`array_position(${recent}::integer[], t.id)`,
          },
        ]
      : []),
  ];
}

function belongsToSql(target: Definition, field: Field, person: number) {
  if (field.type !== 'relations') return sql`${sql.id('t', field.name)} = ${person}::integer`;
  return sql`t.id in (select record_id from ${sql.id('public', pairTable(target, field))} where target_id = ${person}::integer)`;
}
