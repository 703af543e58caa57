import { Link, useNavigate } from 'react-router-dom';
import type { Module } from '../../../engine/studio/module';
import { Icon } from '../../icons/Icon';
import { authorAndDate } from '../authorAndDate';
import { ModuleMenu } from './ModuleMenu';
import { OriginChips } from './OriginChips';
import type { PendingAction } from './ModuleActionDialog';
import * as styles from './modules.module.css';

/** The tabs that filter the list of modules. */
export const moduleTabs = [
  { name: 'all', label: 'All' },
  { name: 'shipped', label: 'Shipped' },
  { name: 'changed', label: 'Changed' },
  { name: 'custom', label: 'Custom' },
  { name: 'waiting', label: 'Upgrade pending' },
  { name: 'retired', label: 'Retired' },
] as const;

type ModuleTab = (typeof moduleTabs)[number]['name'];

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

export interface ModuleListProps {
  modules: readonly Module[];
  isDrafted: (module: Module) => boolean;
  onAsk: (asked: PendingAction) => void;
}

/** The list of modules as a table; a click anywhere in a row opens its editor. */
export function ModuleTable({ modules, isDrafted, onAsk }: ModuleListProps) {
  const navigate = useNavigate();
  return (
    <table className={styles.studioTable} aria-label="Modules">
      <thead>
        <tr>
          <th>Name</th>
          <th>Key</th>
          <th>Origin</th>
          <th className="num">Version</th>
          <th className="num">Fields</th>
          <th>Last change</th>
          <th>
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {modules.map((module) => (
          <tr
            key={module.name}
            onClick={({ target }) => {
              if (target instanceof Element && !target.closest('a, button, [role=menu], .MuiModal-root'))
                void navigate(`/studio/${module.name}`);
            }}
          >
            <td>
              <span className={styles.studioName}>
                <Icon name={moduleIcon(module)} />
                <Link to={`/studio/${module.name}`}>{module.labels.many}</Link>
              </span>
            </td>
            <td className={styles.studioMono}>{module.name}</td>
            <td>
              <OriginChips module={module} drafted={isDrafted(module)} />
            </td>
            <td className="num">{module.version}</td>
            <td className="num">{Object.keys(module.definition.fields).length}</td>
            <td className={styles.studioChange}>{module.changed && authorAndDate(module.changed)}</td>
            <td>
              <ModuleMenu module={module} onAsk={onAsk} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
