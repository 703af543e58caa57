import { parseRelativeTime } from '../conditions/relative-time';
import { columnTypeOf, fieldTypeOf, typeNamesWhere } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isAnyRelation, isStateRelation } from '../field-types/relation';
import { isRelations } from '../field-types/relations';
import { isTimeZone } from '../formats/dates';
import type { Automation, AutomationStep, Recipients } from '../definitions/automation';
import { checkCondition, formerValueProblem } from './check-conditions';
import {
  breaksField,
  reportProblem,
  resolveReadableField,
  resolveField,
  resolveResource,
  type CheckSubject,
} from './check-context';
import { isStateName, stateNames } from './check-transitions';
import type { Definition, Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { currentVersion, currentVersionOnly, pinnedBy } from '../normalise/pins';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import type { AutomationSource, AutomationStepSource } from '../language/source';
import { itemAt, requireValue } from '../values/lookups';
import { fieldOf } from '../definitions/accessors';

const stepKinds = ['notify', 'mail', 'set', 'create', 'webhook'] as const;
const valueVariables = [
  '$today',
  '$now',
  '$actor.id',
  '$actor.level',
  '$actor.role',
  '$actor.role_id',
  '$actor.site_id',
];

/** Checks the automations: when they run is said once, and all that they name exists. */
export function checkAutomations(subject: CheckSubject): void {
  const { definition, source } = subject;
  if (definition.automations.length === 0) return;
  if (definition.system)
    return reportProblem(subject, '/automations', 'The program alone writes these records: remove "automations".');
  const names = definition.automations.map(({ name }) => name);
  definition.automations.forEach((automation, index) => {
    const path = joinPointer('/automations', index);
    const automationSource = itemAt(source.automations ?? [], index);
    if (names.indexOf(automation.name) < index)
      reportProblem(subject, joinPointer(path, 'name'), `Another automation is called "${automation.name}".`);
    checkTrigger(subject, path, automation, automationSource);
    checkActor(subject, path, automation);
    automation.steps.forEach((step, position) =>
      checkStep(
        subject,
        joinPointer(path, 'steps', position),
        automation,
        step,
        itemAt(automationSource.steps, position),
      ),
    );
  });
}

function checkTrigger(
  subject: CheckSubject,
  path: string,
  automation: Automation,
  automationSource: AutomationSource,
): void {
  const { changedFields, transition, timeZone, where: condition } = automation;
  const isOnChange = automationSource.events !== undefined || automationSource.transition !== undefined;
  const moments = ['schedule', 'dueTime', 'idleTime'] as const;
  const triggerKeys = [isOnChange && '"events"', ...moments.map((key) => automationSource[key] && `"${key}"`)].filter(
    Boolean,
  );
  if (triggerKeys.length === 0)
    reportProblem(
      subject,
      path,
      'Nothing says when it runs: add "events", "schedule", "dueTime" or "idleTime", such as "events": ["update"].',
    );
  if (triggerKeys.length > 1)
    reportProblem(
      subject,
      path,
      `It runs at one kind of moment, but has ${triggerKeys.join(' and ')}: keep one of them.`,
    );
  if (automation.events.includes('comment')) checkOnComment(subject, path, automation);
  if (!isOnChange && changedFields.length > 0)
    reportProblem(
      subject,
      joinPointer(path, 'changedFields'),
      '"changedFields" belongs to "events": add that, or remove this.',
    );
  for (const key of ['time', 'timeZone'] as const)
    if (automationSource[key] !== undefined && automationSource.schedule === undefined)
      reportProblem(subject, joinPointer(path, key), `"${key}" belongs to "schedule": add that, or remove this.`);
  for (const [key, period] of [
    ['weekdays', 'week'],
    ['day', 'month'],
  ] as const)
    if (automationSource[key] !== undefined && automationSource.schedule !== period)
      reportProblem(
        subject,
        joinPointer(path, key),
        `"${key}" belongs to "schedule": "${period}": write that, or remove this.`,
      );
  changedFields.forEach((name, index) => {
    const field = resolveField(subject, joinPointer(path, 'changedFields', index), name);
    if (field && columnTypeOf(field) === null && !isRelations(field))
      reportProblem(
        subject,
        joinPointer(path, 'changedFields', index),
        `"${name}" is not stored, so it never changes.`,
      );
  });
  if (transition) {
    const transitionPath = joinPointer(path, 'transition');
    const field = resolveField(subject, joinPointer(transitionPath, 'field'), transition.field);
    const states = field && isStateRelation(field);
    const stateValues: readonly (string | number)[] | undefined = states
      ? stateNames(field)
      : field?.options?.map(({ value }) => value);
    if (stateValues && !stateValues.includes(transition.to))
      reportProblem(
        subject,
        joinPointer(transitionPath, 'to'),
        `${JSON.stringify(transition.to)} is not ${states ? 'a state in the transitions' : 'an option'} of "${transition.field}": ${stateValues.map((value) => JSON.stringify(value)).join(', ')}.`,
      );
  }
  checkDueTime(subject, joinPointer(path, 'dueTime'), automationSource.dueTime);
  if (!isTimeZone(timeZone))
    reportProblem(
      subject,
      joinPointer(path, 'timeZone'),
      `"${timeZone}" is not a time zone. Write one like "Europe/Berlin".`,
    );
  checkCondition(subject, joinPointer(path, 'where'), condition, { onStoredRows: true });
  const isOfAddress = automation.runAs.includes('@');
  if (!isOnChange && !isOfAddress && JSON.stringify(condition ?? {}).includes('"$actor'))
    reportProblem(
      subject,
      joinPointer(path, 'where'),
      'When the time comes there is no user yet: compare with the field that "runAs" names instead of "$actor".',
    );
}

/** Checks that a time is that of a stored date or date-time: only a column can be looked up by an index. */
function checkDueTime(subject: CheckSubject, path: string, dueTime: AutomationSource['dueTime']): void {
  if (!dueTime) return;
  const fieldPath = joinPointer(path, 'field');
  const field = resolveReadableField(subject, fieldPath, dueTime.field);
  if (!field) return;
  const { holds: valueKind } = fieldTypeOf(field);
  if (valueKind !== 'day' && valueKind !== 'instant')
    reportProblem(
      subject,
      fieldPath,
      `"${dueTime.field}" must be of type ${typeNamesWhere((type) => type.holds === 'day' || type.holds === 'instant').join(' or ')}, but is of type ${field.type}.`,
    );
  else if (field.multiple || columnTypeOf(field) === null)
    reportProblem(
      subject,
      fieldPath,
      `"${dueTime.field}" is not stored as one value, so the records whose time has come cannot be looked up: name a stored field, and move the difference into "offset".`,
    );
  else if (valueKind === 'instant' && dueTime.timeOfDay !== undefined)
    reportProblem(
      subject,
      joinPointer(path, 'timeOfDay'),
      `"${dueTime.field}" has a time already: remove "timeOfDay", or move the time with "offset".`,
    );
}

/** A comment changes nothing of the record, so nothing of it has changed. */
function checkOnComment(subject: CheckSubject, path: string, { changedFields, transition }: Automation): void {
  if (!subject.definition.comments)
    reportProblem(
      subject,
      joinPointer(path, 'events'),
      'Nobody comments on these records: add "comments": true, or remove "comment".',
    );
  for (const [key, isSaid] of [
    ['changedFields', changedFields.length > 0],
    ['transition', transition !== null],
  ] as const)
    if (isSaid)
      reportProblem(
        subject,
        joinPointer(path, key),
        `A comment changes no field, so "${key}" is never met by it. Make an automation of its own with "events": ["comment"].`,
      );
}

function checkActor(subject: CheckSubject, path: string, { runAs, schedule, idleTime, dueTime }: Automation): void {
  const runAsPath = joinPointer(path, 'runAs');
  if (runAs === 'author') {
    if (schedule !== null || idleTime !== null || dueTime)
      reportProblem(
        subject,
        runAsPath,
        'Nobody makes a change here, so it needs "runAs": a path to a user of the record, such as "created_by", or the email address of a user.',
      );
    return;
  }
  if (runAs.includes('@')) return;
  checkUserPath(subject, runAsPath, runAs, true);
}

/** The field at the end of a path through relations, such as `project_id.owner_id`. */
function resolveRelationPath(subject: CheckSubject, path: string, relationPath: string): Field | undefined {
  const steps = relationPath.split('.');
  let definition: Definition = subject.definition;
  for (const [index, name] of steps.entries()) {
    const field = resolveReadableField(subject, path, name, definition);
    if (!field || index === steps.length - 1) return field;
    const target = field.to === undefined ? undefined : subject.registry.get(field.to);
    if (!target || isInverse(field)) {
      reportProblem(
        subject,
        path,
        `"${name}" of ${definition.name} is not a relation, so the path "${relationPath}" cannot go on after it.`,
      );
      return undefined;
    }
    definition = target;
  }
  return undefined;
}

function checkUserPath(subject: CheckSubject, path: string, userPath: string, isSingle = false): void {
  const field = resolveRelationPath(subject, path, userPath);
  if (!field) return;
  const people = fieldOf(subject.definition, 'created_by').to;
  if (!isAnyRelation(field) || field.to !== people || (isSingle && isRelations(field)))
    reportProblem(
      subject,
      path,
      `"${userPath}" does not lead to ${isSingle ? 'one user' : 'any users'}. Name a relation to ${people}, such as "created_by".`,
    );
}

function checkText(subject: CheckSubject, textPath: string, text: string | undefined): void {
  for (const path of templateFields(text ?? '')) resolveRelationPath(subject, textPath, path);
}

function checkStep(
  subject: CheckSubject,
  path: string,
  automation: Automation,
  step: AutomationStep,
  stepSource: AutomationStepSource,
): void {
  const writtenKinds = stepKinds.filter((kind) => stepSource[kind] !== undefined);
  if (writtenKinds.length !== 1)
    return reportProblem(
      subject,
      path,
      writtenKinds.length === 0
        ? 'A step does one thing: add "notify", "mail", "set", "create" or "webhook".'
        : `A step does one thing, but this has ${writtenKinds.map((kind) => `"${kind}"`).join(' and ')}: make several steps of it.`,
    );
  for (const [key, owner] of [
    ['text', 'notify'],
    ['values', 'create'],
    ['forEach', 'create'],
  ] as const)
    if (stepSource[key] !== undefined && writtenKinds[0] !== owner)
      reportProblem(subject, joinPointer(path, key), `"${key}" belongs to "${owner}": remove it here.`);
  const isOnDelete = automation.events.includes('delete');
  switch (step.kind) {
    case 'notify':
      if (step.text === '') reportProblem(subject, path, 'Say what the notification reads: add "text".');
      checkText(subject, joinPointer(path, 'text'), step.text);
      return checkRecipients(subject, joinPointer(path, 'notify'), step.to);
    case 'mail':
      return checkMail(subject, joinPointer(path, 'mail'), step);
    case 'set':
      if (isOnDelete)
        reportProblem(subject, joinPointer(path, 'set'), 'A deleted record has no fields to set: remove "delete".');
      return checkValues(subject, joinPointer(path, 'set'), step.values, subject.definition, automation);
    case 'create':
      return checkCreate(subject, path, automation, step);
    case 'webhook':
      return;
  }
}

function checkRecipients(
  subject: CheckSubject,
  recipientsPath: string,
  { paths, roles, roleNames, levels }: Recipients,
): void {
  paths.forEach((path, index) =>
    checkUserPath(subject, paths.length > 1 ? joinPointer(recipientsPath, index) : recipientsPath, path),
  );
  if (paths.length + roles.length + roleNames.length + levels.length === 0)
    reportProblem(subject, recipientsPath, 'Nobody is named: add a path to a user, "roles" or "levels".');
}

function checkMail(subject: CheckSubject, path: string, step: Extract<AutomationStep, { kind: 'mail' }>): void {
  const { to: recipientPath, template, subject: line, text } = step;
  const people = fieldOf(subject.definition, 'created_by').to;
  const field = resolveRelationPath(subject, joinPointer(path, 'to'), recipientPath);
  if (field && fieldTypeOf(field).schema(field).format !== 'email' && !(isAnyRelation(field) && field.to === people))
    reportProblem(
      subject,
      joinPointer(path, 'to'),
      `"${recipientPath}" leads neither to users nor to an email address.`,
    );
  const isComplete = template === undefined ? line !== undefined && text !== undefined : line === undefined && !text;
  if (!isComplete) reportProblem(subject, path, 'A mail has either a "template", or a "subject" and a "text".');
  checkText(subject, joinPointer(path, 'subject'), line);
  checkText(subject, joinPointer(path, 'text'), text);
}

function checkCreate(
  subject: CheckSubject,
  path: string,
  automation: Automation,
  step: Extract<AutomationStep, { kind: 'create' }>,
): void {
  const target = resolveResource(subject, joinPointer(path, 'create'), step.resource);
  if (target?.system)
    reportProblem(
      subject,
      joinPointer(path, 'create'),
      `The program alone writes ${target.labels.many.toLowerCase()}.`,
    );
  let sourceDefinition: Definition | undefined;
  if (step.forEach !== undefined) {
    const field = resolveReadableField(subject, joinPointer(path, 'forEach'), step.forEach);
    const resource = field?.inverse?.resource ?? field?.to;
    sourceDefinition = resource === undefined ? undefined : subject.registry.get(resource);
    if (field && !isRelations(field) && !isInverse(field))
      reportProblem(
        subject,
        joinPointer(path, 'forEach'),
        `"${step.forEach}" has not several records. Name a field of many relations or an inverse, or remove "forEach".`,
      );
  }
  if (target && !target.system)
    checkValues(subject, joinPointer(path, 'values'), step.values, target, automation, sourceDefinition ?? 'none');
}

function checkValues(
  subject: CheckSubject,
  path: string,
  values: Readonly<Record<string, unknown>>,
  target: Definition,
  { events }: Automation,
  sourceDefinition?: Definition | 'none',
): void {
  for (const [name, value] of Object.entries(values)) {
    const valuePath = joinPointer(path, name);
    const field = resolveField(subject, valuePath, name, target);
    if (!field) continue;
    const isCompany = name === 'site_id';
    if (sourceDefinition === undefined && pinnedBy(target, name)) {
      if (value !== currentVersion) reportProblem(subject, valuePath, currentVersionOnly(name));
    } else if ((field.system && !isCompany) || fieldTypeOf(field).isDerived === true)
      reportProblem(subject, valuePath, `"${name}" cannot be set to a value.`);
    else if (columnTypeOf(field) === null && !isRelations(field))
      reportProblem(subject, valuePath, `"${name}" is not stored, so it cannot be set.`);
    else if (typeof value === 'string' && value.startsWith('$'))
      checkVariable(subject, valuePath, value, sourceDefinition, events.includes('delete'));
    else if (typeof value === 'string' && templateFields(value).length > 0) checkText(subject, valuePath, value);
    else if (isStateRelation(field) && typeof value === 'string') {
      if (!isStateName(field, value))
        reportProblem(subject, valuePath, unknownNameMessage('state', value, stateNames(field)));
    } else if (formerValueProblem(field, value) !== undefined)
      reportProblem(
        subject,
        valuePath,
        requireValue(formerValueProblem(field, value), 'the problem of a former value'),
      );
    else if (value !== null && breaksField(field, value))
      reportProblem(subject, valuePath, `${JSON.stringify(value)} is not a valid value of "${name}".`);
  }
}

function checkVariable(
  subject: CheckSubject,
  path: string,
  value: string,
  sourceDefinition: Definition | 'none' | undefined,
  isOnDelete: boolean,
): void {
  if (valueVariables.includes(value) || parseRelativeTime(value)) return;
  const [root, name = '', ...extraSteps] = value.slice(1).split('.') as [string, string?];
  if (extraSteps.length > 0)
    reportProblem(subject, path, `"${value}" has more than one property. Use a field of the record, such as a lookup.`);
  else if (root === 'record') {
    if (name === 'id' && isOnDelete)
      reportProblem(subject, path, 'A record that was deleted cannot be referred to: use another value.');
    else resolveReadableField(subject, path, name);
  } else if (root === 'each' && typeof sourceDefinition === 'object')
    resolveReadableField(subject, path, name, sourceDefinition);
  else if (root === 'each')
    reportProblem(subject, path, '"$each" needs "forEach", which names a field with several records.');
  else reportProblem(subject, path, unknownNameMessage('variable', value, [...valueVariables, '$record.id']));
}
