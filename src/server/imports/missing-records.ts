import { decideAccess } from '../../engine/access/access-decision';
import type { AnyRelationField, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { createdValues } from '../../engine/imports/created-values';
import type { RequestContext } from '../access/request-context';
import { HttpError } from '../errors/errors';
import { insertRecord } from '../records/create';

/** A record that was made, one that would be (its id is null), or why there is none. */
export type MissingRecord = { readonly id: number | null } | { readonly message: string };

/**
 * Makes the records of relations that a file names and that do not exist, each once: the import's `creates` says of which
 * relations, and only whoever may create them does.
 */
export class MissingRecords {
  private readonly made = new Map<string, MissingRecord>();

  constructor(
    private readonly context: RequestContext,
    private readonly definition: Definition,
    /** Nothing is made: a preview. */
    private readonly isPreview: boolean,
  ) {}

  /** Whether records of a relation are made. */
  handles({ name, to }: AnyRelationField): boolean {
    const { actor, registry } = this.context;
    const target = registry.get(to!);
    return (
      this.definition.import!.creates[name] !== undefined &&
      target !== undefined &&
      decideAccess(actor, target, 'create').allowed
    );
  }

  /** The record of a name, for the record of a row; `within` tells apart what is not made yet. */
  async find(field: AnyRelationField, name: string, record: ResourceRecord, within: string): Promise<MissingRecord> {
    const { actor, registry } = this.context;
    const isOfCompany = actor.level === 1 && 'site_id' in registry.getOrThrow(field.to!).fields;
    const values = {
      ...(isOfCompany && { site_id: record.site_id ?? null }),
      ...createdValues(this.definition.import!, field.name, record),
    };
    const key = JSON.stringify([field.name, name.toLowerCase(), values, within]);
    const known = this.made.get(key);
    if (known) return known;
    const found = this.isPreview ? { id: null } : await this.make(field, name, values);
    this.made.set(key, found);
    return found;
  }

  private async make(field: AnyRelationField, name: string, values: ResourceRecord): Promise<MissingRecord> {
    const target = this.context.registry.getOrThrow(field.to!);
    const input = { values: { ...values, [target.titleField]: name }, errors: {}, kept: [] };
    try {
      const { database } = this.context.program;
      return { id: await database.transaction((trx) => insertRecord(this.context, target, input, trx)) };
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      return { message: `${field.label}: ${error.message}` };
    }
  }
}
