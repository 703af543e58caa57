import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import type { RefObject } from 'react';
import { formatInstant } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { ToneChip } from '../../src/app/chips/RecordChip';
import { Icon } from '../../src/app/icons/Icon';
import { StoredEvidence } from '../evidence/StoredEvidence';
import type { StoredFile } from '../evidence/storedFiles';
import { draftResult, resultOfSteps, type Draft } from './draft';
import { EvidenceOfDraft } from './EvidenceOfDraft';
import { ResultButtons } from './ResultButtons';
import { ResultIcon } from './ResultIcon';
import type { Evidence } from './useEvidence';
import { useStoredEvidence } from './useRun';
import { earlierCount, resultLabels, type EarlierResult, type EntryDetails, type PersonResult } from './runnerApi';
import { useSeconds, type Timer } from './useTimer';
import * as styles from './runner.module.css';

export interface ResultPanelProps {
  entry: EntryDetails;
  draft: Draft;
  timer: Timer;
  disabled: boolean;
  /** The bar at the foot of a phone has the result and the button that saves. */
  isPhone: boolean;
  commentBox: RefObject<HTMLTextAreaElement | null>;
  evidence: Evidence;
  filePicker: RefObject<HTMLInputElement | null>;
  /** The latest results of the test case, and how many there are. */
  previousResults?: { readonly results: readonly EarlierResult[]; readonly total: number };
  /** Creates a task; without it the actor may not. */
  onCreateDefect?: () => void;
  onLinkDefect: () => void;
  onChoose: (result: PersonResult) => void;
  onComment: (text: string) => void;
  onSave: () => void;
  /** Passes the test and saves it. */
  onPass: () => void;
}

/** The outcome: the result, the time, a comment, the defect, and what others found before. */
export function ResultPanel(props: ResultPanelProps) {
  const { entry, draft, disabled, isPhone, commentBox, evidence, filePicker, onComment, onSave, onPass } = props;
  const storedFiles = useStoredEvidence(testsWithResults(props), evidence.field !== undefined).data ?? noEvidence;
  return (
    <section className={styles.panel} aria-label="Result" data-whole-test>
      <Box sx={{ display: 'grid', gap: 2, pt: 3, px: 4, pb: 4 }}>
        <LatestResult entry={entry} files={storedFiles.get(entry.id)} />
        {!isPhone && <ResultChoice {...props} />}
        <TimerRow {...props} />
        <label className={styles.panelLabel} htmlFor="result-comment">
          Comment
        </label>
        <OutlinedInput
          id="result-comment"
          multiline
          fullWidth
          minRows={3}
          maxRows={12}
          disabled={disabled}
          inputRef={commentBox}
          value={draft.comment}
          onChange={(event) => onComment(event.target.value)}
          slotProps={{ input: { maxLength: 10_000 } }}
        />
        <EvidenceOfDraft {...{ evidence, disabled }} files={draft.files} picker={filePicker} />
        <Defect {...props} />
      </Box>
      <EarlierResults {...props} storedFiles={storedFiles} />
      {!isPhone && (
        <div className={styles.panelFoot}>
          <Button variant="outlined" size="large" disabled={disabled} title="Pass and next (N)" onClick={onPass}>
            Pass and next
          </Button>
          <Button
            variant="contained"
            size="large"
            disabled={disabled}
            endIcon={<Icon name="arrow-right" />}
            aria-keyshortcuts="Control+Enter"
            title="Ctrl+Enter"
            onClick={onSave}
          >
            Save and next
          </Button>
        </div>
      )}
    </section>
  );
}

type StoredFiles = ReadonlyMap<number, readonly StoredFile[]>;
const noEvidence: StoredFiles = new Map();

/** This test and the earlier ones, as far as they were run. */
function testsWithResults({ entry, previousResults }: ResultPanelProps): readonly number[] {
  const otherIds = (previousResults?.results ?? []).map(({ id }) => id).filter((id) => id !== entry.id);
  return entry.result === 'not_run' ? otherIds : [entry.id, ...otherIds];
}

/** The stored result of a test that was run before. */
function LatestResult({ entry, files }: { entry: EntryDetails; files?: readonly StoredFile[] }) {
  if (entry.result === 'not_run') return null;
  const words = [entry.run_by_user?.name, entry.run_at && formatInstant(entry.run_at)].filter(Boolean).join(', ');
  return (
    <div className={styles.latest}>
      <ResultIcon result={entry.result} />
      <span>
        <b>{resultLabels[entry.result]}</b> {words}
        {entry.comment && <small>{entry.comment}</small>}
        <StoredEvidence files={files} />
      </span>
    </div>
  );
}

function ResultChoice({ entry, draft, disabled, onChoose }: ResultPanelProps) {
  const count = entry.pinned?.steps?.length ?? 0;
  const stepsResult = resultOfSteps(draft, count);
  const failingStep = Object.entries(draft.steps).find(([, step]) => step.result === stepsResult)?.[0];
  return (
    <>
      <div className={styles.panelLine}>
        <span className={styles.panelLabel}>Result</span>
        {draft.chosen === undefined && stepsResult && (
          <small>{['failed', 'blocked'].includes(stepsResult) ? `from step ${failingStep}` : 'from the steps'}</small>
        )}
      </div>
      <ResultButtons label="Result of the test" value={draftResult(draft, count)} {...{ disabled, onChoose }} />
    </>
  );
}

