import { reportProblem, resolveField, resolveListPath, type CheckSubject } from './check-context';
import { columnTypeOf, fieldTypeOf, typeNamesWhere, type ValueKind } from '../field-types';
import { isInverse } from '../field-types/inverse';
import { isMoney } from '../field-types/money';
import type { Kanban } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks the board: a relation or select as columns, a request that sets it or none, and fields of fitting types on its cards. */
export function checkKanban(subject: CheckSubject): void {
  const { views, kanban } = subject.definition.list;
  if (!kanban) {
    if (views.includes('kanban')) reportProblem(subject, '/list/views', 'The view "kanban" needs a "kanban".');
    return;
  }
  const path = '/list/kanban';
  checkColumn(subject, kanban);
  checkKanbanField(subject, 'priority', kanban, ['record']);
  checkKanbanField(subject, 'person', kanban, ['record']);
  checkKanbanField(subject, 'due', kanban, ['day', 'instant']);
  checkKanbanField(subject, 'overdue', kanban, ['boolean']);
  checkMove(subject, path, kanban);
  checkSum(subject, path, kanban);
  checkOrder(subject, kanban);
  kanban.lines.forEach((line, index) => resolveListPath(subject, joinPointer(path, 'lines', index), line.field));
  kanban.counts.forEach((name, index) => {
    const countPath = joinPointer(path, 'counts', index);
    const field = resolveField(subject, countPath, name);
    if (field && (!isInverse(field) || field.inLists === 'nothing'))
      reportProblem(subject, countPath, `Lists have no count of "${name}".`);
  });
}

/** The columns are the records that a relation can have, or the options of a select. */
function checkColumn(subject: CheckSubject, kanban: Kanban): void {
  const path = '/list/kanban/column';
  const field = resolveField(subject, path, kanban.column);
  if (!field || (fieldTypeOf(field).holds === 'record' && !field.inverse)) return;
  if (field.options === undefined)
    reportProblem(subject, path, `"${field.name}" must be of type relation or select, but is of type ${field.type}.`);
  else if (field.multiple)
    reportProblem(
      subject,
      path,
      `"${field.name}" can have several values ("multiple"), so a record would be in several columns. Use a field with one.`,
    );
}

function checkKanbanField(
  subject: CheckSubject,
  key: 'priority' | 'person' | 'due' | 'overdue',
  kanban: Kanban,
  kinds: readonly ValueKind[],
): void {
  const name = kanban[key];
  const path = joinPointer('/list/kanban', key);
  const field = name === undefined ? undefined : resolveField(subject, path, name);
  if (field && !kinds.includes(fieldTypeOf(field).holds))
    reportProblem(
      subject,
      path,
      `"${field.name}" must be of type ${typeNamesWhere(({ holds: valueKind }) => kinds.includes(valueKind)).join(' or ')}, but is of type ${field.type}.`,
    );
}

function checkMove(subject: CheckSubject, path: string, kanban: Kanban): void {
  const { requests, fields } = subject.definition;
  const column = Object.hasOwn(fields, kanban.column) ? fields[kanban.column] : undefined;
  if (kanban.request === undefined) {
    if (column?.readOnly)
      reportProblem(
        subject,
        joinPointer(path, 'column'),
        `"${column.name}" is read-only, so no card could be moved. Add a "request" that sets it.`,
      );
    if (kanban.field !== undefined)
      reportProblem(subject, joinPointer(path, 'field'), 'A move asks for a field only with a "request".');
    return;
  }
  const request = Object.hasOwn(requests, kanban.request) ? requests[kanban.request] : undefined;
  if (!request) return;
  if (!request.sets.includes(kanban.column))
    reportProblem(
      subject,
      joinPointer(path, 'request'),
      `The request "${request.name}" does not set "${kanban.column}".`,
    );
  const askedFields = [...request.sets, ...(request.adds?.fields ?? [])];
  if (kanban.field === undefined) return;
  if (!askedFields.includes(kanban.field))
    reportProblem(
      subject,
      joinPointer(path, 'field'),
      `The request "${request.name}" does not ask for "${kanban.field}".`,
    );
}

/** Places are numbers of the board alone: nobody reads or types them, and any number may be one. */
function checkOrder(subject: CheckSubject, { order }: Kanban): void {
  const path = '/list/kanban/order';
  const field = order === undefined ? undefined : resolveField(subject, path, order);
  if (!field) return;
  const limits = [field.requiredInForm, field.requiredWhen, field.unique, field.default, field.min, field.max];
  if (columnTypeOf(field) !== 'double precision' || !field.secret || field.readOnly || field.integer)
    reportProblem(
      subject,
      path,
      `"${field.name}" must be a number that is secret, and neither whole nor read-only: the board keeps the places of its cards in it.`,
    );
  else if (limits.some((limit) => limit !== undefined && limit !== false))
    reportProblem(
      subject,
      path,
      `"${field.name}" must be neither required nor unique nor limited, and have no default: the board gives its cards any number as their place, or none.`,
    );
}

/** Sums are taken by the database, of one currency. */
function checkSum(subject: CheckSubject, path: string, { sum }: Kanban): void {
  if (sum === undefined) return;
  const sumPath = joinPointer(path, 'sum');
  const field = resolveField(subject, sumPath, sum);
  if (!field) return;
  if (!fieldTypeOf(field).isSummable)
    reportProblem(subject, sumPath, `"${sum}" has no sum: name a number or an amount of money.`);
  else if (isMoney(field) && field.currencyField !== undefined)
    reportProblem(
      subject,
      sumPath,
      `The amounts of "${sum}" have currencies of their own, so they have no sum: name an amount in one currency.`,
    );
}
