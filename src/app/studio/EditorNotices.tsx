import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { mergeSources } from '../../engine/studio/merge';
import { Icon } from '../icons/Icon';
import { fetchVersions, moduleKeys } from './api';
import { useDraft, useDraftPart } from './draft';
import { DraftNotices } from './drafts/DraftNotices';
import * as styles from './studio.module.css';

/** Notices above the editor: a version that was published meanwhile, a pending upgrade, a retired module. */
export function EditorNotices() {
  const { module, base, takesShipped } = useDraftPart((draft) => ({
    module: draft.module,
    base: draft.base,
    takesShipped: draft.takesShipped,
  }));
  return (
    <>
      <DraftNotices />
      {module.version > base.version && <PublishedMeanwhile />}
      {module.upgrade && (
        <aside className={styles.studioNotice} aria-label="A newer shipped version">
          <Icon name="info" />
          <p>
            {takesShipped
              ? 'This draft merges your changes with the newer shipped version. Publishing it completes the upgrade.'
              : 'A newer version of this module was shipped. Decide which of your changes to keep.'}
          </p>
          <Button component={Link} to={`/studio/${module.name}/upgrade`} size="small" variant="outlined">
            {takesShipped ? 'Decide again' : 'Decide'}
          </Button>
        </aside>
      )}
      {module.retired && (
        <aside className={styles.studioNotice} aria-label="Retired">
          <Icon name="info" />
          <p>This module is retired: nobody sees it. Its table remains until it is purged.</p>
        </aside>
      )}
    </>
  );
}

/** The notice that somebody published since the draft was started. The draft stays, and can be moved to the new version. */
function PublishedMeanwhile() {
  const { module, base, source, rebase, discard } = useDraft();
  const notify = useNotify();
  const { data: versions } = useQuery({
    queryKey: moduleKeys.versions(module.name),
    queryFn: ({ signal }) => fetchVersions(module.name, signal),
    meta: { quiet: true },
  });
  const latest = versions?.find(({ version }) => version === module.version);
  const authorName = latest ? (latest.user?.name ?? 'The program') : 'Somebody';
  const timeText =
    latest && new Date(latest.created_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const keepChanges = () => {
    const { merged: mergedSource, conflicts } = mergeSources(base.source, module.definition, source);
    rebase(module, mergedSource);
    const subject = conflicts.length === 1 ? 'One place was' : `${conflicts.length} places were`;
    if (conflicts.length > 0)
      notify(`${subject} changed by both of you: your changes were kept. Check the plan before publishing.`, {
        type: 'warning',
      });
    else notify(`Your draft is now based on version ${module.version}`, { type: 'success' });
  };
  return (
    <div className={styles.studioNotice} aria-label="Published meanwhile" role="status">
      <Icon name="info" />
      <p>
        {authorName} published version {module.version}
        {timeText && ` at ${timeText}`}. Your draft is based on version {base.version} and is still here.
      </p>
      <Button
        component={Link}
        to={`/studio/${module.name}/versions?${new URLSearchParams({ from: String(base.version), to: String(module.version) })}`}
        size="small"
        variant="outlined"
      >
        Show the difference
      </Button>
      <Button size="small" variant="outlined" onClick={keepChanges}>
        Keep my changes
      </Button>
      <Button size="small" variant="text" onClick={discard}>
        Discard draft
      </Button>
    </div>
  );
}