function TimerRow({ timer, previousResults, disabled }: ResultPanelProps) {
  useSeconds();
  const expectedSeconds = usualSeconds(previousResults?.results ?? []);
  return (
    <div className={styles.timer}>
      <Icon name="timer" size={18} />
      <b className="num" role="timer" aria-label="Time spent">
        {formatClock(timer.seconds())}
      </b>
      {expectedSeconds !== undefined && <small className="num">of {formatClock(expectedSeconds)}</small>}
      <span className={styles.grow} />
      <IconButton
        size="small"
        disabled={disabled}
        aria-label={timer.isPaused ? 'Continue the timer' : 'Pause the timer'}
        title={timer.isPaused ? 'Continue the timer' : 'Pause the timer'}
        onClick={timer.toggle}
      >
        <Icon name={timer.isPaused ? 'play' : 'pause'} />
      </IconButton>
      <IconButton
        size="small"
        disabled={disabled}
        aria-label="Start the timer again from zero"
        title="Start the timer again from zero"
        onClick={timer.reset}
      >
        <Icon name="undo" />
      </IconButton>
    </div>
  );
}

function Defect({ entry, draft, disabled, onCreateDefect, onLinkDefect }: ResultPanelProps) {
  const count = entry.pinned?.steps?.length ?? 0;
  const isDefectRequested = draftResult(draft, count) === 'failed' && !entry.defect && !entry.defect_url;
  return (
    <>
      <div className={styles.panelLine}>
        <span className={styles.panelLabel}>Defect</span>
        {isDefectRequested && <small>asked for on Fail</small>}
      </div>
      {entry.defect && (
        <div className={styles.defect}>
          <Icon name="bug" />
          <a href={`/tasks/${entry.defect.id}`} target="_blank" rel="noopener">
            {entry.defect.name}
          </a>
          {entry.defect_status && <ToneChip>{entry.defect_status}</ToneChip>}
        </div>
      )}
      {entry.defect_url && (
        <div className={styles.defect}>
          <Icon name="link" />
          <a href={entry.defect_url} target="_blank" rel="noopener noreferrer">
            {entry.defect_url.replace(/^https?:\/\//, '')}
          </a>
        </div>
      )}
      <Stack direction="row" spacing={2} sx={{ flexWrap: 'wrap' }}>
        {onCreateDefect && (
          <Button variant="outlined" disabled={disabled} startIcon={<Icon name="bug" />} onClick={onCreateDefect}>
            Create defect{' '}
            <Box component="kbd" sx={{ ml: 1.5, '@media (max-width: 600px)': { display: 'none' } }}>
              D
            </Box>
          </Button>
        )}
        <Button variant="outlined" disabled={disabled} startIcon={<Icon name="link" />} onClick={onLinkDefect}>
          Link
        </Button>
      </Stack>
    </>
  );
}

function EarlierResults({ entry, previousResults, storedFiles }: ResultPanelProps & { storedFiles: StoredFiles }) {
  const otherResults = (previousResults?.results ?? []).filter(({ id }) => id !== entry.id);
  if (!entry.test_case || !previousResults || otherResults.length === 0) return null;
  return (
    <div className={styles.earlier}>
      <div className={styles.panelLine}>
        <h3 className={styles.panelLabel}>Earlier results</h3>
        {previousResults.total > earlierCount && (
          <small className="num">the latest of {formatNumber(previousResults.total)}</small>
        )}
      </div>
      <ul>
        {otherResults.map(
          ({ id, result, run, configuration, run_by_user: person, run_at: instant, elapsed_seconds: seconds }) => (
            <Stack
              component="li"
              direction="row"
              spacing={2.5}
              sx={{ py: 1.5, px: 0, fontSize: 13, lineHeight: '18px' }}
              key={id}
            >
              <ResultIcon result={result} />
              <span>
                {[run?.key, configuration?.name].filter(Boolean).join(', ')}
                <small>
                  {[person?.name, instant && formatInstant(instant).split(' ')[0]].filter(Boolean).join(', ')}
                </small>
                <StoredEvidence files={storedFiles.get(id)} />
              </span>
              {seconds !== null && <small className="num">{formatClock(seconds)}</small>}
            </Stack>
          ),
        )}
      </ul>
    </div>
  );
}

/** The mean of the times that a test took before; undefined if none is known. */
function usualSeconds(results: readonly EarlierResult[]): number | undefined {
  const times = results.flatMap(({ elapsed_seconds: seconds }) => (seconds === null ? [] : [seconds]));
  return times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Seconds as `04:12`, from an hour on as `1:04:12`. */
function formatClock(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60];
  const rest = [minutes, wholeSeconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return hours > 0 ? `${hours}:${rest}` : rest;
}
