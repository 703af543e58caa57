import Button from '@mui/material/Button';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { canDo } from '../../src/engine/access/can-do';
import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { Icon } from '../../src/app/icons/Icon';
import { FailedState } from '../../src/app/states/FailedState';
import { useDefect } from '../defect/useDefect';
import {
  draftResult,
  foundResult,
  withRestPassed,
  withStepComment,
  withStepResult,
  type Draft,
  isEmptyDraft,
  withDefect,
} from './draft';
import { EntryContent } from './EntryContent';
import { ResultButtons } from './ResultButtons';
import { ResultPanel } from './ResultPanel';
import { resultLabels, type EntryDetails, type FoundResult, type PersonResult, type Run } from './runnerApi';
import { stepCommentId, stepFilesId, Steps } from './Steps';
import { useEvidence } from './useEvidence';
import { useEarlierResults, usePictures, useVersion } from './useRun';
import { useRunnerKeys } from './useRunnerKeys';
import type { Timer } from './useTimer';
import { VersionBar } from './VersionBar';
import * as styles from './runner.module.css';

interface EntryPaneProps {
  run: Run;
  entryId: number | undefined;
  query: UseQueryResult<EntryDetails>;
  draft: Draft;
  change: (entry: number, make: (draft: Draft) => Draft) => void;
  timer: Timer;
  /** Whether the actor may record a result now. */
  canRecord: boolean;
  keysEnabled: boolean;
  isPhone: boolean;
  onSave: (entry: EntryDetails, found: FoundResult) => void;
  /** The server stored something of the test. */
  onStored: (entry: EntryDetails) => void;
  onMove: (steps: number) => void;
  onFind: () => void;
  onHelp: () => void;
}

/** The test that is run now: what to do, and what was found. */
export function EntryPane(props: EntryPaneProps) {
  const { run, entryId, query, draft, change, timer, canRecord, isPhone, onStored } = props;
  const entry = query.data?.id === entryId ? query.data : undefined;
  const steps = entry?.pinned?.steps ?? [];
  const notify = useNotify();
  const content = useRef<HTMLElement>(null);
  const commentBox = useRef<HTMLTextAreaElement>(null);
  const filePicker = useRef<HTMLInputElement>(null);
  const [chosenStep, chooseStep, openComment] = useChosenStep(entryId);
  const [keptVersion, keepVersion] = useState<number>();
  const version = useVersion(entry);
  const earlierResults = useEarlierResults(entry?.test_case?.id);
  const defect = useDefect(run, onStored);
  const edit = useEditTestCase(entry);
  useFocusAfterMove(content, entryId);
  const pictures = usePictures(entry);

  const update = (make: (draft: Draft) => Draft) => {
    if (entry && canRecord) change(entry.id, make);
  };
  const setResult = (result: PersonResult) =>
    update(({ chosen: resultBefore, ...rest }) => (resultBefore === result ? rest : { ...rest, chosen: result }));
  const setStepResult = (step: number, result: PersonResult) =>
    update((draftBefore) => withStepResult(draftBefore, step, result));
  const commentOnStep = (step: number) => {
    openComment(step);
    // The box may have to be rendered first.
    requestAnimationFrame(() => document.getElementById(stepCommentId(step))?.focus());
  };
  const saveDraft = (savedDraft: Draft) => {
    if (!entry || !canRecord) return;
    const result = draftResult(savedDraft, steps.length);
    if (result === undefined) {
      notify('Choose a result first: Pass, Fail, Block or Skip.', { type: 'warning' });
      return;
    }
    const seconds = timer.seconds();
    timer.reset();
    props.onSave(entry, foundResult(savedDraft, result, seconds > 0 ? seconds : null));
  };
  const save = () => saveDraft(draft);
  const passAndSave = () => {
    const result = draftResult(draft, steps.length);
    if (result === undefined || result === 'passed')
      return saveDraft({ ...withRestPassed(draft, steps.length), chosen: 'passed' });
    notify(`This test is marked as ${resultLabels[result].toLowerCase()}. Save it as it is, or choose Pass first.`, {
      type: 'warning',
    });
  };
  const evidence = useEvidence(draft, update, entry !== undefined && canRecord, chosenStep.step);
  const { create } = defect;
  // With the defect the result is stored, unless it was before.
  const isStored = entry !== undefined && entry.result !== 'not_run' && isEmptyDraft(draft);
  const draftWithDefect = withDefect(draft, steps.length);
  const resultWithDefect = isStored ? undefined : draftResult(draftWithDefect, steps.length);
  const unsavedResult = resultWithDefect && { result: resultWithDefect, store: () => saveDraft(draftWithDefect) };
  const createDefect = entry && canRecord && create ? () => create(entry, draft, unsavedResult) : undefined;

  useRunnerKeys(
    {
      result: (result) => {
        if (chosenStep.step === 0) return setResult(result);
        setStepResult(chosenStep.step, result);
        // The next step is next, unless the result was taken back.
        if (draft.steps[chosenStep.step]?.result !== result)
          chooseStep(chosenStep.step < steps.length ? chosenStep.step + 1 : 0);
      },
      step: (step) => step <= steps.length && chooseStep(step),
      comment: () => (chosenStep.step > 0 ? commentOnStep(chosenStep.step) : commentBox.current?.focus()),
      attach: () => {
        if (!entry || !canRecord) return;
        if (chosenStep.step > 0) document.getElementById(stepFilesId(chosenStep.step))?.click();
        else filePicker.current?.click();
      },
      defect: () => createDefect?.(),
      edit: () => edit?.(),
      next: () => props.onMove(1),
      previous: () => props.onMove(-1),
      save,
      pass: passAndSave,
      find: props.onFind,
      help: props.onHelp,
    },
    props.keysEnabled,
  );

  if (!entry) {
    return (
      <section className={styles.content} ref={content} tabIndex={-1} aria-busy={!query.error}>
        {query.error && (
          <FailedState
            title="The test could not be loaded"
            message={query.error.message}
            onRetry={() => void query.refetch()}
          />
        )}
      </section>
    );
  }
  const difference = version.data;
  const isChanged = difference && difference.current !== null && difference.changed.length > 0;
  const panel = (
    <ResultPanel
      {...{ entry, draft, timer, commentBox, isPhone, evidence, filePicker }}
      disabled={!canRecord}
      previousResults={earlierResults.data}
      onCreateDefect={createDefect}
      onLinkDefect={() => defect.link(entry)}
      onChoose={setResult}
      onComment={(comment) => update((draftBefore) => ({ ...draftBefore, comment }))}
      onSave={save}
      onPass={passAndSave}
    />
  );
  return (
    <>
      <section className={styles.content} ref={content} tabIndex={-1} aria-label={entry.name}>
        {isChanged && keptVersion !== entry.id && (
          <VersionBar
            {...{ entry, difference }}
            disabled={!canRecord}
            onTaken={onStored}
            onKeep={() => keepVersion(entry.id)}
          />
        )}
        <EntryContent entry={entry} onEdit={edit}>
          {steps.length > 0 && (
            <Steps
              {...{ steps, draft, evidence, pictures }}
              selected={chosenStep.step}
              commenting={chosenStep.commenting}
              disabled={!canRecord}
              onSelect={chooseStep}
              onResult={setStepResult}
              onComment={commentOnStep}
              onCommentText={(step, text) => update((draftBefore) => withStepComment(draftBefore, step, text))}
              onPassRest={() => update((draftBefore) => withRestPassed(draftBefore, steps.length))}
            />
          )}
        </EntryContent>
        {isPhone && panel}
      </section>
      {!isPhone && panel}
      {isPhone && (
        <div className={styles.phoneBar}>
          <ResultButtons
            label="Result of the test"
            value={draftResult(draft, steps.length)}
            disabled={!canRecord}
            onChoose={setResult}
          />
          <PhoneButtons {...{ canRecord, createDefect, save }} movePrevious={() => props.onMove(-1)} />
        </div>
      )}
    </>
  );
}

