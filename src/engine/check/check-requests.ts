import { parseRelativeTime } from '../conditions/relative-time';
import { checkCondition, formerValueProblem } from './check-conditions';
import { isReservedPath } from './check-names';
import { breaksField, reportProblem, resolveField, resolveResource, type CheckSubject } from './check-context';
import { checkQuery } from './check-tabs';
import { isStateName } from './check-transitions';
import type { RequestDefinition } from '../definitions/definition';
import { columnTypeOf, fieldTypeOf } from '../field-types';
import { isRelation } from '../field-types/relation';
import { templateFields } from '../definitions/labels';
import { currentVersion, currentVersionOnly, pinnedBy } from '../normalise/pins';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { firstOf, requireValue } from '../values/lookups';

/** Checks requests, copying and the export: their paths must be free and their names must exist. */
export function checkRequests(subject: CheckSubject): void {
  const { definition, registry } = subject;
  for (const request of Object.values(definition.requests)) checkRequest(subject, request);
  checkCopy(subject);
  const path = definition.export?.path;
  if (path === undefined) return;
  const otherDefinition = [...registry.definitions.values()].find(
    (candidate) => candidate.name === path || (candidate !== definition && candidate.export?.path === path),
  );
  if (otherDefinition)
    reportProblem(subject, '/export/path', `${otherDefinition.name} already uses the path "${path}".`);
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
  const key = Array.isArray(subject.source.requests?.[request.name]?.sets) ? 'sets' : 'asks';
  request.sets.forEach((name, index) => {
    const field = resolveField(subject, joinPointer(path, key, index), name);
    if (field && (field.readOnly || field.system))
      reportProblem(subject, joinPointer(path, key, index), `"${name}" cannot be written.`);
    if (Object.hasOwn(request.constants, name))
      reportProblem(
        subject,
        joinPointer(path, key, index),
        `"${name}" has a fixed value in "sets": do not ask for it.`,
      );
  });
  checkAdds(subject, path, request);
  checkConstants(subject, path, request);
  checkCondition(subject, joinPointer(path, 'where'), request.where, { onWrittenValues: true });
  const names = [...request.sets, ...(request.adds?.fields ?? [])];
  if (names.length + Object.keys(request.constants).length === 0)
    reportProblem(subject, path, 'A request must set fields ("sets") or add a record ("adds").');
  request.required.forEach((name, index) => {
    if (!names.includes(name))
      reportProblem(
        subject,
        joinPointer(path, 'required', index),
        unknownNameMessage('field in this request', name, names),
      );
  });
  request.ignoredNames.forEach((name, index) => {
    if (names.includes(name))
      reportProblem(
        subject,
        joinPointer(path, 'ignoredNames', index),
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
  if (request.list)
    checkQuery(subject, joinPointer(path, 'list'), request.list.resource, 'filter', request.list.filter);
}

/** The fixed values of a request must be valid values of stored fields. */
function checkConstants(subject: CheckSubject, path: string, { name: request, constants }: RequestDefinition): void {
  const requestSource = subject.source.requests?.[request];
  if (requestSource?.asks && (requestSource.sets === undefined || Array.isArray(requestSource.sets)))
    reportProblem(
      subject,
      joinPointer(path, 'asks'),
      'A request asks for fields beside fixed values: without them, list its fields in "sets".',
    );
  for (const [name, value] of Object.entries(constants)) {
    const valuePath = joinPointer(path, 'sets', name);
    const field = resolveField(subject, valuePath, name);
    if (!field) continue;
    if (pinnedBy(subject.definition, name)) {
      if (value !== currentVersion) reportProblem(subject, valuePath, currentVersionOnly(name));
    } else if (field.system || columnTypeOf(field) === null || fieldTypeOf(field).isDerived === true)
      reportProblem(subject, valuePath, `"${name}" cannot be set to a value.`);
    else if (typeof value === 'string' && value.startsWith('$')) {
      if (!constantVariables.includes(value) && !parseRelativeTime(value))
        reportProblem(subject, valuePath, unknownNameMessage('variable', value, constantVariables));
    } else if (formerValueProblem(field, value) !== undefined)
      reportProblem(
        subject,
        valuePath,
        requireValue(formerValueProblem(field, value), 'the problem of a former value'),
      );
    else if (value !== null && !isStateName(field, value) && breaksField(field, value))
      reportProblem(subject, valuePath, `${JSON.stringify(value)} is not a valid value of "${name}".`);
  }
}

const constantVariables = [
  '$today',
  '$now',
  '$actor.id',
  '$actor.level',
  '$actor.role',
  '$actor.role_id',
  '$actor.site_id',
];

/** The path of a request is its own, in the whole program. */
function checkPath(subject: CheckSubject, path: string, request: RequestDefinition): void {
  const first = firstOf(request.path.split('/'));
  if (isReservedPath(first)) reportProblem(subject, path, `The path "${first}" is reserved by the program.`);
  if (subject.registry.get(first)) reportProblem(subject, path, `"${first}" is the path of a resource.`);
  for (const definition of subject.registry.definitions.values()) {
    const hasSamePath = Object.values(definition.requests).some(
      (otherRequest) => otherRequest !== request && otherRequest.path === request.path,
    );
    if (hasSamePath) reportProblem(subject, path, `A request of ${definition.name} already has this path.`);
  }
}

function checkAdds(subject: CheckSubject, path: string, { sets, adds: addition }: RequestDefinition): void {
  if (!addition) return;
  const addsPath = joinPointer(path, 'adds');
  const target = resolveResource(subject, joinPointer(addsPath, 'resource'), addition.resource);
  if (!target) return;
  const relation = resolveField(subject, joinPointer(addsPath, 'relation'), addition.relation, target);
  if (relation && (!isRelation(relation) || relation.to !== subject.definition.name))
    reportProblem(
      subject,
      joinPointer(addsPath, 'relation'),
      `"${addition.relation}" is not a relation to ${subject.definition.name}.`,
    );
  addition.fields.forEach((name, index) => {
    if (sets.includes(name))
      reportProblem(
        subject,
        joinPointer(addsPath, 'fields', index),
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
  if (copy.resetFields.includes(copy.field))
    reportProblem(
      subject,
      joinPointer('/copy/resetFields', copy.resetFields.indexOf(copy.field)),
      `"${copy.field}" gets the suffix; it cannot be reset.`,
    );
  const originalField =
    copy.originalField === undefined ? undefined : resolveField(subject, '/copy/originalField', copy.originalField);
  if (!originalField) return;
  if (!isRelation(originalField) || originalField.to !== subject.definition.name)
    reportProblem(
      subject,
      '/copy/originalField',
      `"${originalField.name}" is not a relation to ${subject.definition.name}.`,
    );
  else if (originalField.readOnly)
    reportProblem(subject, '/copy/originalField', `"${originalField.name}" cannot be written.`);
}
