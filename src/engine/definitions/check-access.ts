import { checkCondition } from './check-conditions';
import { fault, needField, needFields, needReadable, needResource, type Subject } from './check-subject';
import type { Parameter } from './definition';
import { at } from './paths';

/** Checks rules, parameters, cascading archives and indexes. */
export function checkAccess(subject: Subject): void {
  const { definition } = subject;
  definition.rules.forEach((rule, index) => {
    const path = at('/rules', index);
    checkCondition(subject, at(path, 'where'), rule.where);
    if (rule.fields && rule.except) fault(subject, path, 'A rule has either "fields" or "except", not both.');
    needFields(subject, at(path, 'fields'), rule.fields ?? []);
    needFields(subject, at(path, 'except'), rule.except ?? []);
    if (rule.where && rule.actions.includes('create') && '$record' in rule.where) {
      fault(subject, at(path, 'where'), 'A new record has no stored values, so $record is empty here.');
    }
  });
  checkParameters(subject);
  (definition.archive?.cascade ?? []).forEach((name, index) =>
    checkCascade(subject, at('/archive/cascade', index), name),
  );
  definition.indexes.forEach((names, index) => {
    names.forEach((name, place) => {
      const path = at('/indexes', index, place);
      const field = needReadable(subject, path, name);
      if (
        field &&
        (field.computed !== undefined || field.virtual || ['inverse', 'relations', 'json'].includes(field.type))
      ) {
        fault(subject, path, `"${name}" has no column to index.`);
      }
    });
  });
}

function checkParameters(subject: Subject): void {
  for (const [name, parameter] of Object.entries(subject.definition.parameters)) {
    const path = at('/parameters', name);
    const isMonth = parameter.kind === 'month';
    if (Object.hasOwn(subject.definition.fields, name) && parameter.field !== name && !isMonth) {
      fault(subject, path, `"${name}" is a field: a parameter with the same name must refer to it.`);
    }
    if (parameter.field !== undefined) needReadable(subject, at(path, 'field'), parameter.field);
    if (parameter.to !== undefined) needResource(subject, at(path, 'to'), parameter.to);
    checkCondition(subject, at(path, 'where'), parameter.where, { value: true });
    checkNamed(subject, path, parameter);
    if (parameter.kind === 'flag' && !parameter.where)
      fault(subject, path, 'A parameter of kind "flag" needs a "where".');
    if (parameter.kind === 'span' && parameter.field === undefined)
      fault(subject, path, 'A parameter of kind "span" needs a "field".');
    if (isMonth && subject.definition.fields[parameter.field ?? '']?.type !== 'date')
      fault(subject, path, 'A parameter of kind "month" needs a "field" of type date.');
    if (parameter.export !== undefined && !isMonth)
      fault(subject, at(path, 'export'), 'Only parameters of kind "month" have this property.');
    if (parameter.kind === 'value' && parameter.field === undefined && !parameter.where) {
      fault(subject, path, 'A parameter needs a "field" or a "where".');
    }
  }
}

function checkNamed(subject: Subject, path: string, parameter: Parameter): void {
  if (parameter.kind === 'named' && Object.keys(parameter.named ?? {}).length === 0)
    fault(subject, path, 'A parameter of kind "named" needs "named": the condition of each value.');
  if (parameter.named && parameter.kind !== 'named')
    fault(subject, at(path, 'named'), 'Only parameters of kind "named" have this property.');
  for (const [value, condition] of Object.entries(parameter.named ?? {}))
    checkCondition(subject, at(path, 'named', value), condition);
}

function checkCascade(subject: Subject, path: string, name: string): void {
  const dot = name.indexOf('.');
  const other = needResource(subject, path, name.slice(0, dot));
  const field = other && needField(subject, path, name.slice(dot + 1), other);
  if (!other || !field) return;
  if (field.type !== 'relation' || field.to !== subject.definition.name) {
    fault(subject, path, `"${name}" is not a relation to ${subject.definition.name}.`);
  }
  if (!other.archive) fault(subject, path, `${other.name} cannot be archived.`);
}
