import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { canDo } from '../../src/engine/access/can-do';
import { formatInstant } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { Icon } from '../../src/app/icons/Icon';
import { useMayAdd } from '../../src/app/actions/useMayAdd';
import { fetchApi } from '../../src/app/session/api';
import { ResultGlyph } from '../results/ResultNumbers';
import {
  countAll,
  resultGround,
  resultNames,
  resultOrder,
  type ResultCounts,
  type ResultName,
} from '../results/results';
import { PriorityMark } from '../shared-test-case/Marks';
import { CellPopover } from './CellPopover';
import type { Coverage, CoverageColumn, CoveredRequirement } from '../../src/product/answers/coverage';
import type { CoverageChoice } from './coverageApi';
import * as styles from './coverage.module.css';

interface CoverageTableProps {
  coverage: Coverage;
  choice: CoverageChoice;
  project: number;
}

/** The cell whose test cases are shown. */
interface OpenCell {
  readonly anchor: HTMLElement;
  readonly requirement: CoveredRequirement;
  readonly column: CoverageColumn | undefined;
}

/** Rows that are drawn before somebody asks for all. */
const firstRows = 200;
const states = resultOrder.filter((name) => name !== 'flaky');

/** Requirements in rows, gaps first; results in columns. */
export function CoverageTable({ coverage, choice, project }: CoverageTableProps) {
  const [cell, setCell] = useState<OpenCell>();
  const [showsAllRows, setShowsAllRows] = useState(false);
  const { columns, requirements } = coverage;
  const visibleRequirements = showsAllRows ? requirements : requirements.slice(0, firstRows);
  const groups = [
    {
      label: 'Coverage gaps',
      all: requirements.filter((requirement) => requirement.is_gap),
      rows: visibleRequirements.filter((requirement) => requirement.is_gap),
    },
    {
      label: 'Covered',
      all: requirements.filter((requirement) => !requirement.is_gap),
      rows: visibleRequirements.filter((requirement) => !requirement.is_gap),
    },
  ].filter(({ all: members }) => members.length > 0);
  const width = 4 + (choice.grouping === 'state' ? states.length : Math.max(columns.length, 1));
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Coverage of requirements">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Requirement</th>
            <th scope="col">Priority</th>
            <th scope="col">Covered by</th>
            {choice.grouping === 'state' && states.map((name) => <th key={name}>{resultNames[name]}</th>)}
            {choice.grouping !== 'state' &&
              columns.map((column) => (
                <th key={column.id} scope="col" title={column.at ? formatInstant(column.at) : undefined}>
                  {column.label}
                  {column.note && <small>{column.note}</small>}
                </th>
              ))}
            {choice.grouping !== 'state' && columns.length === 0 && <th scope="col">Results</th>}
          </tr>
        </thead>
        {groups.map(({ label, all: members, rows }) => (
          <tbody key={label}>
            <tr className={styles.group}>
              <th colSpan={width} scope="rowgroup">
                {label} <span className="num">{formatNumber(members.length)}</span>
              </th>
            </tr>
            {rows.map((requirement) => (
              <tr key={requirement.id}>
                <td className={styles.key}>{requirement.key}</td>
                <th scope="row" className={styles.name}>
                  <Link to={`/requirements/${requirement.id}`}>{requirement.name}</Link>
                </th>
                <td>{requirement.priority && <PriorityMark title={requirement.priority.title} />}</td>
                <td>
                  {requirement.cases === 0 ? (
                    <span className={styles.noCase}>No case</span>
                  ) : (
                    <button
                      type="button"
                      className={styles.cases}
                      aria-haspopup="dialog"
                      onClick={(event) => setCell({ anchor: event.currentTarget, requirement, column: undefined })}
                    >
                      {requirement.cases === 1 ? '1 case' : `${formatNumber(requirement.cases)} cases`}
                    </button>
                  )}
                </td>
                {requirement.cases === 0 ? (
                  <td colSpan={width - 4}>
                    <NeverTested requirement={requirement} project={project} />
                  </td>
                ) : choice.grouping === 'state' ? (
                  states.map((name) => (
                    <td key={name} className="num" data-zero={requirement.counts[name] === 0 || undefined}>
                      {formatNumber(requirement.counts[name] + (name === 'passed' ? requirement.counts.flaky : 0))}
                    </td>
                  ))
                ) : columns.length === 0 ? (
                  <td>Never tested</td>
                ) : (
                  columns.map((column) => {
                    const counts = requirement.cells[column.id];
                    return (
                      <td key={column.id}>
                        {counts ? (
                          <Cell
                            name={`${requirement.key ?? requirement.name} in ${column.label}`}
                            counts={counts}
                            onOpen={(anchor) => setCell({ anchor, requirement, column })}
                          />
                        ) : (
                          <span className={styles.none}>–</span>
                        )}
                      </td>
                    );
                  })
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {visibleRequirements.length < requirements.length && (
        <p className={styles.more}>
          The first {formatNumber(visibleRequirements.length)} of {formatNumber(requirements.length)} requirements.
          <Button onClick={() => setShowsAllRows(true)}>Show all</Button>
        </p>
      )}
      {cell && <CellPopover {...cell} choice={choice} onClose={() => setCell(undefined)} />}
    </div>
  );
}

const severity = ['failed', 'blocked', 'flaky', 'not_run', 'skipped', 'passed'] as const satisfies ResultName[];

function Cell({ name, counts, onOpen }: { name: string; counts: ResultCounts; onOpen: (anchor: HTMLElement) => void }) {
  const worstResult = severity.find((result) => counts[result] > 0) ?? 'not_run';
  const total = countAll(counts);
  return (
    <button
      type="button"
      className={styles.cell}
      style={resultGround(worstResult)}
      aria-haspopup="dialog"
      aria-label={`${name}: ${resultNames[worstResult]}, ${counts.passed} of ${total} passed`}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      <ResultGlyph result={worstResult} />
      <span className="num">
        {formatNumber(counts.passed)}/{formatNumber(total)}
      </span>
    </button>
  );
}

/** A requirement without a test case: what to do about it. */
function NeverTested({ requirement, project }: { requirement: CoveredRequirement; project: number }) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const cases = registry.getOrThrow('test-cases');
  const definition = registry.getOrThrow('requirements');
  const mayAdd = useMayAdd(cases);
  const mayLink = canDo(actor, definition, 'edit', { id: requirement.id, project_id: project }, evaluationContext);
  const open = useOpenDialog();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const link = async (testCase: number) => {
    try {
      const path = `/requirements/${requirement.id}`;
      const { data } = await fetchApi<{ data: { test_cases?: readonly { id: number }[] } }>(path);
      const ids = [...(data.test_cases ?? []).map(({ id }) => id), testCase];
      await fetchApi(path, { method: 'PUT', json: { test_case_ids: ids } });
      notify(`${requirement.key ?? 'The requirement'} is covered by a test case now.`, { type: 'success' });
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).includes('requirements'),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      notify(`The test case was created, but not linked to the requirement. ${reason} Link it there.`, {
        type: 'error',
        autoHideDuration: null,
      });
    }
  };
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 3, color: 'var(--t2)' }}>
      Never tested
      {mayAdd && mayLink && (
        <Button
          variant="outlined"
          size="small"
          startIcon={<Icon name="plus" />}
          onClick={() =>
            open({
              kind: 'form',
              definition: cases,
              mode: 'create',
              preset: { project_id: project, name: requirement.name },
              onSaved: (record) => void link(record.id as number),
            })
          }
        >
          Add case
        </Button>
      )}
      {mayLink && (
        <Button size="small" startIcon={<Icon name="link" />} component={Link} to={`/requirements/${requirement.id}`}>
          Link cases
        </Button>
      )}
    </Box>
  );
}
