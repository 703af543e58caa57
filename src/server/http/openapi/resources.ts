import { Level } from '../../../engine/definitions/level';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import { writableFields } from '../../../engine/validation/record-schema';
import { readableFields } from '../../access/access-filter';
import type { DocumentBuilder, Reference } from './builder';
import { inputSchema, responseSchema } from './record-schemas';

/** A resource with the calls that a caller may make on its records, and the named schemas of their bodies and responses. */
export interface Resource {
  readonly definition: Definition;
  /** The name of one record as a type, as in `Task`. */
  readonly type: string;
  readonly record: Reference;
  /** A new record; absent for callers who may not create any. */
  readonly input?: Reference;
  /** Changes of a record; absent for callers who may not edit any. */
  readonly change?: Reference;
  readonly isAllowed: (action: Action) => boolean;
  /** The fields that every record of a list has for the caller, and those that a single one may have. */
  readonly inLists: ReadonlySet<string>;
  readonly inOne: ReadonlySet<string>;
}

/** Adds the schemas of a resource to a document. */
export function addResource(builder: DocumentBuilder, definition: Definition): Resource {
  const { actor } = builder;
  const { name, scope } = definition;
  const type = builder.typeOf(name);
  // Fields that only the program writes cannot be set by a call.
  const isWritten = writableFields(definition).some(({ system }) => !system);
  const isAllowed = (action: Action) =>
    isGranted(actor, name, action) &&
    (isWritten || (action !== 'create' && action !== 'edit')) &&
    (actor.level === Level.Installation || action === 'list' || action === 'view' || scope !== 'installation');
  const list = readableFields(actor, definition, 'list');
  const view = readableFields(actor, definition, 'view');
  const recordSchema = responseSchema(builder, definition, {
    sometimes: new Set([...list.sometimes, ...view.sometimes]),
    always: new Set([...list.always].filter((field) => view.always.has(field))),
  });
  const addInput = (mode: 'create' | 'change', action: Action) => {
    const schema = inputSchema(builder, definition, grantedFields(actor, definition, action), mode);
    return builder.add('schemas', type + (mode === 'create' ? 'Input' : 'Change'), schema);
  };
  return {
    definition,
    type,
    record: builder.add('schemas', type, recordSchema),
    ...(isAllowed('create') && { input: addInput('create', 'create') }),
    ...(isAllowed('edit') && { change: addInput('change', 'edit') }),
    isAllowed,
    inLists: list.always,
    inOne: view.sometimes,
  };
}
