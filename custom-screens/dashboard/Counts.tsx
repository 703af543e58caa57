import IconButton from '@mui/material/IconButton';
import { Link } from 'react-router-dom';
import { Icon } from '../../src/app/icons/Icon';
import type { CountBlock } from './blocks';
import { unfilteredListUrl } from './links';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './dashboard.module.css';

/** The counts of one resource; each links to the list of the records that it counts. */
export function Counts({ block: { list, title, cells } }: { block: CountBlock }) {
  return (
    <section className={styles.dashCard} data-list={list} aria-label={`${title}: counts`}>
      <header>
        <h2>{title}</h2>
        <IconButton
          size="small"
          sx={{ display: 'none', ml: 'auto', '@media (max-width: 600px)': { display: 'inline-flex' } }}
          component={Link}
          to={unfilteredListUrl(list)}
          aria-label={`Open the ${title} list`}
        >
          <Icon name="external" />
        </IconButton>
      </header>
      <ul className={styles.dashCells} data-cells={cells.length}>
        {cells.map(({ key, label, count, tone, url }) => (
          <li key={key}>
            <Link to={url}>
              <b className="num" data-tone={count === '0' ? undefined : tone}>
                {count ?? <span className={statesStyles.skeleton} aria-hidden="true" />}
              </b>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
