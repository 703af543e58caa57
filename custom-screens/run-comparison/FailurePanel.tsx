import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { formatInstant } from '../../src/engine/formats/dates';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { StripOfRecords } from '../../src/app/fields/inverse/Strip';
import { Icon } from '../../src/app/icons/Icon';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { fetchApi } from '../../src/app/session/api';
import type { ComparedResult, ComparedRun, ComparedTest } from '../../src/product/answers/run-comparison';
import { ResultGlyph } from '../results/ResultNumbers';
import { resultText } from '../results/results';
import { resultWord } from '../run-overview/groups';
import { resultLabels, type Result, type Run } from '../test-runner/runnerApi';
import { DefectLink, describeAge, entryOf, formatClock } from './ComparedTests';
import { causes, useSetCause } from './comparisonApi';
import * as styles from './run-comparison.module.css';

interface FailurePanelProps {
  test: ComparedTest;
  /** The compared run. */
  run: Run;
  runs: readonly ComparedRun[];
  /** All that is compared, in the order of the screen. */
  tests: readonly ComparedTest[];
  /** Whether the user may say why it failed. */
  mayExplain: boolean;
  /** Whether the user may note what was found out about it. */
  mayNote: boolean;
  /** Opens the dialog of a new defect; undefined: the user may not. */
  createDefect: ((entry: number) => void) | undefined;
  onChoose: (entry: number) => void;
  onClose: () => void;
}

/** Both results of a test, and why it failed: said once, it is carried on to the same failure of later runs. */
export function FailurePanel(props: FailurePanelProps) {
  const { test, run, runs, onClose } = props;
  const { first, second, age } = test;
  return (
    <aside className={styles.details} aria-label={test.name}>
      <header>
        <b>{test.key ?? 'Test'}</b>
        {second && (
          <IconButton
            size="small"
            component={Link}
            to={`/test-runs/${run.id}/run?entry=${second.id}`}
            aria-label="Open the test"
          >
            <Icon name="external" />
          </IconButton>
        )}
        <IconButton size="small" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <h2>{test.name}</h2>
      {[first, second].map(
        (result, index) => result && <ResultFacts key={result.id} result={result} run={runs[index]} />,
      )}
      {age && second && <CauseFacts key={second.id} {...props} entry={second.id} />}
      {age && <SameCause {...props} />}
      <LastResults test={test} />
    </aside>
  );
}

function ResultFacts({ result, run }: { result: ComparedResult; run: ComparedRun | undefined }) {
  const word = resultWord(result.result as Result);
  return (
    <section>
      <small>
        {[run?.key, result.person, result.run_at && formatInstant(result.run_at)].filter(Boolean).join(', ')}
      </small>
      <p className={styles.found} style={resultText(word, 't2')}>
        <ResultGlyph result={word} />
        {resultLabels[result.result as Result]}
        {result.seconds !== null && <small className="num">{formatClock(result.seconds)}</small>}
      </p>
      {result.comment && <p>{result.comment}</p>}
    </section>
  );
}

function CauseFacts({ test, run, mayExplain, mayNote, createDefect, entry }: FailurePanelProps & { entry: number }) {
  const setCause = useSetCause();
  const { cause, note, defect, carried_from, age } = test;
  const words = causes.find(({ value }) => value === cause)?.label;
  const carriedKeys = [...new Set([carried_from, note?.carried_from, defect?.carried_from])]
    .filter(Boolean)
    .join(' and ');
  return (
    <section>
      <h3 id="cause-of-failure">Cause</h3>
      {mayExplain ? (
        <span className={toolbarStyles.listViews} role="group" aria-labelledby="cause-of-failure">
          {causes.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={cause === value}
              disabled={setCause.isPending}
              onClick={() => setCause.mutate({ entry, cause: cause === value && carried_from === null ? null : value })}
            >
              {label}
            </button>
          ))}
        </span>
      ) : (
        <p>{words ?? 'No cause yet'}</p>
      )}
      {defect ? (
        <p>
          <DefectLink defect={defect} />
        </p>
      ) : (
        createDefect && (
          <Button variant="outlined" startIcon={<Icon name="bug" />} onClick={() => createDefect(entry)}>
            Create defect
          </Button>
        )
      )}
      <CauseNote {...{ test, mayNote, entry }} />
      <small role="status">
        {carriedKeys
          ? `Carried on from ${carriedKeys}, since it fails in every run from there on.`
          : cause || defect
            ? 'It is carried on to later runs as long as the test fails there and the defect is open.'
            : mayExplain
              ? 'Said once, it is carried on to the same failure of later runs.'
              : run.state === 'closed' && 'This run is closed. Reopen it to say why the test failed.'}
      </small>
      {age && age.runs > 1 && (
        <small>
          Fails since {age.since}: {describeAge(test)}
        </small>
      )}
    </section>
  );
}

