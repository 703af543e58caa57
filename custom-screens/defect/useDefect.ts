import { createElement } from 'react';
import { useNotify } from 'react-admin';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { useMayAdd } from '../../src/app/actions/useMayAdd';
import { typeAhead } from '../../src/app/commands/typeAhead';
import { lazyComponent, preloadLazy } from '../../src/app/states/lazyComponent';
import { markdownToMarkup, markdownToText } from '../../src/engine/formats/markdown';
import type { Definition, Field, ResourceRecord } from '../../src/engine/definitions/definition';
import { isFiles } from '../../src/engine/field-types/files';
import { fetchApi } from '../../src/app/session/api';
import { copyFiles } from '../evidence/copyFiles';
import { filesOfAttempt } from '../evidence/storedFiles';
import { runnerFiles } from '../test-runner/runnerFiles';
import { defectText, draftOfAttempt, emptyDraft, isEmptyDraft, type Draft } from '../test-runner/draft';
import {
  fetchEntry,
  fetchLatestAttempt,
  resultActions,
  type EntryDetails,
  type PersonResult,
  type Run,
} from '../test-runner/runnerApi';
import { findCoveredCase, proposeValues } from './proposeValues';

const DefectDialog = lazyComponent(() => import('./DefectDialog'));

let isOpening = false;

/** Opens a dialog, unless one is being opened: a second key or click opens no second one. */
async function openOnce(open: () => Promise<void>): Promise<void> {
  if (isOpening) return;
  isOpening = true;
  const endTypeAhead = typeAhead();
  try {
    await open();
  } catch (error) {
    endTypeAhead();
    throw error;
  } finally {
    isOpening = false;
  }
}

/** The run of a failure, as far as its defect says it. */
type DefectRun = Pick<Run, 'key' | 'name' | 'project_id'> & {
  readonly milestone?: { readonly name: string } | null;
  readonly build_url?: string | null;
};

/** A result that is stored as soon as the defect is. */
interface UnsavedResult {
  readonly result: PersonResult;
  readonly store: () => void;
}

/**
 * Opens the dialog that creates a task for what a test found, filled as far as it is known, or links one that is like it; the
 * task then stands at the test. Where nothing is unsaved it is filled from the result that is stored, with copies of its files.
 */
export function useDefect(run: DefectRun, onLinked: (entry: EntryDetails) => void) {
  const { registry } = useDefinitions();
  const tasks = registry.getOrThrow('tasks');
  const entries = registry.getOrThrow('run-entries');
  const open = useOpenDialog();
  const notify = useNotify();
  const mayCreate = useMayAdd(tasks);

  const link = async (entry: EntryDetails, task: unknown, isRetested: boolean) => {
    const { data } = await fetchApi<{ data: EntryDetails }>(`/run-entries/${entry.id}`, {
      method: 'PUT',
      json: { defect_id: task, retest: isRetested },
    });
    onLinked(data);
  };
  const linkCreated = (entry: EntryDetails, task: ResourceRecord, isRetested: boolean) =>
    link(entry, task.id, isRetested).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : '';
      notify(`The task was created, but it could not be linked to the test. ${reason} Link it there.`, {
        type: 'error',
        autoHideDuration: null,
      });
    });
  const create = (test: EntryDetails | number, draft: Draft, unsavedResult?: UnsavedResult) =>
    openOnce(async () => {
      const entry = typeof test === 'number' ? await fetchEntry(test, new AbortController().signal) : test;
      const covered = await findCoveredCase(entry);
      await openDialog({ ...entry, test_case: entry.test_case ?? covered.testCase }, draft, {
        unsavedResult,
        source: covered.file,
        // A build tests again what it tested.
        retested: entry.test_case?.key ?? undefined,
      });
    }).catch((error: unknown) => notify(error instanceof Error ? error.message : '', { type: 'error' }));
  const openDialog = async (
    entry: EntryDetails,
    unsavedDraft: Draft,
    { unsavedResult, source, retested }: { unsavedResult?: UnsavedResult; source?: string; retested?: string },
  ) => {
    const isStored = isEmptyDraft(unsavedDraft) && entry.result !== 'not_run';
    const storedResult = isStored ? await loadStored(entry) : undefined;
    const draft = storedResult?.draft ?? unsavedDraft;
    const files = storedResult?.files ?? (await Promise.all((draft.files ?? []).map((file) => runnerFiles.read(file))));
    const attachments = files.filter((file) => file !== undefined);
    const { failedStep } = defectText(entry.pinned ?? {}, draft);
    const values = defectValues(tasks, { run, entry, source }, draft, attachments);
    await preloadLazy(DefectDialog);
    const key = entry.test_case?.key;
    const originParts = [key ? `from ${key} in ${run.key}` : `from ${run.key}`, failedStep && `step ${failedStep}`];
    const stepOf = new Map((storedResult?.steps ?? draft.files ?? []).map(({ name, step }) => [name, step]));
    open({
      kind: 'drawing',
      draw: (onClose) =>
        createElement(DefectDialog, {
          origin: originParts.filter(Boolean).join(', '),
          values,
          project: run.project_id,
          propose: () => proposeValues(entry, run.project_id),
          note: unsavedResult && `saves the result ${resultActions[unsavedResult.result].label} and goes on`,
          retested,
          noteOf: ({ name }) => {
            const step = stepOf.get(name);
            return step === undefined ? undefined : `Step ${step}`;
          },
          // The result is stored at once: what is typed for the test while it is linked belongs to the next attempt.
          onCreated: (task, isRetested) => {
            unsavedResult?.store();
            void linkCreated(entry, task, isRetested);
          },
          onLink: async (task, isRetested) => {
            await link(entry, task, isRetested);
            unsavedResult?.store();
          },
          onClose,
        }),
    });
  };
  /** The latest stored attempt of the test, as if it was not saved yet. */
  const loadStored = async (entry: EntryDetails) => {
    try {
      const attempt = await fetchLatestAttempt(entry.id);
      if (!attempt) return undefined;
      const steps = filesOfAttempt(attempt);
      const { files, omissions } = await copyFiles(steps, tasks.fields.attachments);
      if (omissions.length > 0)
        notify(omissions.join(' '), { type: 'warning', messageArgs: { _: omissions.join(' ') } });
      return { draft: draftOfAttempt(attempt), files, steps };
    } catch {
      // The form is opened all the same: without what could not be loaded.
      return undefined;
    }
  };
  return {
    /** For a test, or one that is read first by its id. */
    create: mayCreate
      ? (test: EntryDetails | number, draft: Draft = emptyDraft, unsavedResult?: UnsavedResult) =>
          void create(test, draft, unsavedResult)
      : undefined,
    link: (entry: EntryDetails) =>
      open({
        kind: 'form',
        definition: entries,
        mode: 'edit',
        id: String(entry.id),
        onSaved: (record) => onLinked(record as EntryDetails),
      }),
  };
}

