import type { Draft, Face } from './draft';

/** Something that is wrong with the draft, and where. */
export interface PlacedError {
  readonly path: string;
  readonly message: string;
}

/** The parts of a module besides its fields: where each stands, and which keys of the definition it shows. */
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

/** The order in which the parts are listed. */
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

/** The part that shows a path; undefined where none does. */
export function partOf(path: string) {
  return parts.find(({ holds }) => holds.some((key) => lies(path, key)));
}

/** Where a path is worked on: the place, and the face that has it. */
export function placeOf(path: string): [place: string, face: Face] {
  const field = /^\/fields\/[^/]+/.exec(path);
  if (field) return [field[0], 'properties'];
  const part = partOf(path);
  return part ? [part.place, 'properties'] : [path, 'json'];
}

/** Whether an error is of a place or below it. */
export function isWithin(path: string, place: string): boolean {
  return lies(path, place);
}

type Judged = Pick<Draft, 'unreadable' | 'plan' | 'planError' | 'module'>;

/** What is wrong with the draft: what the server found, or why the text cannot be read. */
export function errorsOf({ unreadable, plan, planError, module }: Judged): readonly PlacedError[] {
  if (unreadable) return [{ path: '', message: `Line ${unreadable.line}: ${unreadable.message}` }];
  if (planError) return [];
  return (plan?.errors ?? []).filter((error) => error.module === undefined || error.module === module.name);
}

/** What the draft would break in other modules. */
export function errorsElsewhere({ unreadable, plan, module }: Judged) {
  if (unreadable) return [];
  return (plan?.errors ?? []).filter((error) => error.module !== undefined && error.module !== module.name);
}
