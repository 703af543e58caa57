import { Level } from '../../../engine/definitions/level';
import { sql, type RawBuilder } from 'kysely';
import { shareLinkOf } from '../../../engine/check/check-shares';
import type { Definition, ResourceRecord, Field } from '../../../engine/definitions/definition';
import { assertGranted, allOf, notDeletedFilter, archiveFilter, assertOwned } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { NotFound } from '../../errors/errors';
import { createToken } from './input';
import { publishRecordChange, updateRow } from './row-writes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { addFileUrls } from '../files/file-urls';
import { readAfterWrite } from '../read/read';
import { assertFieldsAllowed, lockRow, assertNotArchived } from './stored-row';
import type { Registry } from '../../../engine/registry/registry';
import { fieldTypeOf } from '../../../engine/field-types';
import { isAnyRelation, isRelation } from '../../../engine/field-types/relation';
import { responseSql } from '../../sql/column-sql';
import { visibleTitleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { pairTable } from '../../database/identifiers';
import { inSameCompany } from '../../sql/same-company';
import type { Program } from '../../program';
import { fieldOf, companyOf } from '../../../engine/definitions/accessors';

/**
 * `POST r/{id}/share` gives the record a new share link, `DELETE r/{id}/share` removes it; both return the record. The
 * old link stops working. Throws Forbidden, NotFound, or Conflict for an archived record.
 */
export async function updateShareLink(scope: RecordScope, id: number, isShared: boolean): Promise<ResourceRecord> {
  const { context, definition } = scope;
  assertGranted(context, definition, 'edit');
  const field = shareLinkOf(definition);
  if (!field) throw new NotFound();
  const { database } = context.program;
  return database.transaction(async (trx) => {
    const row = await lockRow({ context, definition, trx }, id);
    assertOwned(context.actor, definition, row.values, 'edit');
    assertFieldsAllowed(definition, 'edit', row.matchingRules(), [field.name]);
    assertNotArchived(definition, row);
    const values = { ...row.values, [field.name]: isShared ? createToken() : null };
    await updateRow(definition, id, values, new Set([field.name]), trx);
    const event = isShared ? 'share_link_created' : 'share_link_removed';
    const subject = (values[definition.titleField] as string | null | undefined) ?? null;
    const eventFields = { resource: definition.name, record_id: id, subject, site_id: companyOf(values) };
    await recordSecurityEvent(context.program, { event, actor: context.actor, ...eventFields }, trx);
    publishRecordChange(context.program, definition, values, 'updated', trx);
    return readAfterWrite(scope, id, trx);
  });
}

/** A field of a shared record, as shown to visitors. */
export interface SharedField extends Pick<Field, 'name' | 'label' | 'type' | 'width'> {
  /** The value in response format; related records by their titles. */
  readonly value: unknown;
  /** The value as text; empty if there is none. */
  readonly text: string;
}

/** A record behind a public link. */
export interface SharedRecord {
  /** The singular name of its resource. */
  readonly label: string;
  readonly title: string;
  readonly fields: readonly SharedField[];
}

/** Visitors see no more of the installation's users than companies do. */
export const visitor = { level: Level.External } as const;

/** The record behind `/{path}/{link}` with its shared fields; null if the link is invalid or no longer valid. */
export async function loadSharedRecord(program: Program, path: string, link: string): Promise<SharedRecord | null> {
  if (!/^[\w-]{20,100}$/.test(link)) return null;
  const registry = program.definitions.registry();
  const definition = [...registry.definitions.values()].find((candidate) => shareLinkOf(candidate)?.path === path);
  const shareLink = definition && shareLinkOf(definition);
  if (!shareLink) return null;
  const { name: column, sharedFields } = shareLink;
  const fields = sharedFields.map((name) => fieldOf(definition, name));
  const columns = fields.map((field) => sql`${valueSql(registry, definition, field)} as ${sql.id(field.name)}`);
  const title = sql`${visibleTitleSql(visitor, definition, 't', registry)} as ${sql.id(' title')}`;
  const filter = allOf([notDeletedFilter(definition), archiveFilter(registry, definition)]);
  // Compared in the same way as its unique index.
  const { rows } = await sql<ResourceRecord>`select ${sql.join([title, ...columns])}
    from ${sql.id('public', definition.table)} t
    where ${sql.id('t', column)} collate "und-x-icu" = ${link} and ${predicateToSql(filter, definition, 't', registry, null)}`.execute(
    program.database.kysely,
  );
  const [row] = rows;
  if (!row) return null;
  addFileUrls(program, registry, definition, rows);
  return {
    label: definition.labels.one,
    title: String(row[' title'] ?? ''),
    fields: fields.map((field) => toSharedField(field, row[field.name] ?? null)),
  };
}

function valueSql(registry: Registry, definition: Definition, field: Field): RawBuilder<unknown> {
  if (!isAnyRelation(field)) return responseSql(definition, field, 't', registry, null);
  const target = registry.getOrThrow(field.to);
  const title = visibleTitleSql(visitor, target, 'o', registry);
  const table = sql.id('public', target.table);
  if (isRelation(field)) return sql`(select ${title} from ${table} o where o.id = ${sql.id('t', field.name)})`;
  const pairs = sql.id('public', pairTable(definition, field));
  return sql`(select json_agg(${title} order by o.id) from ${pairs} p join ${table} o on o.id = p.target_id${inSameCompany('o', 'p', definition, target)}
    where p.record_id = t.id${inSameCompany('p', 't', definition)})`;
}

function toSharedField(field: Field, value: unknown): SharedField {
  const { name, label, type, width } = field;
  return { name, label, type, width, value, text: formatValue(field, value) };
}

function formatValue(field: Field, value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(', ');
  return isRelation(field) ? String(value) : fieldTypeOf(field).toText(value, field);
}
