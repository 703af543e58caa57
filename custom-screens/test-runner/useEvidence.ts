import { useEffect, useEffectEvent, useState } from 'react';
import { useNotify } from 'react-admin';
import type { FieldOf } from '../../src/engine/definitions/definition';
import { formatBytes, greatestFormSize, isFiles } from '../../src/engine/field-types/files';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { isOverlayOpen, isTextInput } from '../../src/app/commands/keys';
import { fileProblem, tooManyFiles } from '../../src/app/fields/files/fileProblem';
import { withFiles, withoutFile, type Draft } from './draft';
import type { KeepProblem, KeptFile } from './keptFiles';
import { runnerFiles } from './runnerFiles';

/** How files are added to a result that is not saved. */
export interface Evidence {
  /** The field with the limits of files; undefined if the actor may not see the files of results, and so adds none. */
  readonly field: FieldOf<'files'> | undefined;
  /** Adds files to a step; 0 is the whole test. */
  readonly add: (files: readonly File[], step: number) => void;
  readonly remove: (file: KeptFile) => void;
  /** Files are dragged over the window, and dropped now they would be added to this step; 0 is the whole test. */
  readonly dropStep: number | undefined;
}

/**
 * Takes the files that are chosen, pasted wherever the focus is, or dropped anywhere on the runner. Those that are pasted
 * or dropped in a step belong to it, in the panel of the result to the whole test, elsewhere to the chosen step.
 *
 * @param chosenStep the step that was chosen; 0 is the whole test.
 */
export function useEvidence(
  { files: keptFiles = [] }: Draft,
  update: (make: (draft: Draft) => Draft) => void,
  isEnabled: boolean,
  chosenStep: number,
): Evidence {
  const { registry } = useDefinitions();
  const notify = useNotify();
  const evidenceField = registry.get('attempts')?.fields.evidence;
  const field = evidenceField && isFiles(evidenceField) ? evidenceField : undefined;
  const [dropStep, setDropStep] = useState<number>();
  const say = (words: string) =>
    notify(words, { type: 'warning', messageArgs: { _: words }, autoHideDuration: 12_000 });

  const remove = ({ id }: Pick<KeptFile, 'id'>) => {
    update((draft) => withoutFile(draft, id));
    runnerFiles.drop([id]);
  };
  const add = (files: readonly File[], step: number) => {
    if (!field || !isEnabled || files.length === 0) return;
    const newFiles: KeptFile[] = [];
    const problems: string[] = [];
    for (const file of files) {
      const allFiles = [...keptFiles, ...newFiles];
      const problem = evidenceProblem(file, allFiles, field);
      const name = distinctName(file.name, allFiles);
      if (problem !== undefined) problems.push(`“${name}” was not added. ${problem}`);
      else {
        const keptFile: KeptFile = runnerFiles.keep(file, name, (failure) => {
          if (failure === 'unreadable') remove(keptFile);
          say(keepProblem(name, failure));
        });
        newFiles.push(keptFile);
      }
    }
    if (newFiles.length > 0)
      update((draft) =>
        withFiles(
          draft,
          newFiles.map((file) => (step > 0 ? { ...file, step } : file)),
        ),
      );
    if (problems.length > 0) say(problems.join(' '));
  };

  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || isOverlayOpen()) return;
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    add(files, stepAt(event.target, chosenStep));
  });
  const drag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer: data } = event;
    if (event.defaultPrevented || !data?.types.includes('Files') || isOverlayOpen()) return;
    // Otherwise the browser opens the file in place of the page.
    event.preventDefault();
    const acceptsFiles = isEnabled && field !== undefined;
    data.dropEffect = acceptsFiles ? 'copy' : 'none';
    const step = stepAt(event.target, chosenStep);
    setDropStep(acceptsFiles && event.type === 'dragover' ? step : undefined);
    if (event.type === 'drop') add([...data.files], step);
  });
  const leave = useEffectEvent(({ relatedTarget }: DragEvent) => relatedTarget === null && setDropStep(undefined));
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener('paste', (event) => paste(event), { signal });
    window.addEventListener('dragover', (event) => drag(event), { signal });
    window.addEventListener('drop', (event) => drag(event), { signal });
    window.addEventListener('dragleave', (event) => leave(event), { signal });
    return () => controller.abort();
  }, []);
  return { field, add, remove, dropStep };
}

/** The step that a part of the screen belongs to: its own, none in the panel of the result, else the chosen one. */
function stepAt(target: EventTarget | null, chosenStep: number): number {
  if (!(target instanceof Element)) return chosenStep;
  const step = target.closest<HTMLElement>('[data-step]')?.dataset.step;
  if (step !== undefined) return Number(step);
  return target.closest('[data-whole-test]') ? 0 : chosenStep;
}

/** Why a file is not added to these, in the words of the field's own input; undefined if it is. */
function evidenceProblem(file: File, otherFiles: readonly KeptFile[], field: FieldOf<'files'>): string | undefined {
  if (otherFiles.length >= field.maxItems) return tooManyFiles(field);
  const size = otherFiles.reduce((sum, otherFile) => sum + otherFile.size, file.size);
  const ownProblem = fileProblem(file, field);
  if (ownProblem !== undefined || size <= greatestFormSize) return ownProblem;
  return `The files of one result can have ${formatBytes(greatestFormSize)} together: save this result, and add the rest to another one.`;
}

function keepProblem(name: string, problem: KeepProblem): string {
  if (problem === 'unreadable') return `“${name}” could not be read. Add it again.`;
  const reason = problem === 'no space' ? 'has no space left' : 'does not keep files';
  return `This browser ${reason}: “${name}” is lost if the page is closed before the result is stored.`;
}

/** The files of a paste. A copied text that programs also offer as a picture is a text where text is edited. */
function pastedFiles({ clipboardData, target }: ClipboardEvent): readonly File[] {
  const files = [...(clipboardData?.files ?? [])];
  const text = clipboardData?.getData('text/plain') ?? '';
  // Of copied files, some systems offer the names as text.
  const isText = text !== '' && !files.every(({ name }) => text.includes(name));
  return isText && isTextInput(target) ? [] : files;
}

/** The name, with a number if another file has it: pasted pictures are all called the same. */
function distinctName(name: string, otherFiles: readonly KeptFile[]): string {
  const usedNames = new Set(otherFiles.map((otherFile) => otherFile.name));
  const dot = name.lastIndexOf('.');
  const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let [result, number] = [name, 1];
  while (usedNames.has(result)) result = `${start}-${++number}${end}`;
  return result;
}
