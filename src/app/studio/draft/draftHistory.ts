import type { Source } from '../../../engine/language/source';
import type { Base } from '../draft';
import { formatSource } from '../../../engine/studio/format-source';
import { JsonError, parseJson } from '../../../engine/check/parse-json';

/** A draft parsed from text, or the line and message of the error. */
type ParsedDraft = { readonly source: Source } | { readonly line: number; readonly message: string };

/**
 * Parses the text of a draft. Checks only what all panes rely on (name, labels, fields); the server validates the rest.
 */
export function parseDraft(text: string): ParsedDraft {
  try {
    const { value, lines } = parseJson(text);
    const problem = shapeError(value);
    return problem ? { line: lines.get(problem.path) ?? 1, message: problem.message } : { source: value as Source };
  } catch (error) {
    if (error instanceof JsonError) return { line: error.line, message: error.message };
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shapeError(value: unknown): { path: string; message: string } | null {
  if (!isObject(value)) return { path: '', message: 'A definition must be an object: { … }.' };
  if (typeof value.name !== 'string') return { path: '/name', message: 'The definition needs a name.' };
  const labels = value.labels;
  if (!isObject(labels) || typeof labels.one !== 'string' || typeof labels.many !== 'string')
    return { path: '/labels', message: 'The definition needs labels: { "one": …, "many": … }.' };
  if (!isObject(value.fields)) return { path: '/fields', message: 'The fields must be an object: { "name": { … } }.' };
  const brokenField = Object.entries(value.fields).find(([, field]) => !isObject(field));
  if (brokenField)
    return { path: `/fields/${brokenField[0]}`, message: `The field ${brokenField[0]} must be an object: { … }.` };
  return null;
}

/** A state of a draft. */
export interface DraftState {
  readonly source: Source;
  readonly text: string;
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  readonly purge: readonly string[];
  /** Whether publishing it completes the pending upgrade: the changes are then based on what is shipped now. */
  readonly takesShipped?: boolean;
}

/** A draft with its undo history and, after undoing, the states to redo. */
export interface DraftHistory {
  readonly base: Base;
  readonly now: DraftState;
  readonly undoStates: readonly DraftState[];
  readonly redoStates: readonly DraftState[];
  /** The state that another tab has saved already. */
  readonly syncedState?: DraftState;
  /** The place and time of the last change: a change of the same place shortly after it belongs to the same undo step. */
  readonly last: { readonly subject: string; readonly time: number } | null;
}

/** An event of a draft. `at` is in milliseconds since 1970. */
export type DraftEvent =
  | { kind: 'edit'; change: (source: Source) => Source; subject: string; time: number }
  /** `isSeparate`: a separate undo step, never merged with typing before or after it. */
  | { kind: 'write'; text: string; time: number; isSeparate?: boolean }
  | { kind: 'purge'; columns: readonly string[] }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'discard' }
  | { kind: 'rebase'; base: Base; source: Source }
  /** Another tab changed the draft, or ended it (without `now`). Can be undone. */
  | { kind: 'follow'; base?: Base; now?: DraftState; time: number };

/** The most states in the undo history. */
const maxUndoSteps = 200;
/** Changes of one place within this many milliseconds are one undo step. */
const mergeWindow = 900;

/** A definition as an unchanged draft. */
export function initialState(source: Source): DraftState {
  return { source, text: formatSource(source), unreadable: null, purge: [] };
}

/** The initial history of a draft; `now` is its saved state. */
export function initialHistory(base: Base, now: DraftState = initialState(base.source)): DraftHistory {
  return { base, now, undoStates: [], redoStates: [], last: null };
}

/** Whether two definitions are equal, including the order of keys. */
export function isSameSource(first: Source, second: Source): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

/** Whether the draft has no changes. */
export function isUnchanged({ base, now }: Pick<DraftHistory, 'base' | 'now'>): boolean {
  return (
    now.unreadable === null && now.purge.length === 0 && !now.takesShipped && isSameSource(now.source, base.source)
  );
}

/** Reducer: the draft after an event. */
export function reduceDraft(steps: DraftHistory, event: DraftEvent): DraftHistory {
  const { base, now, undoStates, redoStates } = steps;
  switch (event.kind) {
    case 'edit': {
      const source = event.change(now.source);
      if (isSameSource(source, now.source) && !now.unreadable) return steps;
      return pushState(
        steps,
        { ...now, source, text: formatSource(source), unreadable: null },
        event.subject,
        event.time,
      );
    }
    case 'write': {
      if (event.text === now.text) return steps;
      const reading = parseDraft(event.text);
      const read = 'source' in reading ? { source: reading.source, unreadable: null } : { unreadable: reading };
      return pushState(steps, { ...now, ...read, text: event.text }, event.isSeparate ? '' : 'text', event.time);
    }
    case 'purge':
      return pushState(steps, { ...now, purge: event.columns });
    case 'undo': {
      const stateBefore = undoStates.at(-1);
      return stateBefore
        ? { base, now: stateBefore, undoStates: undoStates.slice(0, -1), redoStates: [now, ...redoStates], last: null }
        : steps;
    }
    case 'redo': {
      const [next, ...rest] = redoStates;
      return next ? { base, now: next, undoStates: [...undoStates, now], redoStates: rest, last: null } : steps;
    }
    case 'discard':
      return pushState(steps, initialState(base.source));
    case 'follow': {
      const { base: newBase = base, now: syncedState = initialState(newBase.source) } = event;
      return { ...pushState(steps, syncedState, 'elsewhere', event.time), base: newBase, syncedState };
    }
    case 'rebase':
      return { ...initialHistory(event.base, initialState(event.source)), undoStates: [] };
  }
}

function pushState(steps: DraftHistory, now: DraftState, subject = '', time = 0): DraftHistory {
  const continuesStep = subject !== '' && steps.last?.subject === subject && time - steps.last.time < mergeWindow;
  return {
    base: steps.base,
    now,
    undoStates: continuesStep ? steps.undoStates : [...steps.undoStates, steps.now].slice(-maxUndoSteps),
    redoStates: [],
    last: subject === '' ? null : { subject, time },
  };
}
