import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { reportError } from '../data/ErrorToasts';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import { commentsKey, fetchWatch, storeWatch, type Subject, type Watch } from './api';
import * as styles from './comments.module.css';

interface WatchChoice {
  readonly state: Watch['state'];
  readonly label: string;
  readonly hint: string;
}

const choices: readonly WatchChoice[] = [
  { state: 'watching', label: 'Comments and changes', hint: 'All that others say and change here.' },
  { state: null, label: 'As usual', hint: 'Mentions, and comments if the record names you.' },
  { state: 'muted', label: 'Nothing', hint: 'Not even when somebody mentions you.' },
];

/** The state of watching a record, in a word or two. */
function wordFor({ state, watching: isWatching }: Watch): string {
  if (state === 'watching') return 'Watching';
  if (state === 'muted') return 'Muted';
  return isWatching ? 'Comments only' : 'Watch';
}

/** Chooses what one hears of a record, and says who else watches it. */
export function WatchButton({ subject }: { subject: Subject }) {
  const queryClient = useQueryClient();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const queryKey = [commentsKey, subject.resource, subject.id, 'watch'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchWatch(subject, signal),
    retry: false,
    meta: { quiet: true },
  });
  const change = useMutation({
    // One after the other: arrow keys choose faster than the server answers.
    scope: { id: `watch ${subject.resource} ${subject.id}` },
    mutationFn: (state: Watch['state']) => storeWatch(subject, state),
    onSuccess: (watch) => queryClient.setQueryData(queryKey, watch),
    onError: reportError,
  });
  const state = change.isPending ? change.variables : data?.state;
  useCommands(
    () => [
      state === 'watching'
        ? { id: 'watch', label: 'Mute this record', icon: 'eye-off', run: () => change.mutate('muted') }
        : {
            id: 'watch',
            label: 'Watch this record: comments and changes',
            icon: 'eye',
            run: () => change.mutate('watching'),
          },
    ],
    data !== undefined,
  );
  if (!data) return null;
  return (
    <>
      <Button
        variant="text"
        size="small"
        startIcon={<Icon name={data.watching ? 'eye' : 'eye-off'} size={14} />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        title="What you hear of this record"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {wordFor(data)}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'What you hear of this record' } }}
      >
        <WatchChoices watch={data} state={state ?? null} onChoose={(choice) => change.mutate(choice)} />
      </Popover>
    </>
  );
}

interface WatchChoicesProps {
  watch: Watch;
  state: Watch['state'];
  onChoose: (state: Watch['state']) => void;
}

function WatchChoices({ watch: { watchers }, state: currentState, onChoose }: WatchChoicesProps) {
  const name = useId();
  return (
    <div className={styles.watch}>
      <fieldset>
        <legend>Notify me of</legend>
        {choices.map(({ state, label, hint }) => (
          <label key={label}>
            <input
              type="radio"
              name={name}
              checked={state === currentState}
              autoFocus={state === currentState}
              onChange={() => onChoose(state)}
            />
            <span>
              {label}
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p>
        {watchers.length === 0
          ? 'Nobody watches it.'
          : `Told of comments: ${watchers.map((person) => person.name).join(', ')}`}
      </p>
    </div>
  );
}
