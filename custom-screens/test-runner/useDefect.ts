import { useNotify } from 'react-admin';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { useMayAdd } from '../../src/app/actions/useMayAdd';
import { markdownToMarkup } from '../../src/engine/formats/markdown';
import type { Definition, Field, ResourceRecord } from '../../src/engine/definitions/definition';
import { isFiles } from '../../src/engine/field-types/files';
import { fetchApi } from '../../src/app/session/api';
import { copyFiles } from '../evidence/copyFiles';
import { filesOfAttempt } from '../evidence/storedFiles';
import { runnerFiles } from './runnerFiles';
import { defectText, draftOfAttempt, isEmptyDraft, type Draft } from './draft';
import { entryKey } from './entryOrder';
import { fetchLatestAttempt, type EntryDetails, type Run } from './runnerApi';

/**
 * Opens the form of a task for what a test found, filled as far as it is known; the task then stands at the test. Where
 * nothing is unsaved it is filled from the result that is stored, with copies of its files.
 */
export function useDefect(run: Pick<Run, 'key' | 'name' | 'project_id'>, onLinked: (entry: EntryDetails) => void) {
  const { registry } = useDefinitions();
  const tasks = registry.getOrThrow('tasks');
  const entries = registry.getOrThrow('run-entries');
  const open = useOpenDialog();
  const notify = useNotify();
  const mayCreate = useMayAdd(tasks);

  const link = async (entry: EntryDetails, task: ResourceRecord) => {
    try {
      const { data } = await fetchApi<{ data: EntryDetails }>(`/run-entries/${entry.id}`, {
        method: 'PUT',
        json: { defect_id: task.id },
      });
      onLinked(data);
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      notify(`The task was created, but it could not be linked to the test. ${reason} Link it there.`, {
        type: 'error',
        autoHideDuration: null,
      });
    }
  };
  const create = async (entry: EntryDetails, unsaved: Draft, onCreated?: () => void) => {
    const storedResult = isEmptyDraft(unsaved) && entry.result !== 'not_run' ? await loadStored(entry) : undefined;
    const draft = storedResult?.draft ?? unsaved;
    const files = storedResult?.files ?? (await Promise.all((draft.files ?? []).map((file) => runnerFiles.read(file))));
    const attachments = files.filter((file) => file !== undefined);
    open({
      kind: 'form',
      definition: tasks,
      mode: 'create',
      preset: defectValues(tasks, run, entry, draft, attachments),
      // The result is stored at once: what is typed for the test while it is linked belongs to the next attempt.
      onSaved: (task) => {
        onCreated?.();
        void link(entry, task);
      },
    });
  };
  /** The latest stored attempt of the test, as if it was not saved yet. */
  const loadStored = async (entry: EntryDetails) => {
    try {
      const attempt = await fetchLatestAttempt(entry.id);
      if (!attempt) return undefined;
      const { files, omissions } = await copyFiles(filesOfAttempt(attempt), tasks.fields.attachments);
      if (omissions.length > 0)
        notify(omissions.join(' '), { type: 'warning', messageArgs: { _: omissions.join(' ') } });
      return { draft: draftOfAttempt(attempt), files };
    } catch {
      // The form is opened all the same: without what could not be loaded.
      return undefined;
    }
  };
  return {
    create: mayCreate
      ? (entry: EntryDetails, draft: Draft, onCreated?: () => void) => void create(entry, draft, onCreated)
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

/** The values of a new task: what was done, what was expected, what happened, what was seen, and where. */
function defectValues(
  tasks: Definition,
  run: Pick<Run, 'key' | 'name' | 'project_id'>,
  entry: EntryDetails,
  draft: Draft,
  attachments: readonly File[],
): ResourceRecord {
  const { heading, steps, expectedResult, actual } = defectText(entry.pinned ?? {}, draft);
  const origin = [`${run.key} ${run.name}`, entryKey(entry), entry.configuration?.name].filter(Boolean).join(', ');
  const parts: readonly (readonly [string, string])[] = [
    ['Found in', origin],
    [heading, steps],
    ['Expected', expectedResult],
    ['Actual', actual],
  ];
  const description = parts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => {
      // Steps can have marks; what the tester typed is as it was typed.
      const hasMarks = label !== 'Actual' && (entry.pinned?.steps ?? []).length > 0;
      return `<p><strong>${label}</strong></p>${hasMarks ? markdownToMarkup(text) : paragraphs(text)}`;
    })
    .join('');
  const values: ResourceRecord = {
    name: entry.name,
    project_id: run.project_id,
    project_module_id: entry.test_case?.project_module ?? undefined,
    description,
    // The form uploads them.
    attachments: attachments.length > 0 && takesFiles(tasks.fields.attachments) ? attachments : undefined,
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && name in tasks.fields),
  );
}

const takesFiles = (field: Field | undefined) => field !== undefined && isFiles(field);

const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
    .join('');
