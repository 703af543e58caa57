import type { Module } from '../../../engine/studio/module';

/** The tabs that filter the list of modules. */
export const moduleTabs = [
  { name: 'all', label: 'All' },
  { name: 'shipped', label: 'Shipped' },
  { name: 'changed', label: 'Changed' },
  { name: 'custom', label: 'Custom' },
  { name: 'waiting', label: 'Upgrade pending' },
  { name: 'retired', label: 'Retired' },
] as const;

export type ModuleTab = (typeof moduleTabs)[number]['name'];

/** Whether a module belongs to a tab; it can belong to several. */
export function isInTab(module: Module, kind: ModuleTab): boolean {
  switch (kind) {
    case 'all':
      return !module.retired;
    case 'shipped':
      return module.origin === 'shipped' && !module.customised;
    case 'changed':
      return module.origin === 'shipped' && module.customised;
    case 'custom':
      return module.origin === 'custom' && !module.retired;
    case 'waiting':
      return module.upgrade !== null;
    case 'retired':
      return module.retired;
  }
}

/** The tabs with their number of modules; "Upgrade pending" and "Retired" are left out if they are empty. */
export function countTabs(modules: readonly Module[]): { name: ModuleTab; label: string; count: number }[] {
  return moduleTabs
    .map(({ name, label }) => ({ name, label, count: modules.filter((module) => isInTab(module, name)).length }))
    .filter(({ name, count }) => count > 0 || (name !== 'waiting' && name !== 'retired'));
}

/** Whether a module's name or labels contain all of the searched words. */
export function matchesSearch({ name, labels }: Module, searchText: string): boolean {
  const text = `${name} ${labels.one} ${labels.many}`.toLowerCase();
  return searchText
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The module's menu icon, or the default one. */
export function moduleIcon({ definition }: Module): string {
  return (definition.menu || undefined)?.icon ?? 'database';
}
