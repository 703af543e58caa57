import { columnTypeOf, fieldTypeOf } from '../field-types';
import { isRelation } from '../field-types/relation';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Parameter } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks rules, parameters, cascading archives and indexes. */
export function checkAccess(subject: CheckSubject): void {
  const { definition } = subject;
  definition.rules.forEach((rule, index) => {
    const path = joinPointer('/rules', index);
    if (!rule.levels && !rule.roles)
      reportProblem(subject, path, 'A rule names whom it applies to: add "levels" or "roles".');
    checkCondition(subject, joinPointer(path, 'where'), rule.where, { onStoredRows: true });
    if (rule.fields && rule.exceptFields)
      reportProblem(subject, path, 'A rule has either "fields" or "exceptFields", not both.');
    if (rule.where && rule.actions.includes('create') && '$record' in rule.where) {
      reportProblem(
        subject,
        joinPointer(path, 'where'),
        'A new record has no stored values, so $record is empty here.',
      );
    }
  });
  checkParameters(subject);
  (definition.archive?.cascade ?? []).forEach((name, index) =>
    checkCascade(subject, joinPointer('/archive/cascade', index), name),
  );
  definition.indexes.forEach((names, index) => {
    names.forEach((name, position) => {
      const path = joinPointer('/indexes', index, position);
      const field = resolveReadableField(subject, path, name);
      if (field && (columnTypeOf(field) === null || fieldTypeOf(field).isIndexable === false)) {
        reportProblem(subject, path, `"${name}" has no column to index.`);
      }
    });
  });
}

function checkParameters(subject: CheckSubject): void {
  for (const [name, parameter] of Object.entries(subject.definition.parameters)) {
    const path = joinPointer('/parameters', name);
    const isMonth = parameter.kind === 'month';
    if (Object.hasOwn(subject.definition.fields, name) && parameter.field !== name && !isMonth) {
      reportProblem(subject, path, `"${name}" is a field: a parameter with the same name must refer to it.`);
    }
    if (parameter.field !== undefined) resolveReadableField(subject, joinPointer(path, 'field'), parameter.field);
    checkCondition(subject, joinPointer(path, 'where'), parameter.where, { value: true, onStoredRows: true });
    checkNamed(subject, path, parameter);
    if (parameter.kind === 'flag' && !parameter.where)
      reportProblem(subject, path, 'A parameter of kind "flag" needs a "where".');
    if (parameter.kind === 'span' && parameter.field === undefined)
      reportProblem(subject, path, 'A parameter of kind "span" needs a "field".');
    const ofMonth = isMonth ? subject.definition.fields[parameter.field ?? ''] : undefined;
    if (isMonth && !(ofMonth && fieldTypeOf(ofMonth).holds === 'day'))
      reportProblem(subject, path, 'A parameter of kind "month" needs a "field" of type date.');
    if (parameter.export !== undefined && !isMonth)
      reportProblem(subject, joinPointer(path, 'export'), 'Only parameters of kind "month" have this property.');
    if (parameter.kind === 'value' && parameter.field === undefined && !parameter.where) {
      reportProblem(subject, path, 'A parameter needs a "field" or a "where".');
    }
  }
}

function checkNamed(subject: CheckSubject, path: string, parameter: Parameter): void {
  if (parameter.kind === 'named' && Object.keys(parameter.conditions ?? {}).length === 0)
    reportProblem(subject, path, 'A parameter of kind "named" needs "conditions": the condition of each value.');
  if (parameter.conditions && parameter.kind !== 'named')
    reportProblem(subject, joinPointer(path, 'conditions'), 'Only parameters of kind "named" have this property.');
  for (const [value, condition] of Object.entries(parameter.conditions ?? {}))
    checkCondition(subject, joinPointer(path, 'conditions', value), condition, { onStoredRows: true });
}

function checkCascade(subject: CheckSubject, path: string, name: string): void {
  const dot = name.indexOf('.');
  const otherDefinition = resolveResource(subject, path, name.slice(0, dot));
  const field = otherDefinition && resolveField(subject, path, name.slice(dot + 1), otherDefinition);
  if (!otherDefinition || !field) return;
  if (!isRelation(field) || field.to !== subject.definition.name) {
    reportProblem(subject, path, `"${name}" is not a relation to ${subject.definition.name}.`);
  }
  if (!otherDefinition.archive) reportProblem(subject, path, `${otherDefinition.name} cannot be archived.`);
}
