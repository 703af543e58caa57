import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { useDraftPart, useDraftStore } from '../draft';
import { useDraftSaver, useSavingState } from '../draft/DraftSaving';
import { deleteSavedDraft } from '../draft/savedDraft';
import { formatCount } from '../formatCount';
import { HandOverDialog } from './HandOverDialog';
import * as chipsStyles from '../../chips/chips.module.css';
import * as styles from '../studio.module.css';

/** How many changes the draft has, and where they are; with the button that hands it over. */
export function DraftChip({ count }: { count: number }) {
  const { actor } = useDefinitions();
  const store = useDraftStore();
  const saver = useDraftSaver();
  const { kind } = useSavingState();
  const [handing, setHanding] = useState(false);
  const { name, label } = useDraftPart(({ module, source }) => ({ name: module.name, label: source.labels.many }));
  const isLocal = kind === 'offline' || kind === 'failed';
  return (
    <>
      <span
        className={chipsStyles.chip}
        data-tone={isLocal ? 'high' : 'medium'}
        role="status"
        title={isLocal ? 'Kept in this browser until it can be saved on the server' : 'Saved on the server'}
      >
        <span>
          <span className={styles.studioDraft}>Draft, </span>
          {formatCount(count, 'change')}
          {isLocal && ', only in this browser'}
        </span>
      </span>
      {saver && (
        <IconButton
          size="small"
          aria-label="Hand the draft over…"
          title="Hand the draft over…"
          disabled={isLocal || kind === 'conflict'}
          onClick={() => setHanding(true)}
        >
          <Icon name="user" />
        </IconButton>
      )}
      {handing && saver && (
        <HandOverDialog
          name={name}
          label={label}
          revision={async () => {
            await saver.flush();
            return saver.revision();
          }}
          onDone={() => {
            saver.adopt(0);
            deleteSavedDraft(actor.id, name);
            store.get().follow(null);
          }}
          onClose={() => setHanding(false)}
        />
      )}
    </>
  );
}
