import { formatShare } from '../../src/engine/formats/shares';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Stack from '@mui/material/Stack';
import { useDeferredValue, useMemo, useState } from 'react';
import { useGetOne } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { isEmpty } from '../../src/engine/values/is-empty';
import { fieldOf } from '../../src/engine/definitions/accessors';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Tiles, type TileData } from '../../src/app/charts/Tiles';
import { DateInput } from '../../src/app/fields/date/DateInput';
import { localToday } from '../../src/app/data/localTime';
import { Icon } from '../../src/app/icons/Icon';
import { usePage } from '../../src/app/layout/page';
import { AddButton } from '../../src/app/list/AddButton';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import { useListScope } from '../../src/app/preferences/listScope';
import { useRemembered } from '../../src/app/preferences/useRemembered';
import { EmptyState } from '../../src/app/states/EmptyState';
import { FailedState } from '../../src/app/states/FailedState';
import type { Coverage as CoverageData } from '../../src/product/answers/coverage';
import { useCoverage, useProjects, type CoverageBy } from './coverageApi';
import { CoverageTable } from './CoverageTable';
import * as styles from './coverage.module.css';

const views: readonly { value: CoverageBy; label: string }[] = [
  { value: 'run', label: 'Runs' },
  { value: 'configuration', label: 'Configurations' },
  { value: 'state', label: 'Results' },
];

/** Which requirements test cases show to be met, on any day: gaps first. */
export default function Coverage() {
  const { registry } = useDefinitions();
  const isKnown = ['requirements', 'run-entries', 'test-cases'].every((name) => registry.get(name));
  const scope = useListScope();
  // The project in the address counts until the user switches to another one.
  const givenProject = Number(useSearchParams()[0].get('project_id'));
  const [initialScope] = useState(scope?.id);
  const project = givenProject > 0 && scope?.id === initialScope ? givenProject : scope?.id;
  return isKnown ? <CoverageScreen key={project} initialProject={project} /> : <NoAccess />;
}

