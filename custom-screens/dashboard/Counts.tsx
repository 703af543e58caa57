import IconButton from '@mui/material/IconButton';
import { Link } from 'react-router';
import { Icon } from '../../src/app/icons/Icon';
import type { CountBlock } from './blocks';
import { unfilteredListUrl } from './links';

/** The counts of one resource; each links to the list of the records that it counts. */
export function Counts({ block: { list, title, cells } }: { block: CountBlock }) {
  return (
    <section className="dash-card dash-counts" data-list={list} aria-label={`${title}: counts`}>
      <header>
        <h2>{title}</h2>
        <IconButton
          size="small"
          className="dash-open"
          component={Link}
          to={unfilteredListUrl(list)}
          aria-label={`Open the ${title} list`}
        >
          <Icon name="external" />
        </IconButton>
      </header>
      <ul className="dash-cells" data-cells={cells.length}>
        {cells.map(({ key, label, count, tone, to }) => (
          <li key={key}>
            <Link to={to}>
              <b className="num" data-tone={count === '0' ? undefined : tone}>
                {count ?? <span className="skeleton" aria-hidden="true" />}
              </b>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
