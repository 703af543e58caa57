import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Row } from '../../src/app/layout/Row';
import type { Registry } from '../../src/engine/registry/registry';
import { formatInstant } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { diffTexts } from '../../src/engine/history/diff-texts';
import { StripOfRecords } from '../../src/app/fields/inverse/Strip';
import { Icon } from '../../src/app/icons/Icon';
import type { Proposal, TestResults } from './proposals';
import * as styles from './renamed-tests.module.css';

interface ProposalRowProps {
  proposal: Proposal;
  results: ReadonlyMap<number, TestResults> | undefined;
  registry: Registry;
  timeZone: string | undefined;
  isCurrent: boolean;
  isBusy: boolean;
  mayDecide: boolean;
  onOpen: () => void;
  onMerge: () => void;
  onKeepApart: () => void;
}

/** A test under its earlier and its present name, how similar they are, and the decision. */
export function ProposalRow({ proposal, results, isCurrent, ...props }: ProposalRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const earlierResults = results?.get(proposal.earlier_id);
  const { last_run_at, test_case_id } = proposal.earlier ?? {};
  return (
    <li ref={row} className={styles.row} aria-current={isCurrent || undefined} onClick={props.onOpen}>
      <Side {...{ proposal, registry: props.registry }} results={earlierResults} side="old" />
      <Box
        component="span"
        sx={{ color: 'var(--t3)', '@media (max-width: 1199px)': { display: 'none' } }}
        aria-hidden="true"
      >
        <Icon name="arrow-right" />
      </Box>
      <Side
        {...{ proposal, registry: props.registry }}
        results={proposal.test_id === null ? undefined : results?.get(proposal.test_id)}
        side="new"
      />
      <Box component="span" sx={{ display: 'grid', gap: 1 }}>
        <Box className="num" component="b" sx={{ fontSize: 16, fontWeight: 600 }}>
          {proposal.similarity}%
        </Box>
        <Box
          component="span"
          sx={{ height: 4, overflow: 'hidden', borderRadius: '2px', background: 'var(--line)' }}
          aria-hidden="true"
        >
          <Box
            component="i"
            sx={{ display: 'block', height: '100%', background: 'var(--accent)' }}
            style={{ width: `${proposal.similarity}%` }}
          />
        </Box>
      </Box>
      <span className={styles.seen}>
        {last_run_at ? formatInstant(last_run_at, props.timeZone) : 'Never run'}
        <small className="num">{countOf(earlierResults?.runs ?? 0, 'result')}</small>
      </span>
      <span className={styles.case}>
        {proposal.case_key && test_case_id ? (
          <Link to={`/test-cases/${test_case_id}`}>{proposal.case_key}</Link>
        ) : (
          <small>No case</small>
        )}
      </span>
      {props.mayDecide && (
        <span className={styles.actions}>
          <Button variant="outlined" disabled={props.isBusy} onClick={withoutPropagation(props.onKeepApart)}>
            Keep apart
          </Button>
          <Button
            variant={isCurrent ? 'contained' : 'outlined'}
            disabled={props.isBusy}
            aria-label={`Merge ${proposal.earlier_name}`}
            onClick={withoutPropagation(props.onMerge)}
          >
            Merge
          </Button>
        </span>
      )}
    </li>
  );
}

const countOf = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`;

const withoutPropagation = (run: () => void) => (event: { stopPropagation: () => void }) => {
  event.stopPropagation();
  run();
};

interface SideProps {
  proposal: Proposal;
  results: TestResults | undefined;
  registry: Registry;
  side: 'old' | 'new';
}

/** One name, of which only the words that differ are tinted. */
function Side({ proposal, results, registry, side }: SideProps) {
  const { earlier_file, earlier_suite, file, suite } = proposal;
  const oldPath = [earlier_file, earlier_suite].filter(Boolean).join(' › ');
  const newPath = [file, suite].filter(Boolean).join(' › ');
  const recent = registry.get('automated-tests')?.fields.recent;
  return (
    <span className={styles.side}>
      <span className="unseen">{side === 'old' ? 'Last seen as' : 'Now'}</span>
      <small className={styles.place}>
        <TintedName oldText={oldPath} newText={newPath} side={side} />
      </small>
      <b>
        <TintedName oldText={proposal.earlier_name} newText={proposal.name} side={side} />
      </b>
      {results && recent?.inverse && (
        <Row component="span" spacing={2} sx={{ minWidth: 0, mt: 0.5, color: 'var(--t2)' }}>
          <StripOfRecords
            field={recent}
            records={results.recent.slice(side === 'old' ? -18 : -10)}
            registry={registry}
          />
          {side === 'new' && (
            <Box className="num" component="small" sx={{ flex: 'none', color: 'inherit', fontSize: 'smaller' }}>
              {countOf(results.runs, 'run')} since
            </Box>
          )}
        </Row>
      )}
    </span>
  );
}

function TintedName({ oldText, newText, side }: { oldText: string; newText: string; side: 'old' | 'new' }) {
  const Mark = side === 'old' ? 'del' : 'ins';
  return diffTexts(oldText, newText)
    .filter((part) => part.side === 'both' || part.side === side)
    .map((part, index) => (part.side === 'both' ? part.text : <Mark key={index}>{part.text}</Mark>));
}
