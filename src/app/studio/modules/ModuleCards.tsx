import { Link } from 'react-router-dom';
import { Icon } from '../../icons/Icon';
import { formatCount } from '../formatCount';
import { authorAndDate } from '../authorAndDate';
import { moduleIcon } from './moduleTabs';
import { ModuleMenu } from './ModuleMenu';
import type { ModuleListProps } from './ModuleTable';
import { OriginChips } from './OriginChips';
import * as styles from './modules.module.css';

/** The list of modules as cards, for phones. */
export function ModuleCards({ modules, isDrafted, onAsk }: ModuleListProps) {
  return (
    <ul className={styles.studioCards} aria-label="Modules">
      {modules.map((module) => (
        <li key={module.name}>
          <Icon name={moduleIcon(module)} />
          <div>
            <Link to={`/studio/${module.name}`}>{module.labels.many}</Link>
            <small>
              <span className={styles.studioMono}>{module.name}</span>
              <span className="num">
                Version {module.version}, {formatCount(Object.keys(module.definition.fields).length, 'field')}
              </span>
              {module.changed && <span>{authorAndDate(module.changed)}</span>}
            </small>
            <OriginChips module={module} drafted={isDrafted(module)} />
          </div>
          <ModuleMenu module={module} onAsk={onAsk} />
        </li>
      ))}
    </ul>
  );
}
