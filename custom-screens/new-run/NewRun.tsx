import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useNotify } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { shortDay } from '../../src/engine/formats/dates';
import { useScreenRecords } from '../../src/app/actions/screenRecords';
import { isOverlayOpen } from '../../src/app/commands/keys';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { usePage } from '../../src/app/layout/page';
import { useListScope } from '../../src/app/preferences/listScope';
import { useRemembered } from '../../src/app/preferences/useRemembered';
import { fetchApi } from '../../src/app/session/api';
import { ApiError } from '../../src/app/session/apiError';
import { FailedState } from '../../src/app/states/FailedState';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useConfigurations, usePeople, useTestCases } from '../add-tests/useChoices';
import { formatSeconds } from '../run-overview/formatSeconds';
import { runsListLink } from '../test-runner/runsList';
import { CaseTree } from './CaseTree';
import {
  useGivenCases,
  useMilestones,
  useProjects,
  useTestTimes,
  type GivenCase,
  type RunContents,
  type TestTime,
} from './newRunApi';
import { RunFields, type RunDraft } from './RunFields';
import { secondsBy, shareOut, totalSeconds } from './runPlan';
import * as styles from './new-run.module.css';

/** Where a run is planned and started: on the left the run, on the right its test cases. */
export default function NewRun() {
  const { registry } = useDefinitions();
  const isKnown = registry.get('test-runs') && registry.get('run-entries') && registry.get('test-cases');
  return isKnown ? <LoadedChoices /> : <NoAccess />;
}

const noCases: readonly GivenCase[] = [];

function LoadedChoices() {
  usePage({ title: 'New run', back: runsListLink });
  const records = useScreenRecords();
  const givenCases = useGivenCases(records);
  const [rememberedProject] = useRemembered<number>('assay.new-run.project', 0);
  const initialCases = givenCases.data ?? noCases;
  const scope = useListScope();
  const project = mostFrequentProject(initialCases) ?? scope?.id ?? rememberedProject;
  const projects = useProjects(project, !records || givenCases.data !== undefined);
  const error = projects.error ?? givenCases.error;
  const isLoaded = projects.data && (!records || givenCases.data);
  // A later load that fails leaves what was planned.
  if (error && !isLoaded)
    return (
      <FailedState
        title="The new run could not be prepared"
        message={error.message}
        onRetry={() => void Promise.all([projects.refetch(), givenCases.refetch()])}
        link={runsListLink}
      />
    );
  if (!projects.data || !isLoaded)
    return (
      <p className={styles.nothing} role="status">
        Loading…
      </p>
    );
  const isOffered = projects.data.some(({ id }) => id === project);
  return (
    <Planner
      projects={projects.data}
      initialProject={isOffered ? project : projects.data[0]?.id}
      givenCases={initialCases}
    />
  );
}

/** The project of most of the test cases; a run is of one. */
function mostFrequentProject(cases: readonly GivenCase[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { project_id: id } of cases) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].toSorted(([, first], [, second]) => second - first)[0]?.[0];
}

/** The ids of those of a project. */
const casesOf = (project: number | undefined, cases: readonly GivenCase[]): ReadonlySet<number> =>
  new Set(cases.filter((testCase) => testCase.project_id === project).map(({ id }) => id));

interface PlannerProps {
  projects: readonly { readonly id: number; readonly title: string }[];
  initialProject: number | undefined;
  /** The test cases for which the screen was opened. */
  givenCases: readonly GivenCase[];
}