/** The latest results of a test on its configuration, the newest at the right. */
function LastResults({ test: { test_case_id, automated_test_id, configuration_id } }: { test: ComparedTest }) {
  const { registry, actor } = useDefinitions();
  // A test case has the results of its automated tests too, as far as the person may see these.
  const ofCase = isGranted(actor, 'automated-tests', 'list')
    ? { where: JSON.stringify({ $or: [{ test_case_id }, { automated_test_id: { $some: { test_case_id } } }] }) }
    : { test_case_id };
  const [resource, name, filter] =
    automated_test_id === null
      ? (['test-cases', 'recent_results', ofCase] as const)
      : (['automated-tests', 'recent', { automated_test_id }] as const);
  const field = registry.get(resource)?.fields[name];
  const { data: results = [] } = useQuery({
    queryKey: ['run-entries', 'last results', filter, configuration_id],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        filter: JSON.stringify({ ...filter, configuration_id, result: foundResults }),
        sort: JSON.stringify(['run_at', 'DESC']),
        range: JSON.stringify([0, maxResults - 1]),
        fields: 'id,result,run',
      });
      return (await fetchApi<{ data: readonly ResourceRecord[] }>(`/run-entries?${query}`, { signal })).data;
    },
    enabled: (automated_test_id ?? test_case_id) !== null && field !== undefined,
    retry: false,
    meta: { quiet: true },
  });
  if (!field?.inverse || results.length === 0) return null;
  return (
    <section aria-labelledby="last-results">
      <h3 id="last-results">{results.length === 1 ? 'The only result' : `Last ${results.length} results`}</h3>
      <StripOfRecords field={field} records={results.toReversed()} registry={registry} />
    </section>
  );
}

const foundResults = ['passed', 'failed', 'broken', 'blocked', 'skipped', 'flaky'];
const maxResults = 10;

interface CauseNoteProps extends Pick<FailurePanelProps, 'test' | 'mayNote'> {
  entry: number;
}

/** A note about the cause; it is stored when the box is left, or the screen. */
function CauseNote({ test: { note }, mayNote, entry }: CauseNoteProps) {
  const setCause = useSetCause();
  const [typedText, setTypedText] = useState<string>();
  /** The text that is being stored. */
  const sentText = useRef<string>(undefined);
  const storedText = note?.text ?? '';
  const store = () => {
    const text = typedText?.trim();
    if (text === undefined || text === storedText) return setTypedText(undefined);
    if (text === sentText.current) return;
    sentText.current = text;
    setCause.mutate(
      { entry, cause_note: text === '' ? null : text },
      {
        // A text that was refused stays, to be stored again; so does what was typed meanwhile.
        onSuccess: () => setTypedText((latestText) => (latestText?.trim() === text ? undefined : latestText)),
        onSettled: () => (sentText.current = undefined),
      },
    );
  };
  const storeLeft = useRef(store);
  useEffect(() => void (storeLeft.current = store));
  useEffect(() => () => storeLeft.current(), []);
  if (!mayNote) return storedText === '' ? null : <p>{storedText}</p>;
  return (
    <OutlinedInput
      multiline
      fullWidth
      minRows={2}
      maxRows={8}
      placeholder="What was found out"
      value={typedText ?? storedText}
      onChange={({ target }) => setTypedText(target.value)}
      onBlur={store}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && store()}
      slotProps={{ input: { 'aria-label': 'Note on the cause', maxLength: 1000 } }}
    />
  );
}

/** The other failures with the same cause or defect. */
function SameCause({ test, tests, onChoose }: FailurePanelProps) {
  const { cause, defect } = test;
  const sameFailures = tests.filter(
    (failure) =>
      failure !== test &&
      failure.age !== null &&
      ((cause !== null && failure.cause === cause) || (defect !== null && failure.defect?.id === defect.id)),
  );
  if (sameFailures.length === 0) return null;
  return (
    <section aria-labelledby="same-cause">
      <h3 id="same-cause">Same cause</h3>
      <ul className={styles.sameCause}>
        {sameFailures.map((failure) => {
          const id = entryOf(failure);
          return (
            <li key={id}>
              <span className={styles.key}>{failure.key}</span>{' '}
              <button type="button" onClick={() => id !== undefined && onChoose(id)}>
                {failure.name}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
