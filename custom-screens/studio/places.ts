import type { Draft, Face } from './draft';

/** An error of the draft, with its place. */
export interface PlacedError {
  readonly path: string;
  readonly message: string;
}

/** The parts of a module besides its fields: the place of each, and the keys of the definition that it shows. */
export const parts: readonly { place: string; label: string; icon: string; holds: readonly string[] }[] = [
  {
    place: '/labels',
    label: 'Module',
    icon: 'settings',
    holds: ['/labels', '/description', '/menu', '/scope', '/recordTitle', '/choices', '/history', '/archive', '/name'],
  },
  { place: '/titles', label: 'Titles and texts', icon: 'text', holds: ['/titles', '/toasts', '/delete'] },
  { place: '/list/filters', label: 'Filters', icon: 'filter', holds: ['/list/filters'] },
  { place: '/list/card', label: 'Card', icon: 'cards', holds: ['/list/card'] },
  { place: '/list/tabs', label: 'Tabs', icon: 'template', holds: ['/list/tabs'] },
  { place: '/list/columns', label: 'List', icon: 'columns', holds: ['/list'] },
  { place: '/form/sections', label: 'Form', icon: 'list-check', holds: ['/form'] },
  { place: '/rules', label: 'Rules and grants', icon: 'shield', holds: ['/rules', '/grants'] },
];

/** The order of the parts in the list. */
export const partOrder = [
  '/labels',
  '/titles',
  '/list/columns',
  '/list/filters',
  '/list/card',
  '/list/tabs',
  '/form/sections',
  '/rules',
];

const lies = (path: string, within: string) => path === within || path.startsWith(`${within}/`);

/** The part that shows a path; undefined if none does. */
export function partOf(path: string) {
  return parts.find(({ holds }) => holds.some((key) => lies(path, key)));
}

/** The place and the pane where a path is edited. */
export function placeOf(path: string): [place: string, face: Face] {
  const field = /^\/fields\/[^/]+/.exec(path);
  if (field) return [field[0], 'properties'];
  const part = partOf(path);
  return part ? [part.place, 'properties'] : [path, 'json'];
}

/** Whether a path is at a place or below it. */
export function isWithin(path: string, place: string): boolean {
  return lies(path, place);
}

type Judged = Pick<Draft, 'unreadable' | 'plan' | 'planError' | 'module'>;

/** The draft's errors: those of the plan, or the parse error of its text. */
export function errorsOf({ unreadable, plan, planError, module }: Judged): readonly PlacedError[] {
  if (unreadable) return [{ path: '', message: `Line ${unreadable.line}: ${unreadable.message}` }];
  if (planError) return [];
  return (plan?.errors ?? []).filter((error) => error.module === undefined || error.module === module.name);
}

/** The errors that publishing the draft would cause in other modules. */
export function errorsElsewhere({ unreadable, plan, module }: Judged) {
  if (unreadable) return [];
  return (plan?.errors ?? []).filter((error) => error.module !== undefined && error.module !== module.name);
}