function Planner({ projects, initialProject, givenCases }: PlannerProps) {
  const { today = '' } = useEvaluationContext();
  const [draft, setDraft] = useState<RunDraft>({
    project: initialProject,
    name: undefined,
    milestone: null,
    dueDate: undefined,
    configurations: [],
    people: [],
    sharing: 'round_robin',
  });
  const { project } = draft;
  const [selected, setSelected] = useState<ReadonlySet<number>>(casesOf(initialProject, givenCases));
  const otherCount = givenCases.filter((testCase) => testCase.project_id !== project).length;
  const cases = useTestCases({ project_id: project ?? 0 });
  const casesById = useAllCases(cases.cases);
  const times = useTestTimes(project);
  const timesById = useMemo(
    () => new Map<number, TestTime>((times.data?.cases ?? []).map((time) => [time.id, time])),
    [times.data],
  );
  const secondsOf = useMemo(() => secondsBy(times.data?.cases ?? [], times.data?.mean_seconds ?? null), [times.data]);
  const milestones = useMilestones(project).data ?? [];
  const configurations = useConfigurations().data ?? [];
  const people = usePeople().data ?? [];
  const change = (part: Partial<RunDraft>) => {
    setDraft((latestDraft) => ({ ...latestDraft, ...part }));
    if (part.project !== undefined && part.project !== project) setSelected(casesOf(part.project, givenCases));
  };
  const takeOver = (contents: RunContents) => {
    setSelected(new Set(contents.cases));
    change({
      configurations: configurations.filter(({ id }) => contents.configurations.includes(id)),
      people: people.filter(({ id }) => contents.people.includes(id)),
    });
  };
  const milestone = milestones.find(({ id }) => id === draft.milestone);
  const dueDate = draft.dueDate === undefined ? (milestone?.due_on ?? null) : draft.dueDate;
  const name = draft.name ?? nameOf(draft, projects, milestone?.name, today);
  const chosenCases = useMemo(
    () => [...selected].map((id) => ({ id, module: casesById.get(id)?.module?.name ?? null })),
    [casesById, selected],
  );
  const repetitions = Math.max(1, draft.configurations.length);
  const count = selected.size * repetitions;
  const shares = shareOut(
    chosenCases,
    draft.configurations.length,
    draft.people.map(({ id }) => id),
    draft.sharing,
    secondsOf,
  );
  const notes = [
    selected.size > 0 && draft.configurations.length > 1 && `${draft.configurations.length} configurations`,
    selected.size > 0 && (count === 1 ? 'one test' : `${formatNumber(count)} tests`),
    otherCount > 0 && `${formatNumber(otherCount)} of other projects left out`,
  ].filter(Boolean);
  const start = useStart();
  const isReady = project !== undefined && name.trim() !== '' && selected.size > 0 && !start.isPending;
  const store = (state: 'planned' | 'open') => {
    if (!isReady) return;
    const hasShares = draft.sharing !== 'later' && draft.people.length > 0;
    start.mutate({
      project_id: project,
      name,
      milestone_id: draft.milestone,
      due_on: dueDate,
      state,
      test_cases: [...selected],
      configurations: draft.configurations.map(({ id }) => id),
      ...(hasShares && { assign: { by: draft.sharing, users: draft.people.map(({ id }) => id) } }),
    });
  };
  useSaveKey(() => store('open'));
  return (
    <div className={styles.screen}>
      <RunFields
        {...{ draft, change, name, dueDate, projects, milestones, configurations, people, shares }}
        errors={start.errors}
        onCopy={takeOver}
      />
      <CaseTree {...cases} times={timesById} {...{ secondsOf, selected }} onSelect={setSelected} />
      <footer className={styles.foot}>
        <span role="status">
          <b className="num">{formatNumber(selected.size)} selected</b>
          {selected.size > 0 &&
            `, about ${formatSeconds(totalSeconds(chosenCases, draft.configurations.length, secondsOf))}`}
          {notes.length > 0 && <small> · {notes.join(', ')}</small>}
        </span>
        {selected.size > 0 && (
          <Button variant="text" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        )}
        <span className={styles.grow} />
        <Button size="large" component={Link} to={runsListLink.to}>
          Cancel
        </Button>
        <Button size="large" variant="outlined" disabled={!isReady} onClick={() => store('planned')}>
          Save as draft
        </Button>
        <Button
          size="large"
          variant="contained"
          disabled={!isReady}
          startIcon={<Icon name="play" />}
          aria-keyshortcuts="Control+Enter"
          title="Ctrl+Enter"
          onClick={() => store('open')}
        >
          Start run
        </Button>
      </footer>
    </div>
  );
}

/** Made from milestone and configuration; without either, from the project and the day. */
function nameOf(
  { configurations, project }: RunDraft,
  projects: PlannerProps['projects'],
  milestone: string | undefined,
  today: string,
): string {
  const title = milestone ?? projects.find(({ id }) => id === project)?.title ?? '';
  const [first, ...otherTitles] = configurations.map((configuration) => configuration.title);
  const rest =
    first === undefined
      ? milestone
        ? ''
        : shortDay(today, today)
      : otherTitles.length > 0
        ? `${first} and ${otherTitles.length} more`
        : first;
  return [title, rest]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, 200);
}

interface LoadedCase {
  readonly id: number;
  readonly module: { readonly id: number; readonly name: string } | null;
}

/** The test cases by id as far as they were loaded, also those that the filter hides now. */
function useAllCases(cases: readonly LoadedCase[] | undefined): ReadonlyMap<number, LoadedCase> {
  const [knownCases, setKnown] = useState<ReadonlyMap<number, LoadedCase>>(new Map());
  const [source, setSource] = useState(cases);
  if (cases !== source) {
    setSource(cases);
    if (cases) setKnown(new Map([...knownCases, ...cases.map((testCase) => [testCase.id, testCase] as const)]));
  }
  return knownCases;
}

/** Stores a run with its tests: a started one is run at once, a draft is shown. */
function useStart() {
  const navigate = useNavigate();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [, rememberProject] = useRemembered<number>('assay.new-run.project', 0);
  const start = useMutation({
    mutationFn: async (json: { project_id: number; state: 'planned' | 'open' } & Readonly<Record<string, unknown>>) =>
      (await fetchApi<{ data: { id: number } }>('/test-runs/start', { method: 'POST', json })).data,
    onSuccess: ({ id }, { state, project_id }) => {
      rememberProject(project_id);
      void queryClient.invalidateQueries({ queryKey: ['test-runs'] });
      void navigate(state === 'open' ? `/test-runs/${id}/run` : `/test-runs/${id}/overview`);
    },
    onError: (error) => notify(error.message, { type: 'error', messageArgs: { _: error.message } }),
  });
  const errors = start.error instanceof ApiError ? (start.error.errors ?? {}) : {};
  return { ...start, errors };
}

/** Ctrl+Enter starts the run, wherever the focus is. */
function useSaveKey(run: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isOverlayOpen()) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
