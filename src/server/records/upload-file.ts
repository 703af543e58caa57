import { grantedFields } from '../../engine/access/access-decision';
import { realUser } from '../../engine/access/actor';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { isFiles } from '../../engine/field-types/files';
import type { FileValue } from '../../engine/field-types/stored-files';
import { writableFields } from '../../engine/validation/record-schema';
import type { RequestContext } from '../access/request-context';
import { BadRequest } from '../errors/errors';
import { assertCanCreateOrEdit } from './choices';
import { quoteValue } from './query/values';
import { assertAccepted, type Body } from './input';

/**
 * The field that `POST r/files?field=photos` names. Throws Forbidden without the permission to create or to edit, and
 * BadRequest if the caller may write no field with files of that name.
 */
export function uploadField(context: RequestContext, definition: Definition, name: unknown): FieldOf<'files'> {
  assertCanCreateOrEdit(context, definition);
  const open = uploadFields(context, definition);
  const field = open.find((one) => one.name === name);
  if (field) return field;
  const names = open.map((one) => one.name).join(', ') || 'none';
  throw new BadRequest(
    `field: ${definition.labels.many} have no field ${quoteValue(name)} that you may add files to. Fields with files: ${names}.`,
    'UNKNOWN_FIELD',
  );
}

/** The fields with several files that the caller may write, in a new record or in some stored one. */
export function uploadFields({ actor }: Pick<RequestContext, 'actor'>, definition: Definition): FieldOf<'files'>[] {
  const allowed = new Set((['create', 'edit'] as const).flatMap((one) => [...grantedFields(actor, definition, one)]));
  return writableFields(definition)
    .filter(isFiles)
    .filter(({ name }) => allowed.has(name));
}

/**
 * Stores one file before the record that it is for is saved, and returns it: sent back as a value of the field, it becomes
 * the record's. Only the caller can do that, once and within a day. Throws BadRequest unless it is exactly one file, and
 * what `Files.store` throws.
 */
export async function uploadFile(
  { program, actor }: RequestContext,
  definition: Definition,
  field: FieldOf<'files'>,
  { uploads = [] }: Body,
): Promise<FileValue> {
  const [upload] = uploads;
  if (!upload || uploads.length > 1) throw new BadRequest('Send exactly one file, as multipart/form-data.');
  assertAccepted(field, upload);
  const person = realUser(actor).id;
  const owner = {
    resource: definition.name,
    field: field.name,
    person,
    company: actor.site_id,
    isWaiting: true,
  } as const;
  const { key, name, size, type } = await program.files.store(upload, upload.type, owner);
  return { name, size, type, url: program.files.signedUrl(key) };
}
