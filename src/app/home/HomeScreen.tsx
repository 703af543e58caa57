import { useGetList } from 'react-admin';
import { Link } from 'react-router';
import { formatNumber } from '../../engine/formats/numbers';
import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { useMe } from '../admin/DefinitionsProvider';
import { menuDefinitions } from '../admin/menu';
import { Icon } from '../icons/Icon';
import { usePage } from '../layout/page';
import { EmptyState } from '../states/EmptyState';
import './home.css';

/** The home screen: every module that the user may open, with its number of records. */
export function HomeScreen() {
  const definitions = useDefinitions();
  const name = useMe()?.user.first_name;
  usePage({ title: name ? `Welcome, ${name}` : 'Welcome' });
  const listed = menuDefinitions(definitions);
  const groups = [...new Set(listed.map(({ menu }) => menu!.group))];
  if (listed.length === 0) {
    return (
      <EmptyState
        title="Nothing to open yet"
        sentence="Your role has no access to any module. Ask your administrator for access."
      />
    );
  }
  return (
    <div className="home">
      {groups.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {listed
              .filter(({ menu }) => menu!.group === group)
              .map((definition) => (
                <li key={definition.name}>
                  <ModuleLink definition={definition} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const countOnly = { page: 1, perPage: 1 };

function ModuleLink({ definition: { name, labels, description, menu } }: { definition: Definition }) {
  const { total } = useGetList(
    name,
    { pagination: countOnly, sort: { field: 'id', order: 'ASC' }, filter: {} },
    { staleTime: 30_000, meta: { quiet: true } },
  );
  return (
    <Link to={`/${name}`} className="home-module">
      <Icon name={menu!.icon} size={18} />
      <b>{labels.many}</b>
      <span className="home-count num">
        {total === undefined ? <span className="skeleton" aria-hidden="true" /> : formatNumber(total)}
        {total !== undefined && <span className="unseen"> records</span>}
      </span>
      {description && <small>{description}</small>}
    </Link>
  );
}
