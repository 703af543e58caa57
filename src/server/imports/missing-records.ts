import { Level } from '../../engine/definitions/level';
import { decideAccess } from '../../engine/access/access-decision';
import { recordFieldsIn } from '../../engine/conditions/variables-in';
import type { AnyRelationField, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { createdValues, formFieldOf } from '../../engine/imports/created-values';
import { isEmpty } from '../../engine/values/is-empty';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { HttpError } from '../errors/errors';
import { insertRecord } from '../records/write/create';
import { inSavepoint } from '../records/write/savepoints';
import { translateDatabaseErrors } from '../records/write/row-writes';
import { fieldOf, importOf } from '../../engine/definitions/accessors';
import { propertyOf } from '../../engine/values/lookups';

/** A record that was made, or why there is none. */
export type MissingRecord = { readonly id: number } | { readonly message: string };

/**
 * Makes the records of relations that a file names and that do not exist, each once within a transaction: the import's
 * `creates` says of which relations, and only whoever may create them does. A preview makes them too, and rolls back.
 */
export class MissingRecords {
  private readonly made = new Map<string, MissingRecord>();

  constructor(
    private readonly context: RequestContext,
    private readonly definition: Definition,
  ) {}

  /** Whether records of a relation are made. */
  handles({ name, to: relatedResource }: AnyRelationField): boolean {
    const { actor, registry } = this.context;
    const target = registry.get(relatedResource);
    return (
      importOf(this.definition).creates[name] !== undefined &&
      target !== undefined &&
      decideAccess(actor, target, 'create').allowed
    );
  }

  /** Whether a record was made in the transaction that is running. */
  get hasMade(): boolean {
    return [...this.made.values()].some((record) => 'id' in record);
  }

  /** Forgets what was made: its transaction has ended, or was undone up to a savepoint. */
  clear(): void {
    this.made.clear();
  }

  /** The record of a name, for the record of a row. */
  async find(field: AnyRelationField, name: string, record: ResourceRecord, trx: Transaction): Promise<MissingRecord> {
    const { actor, registry } = this.context;
    const parent = this.emptyParent(field, record);
    if (parent) {
      const { label } = fieldOf(this.definition, parent);
      return {
        message: `${field.label} “${name.slice(0, 100)}” needs a ${label}: fill in a column ${label}, or leave ${field.label} empty.`,
      };
    }
    const isOfCompany = actor.level === Level.Installation && 'site_id' in registry.getOrThrow(field.to).fields;
    const values = {
      ...(isOfCompany && { site_id: record.site_id ?? null }),
      ...createdValues(importOf(this.definition), field.name, record),
    };
    const key = JSON.stringify([field.name, name.toLowerCase(), values]);
    const existingRecord = this.made.get(key);
    if (existingRecord) return existingRecord;
    const newRecord = await this.make(field, name, values, trx);
    this.made.set(key, newRecord);
    return newRecord;
  }

  /** The field that the choices of a relation depend on, and that its new record would need, if it is empty. */
  private emptyParent({ name, choices }: AnyRelationField, record: ResourceRecord): string | undefined {
    const parents = choices ? recordFieldsIn(choices) : [];
    return Object.values(propertyOf(importOf(this.definition).creates, name))
      .flatMap((value) => formFieldOf(value) ?? [])
      .find((parent) => parents.includes(parent) && isEmpty(record[parent]));
  }

  private async make(
    field: AnyRelationField,
    name: string,
    values: ResourceRecord,
    trx: Transaction,
  ): Promise<MissingRecord> {
    const target = this.context.registry.getOrThrow(field.to);
    const input = { values: { ...values, [target.titleField]: name }, errors: {}, kept: [] };
    const createdId = await inSavepoint(trx, () =>
      translateDatabaseErrors(this.context, target, () =>
        insertRecord({ context: this.context, definition: target, trx }, input),
      ),
    );
    if (!(createdId instanceof HttpError)) return { id: createdId };
    if (createdId.status >= 500) throw createdId;
    return { message: `${field.label}: ${createdId.message}` };
  }
}
