import { Level } from '../../../engine/definitions/level';
import Button from '@mui/material/Button';
import { useGetList } from 'react-admin';
import { Link } from 'react-router-dom';
import { formatTotal } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { type MenuDefinition, menuDefinitions } from '../menu';
import { useNotices } from '../useNotices';
import { Icon } from '../../icons/Icon';
import { NoticesPanel } from '../NoticesPanel';
import { usePage } from '../../layout/page';
import { systemModules } from '../../screens/systemModules';
import { EmptyState } from '../../states/EmptyState';
import { GuidedStart } from '../../screens/start/GuidedStart';
import * as statesStyles from '../../states/states.module.css';
import * as styles from './home.module.css';

/** The home page: every module that the user may open, with its number of records, and their latest notifications. */
export function HomeScreen() {
  const definitions = useDefinitions();
  const name = useMe()?.user.first_name;
  usePage({ title: name ? `Welcome, ${name}` : 'Welcome' });
  const notices = useNotices();
  const menuModules = menuDefinitions(definitions);
  const groups = [...new Set(menuModules.map(({ menu }) => menu.group))];
  return (
    <div className={styles.home}>
      <div className={styles.homeGroups}>
        <GuidedStart />
        <FirstModule {...{ menuModules, definitions }} />
        {groups.map((group) => (
          <section key={group}>
            <h2>{group || 'General'}</h2>
            <ul>
              {menuModules
                .filter(({ menu }) => menu.group === group)
                .map((definition) => (
                  <li key={definition.name}>
                    <ModuleLink definition={definition} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <section className={styles.homeNotices} aria-label="Latest notifications">
        <NoticesPanel {...notices} />
      </section>
    </div>
  );
}

interface FirstModuleProps {
  /** The modules in the menu. */
  menuModules: readonly Definition[];
  definitions: ReturnType<typeof useDefinitions>;
}

/** The first step as long as there is no module besides those of the system, or none for this user. */
function FirstModule({ menuModules, definitions: { actor } }: FirstModuleProps) {
  if (actor.level === Level.Installation && !actor.viewer && menuModules.every(({ name }) => systemModules.has(name)))
    return (
      <EmptyState
        title="No modules yet"
        sentence="Create the first one in the studio."
        action={
          <Button component={Link} to="/studio/new" variant="contained" startIcon={<Icon name="plus" />}>
            New module
          </Button>
        }
      />
    );
  if (menuModules.length > 0) return null;
  return (
    <EmptyState
      title="Nothing to open yet"
      sentence="Your role has no access to any module. Ask your administrator for access."
    />
  );
}

const countOnly = { page: 1, perPage: 1 };

function ModuleLink({ definition: { name, labels, description, menu } }: { definition: MenuDefinition }) {
  const { total } = useGetList(
    name,
    { pagination: countOnly, sort: { field: 'id', order: 'ASC' }, filter: {}, meta: { fields: ['id'] } },
    { staleTime: 30_000, meta: { quiet: true } },
  );
  return (
    <Link to={`/${name}`} className={styles.homeModule}>
      <Icon name={menu.icon} size={18} />
      <b>{labels.many}</b>
      <span className={`${styles.homeCount} num`}>
        {total === undefined ? <span className={statesStyles.skeleton} aria-hidden="true" /> : formatTotal(total)}
        {total !== undefined && <span className="unseen"> {total === 1 ? 'record' : 'records'}</span>}
      </span>
      {description && <small>{description}</small>}
    </Link>
  );
}
