import { fault, knownMenu, needField, needPath, type Subject } from './check-subject';
import type { Field, Kanban } from './definition';
import { at, unknownName } from './paths';

/** Checks the board: a relation as columns, a request that sets it, and fields of fitting types on its cards. */
export function checkKanban(subject: Subject): void {
  const { views, kanban } = subject.definition.list;
  if (!kanban) {
    if (views.includes('kanban')) fault(subject, '/list/views', 'The view "kanban" needs a "kanban".');
    return;
  }
  const path = '/list/kanban';
  need(subject, 'column', kanban, ['relation']);
  need(subject, 'priority', kanban, ['relation']);
  need(subject, 'person', kanban, ['relation']);
  need(subject, 'due', kanban, ['date', 'datetime']);
  need(subject, 'late', kanban, ['boolean']);
  checkMove(subject, path, kanban);
  kanban.lines.forEach((line, index) => needPath(subject, at(path, 'lines', index), line.field));
  kanban.counts.forEach((name, index) => {
    const here = at(path, 'counts', index);
    const field = needField(subject, here, name);
    if (field && (field.type !== 'inverse' || field.inLists === 'nothing'))
      fault(subject, here, `Lists have no count of "${name}".`);
  });
  kanban.menu.forEach((name, index) => {
    const known = knownMenu(subject);
    if (!known.includes(name)) fault(subject, at(path, 'menu', index), unknownName('row action', name, known));
  });
}

function need(
  subject: Subject,
  key: 'column' | 'priority' | 'person' | 'due' | 'late',
  kanban: Kanban,
  types: readonly Field['type'][],
): void {
  const name = kanban[key];
  const path = at('/list/kanban', key);
  const field = name === undefined ? undefined : needField(subject, path, name);
  if (field && !types.includes(field.type))
    fault(subject, path, `"${field.name}" must be of type ${types.join(' or ')}, but is of type ${field.type}.`);
}

function checkMove(subject: Subject, path: string, kanban: Kanban): void {
  const { requests } = subject.definition;
  const request = Object.hasOwn(requests, kanban.request) ? requests[kanban.request] : undefined;
  if (!request)
    return fault(subject, at(path, 'request'), unknownName('request', kanban.request, Object.keys(requests)));
  if (!request.sets.includes(kanban.column))
    fault(subject, at(path, 'request'), `The request "${request.name}" does not set "${kanban.column}".`);
  const asked = [...request.sets, ...(request.adds?.fields ?? [])];
  if (!asked.includes(kanban.field))
    fault(subject, at(path, 'field'), `The request "${request.name}" does not ask for "${kanban.field}".`);
}