interface PhoneButtonsProps {
  canRecord: boolean;
  createDefect: (() => void) | undefined;
  save: () => void;
  movePrevious: () => void;
}

function PhoneButtons({ canRecord, createDefect, save, movePrevious }: PhoneButtonsProps) {
  return (
    <div>
      <Button variant="outlined" aria-label="Previous test" onClick={movePrevious}>
        <Icon name="chevron-left" />
      </Button>
      {createDefect && (
        <Button variant="outlined" startIcon={<Icon name="bug" />} onClick={createDefect}>
          Defect
        </Button>
      )}
      <Button variant="contained" disabled={!canRecord} onClick={save}>
        Save and next
      </Button>
    </div>
  );
}

interface ChosenStep {
  readonly entry: number | undefined;
  /** The step that the keys are for; 0 is the whole test. */
  readonly step: number;
  readonly commenting: ReadonlySet<number>;
}

const noSteps: ReadonlySet<number> = new Set();

/** The chosen step of the current test, and the steps whose comments are open. */
function useChosenStep(entry: number | undefined): [ChosenStep, (step: number) => void, (step: number) => void] {
  const initial = { entry, step: 0, commenting: noSteps };
  const [storedStep, set] = useState<ChosenStep>(initial);
  const chosenStep = storedStep.entry === entry ? storedStep : initial;
  return [
    chosenStep,
    (step) => set({ ...chosenStep, step }),
    (step) => set({ ...chosenStep, step, commenting: new Set([...chosenStep.commenting, step]) }),
  ];
}

/** Opens the form of the test case; undefined if the actor may not change it. */
function useEditTestCase(entry: EntryDetails | undefined): (() => void) | undefined {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const open = useOpenDialog();
  const definition = registry.get('test-cases');
  const testCase = entry?.test_case;
  if (!definition || !testCase) return undefined;
  if (!canDo(actor, definition, 'edit', testCase as unknown as ResourceRecord, evaluationContext)) return undefined;
  return () => open({ kind: 'form', definition, mode: 'edit', id: String(testCase.id) });
}

/** Another test is opened: text that was edited, and buttons that are gone, leave the focus to the test itself. */
function useFocusAfterMove(content: React.RefObject<HTMLElement | null>, entry: number | undefined): void {
  const entryBefore = useRef(entry);
  useEffect(() => {
    if (entryBefore.current === entry) return;
    entryBefore.current = entry;
    const { activeElement: focused } = document;
    const isText = focused?.matches('textarea') ?? false;
    if (isText || focused?.matches('body, main')) content.current?.focus();
    content.current?.scrollTo({ top: 0 });
  }, [content, entry]);
}
