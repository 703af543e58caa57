import { checkCondition } from './check-conditions';
import { fault, needField, needFields, needReadable, needResource, type Subject } from './check-subject';
import type { Parameter } from './definition';
import { at } from './paths';

/** Checks rules, parameters, what is archived along, and indexes. */
export function checkAccess(subject: Subject): void {
  const { definition } = subject;
  definition.rules.forEach((rule, index) => {
    const path = at('/rules', index);
    checkCondition(subject, at(path, 'where'), rule.where);
    if (rule.fields && rule.except)
      fault(subject, path, 'A rule names the fields it leaves, or those it takes: not both.');
    needFields(subject, at(path, 'fields'), rule.fields ?? []);
    needFields(subject, at(path, 'except'), rule.except ?? []);
    if (rule.where && rule.actions.includes('create') && '$record' in rule.where) {
      fault(subject, at(path, 'where'), 'A new record has no stored values.');
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
        fault(subject, path, `"${name}" has no column that could be indexed.`);
      }
    });
  });
}

function checkParameters(subject: Subject): void {
  for (const [name, parameter] of Object.entries(subject.definition.parameters)) {
    const path = at('/parameters', name);
    const isMonth = parameter.kind === 'month';
    if (Object.hasOwn(subject.definition.fields, name) && parameter.field !== name && !isMonth) {
      fault(subject, path, `"${name}" is a field; a parameter of the same name must stand for it.`);
    }
    if (parameter.field !== undefined) needReadable(subject, at(path, 'field'), parameter.field);
    if (parameter.to !== undefined) needResource(subject, at(path, 'to'), parameter.to);
    checkCondition(subject, at(path, 'where'), parameter.where, { value: true });
    checkNamed(subject, path, parameter);
    if (parameter.kind === 'flag' && !parameter.where) fault(subject, path, 'A flag says what it means: "where".');
    if (parameter.kind === 'span' && parameter.field === undefined) fault(subject, path, 'A span names its "field".');
    if (isMonth && subject.definition.fields[parameter.field ?? '']?.type !== 'date')
      fault(subject, path, 'A month names a date: its "field".');
    if (parameter.export !== undefined && !isMonth)
      fault(subject, at(path, 'export'), 'This belongs to parameters of the kind "month".');
    if (parameter.kind === 'value' && parameter.field === undefined && !parameter.where) {
      fault(subject, path, 'A parameter says what it means: a "field" or "where".');
    }
  }
}

function checkNamed(subject: Subject, path: string, parameter: Parameter): void {
  if (parameter.kind === 'named' && Object.keys(parameter.named ?? {}).length === 0)
    fault(subject, path, 'A parameter of this kind says what each of its values means: "named".');
  if (parameter.named && parameter.kind !== 'named')
    fault(subject, at(path, 'named'), 'This belongs to parameters of the kind "named".');
  for (const [value, condition] of Object.entries(parameter.named ?? {}))
    checkCondition(subject, at(path, 'named', value), condition);
}

function checkCascade(subject: Subject, path: string, name: string): void {
  const dot = name.indexOf('.');
  const other = needResource(subject, path, name.slice(0, dot));
  const field = other && needField(subject, path, name.slice(dot + 1), other);
  if (!other || !field) return;
  if (field.type !== 'relation' || field.to !== subject.definition.name) {
    fault(subject, path, `"${name}" is no relation to ${subject.definition.name}.`);
  }
  if (!other.archive) fault(subject, path, `${other.name} cannot be archived.`);
}
