import { checkCondition } from './check-conditions';
import { isTakenPath } from './check-names';
import { fault, needField, needFields, needResource, type Subject } from './check-subject';
import { checkQuery } from './check-tabs';
import type { RequestDefinition } from './definition';
import { typeOf } from '../field-types';
import { templateFields } from './labels';
import { at, unknownName } from './paths';

/** Checks requests, copying and the export: their paths must be free and their names must exist. */
export function checkRequests(subject: Subject): void {
  const { definition, registry } = subject;
  for (const request of Object.values(definition.requests)) checkRequest(subject, request);
  checkCopy(subject);
  const path = definition.export?.path;
  if (path === undefined) return;
  const other = [...registry.definitions.values()].find(
    (one) => one.name === path || (one !== definition && one.export?.path === path),
  );
  if (other) fault(subject, '/export/path', `${other.name} already uses the path "${path}".`);
  if (isTakenPath(path)) fault(subject, '/export/path', `The path "${path}" is reserved by the program.`);
}

function checkRequest(subject: Subject, request: RequestDefinition): void {
  const path = at('/requests', request.name);
  checkPath(subject, at(path, 'path'), request);
  for (const name of templateFields(request.title)) {
    if (name !== 'total')
      fault(subject, at(path, 'title'), `Unknown placeholder "{${name}}": this title supports only {total}.`);
  }
  request.sets.forEach((name, index) => {
    const field = needField(subject, at(path, 'sets', index), name);
    if (field && (field.readOnly || field.system))
      fault(subject, at(path, 'sets', index), `"${name}" cannot be written.`);
  });
  checkAdds(subject, path, request);
  const names = [...request.sets, ...(request.adds?.fields ?? [])];
  if (names.length === 0) fault(subject, path, 'A request must set fields ("sets") or add a record ("adds").');
  request.required.forEach((name, index) => {
    if (!names.includes(name))
      fault(subject, at(path, 'required', index), unknownName('field in this request', name, names));
  });
  request.ignored.forEach((name, index) => {
    if (names.includes(name))
      fault(subject, at(path, 'ignored', index), `"${name}" is used by this request, so it cannot be ignored.`);
  });
  for (const [name, condition] of Object.entries(request.visible)) {
    if (!names.includes(name))
      fault(subject, at(path, 'visible', name), unknownName('field in this request', name, names));
    checkCondition(subject, at(path, 'visible', name), condition, { form: names, alone: 'form' });
  }
  if (request.list) checkQuery(subject, at(path, 'list'), request.list.resource, 'query', request.list.query);
}

/** The path of a request is its own, in the whole program. */
function checkPath(subject: Subject, path: string, request: RequestDefinition): void {
  const first = request.path.split('/')[0]!;
  if (isTakenPath(first)) fault(subject, path, `The path "${first}" is reserved by the program.`);
  if (subject.registry.get(first)) fault(subject, path, `"${first}" is the path of a resource.`);
  for (const definition of subject.registry.definitions.values()) {
    const same = Object.values(definition.requests).some((one) => one !== request && one.path === request.path);
    if (same) fault(subject, path, `A request of ${definition.name} already has this path.`);
  }
}

function checkAdds(subject: Subject, path: string, { sets, adds }: RequestDefinition): void {
  if (!adds) return;
  const here = at(path, 'adds');
  const target = needResource(subject, at(here, 'resource'), adds.resource);
  if (!target) return;
  const relation = needField(subject, at(here, 'relation'), adds.relation, target);
  if (relation && (relation.type !== 'relation' || relation.to !== subject.definition.name))
    fault(subject, at(here, 'relation'), `"${adds.relation}" is not a relation to ${subject.definition.name}.`);
  adds.fields.forEach((name, index) => {
    needField(subject, at(here, 'fields', index), name, target);
    if (sets.includes(name))
      fault(
        subject,
        at(here, 'fields', index),
        `"${name}" is also set on the record itself; a name can be used only once.`,
      );
  });
}

function checkCopy(subject: Subject): void {
  const { copy } = subject.definition;
  if (!copy) return;
  const field = needField(subject, '/copy/field', copy.field);
  if (field && (typeOf(field).column !== 'text' || field.readOnly))
    fault(subject, '/copy/field', `"${copy.field}" is not a writable text, so it cannot get a suffix.`);
  needFields(subject, '/copy/resets', copy.resets);
  if (copy.resets.includes(copy.field))
    fault(
      subject,
      at('/copy/resets', copy.resets.indexOf(copy.field)),
      `"${copy.field}" gets the suffix; it cannot be reset.`,
    );
  const keeps = copy.keeps === undefined ? undefined : needField(subject, '/copy/keeps', copy.keeps);
  if (!keeps) return;
  if (keeps.type !== 'relation' || keeps.to !== subject.definition.name)
    fault(subject, '/copy/keeps', `"${keeps.name}" is not a relation to ${subject.definition.name}.`);
  else if (keeps.readOnly) fault(subject, '/copy/keeps', `"${keeps.name}" cannot be written.`);
}
