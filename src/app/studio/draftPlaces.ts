import type { Draft, Pane } from './draft';

/** An error of the draft, with its place. */
export interface PlacedError {
  readonly path: string;
  readonly message: string;
}

/** The parts of a module besides its fields: the place of each, and the keys of the definition that it shows. */
export const moduleParts: readonly { pointer: string; label: string; icon: string; paths: readonly string[] }[] = [
  {
    pointer: '/labels',
    label: 'Module',
    icon: 'settings',
    paths: [
      '/labels',
      '/description',
      '/menu',
      '/scope',
      '/recordTitle',
      '/chip',
      '/choices',
      '/history',
      '/comments',
      '/archive',
      '/name',
    ],
  },
  { pointer: '/titles', label: 'Titles and texts', icon: 'text', paths: ['/titles', '/toasts', '/delete'] },
  { pointer: '/list/filters', label: 'Filters', icon: 'filter', paths: ['/list/filters'] },
  { pointer: '/list/card', label: 'Card', icon: 'cards', paths: ['/list/card'] },
  {
    pointer: '/list/tabs',
    label: 'Tabs and views',
    icon: 'template',
    paths: ['/list/tabs', '/list/saved'],
  },
  { pointer: '/list/charts', label: 'Charts', icon: 'bar-chart', paths: ['/list/charts'] },
  { pointer: '/list/kanban', label: 'Board', icon: 'kanban', paths: ['/list/kanban'] },
  {
    pointer: '/list/calendar',
    label: 'Calendar, timeline, gallery',
    icon: 'calendar',
    paths: ['/list/calendar', '/list/timeline', '/list/gallery'],
  },
  {
    pointer: '/validate',
    label: 'Checks, import, export',
    icon: 'check',
    paths: [
      '/validate',
      '/unique',
      '/noOverlap',
      '/import',
      '/export',
      '/exports',
      '/print',
      '/public',
      '/copy',
      '/indexes',
      '/parameters',
    ],
  },
  { pointer: '/automations', label: 'Automations', icon: 'play', paths: ['/automations'] },
  { pointer: '/requests', label: 'Requests and actions', icon: 'arrow-right', paths: ['/requests', '/list/actions'] },
  { pointer: '/list/columns', label: 'List', icon: 'columns', paths: ['/list'] },
  { pointer: '/form/sections', label: 'Form', icon: 'list-check', paths: ['/form'] },
  { pointer: '/page', label: 'Page of a record', icon: 'panel', paths: ['/page'] },
  { pointer: '/rules', label: 'Rules and grants', icon: 'shield', paths: ['/rules', '/grants'] },
];

/** The sections of the editor: the fields, and the parts of the module by what they are about, each in its order. */
export const sections = [
  { name: 'module', label: 'Module', parts: ['/labels', '/titles'] },
  { name: 'fields', label: 'Fields', parts: [] },
  {
    name: 'list',
    label: 'List',
    parts: [
      '/list/columns',
      '/list/filters',
      '/list/card',
      '/list/tabs',
      '/list/charts',
      '/list/kanban',
      '/list/calendar',
    ],
  },
  { name: 'form', label: 'Form', parts: ['/form/sections'] },
  { name: 'page', label: 'Page', parts: ['/page'] },
  { name: 'actions', label: 'Actions', parts: ['/requests', '/automations'] },
  { name: 'rules', label: 'Rules and data', parts: ['/rules', '/validate'] },
] as const satisfies readonly { name: string; label: string; parts: readonly string[] }[];

export type Section = (typeof sections)[number];

/** The section that shows a path; that of the fields for places that are none of the parts. */
export function sectionAt(path: string): Section {
  const part = partAt(path)?.pointer;
  const isOf = ({ parts }: { parts: readonly string[] }) => part !== undefined && parts.includes(part);
  return sections.find(isOf) ?? sections[1];
}

const isAtOrBelow = (path: string, ancestor: string) => path === ancestor || path.startsWith(`${ancestor}/`);

/** The part that shows a path; undefined if none does. */
export function partAt(path: string) {
  return moduleParts.find(({ paths }) => paths.some((key) => isAtOrBelow(path, key)));
}

/** The place and the pane where a path is edited. */
export function placeAndPane(path: string): [place: string, face: Pane] {
  const field = /^\/fields\/[^/]+/.exec(path);
  if (field) return [field[0], 'properties'];
  const part = partAt(path);
  return part ? [part.pointer, 'properties'] : [path, 'json'];
}

/** Whether a path is at a place or below it. */
export function isWithin(path: string, pointer: string): boolean {
  return isAtOrBelow(path, pointer);
}

type ValidatedDraft = Pick<Draft, 'unreadable' | 'plan' | 'planError' | 'module'>;

/** The draft's errors: those of the plan, or the parse error of its text. */
export function draftErrors({ unreadable, plan, planError, module }: ValidatedDraft): readonly PlacedError[] {
  if (unreadable) return [{ path: '', message: `Line ${unreadable.line}: ${unreadable.message}` }];
  if (planError) return [];
  return (plan?.errors ?? []).filter((error) => error.module === undefined || error.module === module.name);
}

/** The errors that publishing the draft would cause in other modules. */
export function errorsInOtherModules({ unreadable, plan, module }: ValidatedDraft) {
  if (unreadable) return [];
  return (plan?.errors ?? []).filter((error) => error.module !== undefined && error.module !== module.name);
}