function CoverageScreen({ initialProject }: { initialProject: number | undefined }) {
  const { registry } = useDefinitions();
  // A day is typed and picked as in every form.
  const dayField = useMemo(
    () => ({ ...fieldOf(registry.getOrThrow('requirements'), 'created_at'), label: 'As of' }),
    [registry],
  );
  const projects = useProjects(initialProject);
  const [rememberedProject, setProject] = useRemembered<number>('assay.coverage.project', 0);
  const [grouping, setGrouping] = useRemembered<CoverageBy>('assay.coverage.by', 'run');
  const [day, setDay] = useState(localToday);
  const changeDay = (next: unknown) => {
    // A half-typed date changes nothing; without a day it is today, and no day is later.
    if (isEmpty(next)) setDay(localToday());
    else if (typeof next === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(next))
      setDay(next > localToday() ? localToday() : next);
  };
  const [search, setSearch] = useState('');
  const q = useDeferredValue(search);
  const choices = projects.data?.projects;
  const [chosenProject, chooseProject] = useState(initialProject);
  const candidateIds = [chosenProject, rememberedProject, projects.data?.preferred];
  const project = candidateIds.find((id) => choices?.some((candidate) => candidate.id === id)) ?? choices?.[0]?.id;
  const [milestone, removeMilestone] = useMilestone(project === initialProject);
  const choice = { project, grouping, day, q, milestone: milestone?.id };
  const coverage = useCoverage(choice);
  const { data } = coverage;
  usePage({ title: 'Coverage', total: data?.requirements.length });
  const error = projects.error ?? coverage.error;
  if (error && !data) {
    return (
      <FailedState
        title="The coverage could not be loaded"
        message={error.message}
        onRetry={() => void Promise.all([projects.refetch(), coverage.refetch()])}
      />
    );
  }
  if (choices?.length === 0)
    return (
      <EmptyState
        sentence="There is no project that you can see."
        action={<AddButton definition={registry.getOrThrow('projects')} />}
      />
    );
  return (
    <Stack sx={{ flex: 1, minHeight: 0 }}>
      <Stack
        direction="row"
        sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 2, py: 3, px: 'var(--gutter)' }}
        role="toolbar"
        aria-label="Coverage"
      >
        <OutlinedInput
          size="small"
          sx={{ width: 220, '@media (max-width: 599px)': { width: '100%' } }}
          placeholder="Search requirements"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
          slotProps={{ input: { type: 'search', 'aria-label': 'Search requirements' } }}
        />
        {choices && project !== undefined && (
          <Select
            size="small"
            value={project}
            onChange={({ target }) => {
              chooseProject(Number(target.value));
              setProject(Number(target.value));
            }}
            slotProps={{ input: { 'aria-label': 'Project' } }}
          >
            {choices.map(({ id, title }) => (
              <MenuItem key={id} value={id}>
                {title}
              </MenuItem>
            ))}
          </Select>
        )}
        <span className={styles.day}>
          <label id="coverage-day-label" htmlFor="coverage-day">
            As of
          </label>
          <DateInput id="coverage-day" field={dayField} value={day} onChange={changeDay} size="small" />
        </span>
        {milestone && <Chip label={`Tested in ${milestone.title}`} onDelete={removeMilestone} />}
        <Box component="span" sx={{ flex: 1 }} />
        <span className={toolbarStyles.listViews} role="group" aria-label="Columns">
          {views.map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={grouping === value} onClick={() => setGrouping(value)}>
              {label}
            </button>
          ))}
        </span>
      </Stack>
      <Box sx={{ flex: 'none', px: 'var(--gutter)', pb: 3 }}>
        <Tiles label="Figures" tiles={tilesOf(data)} />
      </Box>
      {data && data.requirements.length === 0 && (
        <Box component="p" sx={{ py: 6, px: 'var(--gutter)', color: 'var(--t3)' }}>
          {q || milestone ? 'No requirement fits.' : 'The project had no requirements on this day.'}
        </Box>
      )}
      {data && data.requirements.length > 0 && project !== undefined && (
        <CoverageTable coverage={data} choice={choice} project={project} />
      )}
    </Stack>
  );
}

/** The milestone in the address, in whose runs the requirements are tested, and a function that takes it out. */
function useMilestone(isOfProject: boolean) {
  const [address, setAddress] = useSearchParams();
  const id = isOfProject ? Number(address.get('milestone_id')) || undefined : undefined;
  const { data } = useGetOne('milestones', { id: id ?? 0 }, { enabled: id !== undefined, retry: false });
  const remove = () => {
    const rest = new URLSearchParams(address);
    rest.delete('milestone_id');
    setAddress(rest, { replace: true });
  };
  return [id === undefined ? undefined : { id, title: String(data?.name ?? 'a milestone') }, remove] as const;
}

function tilesOf(coverage: CoverageData | undefined): readonly TileData[] {
  const requirements = coverage?.requirements ?? [];
  const count = (condition: (one: CoverageData['requirements'][number]) => boolean) =>
    coverage && requirements.filter(condition).length;
  const covered = count(({ cases }) => cases > 0);
  const share = formatShare(covered ?? 0, requirements.length, 1);
  const isFailing = ({ counts }: (typeof requirements)[number]) => counts.failed > 0;
  return [
    { key: 'all', label: 'Requirements', count: coverage && requirements.length },
    { key: 'covered', label: 'Covered by a case', count: coverage && share },
    { key: 'gaps', label: 'Coverage gaps', count: count(({ is_gap }) => is_gap), tone: 'bad' },
    {
      key: 'passed',
      label: 'Passed',
      count: count(({ cases, counts }) => cases > 0 && counts.passed === cases),
      tone: 'good',
    },
    { key: 'failing', label: 'Failing', count: count(isFailing), tone: 'bad' },
    {
      key: 'not_run',
      label: 'Not run yet',
      count: count((requirement) => !isFailing(requirement) && requirement.cases > 0 && requirement.counts.not_run > 0),
    },
  ];
}