/** The longest name that is made of a test and its step. */
const maxNameLength = 160;

/** The name of a defect: the test, and the step at which it failed. */
function defectName(entry: EntryDetails, failedStep: number | undefined): string {
  const step = entry.pinned?.steps?.[(failedStep ?? 0) - 1];
  const [action = ''] = markdownToText(step?.action ?? '')
    .trim()
    .split('\n');
  const name = [entry.name, action].filter(Boolean).join(': ');
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1).trimEnd()}…` : name;
}

/** The values of a new task: what was done, what was expected, what happened, what was seen, and where. */
function defectValues(
  tasks: Definition,
  { run, entry, source }: { run: DefectRun; entry: EntryDetails; source: string | undefined },
  draft: Draft,
  attachments: readonly File[],
): ResourceRecord {
  const { heading, steps, reproduction, expectedResult, actual, failedStep } = defectText(entry.pinned ?? {}, draft);
  const foundIn = [`${run.key} ${run.name}`, entry.test_case?.key, entry.configuration?.name]
    .filter(Boolean)
    .join(', ');
  const origin = [foundIn, run.build_url, source].filter(Boolean).join('\n');
  const hasSteps = steps.length > 0;
  // Steps can have marks; what the tester typed is as it was typed.
  const parts: readonly (readonly [label: string, text: string, markup: (text: string) => string])[] = [
    ['Found in', origin, paragraphs],
    [heading, hasSteps ? steps.join('') : reproduction, hasSteps ? () => stepList(steps) : paragraphs],
    ['Expected', expectedResult, hasSteps ? markdownToMarkup : paragraphs],
    ['Actual', actual, paragraphs],
  ];
  const description = parts
    .filter(([, text]) => text !== '')
    .map(([label, text, markup]) => `<p><strong>${label}</strong></p>${markup(text)}`)
    .join('');
  const values: ResourceRecord = {
    name: defectName(entry, failedStep),
    project_id: run.project_id,
    milestone: run.milestone?.name,
    project_module_id: entry.test_case?.project_module ?? undefined,
    description,
    // The form uploads them.
    attachments: attachments.length > 0 && takesFiles(tasks.fields.attachments) ? attachments : undefined,
  };
  const knownValues = Object.entries(values).filter(([name, value]) => value !== undefined && name in tasks.fields);
  return Object.fromEntries(knownValues);
}

/** Steps as a numbered list; a step may contain a list itself. */
const stepList = (steps: readonly string[]): string =>
  `<ol>${steps.map((step) => `<li>${markdownToMarkup(step)}</li>`).join('')}</ol>`;

const takesFiles = (field: Field | undefined) => field !== undefined && isFiles(field);

const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
    .join('');
