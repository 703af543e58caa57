import { Level } from '../../../engine/definitions/level';
import type { Actor } from '../../../engine/access/actor';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { writableFields } from '../../../engine/validation/record-schema';
import { readableFields } from '../../access/access-filter';
import type { Components, Reference } from './components';
import { inputSchema, responseSchema } from './record-schemas';
import { typeOf } from './type-names';

/** The calls that a caller may make on records of a resource, and the named schemas of their bodies and responses. */
export interface ResourceTypes {
  /** The name of one record as a type, as in `Task`. */
  readonly type: string;
  readonly record: Reference;
  /** A new record; absent for callers who may not create any. */
  readonly input?: Reference;
  /** Changes of a record; absent for callers who may not edit any. */
  readonly change?: Reference;
  readonly may: (action: Action) => boolean;
  /** The fields that every record of a list has for the caller, and those that a single one may have. */
  readonly inLists: ReadonlySet<string>;
  readonly inOne: ReadonlySet<string>;
}

/** Adds the schemas of a resource to the components of a document, for one caller. */
export function resourceTypes(
  actor: Actor,
  definition: Definition,
  registry: Registry,
  components: Components,
): ResourceTypes {
  const { name } = definition;
  const type = typeOf(registry, name);
  // Fields that only the program writes cannot be set by a call.
  const isWritten = writableFields(definition).some(({ system }) => !system);
  const isAllowed = (action: Action) =>
    isGranted(actor, name, action) &&
    (isWritten || (action !== 'create' && action !== 'edit')) &&
    (actor.level === Level.Installation ||
      action === 'list' ||
      action === 'view' ||
      definition.scope !== 'installation');
  const list = readableFields(actor, definition, 'list');
  const view = readableFields(actor, definition, 'view');
  const sometimesReadable = new Set([...list.sometimes, ...view.sometimes]);
  const alwaysReadable = new Set([...list.always].filter((field) => view.always.has(field)));
  const recordSchema = responseSchema(definition, registry, components, type, {
    sometimes: sometimesReadable,
    always: alwaysReadable,
  });
  const addInput = (action: 'create' | 'edit') => {
    const fields = grantedFields(actor, definition, action);
    const schema = inputSchema(definition, fields, action === 'create' ? 'create' : 'change', components, type);
    return components.add('schemas', `${type}${action === 'create' ? 'Input' : 'Change'}`, schema);
  };
  return {
    type,
    record: components.add('schemas', type, recordSchema),
    ...(isAllowed('create') && { input: addInput('create') }),
    ...(isAllowed('edit') && { change: addInput('edit') }),
    may: isAllowed,
    inLists: list.always,
    inOne: view.sometimes,
  };
}
