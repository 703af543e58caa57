import { decideAccess, grantedFields } from '../../../engine/access/access-decision';
import { realUser } from '../../../engine/access/actor';
import { isAmong } from '../../../engine/access/audience';
import type { Definition, FieldOf } from '../../../engine/definitions/definition';
import { isFiles } from '../../../engine/field-types/files';
import type { FileValue } from '../../../engine/field-types/stored-files';
import { writableFields } from '../../../engine/validation/record-schema';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import { assertCanCreateOrEdit } from '../choices/choices';
import { quoteValue } from '../read/query/values';
import { assertAccepted, type Body } from '../write/input';

/** Who asks for which fields they may upload to. */
type Caller = Pick<RequestContext, 'actor' | 'registry'>;

/**
 * The field that `POST r/files?field=photos` names. Throws Forbidden without the permission to create or to edit, unless a
 * request on other records adds such a record with files, and BadRequest if the caller may write no field with files of
 * that name.
 */
export function uploadField(context: RequestContext, definition: Definition, name: unknown): FieldOf<'files'> {
  if (namesAddedByRequests(context, definition).size === 0) assertCanCreateOrEdit(context, definition);
  const open = uploadFields(context, definition);
  const field = open.find((openField) => openField.name === name);
  if (field) return field;
  const names = open.map((openField) => openField.name).join(', ') || 'none';
  throw new BadRequest(
    `field: ${definition.labels.many} have no field ${quoteValue(name)} that you may add files to. Fields with files: ${names}.`,
    'UNKNOWN_FIELD',
  );
}

/** The fields with several files that the caller may write, in a new record, in some stored one, or by a request. */
export function uploadFields(caller: Caller, definition: Definition): FieldOf<'files'>[] {
  const grantedNames = (['create', 'edit'] as const).flatMap((action) => [
    ...grantedFields(caller.actor, definition, action),
  ]);
  const allowedNames = new Set([...grantedNames, ...namesAddedByRequests(caller, definition)]);
  return writableFields(definition)
    .filter(isFiles)
    .filter(({ name }) => allowedNames.has(name));
}

/**
 * The fields with files that requests on other records ask for when they add one of this resource: whoever may edit such a
 * record may add it.
 */
function namesAddedByRequests({ actor, registry }: Caller, target: Definition): ReadonlySet<string> {
  const names = [...registry.definitions.values()].flatMap((definition) => {
    const requests = Object.values(definition.requests).filter(
      (request) => request.adds?.resource === target.name && isAmong(actor, request),
    );
    if (requests.length === 0 || !decideAccess(actor, definition, 'edit').allowed) return [];
    return requests.flatMap(({ adds: addition }) =>
      (addition?.fields ?? []).filter((name) => target.fields[name] && isFiles(target.fields[name])),
    );
  });
  return new Set(names);
}

/**
 * Stores one file before the record that it is for is saved, and returns it: sent back as a value of the field, it becomes
 * the record's. Only the caller can do that, once and within a day. Throws BadRequest unless it is exactly one file, and
 * what `Files.store` throws.
 */
export async function uploadFile(
  { context: { program, actor }, definition }: RecordScope,
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
