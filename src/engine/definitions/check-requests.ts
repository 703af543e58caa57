import { checkCondition } from './check-conditions';
import { isReservedPath } from './check-names';
import { reportProblem, resolveField, checkFieldNames, resolveResource, type CheckSubject } from './check-context';
import { checkQuery } from './check-tabs';
import type { RequestDefinition } from './definition';
import { fieldTypeOf } from '../field-types';
import { isRelation } from '../field-types/relation';
import { templateFields } from './labels';
import { joinPointer, unknownNameMessage } from './problems';

/** Checks requests, copying and the export: their paths must be free and their names must exist. */
export function checkRequests(subject: CheckSubject): void {
  const { definition, registry } = subject;
  for (const request of Object.values(definition.requests)) checkRequest(subject, request);
  checkCopy(subject);
  const path = definition.export?.path;
  if (path === undefined) return;
  const other = [...registry.definitions.values()].find(
    (one) => one.name === path || (one !== definition && one.export?.path === path),
  );
  if (other) reportProblem(subject, '/export/path', `${other.name} already uses the path "${path}".`);
  if (isReservedPath(path)) reportProblem(subject, '/export/path', `The path "${path}" is reserved by the program.`);
}

function checkRequest(subject: CheckSubject, request: RequestDefinition): void {
  const path = joinPointer('/requests', request.name);
  checkPath(subject, joinPointer(path, 'path'), request);
  for (const name of templateFields(request.title)) {
    if (name !== 'total')
      reportProblem(
        subject,
        joinPointer(path, 'title'),
        `Unknown placeholder "{${name}}": this title supports only {total}.`,
      );
  }
  request.sets.forEach((name, index) => {
    const field = resolveField(subject, joinPointer(path, 'sets', index), name);
    if (field && (field.readOnly || field.system))
      reportProblem(subject, joinPointer(path, 'sets', index), `"${name}" cannot be written.`);
  });
  checkAdds(subject, path, request);
  const names = [...request.sets, ...(request.adds?.fields ?? [])];
  if (names.length === 0) reportProblem(subject, path, 'A request must set fields ("sets") or add a record ("adds").');
  request.required.forEach((name, index) => {
    if (!names.includes(name))
      reportProblem(
        subject,
        joinPointer(path, 'required', index),
        unknownNameMessage('field in this request', name, names),
      );
  });
  request.ignored.forEach((name, index) => {
    if (names.includes(name))
      reportProblem(
        subject,
        joinPointer(path, 'ignored', index),
        `"${name}" is used by this request, so it cannot be ignored.`,
      );
  });
  for (const [name, condition] of Object.entries(request.visible)) {
    if (!names.includes(name))
      reportProblem(
        subject,
        joinPointer(path, 'visible', name),
        unknownNameMessage('field in this request', name, names),
      );
    checkCondition(subject, joinPointer(path, 'visible', name), condition, { form: names, withoutRelated: 'form' });
  }
  if (request.list) checkQuery(subject, joinPointer(path, 'list'), request.list.resource, 'query', request.list.query);
}

/** The path of a request is its own, in the whole program. */
function checkPath(subject: CheckSubject, path: string, request: RequestDefinition): void {
  const first = request.path.split('/')[0]!;
  if (isReservedPath(first)) reportProblem(subject, path, `The path "${first}" is reserved by the program.`);
  if (subject.registry.get(first)) reportProblem(subject, path, `"${first}" is the path of a resource.`);
  for (const definition of subject.registry.definitions.values()) {
    const same = Object.values(definition.requests).some((one) => one !== request && one.path === request.path);
    if (same) reportProblem(subject, path, `A request of ${definition.name} already has this path.`);
  }
}

function checkAdds(subject: CheckSubject, path: string, { sets, adds }: RequestDefinition): void {
  if (!adds) return;
  const here = joinPointer(path, 'adds');
  const target = resolveResource(subject, joinPointer(here, 'resource'), adds.resource);
  if (!target) return;
  const relation = resolveField(subject, joinPointer(here, 'relation'), adds.relation, target);
  if (relation && (!isRelation(relation) || relation.to !== subject.definition.name))
    reportProblem(
      subject,
      joinPointer(here, 'relation'),
      `"${adds.relation}" is not a relation to ${subject.definition.name}.`,
    );
  adds.fields.forEach((name, index) => {
    resolveField(subject, joinPointer(here, 'fields', index), name, target);
    if (sets.includes(name))
      reportProblem(
        subject,
        joinPointer(here, 'fields', index),
        `"${name}" is also set on the record itself; a name can be used only once.`,
      );
  });
}

function checkCopy(subject: CheckSubject): void {
  const { copy } = subject.definition;
  if (!copy) return;
  const field = resolveField(subject, '/copy/field', copy.field);
  if (field && (fieldTypeOf(field).column !== 'text' || field.readOnly))
    reportProblem(subject, '/copy/field', `"${copy.field}" is not a writable text, so it cannot get a suffix.`);
  checkFieldNames(subject, '/copy/resets', copy.resets);
  if (copy.resets.includes(copy.field))
    reportProblem(
      subject,
      joinPointer('/copy/resets', copy.resets.indexOf(copy.field)),
      `"${copy.field}" gets the suffix; it cannot be reset.`,
    );
  const keeps = copy.keeps === undefined ? undefined : resolveField(subject, '/copy/keeps', copy.keeps);
  if (!keeps) return;
  if (!isRelation(keeps) || keeps.to !== subject.definition.name)
    reportProblem(subject, '/copy/keeps', `"${keeps.name}" is not a relation to ${subject.definition.name}.`);
  else if (keeps.readOnly) reportProblem(subject, '/copy/keeps', `"${keeps.name}" cannot be written.`);
}
