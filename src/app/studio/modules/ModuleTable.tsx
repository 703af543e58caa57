import { Link, useNavigate } from 'react-router-dom';
import type { Module } from '../../../engine/studio/module';
import { Icon } from '../../icons/Icon';
import { authorAndDate } from '../authorAndDate';
import { moduleIcon } from './moduleTabs';
import { ModuleMenu } from './ModuleMenu';
import { OriginChips } from './OriginChips';
import type { PendingAction } from './ModuleActionDialog';
import * as styles from './modules.module.css';

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
