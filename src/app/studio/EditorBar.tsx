import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import { fetchVersions, moduleKeys } from './api';
import { formatCount } from './formatCount';
import { useDraftPart } from './draft';
import { DraftChip } from './drafts/DraftChip';
import { draftErrors, placeAndPane } from './draftPlaces';
import * as chipsStyles from '../chips/chips.module.css';
import * as propertiesStyles from './properties/properties.module.css';
import * as styles from './studio.module.css';

/** The page's header actions: the draft's errors and changes, and the link to its versions. */
export function EditorBar() {
  const { module, errors, count, go } = useDraftPart((draft) => ({
    module: draft.module,
    errors: draftErrors(draft),
    count: draft.changes.length + draft.purge.length,
    go: draft.go,
  }));
  const { data: versions } = useQuery({
    queryKey: moduleKeys.versions(module.name),
    queryFn: ({ signal }) => fetchVersions(module.name, signal),
    enabled: module.version > 0,
    meta: { quiet: true },
  });
  const first = errors[0];
  return (
    <PageActions>
      {first && (
        <button
          type="button"
          className={`${chipsStyles.chip} ${styles.studioErrors}`}
          data-tone="urgent"
          title={first.message}
          onClick={() => {
            go(...placeAndPane(first.path));
            requestAnimationFrame(focusFirstError);
          }}
        >
          <span>{formatCount(errors.length, 'error')}</span>
        </button>
      )}
      {count > 0 && <DraftChip count={count} />}
      {module.version > 0 && (
        <Button
          component={Link}
          to={`/studio/${module.name}/versions`}
          variant="outlined"
          className={styles.studioVersions}
          startIcon={<Icon name="history" />}
        >
          <span>Versions</span>
          <small className="num">{versions?.length ?? ''}</small>
        </Button>
      )}
    </PageActions>
  );
}

/** Scrolls to the first input with an error and focuses it. */
function focusFirstError() {
  const input = document.querySelector<HTMLElement>(
    `.${propertiesStyles.studioProps} :is([aria-invalid="true"], [data-bad])`,
  );
  input?.scrollIntoView({ block: 'center' });
  input?.focus({ preventScroll: true });
}
